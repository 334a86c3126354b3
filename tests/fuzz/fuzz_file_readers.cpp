// SPDX-License-Identifier: GPL-3.0-or-later
// libFuzzer's entry: the first byte chooses a reader, the rest is the file.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "core/base/memory.h"
#include "file_readers.h"

using namespace headscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    set_memory_limit_for_tests(256'000'000);  // what a small file claims must be refused, not tried
    const auto reader = fuzz::kReaders[data[0] % fuzz::kReaders.size()];
    const std::string path = fmt::format("/dev/shm/headscope_fuzz_{}{}", getpid(), fuzz::ending(reader));
    if (!fuzz::write_file(path, {reinterpret_cast<const char*>(data) + 1, size - 1})) return 0;
    const std::string wrong = fuzz::wrong_with(reader, path);
    std::remove(path.c_str());
    if (wrong.empty()) return 0;
    std::fprintf(stderr, "reader %d: %s\n", static_cast<int>(reader), wrong.c_str());
    std::abort();
}
