// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>

namespace headscope {

/// Big blocks of memory that are kept when their last owner lets go, and handed out again: pages fresh from the system
/// cost more than the arithmetic on them. At most 160 MB lie idle, and none where a new block of 64 MB or more is
/// taken; what is older goes back to the system first. Uninitialised, aligned to 64 bytes (to 2 MB from 2 MB on). Any
/// thread may call. Throws std::bad_alloc.
std::shared_ptr<void> pooled_block(std::size_t bytes);

/// Bytes that lie idle.
std::size_t pooled_idle_bytes();
/// Gives every idle block back to the system.
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
