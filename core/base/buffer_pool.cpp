// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/buffer_pool.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <mutex>
#include <new>
#include <optional>

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HEADSCOPE_MAPS_BLOCKS  // the sanitizers only track what the allocator returns
#include <sys/mman.h>
#endif

namespace headscope {

namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;
constexpr std::size_t kHugePage = 2 * kMegabyte;
constexpr std::size_t kSmallest = std::size_t{1} << 16;  // below this the allocator's own caches are as fast
constexpr std::size_t kMostIdle = 160 * kMegabyte;
constexpr std::size_t kImpossible = kMegabyte << 19;  // half a terabyte: fail without calling the system
constexpr std::size_t kHuge = 64 * kMegabyte;         // the system may reclaim the pages of unused blocks
constexpr std::size_t kMostReclaimable = std::size_t{4096} * kMegabyte;

struct Block {
    void* memory;
    std::size_t bytes;
};

std::align_val_t alignment_of(std::size_t bytes) {
    return std::align_val_t{bytes >= kHugePage ? kHugePage : 64};
}

/// Rounds up so that similar sizes can use the same block.
std::size_t rounded_up(std::size_t bytes) {
    const std::size_t unit = bytes >= kHugePage ? kHugePage : bytes >= kSmallest ? kSmallest : 64;
    if (bytes > kImpossible) throw std::bad_alloc();
    return std::max<std::size_t>(1, (bytes + unit - 1) / unit) * unit;
}

#ifdef HEADSCOPE_MAPS_BLOCKS
/// Maps whole huge pages: maps one more than needed and unmaps what is outside the alignment.
void* mapped(std::size_t bytes) {
    void* const whole = mmap(nullptr, bytes + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (whole == MAP_FAILED) throw std::bad_alloc();
    auto* const first = static_cast<std::byte*>(whole);
    const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(whole) % kHugePage) % kHugePage;
    if (before > 0) munmap(first, before);
    munmap(first + before + bytes, kHugePage - before);
    // Only a hint: without huge pages the block works as well.
    madvise(first + before, bytes, MADV_HUGEPAGE);
    return first + before;
}
#endif

Block take_from_system(std::size_t bytes) {
#ifdef HEADSCOPE_MAPS_BLOCKS
    if (bytes >= kHugePage) return {mapped(bytes), bytes};
#endif
    return {::operator new(bytes, alignment_of(bytes)), bytes};
}

/// Unmaps large blocks, which the allocator would cache.
void give_to_system(const Block& block) {
#ifdef HEADSCOPE_MAPS_BLOCKS
    if (block.bytes >= kHugePage) {
        munmap(block.memory, block.bytes);
        return;
    }
#endif
    ::operator delete(block.memory, alignment_of(block.bytes));
}

/// Lets the system reclaim the pages of a block when it needs memory; until then writing them again costs nothing.
/// Returns false if the system does not support it.
bool make_reclaimable([[maybe_unused]] const Block& block) {
#if defined(HEADSCOPE_MAPS_BLOCKS) && defined(MADV_FREE)
    return madvise(block.memory, block.bytes, MADV_FREE) == 0;
#else
    return false;
#endif
}

/// Unused blocks, the oldest first.
class Shelf {
public:
    std::optional<Block> take(std::size_t bytes) {
        auto best = blocks_.end();
        for (auto it = blocks_.begin(); it != blocks_.end(); ++it) {
            const bool fits = it->bytes >= bytes && it->bytes <= bytes + bytes / 4;
            if (fits && (best == blocks_.end() || it->bytes < best->bytes)) best = it;
        }
        if (best == blocks_.end()) return std::nullopt;
        const Block block = *best;
        blocks_.erase(best);
        bytes_ -= block.bytes;
        return block;
    }

    void put(const Block& block) {
        blocks_.push_back(block);
        bytes_ += block.bytes;
    }

    /// Takes the oldest block if there are more than so many bytes.
    std::optional<Block> take_above(std::size_t most) {
        if (bytes_ <= most) return std::nullopt;
        const Block block = blocks_.front();
        blocks_.pop_front();
        bytes_ -= block.bytes;
        return block;
    }

    std::size_t bytes() const { return bytes_; }

private:
    std::deque<Block> blocks_;
    std::size_t bytes_ = 0;
};

class Pool {
public:
    Block take(std::size_t bytes) {
        {
            const std::lock_guard lock(mutex_);
            if (const auto block = (bytes >= kHuge ? reclaimable_ : idle_).take(bytes)) return *block;
        }
        if (bytes >= kHuge) shrink_to(0, 0);
        return take_from_system(bytes);
    }

    /// Called where a tensor is destroyed, so it must not throw: a block that can't be kept is freed.
    void give_back(const Block& block) noexcept {
        if (!keep(block)) give_to_system(block);
        shrink_to(kMostIdle, kMostReclaimable);
    }

    void shrink_to(std::size_t most_idle, std::size_t most_reclaimable) {
        const auto next = [&] {
            const std::lock_guard lock(mutex_);
            const auto block = idle_.take_above(most_idle);
            return block ? block : reclaimable_.take_above(most_reclaimable);
        };
        while (const auto block = next()) give_to_system(*block);
    }

    std::size_t idle_bytes() {
        const std::lock_guard lock(mutex_);
        return idle_.bytes();
    }

private:
    bool keep(const Block& block) {
        const bool reclaimable = block.bytes >= kHuge && make_reclaimable(block);
        const std::lock_guard lock(mutex_);
        try {
            (reclaimable ? reclaimable_ : idle_).put(block);
        } catch (const std::bad_alloc&) {
            return false;
        }
        return true;
    }

    std::mutex mutex_;
    Shelf idle_, reclaimable_;
};

/// Never destroyed: static tensors may free their blocks after main() has ended.
Pool& pool() {
    static Pool* const instance = new Pool;
    return *instance;
}

}  // namespace

std::shared_ptr<void> pooled_block(std::size_t bytes) {
    const std::size_t size = rounded_up(bytes);
    if (size < kSmallest) {
        return {take_from_system(size).memory, [size](void* memory) { give_to_system({memory, size}); }};
    }
    const Block block = pool().take(size);
    return {block.memory, [block](void*) { pool().give_back(block); }};
}

std::size_t pooled_idle_bytes() {
    return pool().idle_bytes();
}
void release_pooled_blocks() {
    pool().shrink_to(0, 0);
}

}  // namespace headscope
