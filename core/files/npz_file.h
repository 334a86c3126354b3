// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/files/file_tensor.h"

namespace headscope {

/// Reads an npz archive (docs/conventions.md 23). Metadata: the entries of the JSON object in the member `metadata`, as
/// encode_npz() writes it; every other member of one string unchanged; a member of several strings as a JSON list.
/// FileFormat if `metadata` contains numbers, or two members give the same entry.
Result<TensorFile> read_npz(const std::string& path);

/// Writes stored members NAME.npy, which numpy.load() reads; and the metadata as a scalar unicode array `metadata` that
/// contains a JSON object. Values that are JSON lists or objects are embedded as such, all others as strings.
/// InvalidValue for a tensor named `metadata` or with a duplicate name.
Result<std::vector<std::uint8_t>> encode_npz(const TensorFile& file);

}  // namespace headscope
