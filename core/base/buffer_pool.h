// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>

namespace headscope {

/// Large blocks of memory that are kept when their last owner frees them, and reused: pages fresh from the system cost
/// more than the arithmetic on them. At most 160 MB are idle; the oldest blocks go back to the system first. Blocks of
/// 64 MB or more are kept besides, up to 4 GB, in a way that lets the system take their pages whenever it needs memory
/// (MADV_FREE). If none of those fits a new block of such a size, all unused blocks go back before it is taken.
/// Uninitialised, aligned to 64 bytes (to 2 MB from 2 MB on). Any thread may call. Throws std::bad_alloc.
std::shared_ptr<void> pooled_block(std::size_t bytes);

/// Bytes of unused blocks, without those whose pages the system may take.
std::size_t pooled_idle_bytes();
/// Gives every unused block back to the system.
void release_pooled_blocks();

/// A typed block.
template <typename T>
class PooledArray {
public:
    PooledArray() = default;
    explicit PooledArray(std::size_t count) : block_(pooled_block(count * sizeof(T))) {}
    T* data() const { return static_cast<T*>(block_.get()); }
    T& operator[](std::size_t i) const { return data()[i]; }

private:
    std::shared_ptr<void> block_;
};

}  // namespace headscope
