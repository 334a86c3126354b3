// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/base/utf8.h"
#include "core/files/json.h"
#include "core/files/mask_cells.h"
#include "core/files/mask_file.h"

namespace headscope {
namespace {

using nlohmann::json;

bool add_cell(const json& value, MaskCells& cells) {
    if (value.is_boolean()) return cells.add(value.get<bool>());
    if (!value.is_number()) return false;
    if (value.is_number_float()) cells.set_floating();
    return cells.add(value.get<double>());
}

std::string quoted(const json& value) {
    if (value.is_structured()) return value.is_array() ? phrase("a list") : phrase("an object");
    constexpr std::size_t most = 20;
    const std::string text = value.dump(-1, ' ', true);  // ASCII can be cut at any byte
    return text.size() <= most ? text : text.substr(0, most) + "...";
}

Result<void> add_row(const json& row, std::size_t i, std::size_t size, const std::string& name, MaskCells& cells) {
    if (!row.is_array()) return fail(ErrorCode::FileContent, "{}: row {} is no list; {}", name, i, kExpectedMask);
    if (row.size() != size) {
        return fail(ErrorCode::FileContent, "{}: in row {} the number of cells is {}, that of the rows is {}; {}", name,
                    i, row.size(), size, kExpectedMask);
    }
    for (std::size_t j = 0; j < size; ++j) {
        if (add_cell(row[j], cells)) continue;
        return fail(ErrorCode::FileContent, "{}: the cell of query {}, key {} is {}; {}", name, i, j, quoted(row[j]),
                    kExpectedMask);
    }
    return {};
}

/// True for a list whose only element is a list of lists: an axis of length 1, for sequences or heads.
bool has_axis_of_one(const json& rows) {
    return rows.is_array() && rows.size() == 1 && rows[0].is_array() && !rows[0].empty() && rows[0][0].is_array();
}

}  // namespace

Result<PaintedMask> parse_mask_json(std::string_view text, const std::string& name) {
    if (without_byte_order_mark(text).find_first_not_of(" \t\r\n") == std::string_view::npos)
        return fail(ErrorCode::FileContent, "{}: an empty file; {}", name, kExpectedMask);
    const auto document = parse_json(text, name);
    if (!document) return tl::unexpected(document.error());
    const json* rows = &*document;
    if (rows->is_object() && rows->contains("cells")) rows = &(*rows)["cells"];
    while (has_axis_of_one(*rows)) rows = &(*rows)[0];
    if (!rows->is_array()) {
        return fail(ErrorCode::FileContent, "{}: holds no list of rows, nor \"cells\" with one; {}", name,
                    kExpectedMask);
    }
    if (rows->empty()) return fail(ErrorCode::FileContent, "{}: holds no row; {}", name, kExpectedMask);
    MaskCells cells;
    for (std::size_t i = 0; i < rows->size(); ++i)
        if (auto row = add_row((*rows)[i], i, rows->size(), name, cells); !row) return tl::unexpected(row.error());
    return std::move(cells).to_mask(static_cast<std::int64_t>(rows->size()), name);
}

}  // namespace headscope
