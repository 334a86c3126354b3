// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/mask_file.h"

#include <algorithm>

#include "core/base/memory.h"
#include "core/files/input_file.h"
#include "core/files/mask_cells.h"
#include "core/files/npy_file.h"

namespace headscope {
namespace {

/// The extension of a name in lower case: ".csv"; empty if there is none.
std::string ending_of(const std::string& name) {
    const auto dot = name.rfind('.');
    std::string ending = dot == std::string::npos ? std::string() : name.substr(dot);
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return ending;
}

Result<PaintedMask> read_mask_npy(const std::string& path) {
    const auto array = read_npy(path);
    if (!array) return tl::unexpected(array.error());
    Shape shape = array->shape;
    while (shape.size() > 2 && shape.front() == 1) shape.erase(shape.begin());  // a mask for every sequence and head
    if (shape.size() != 2 || shape[0] != shape[1] || shape[0] == 0)
        return fail(ErrorCode::FileContent, "{}: an array of shape {}; {}, shape (S, S) or (1, 1, S, S)", path,
                    to_string(array->shape), kExpectedMask);
    const auto count = static_cast<std::uint64_t>(array->size());
    if (auto fits = require_memory(count * sizeof(double), path); !fits) return tl::unexpected(fits.error());
    MaskCells cells;
    if (array->is_floating()) cells.set_floating();
    for (const double value : array->values()) {
        if (cells.add(value)) continue;
        return fail(ErrorCode::FileContent, "{}: the cell of query {}, key {} is {}; {}", path,
                    cells.count() / shape[0], cells.count() % shape[0], value, kExpectedMask);
    }
    return std::move(cells).to_mask(shape[0], path);
}

std::string rows_text(const PaintedMask& mask, const char* before, const char* after, const char* between) {
    std::string text;
    for (std::int64_t i = 0; i < mask.size; ++i) {
        text += before;
        for (std::int64_t j = 0; j < mask.size; ++j) {
            if (j > 0) text += ',';
            text += mask.cells[static_cast<std::size_t>(i * mask.size + j)] ? '1' : '0';
        }
        text += after;
        if (i + 1 < mask.size) text += between;
    }
    return text;
}

}  // namespace

Result<PaintedMask> read_mask_file(const std::string& path) {
    const std::string ending = ending_of(path);
    if (ending == ".npy") return read_mask_npy(path);
    const bool json = ending == ".json", csv = ending == ".csv" || ending == ".tsv";
    if (auto file = InputFile::open(path, json ? FileKind::Json : csv ? FileKind::Csv : FileKind::Text); !file)
        return tl::unexpected(file.error());
    if (!json && !csv)
        return fail(ErrorCode::Unsupported, "{}: a mask is read from a file that ends in .json, .csv or .npy", path);
    const auto bytes = InputFile::read_all(path, json ? FileKind::Json : FileKind::Csv);
    if (!bytes) return tl::unexpected(bytes.error());
    const std::string_view text{reinterpret_cast<const char*>(bytes->data()), bytes->size()};
    return json ? parse_mask_json(text, path) : parse_mask_csv(text, path);
}

Result<MaskExpression> load_mask_files(MaskExpression mask) {
    for (auto& layer : mask.layers) {
        for (auto& pattern : layer) {
            if (pattern.kind != MaskPattern::Kind::File || pattern.painted) continue;
            auto painted = read_mask_file(pattern.path);
            if (!painted) return tl::unexpected(painted.error());
            pattern.painted = std::make_shared<const PaintedMask>(std::move(*painted));
        }
    }
    return mask;
}

Result<HeadExpression> load_mask_files(HeadExpression expression) {
    for (HeadPart& part : expression.parts()) {
        auto mask = load_mask_files(std::move(part.mask));
        if (!mask) return tl::unexpected(mask.error());
        part.mask = std::move(*mask);
    }
    return expression;
}

Result<std::vector<std::uint8_t>> encode_mask_file(const PaintedMask& mask, const std::string& name) {
    const auto bytes = [](const std::string& text) { return std::vector<std::uint8_t>(text.begin(), text.end()); };
    const std::string ending = ending_of(name);
    if (ending == ".csv") return bytes(rows_text(mask, "", "\n", ""));
    if (ending == ".npy") return encode_npy(FileTensor::from_u8({mask.size, mask.size}, mask.cells));
    if (ending == ".json") {
        return bytes(
            fmt::format("{{\"meaning\": \"1 = allowed; a row is a query\", \"size\": {}, \"cells\": [\n{}\n]}}\n",
                        mask.size, rows_text(mask, "[", "]", ",\n")));
    }
    return fail(ErrorCode::Unsupported, "{}: a mask is written to a file that ends in .json, .csv or .npy", name);
}

}  // namespace headscope
