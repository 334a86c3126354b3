// SPDX-License-Identifier: GPL-3.0-or-later
// The contract of every file reader for any input bytes: it returns a value that can be written and read again, or a
// typed error that names the file. Used by the fuzzer and by the test that damages valid files.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/files/layer_file.h"
#include "core/files/mask_file.h"
#include "core/files/npy_file.h"
#include "core/files/npz_file.h"
#include "core/files/recording.h"
#include "core/files/safetensors_file.h"

namespace headscope::fuzz {

enum class Reader { Safetensors, Npy, Npz, MaskNpy, MaskCsv, Layer, MaskJson, Recording };
inline constexpr std::array kReaders = {Reader::Safetensors, Reader::Npy,   Reader::Npz,      Reader::MaskNpy,
                                        Reader::MaskCsv,     Reader::Layer, Reader::MaskJson, Reader::Recording};

inline const char* ending(Reader reader) {
    constexpr std::array<const char*, kReaders.size()> endings = {
        ".safetensors", ".npy", ".npz", ".npy", ".csv", ".safetensors", ".json", ".safetensors"};
    return endings[static_cast<std::size_t>(reader)];
}

/// False if the bytes couldn't be written.
inline bool write_file(const std::string& path, std::string_view bytes) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file) return false;
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    return std::fclose(file) == 0 && written;
}

/// Empty if the error code is one that a file reader may return and the message names the file.
inline std::string blame(const Error& error, const std::string& path) {
    static const std::set<ErrorCode> kinds = {ErrorCode::FileFormat, ErrorCode::FileContent, ErrorCode::Unsupported,
                                              ErrorCode::OutOfMemory, ErrorCode::FileUnreadable};
    const std::string message = error.message();
    if (!kinds.contains(error.code)) return "an error of another kind: " + message;
    if (message.find(path) == std::string::npos) return "an error without the file's name: " + message;
    if (std::any_of(message.begin(), message.end(), [](unsigned char c) { return c < 0x20; })) return "not one line";
    return {};
}

inline std::string blame(const std::string& path, const Result<TensorFile>& file, bool npz) {
    if (!file) return blame(file.error(), path);
    std::vector<std::uint8_t> bytes;
    if (npz) {
        auto encoded = encode_npz(*file);
        if (!encoded) return "it can't be written again: " + encoded.error().message();
        bytes = std::move(*encoded);
    } else {
        bytes = encode_safetensors(*file);
    }
    if (!write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()})) return "no room for a file";
    const auto again = npz ? read_npz(path) : read_safetensors(path);
    if (!again) return "what was written can't be read: " + again.error().message();
    if (again->tensors.size() != file->tensors.size()) return "what was written has other tensors";
    for (const auto& [name, tensor] : file->tensors)
        if (!again->find(name) || !(*again->find(name) == tensor)) return "what was written has another " + name;
    return {};
}

inline std::string blame(const std::string& path, const Result<PaintedMask>& mask) {
    if (!mask) return blame(mask.error(), path);
    if (mask->size < 1 || static_cast<std::int64_t>(mask->cells.size()) != mask->size * mask->size) return "no square";
    for (const auto cell : mask->cells)
        if (cell > 1) return "a cell that is neither 0 nor 1";
    return {};
}

inline std::string blame(const std::string& path, const Result<LayerFilePtr>& file) {
    if (!file) return blame(file.error(), path);
    const LayerFile& layer = **file;
    const std::int64_t e = layer.embed_dim;
    const std::int64_t rows = e + 2 * layer.kv_dim;
    if (layer.fused_weight.shape() != Shape{rows, e} || layer.fused_bias.shape() != Shape{rows}) return "fused shapes";
    if (layer.out_weight.shape() != Shape{e, e} || layer.out_bias.shape() != Shape{e}) return "output shapes";
    if (layer.x && layer.x->shape() != Shape{layer.batch.size(), layer.batch.sequence_length(), e}) return "shape of x";
    return layer_from_file(layer, layer.group()) ? "" : "no layer of one key/value head";
}

inline std::string blame(const std::string& path, const Result<RecordingPtr>& file) {
    if (!file) return blame(file.error(), path);
    const headscope::Recording& recording = **file;
    const std::int64_t size = recording.batch().sequence_length();
    if (size < 1 || recording.num_heads() < 1 || recording.layers() < 1) return "an empty recording";
    std::vector<double> row(static_cast<std::size_t>(size));
    const headscope::Recording::Place last{recording.layers() - 1, recording.batch().size() - 1,
                                           recording.num_heads() - 1};
    const auto read = recording.read_rows(last, size - 1, 1, row.data());
    return read ? "" : blame(read.error(), path);
}

/// Describes how a reader violated the contract; empty if it didn't.
inline std::string wrong_with(Reader reader, const std::string& path) {
    try {
        switch (reader) {
            case Reader::Safetensors:
                return blame(path, read_safetensors(path), false);
            case Reader::Npz:
                return blame(path, read_npz(path), true);
            case Reader::Npy: {
                const auto array = read_npy(path);
                if (!array) return blame(array.error(), path);
                return array->bytes.size() == static_cast<std::size_t>(array->size()) * dtype_size(array->dtype)
                           ? ""
                           : "an array with another number of bytes than its shape needs";
            }
            case Reader::MaskNpy:
            case Reader::MaskCsv:
            case Reader::MaskJson:
                return blame(path, read_mask_file(path));
            case Reader::Layer:
                return blame(path, read_layer_file(path, std::nullopt));
            case Reader::Recording:
                return blame(path, headscope::Recording::open(path));
        }
    } catch (const std::exception& exception) {
        return std::string("an exception came out: ") + exception.what();
    }
    return "no such reader";
}

}  // namespace headscope::fuzz
