// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/mask_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/memory.h"
#include "core/base/sentence.h"
#include "core/files/tensor_file.h"

namespace headscope {

namespace {

using nlohmann::json;

constexpr const char* kExpected = phrase("a mask is a square of 0 and 1");

/// What a parsed cell takes over its text of two characters, and then some.
constexpr std::uint64_t kBytesACharacter = 24;

std::optional<bool> cell_of(const json& value) {
    if (value.is_boolean()) return value.get<bool>();
    if (!value.is_number()) return std::nullopt;
    const auto number = value.get<double>();
    return number == 0 || number == 1 ? std::optional(number == 1) : std::nullopt;
}

std::string quoted(const json& value) {
    if (value.is_structured()) return value.is_array() ? "a list" : "an object";  // however deep it is
    constexpr std::size_t kMost = 20;
    const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

Result<void> add_row(const json& row, std::size_t i, const std::string& name, PaintedMask& mask) {
    if (!row.is_array()) return fail(ErrorCode::FileContent, "{}: row {} is no list; {}", name, i, kExpected);
    if (static_cast<std::int64_t>(row.size()) != mask.size) {
        return fail(ErrorCode::FileContent, "{}: in row {} the number of cells is {}, that of the rows is {}; {}", name,
                    i, row.size(), mask.size, kExpected);
    }
    for (std::size_t j = 0; j < row.size(); ++j) {
        const auto cell = cell_of(row[j]);
        if (!cell) {
            return fail(ErrorCode::FileContent, "{}: the cell of query {}, key {} is {}; {}", name, i, j,
                        quoted(row[j]), kExpected);
        }
        mask.cells.push_back(*cell);
    }
    return {};
}

Result<PaintedMask> mask_of(const json& document, const std::string& name) {
    const json& rows = document.is_object() && document.contains("cells") ? document["cells"] : document;
    if (!rows.is_array()) {
        return fail(ErrorCode::FileContent, "{}: holds no list of rows, nor \"cells\" with one; {}", name, kExpected);
    }
    if (rows.empty()) return fail(ErrorCode::FileContent, "{}: holds no row; {}", name, kExpected);
    PaintedMask mask{static_cast<std::int64_t>(rows.size()), {}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (auto row = add_row(rows[i], i, name, mask); !row) return tl::unexpected(row.error());
    }
    return mask;
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

bool ends_with(const std::string& name, std::string_view ending) {
    if (name.size() < ending.size()) return false;
    return std::equal(ending.begin(), ending.end(), name.end() - static_cast<std::ptrdiff_t>(ending.size()),
                      [](char e, char n) { return e == (n >= 'A' && n <= 'Z' ? n - 'A' + 'a' : n); });
}

}  // namespace

Result<PaintedMask> parse_mask_json(std::string_view text, const std::string& name) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        return fail(ErrorCode::FileContent, "{}: an empty file; {}", name, kExpected);
    }
    if (auto fits = require_memory(text.size() * kBytesACharacter, name); !fits) return tl::unexpected(fits.error());
    try {
        return mask_of(json::parse(text), name);
    } catch (const json::parse_error& error) {
        return fail(ErrorCode::FileFormat, "{}: no JSON at byte {}; {} as lists of rows", name, error.byte, kExpected);
    } catch (const json::out_of_range&) {
        return fail(ErrorCode::FileContent, "{}: holds a number beyond what a computer counts; {}", name, kExpected);
    }
}

Result<std::vector<std::uint8_t>> encode_mask_file(const PaintedMask& mask, const std::string& name) {
    const auto bytes = [](const std::string& text) { return std::vector<std::uint8_t>(text.begin(), text.end()); };
    if (ends_with(name, ".csv")) return bytes(rows_text(mask, "", "\n", ""));
    if (ends_with(name, ".npy")) return encode_npy(FileTensor::from_u8({mask.size, mask.size}, mask.cells));
    if (ends_with(name, ".json")) {
        return bytes(
            fmt::format("{{\"meaning\": \"1 = may attend; a row is a query\", \"size\": {}, \"cells\": [\n{}\n]}}\n",
                        mask.size, rows_text(mask, "[", "]", ",\n")));
    }
    return fail(ErrorCode::Unsupported, "{}: a mask is written to a file that ends in .json, .csv or .npy", name);
}

}  // namespace headscope
