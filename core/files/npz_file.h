// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/files/file_tensor.h"

namespace headscope {

/// (CONVENTIONS 23) Metadata: the entries of the JSON object in the member `metadata`, as encode_npz() writes it; any
/// other member of one string as it is; a member of many strings as a JSON list. FileFormat where `metadata` holds
/// numbers, or two members give the same entry.
Result<TensorFile> read_npz(const std::string& path);

/// Stored members NAME.npy, which numpy.load() opens; metadata as a scalar unicode array `metadata` that holds a JSON
/// object. Values that are JSON lists or objects themselves stand in it as such, all others as strings. InvalidValue
/// for a tensor that is named `metadata` or as another.
Result<std::vector<std::uint8_t>> encode_npz(const TensorFile& file);

}  // namespace headscope
