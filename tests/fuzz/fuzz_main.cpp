// SPDX-License-Identifier: GPL-3.0-or-later
// libFuzzer's entry, compiled once for each target of targets.h with its name as FUZZ_TARGET.
#include <sanitizer/allocator_interface.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "targets.h"

using namespace headscope;

namespace {

std::atomic<std::int64_t> current{0}, peak{0};

void allocated(const volatile void*, std::size_t bytes) {
    const std::int64_t now = current += static_cast<std::int64_t>(bytes);
    if (now > peak) peak = now;
}
void freed(const volatile void* memory) {
    current -= static_cast<std::int64_t>(__sanitizer_get_allocated_size(const_cast<const void*>(memory)));
}

const fuzz::Target& target() {
    const auto* found = std::find_if(fuzz::kTargets.begin(), fuzz::kTargets.end(),
                                     [](const auto& each) { return each.name == FUZZ_TARGET; });
    if (found == fuzz::kTargets.end()) std::abort();
    return *found;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    return __sanitizer_install_malloc_and_free_hooks(allocated, freed) > 0 ? 0 : 1;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // A file in memory where the system has such a folder.
    static const std::string scratch = fmt::format("/dev/shm/headscope_fuzz_{}_{}", FUZZ_TARGET, getpid());
    const std::int64_t before = current;
    peak = before;
    std::string wrong = target().wrong_with({reinterpret_cast<const char*>(data), size}, scratch);
    // The check itself copies, writes and reads again what the reader returned.
    const auto most = static_cast<std::int64_t>(4 * fuzz::memory_bound(size));
    if (wrong.empty() && peak - before > most)
        wrong = fmt::format("{} bytes of input took {} bytes of memory", size, peak - before);
    if (wrong.empty()) return 0;
    std::fprintf(stderr, "%s: %s\n", FUZZ_TARGET, wrong.c_str());
    std::abort();
}
