// SPDX-License-Identifier: GPL-3.0-or-later
// What the fuzzers run: each target takes any bytes and returns what is wrong, or an empty text. Used by the fuzzers
// (fuzz_main.cpp) and by the test that replays the corpus, tests/core/tst_fuzz_corpus.cpp.
#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/memory.h"
#include "core/files/json.h"
#include "file_readers.h"
#include "mask_expressions.h"

namespace headscope::fuzz {

/// The largest allocation that a target may claim for an input, and a bound of its memory while it runs.
inline std::uint64_t memory_bound(std::size_t bytes) {
    return 4'000'000 + std::uint64_t{64} * bytes;
}

/// Writes the bytes to a file with the reader's extension. `scratch` is the file's path without the extension.
template <Reader reader>
std::string wrong_with_file(std::string_view bytes, const std::string& scratch) {
    const std::string path = scratch + ending(reader);
    if (!write_file(path, bytes)) return "the file can't be written";
    set_memory_limit_for_tests(memory_bound(bytes.size()));
    std::string wrong = wrong_with(reader, path);
    set_memory_limit_for_tests(0);
    std::remove(path.c_str());
    return wrong;
}

/// JSON that is accepted can be written, and is the same when it is read again.
inline std::string wrong_with_json(std::string_view bytes, const std::string& place) {
    const auto value = parse_json(bytes, place);
    if (!value) return blame(value.error(), place);
    const auto again = parse_json(value->dump(), place);
    return again && *again == *value ? "" : "another value when it is read again";
}

inline std::string wrong_with_mask(std::string_view bytes, const std::string&) {
    return wrong_with_mask_expression(bytes);
}

struct Target {
    std::string_view name;
    std::string (*wrong_with)(std::string_view bytes, const std::string& scratch);
};

inline constexpr std::array kTargets = {Target{"safetensors", wrong_with_file<Reader::Safetensors>},
                                        Target{"layer", wrong_with_file<Reader::Layer>},
                                        Target{"npy", wrong_with_file<Reader::Npy>},
                                        Target{"npz", wrong_with_file<Reader::Npz>},
                                        Target{"mask_npy", wrong_with_file<Reader::MaskNpy>},
                                        Target{"mask_csv", wrong_with_file<Reader::MaskCsv>},
                                        Target{"mask_json", wrong_with_file<Reader::MaskJson>},
                                        Target{"recording", wrong_with_file<Reader::Recording>},
                                        Target{"mask_expression", wrong_with_mask},
                                        Target{"json", wrong_with_json}};

}  // namespace headscope::fuzz
