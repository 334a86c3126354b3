// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace headscope {

/// The kind of file that a reader expects.
enum class FileKind {
    Safetensors,
    Npy,
    Npz,
    Json,
    Csv,
    Text  ///< any text, including HTML or JSON, whose tokens are to be displayed
};

/// Number of bytes at the beginning of a file that decide its kind.
inline constexpr std::size_t kKindBytes = 4096;

bool is_npz(std::string_view start);
/// The index of a model in shards, model.safetensors.index.json.
bool is_model_index(std::string_view start);

/// FileFormat if a file that begins with `start` (its first kKindBytes bytes, or all) is recognised as another kind
/// than the expected: a Git LFS pointer, a pickle, an HTML page … The message names the kind and says what to do.
Result<void> require_kind(FileKind expected, std::string_view start, const std::string& place);

}  // namespace headscope
