// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace headscope {

/// What a reader reads.
enum class FileKind {
    Safetensors,
    Npy,
    Npz,
    Json,
    Csv,
    Text  ///< any text: also HTML or JSON, whose tokens are looked at
};

/// How many bytes of a file tell its kind.
inline constexpr std::size_t kKindBytes = 4096;

/// FileFormat where a file that begins with `start` (kKindBytes of it, or all) is recognised as another kind than the
/// expected: a Git LFS pointer, a pickle, an HTML page … The sentence names it and says what to do.
Result<void> require_kind(FileKind expected, std::string_view start, const std::string& place);

}  // namespace headscope
