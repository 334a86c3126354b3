// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>

namespace headscope {

/// Allocates a large block. Blocks are kept when their last owner frees them, and reused, because new pages cost more
/// than the arithmetic on them. At most 160 MB are kept unused; the oldest blocks are freed first. Blocks of 64 MB or
/// more are kept as well, up to 4 GB, marked so that the system can reclaim their pages when it needs memory
/// (MADV_FREE). If none of those fits a new block of such a size, all unused blocks are freed first. Uninitialised,
/// aligned to 64 bytes (to 2 MB from 2 MB on). Thread-safe. Throws std::bad_alloc.
std::shared_ptr<void> pooled_block(std::size_t bytes);

/// Bytes of unused blocks, without those whose pages the system can reclaim.
std::size_t pooled_idle_bytes();
/// Frees every unused block.
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
