// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "core/base/memory.h"
#include "core/base/sentence.h"
#include "core/files/input_file.h"
#include "core/files/mask_json.h"
#include "core/files/tensor_file.h"

namespace headscope {
namespace {

constexpr std::string_view kExpected = phrase("a mask is a square of 0 and 1");

bool ends_with_ignoring_case(std::string_view text, std::string_view ending) {
    const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
    return text.size() >= ending.size() &&
           std::equal(ending.begin(), ending.end(), text.end() - static_cast<std::ptrdiff_t>(ending.size()),
                      [&](char e, char t) { return same(t, e); });
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view spaces = " \t\r";
    const auto first = text.find_first_not_of(spaces);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

Result<PaintedMask> from_npy(const std::string& path) {
    const auto array = read_npy(path);
    if (!array) return tl::unexpected(array.error());
    const Shape& shape = array->shape;
    if (shape.size() != 2 || shape[0] != shape[1] || shape[0] == 0)
        return fail(ErrorCode::FileContent, "{}: an array of shape {}; {}, shape (S, S)", path, to_string(shape),
                    kExpected);
    const auto cells = static_cast<std::uint64_t>(array->size());
    if (auto fits = require_memory(cells * sizeof(double), path); !fits) return tl::unexpected(fits.error());
    PaintedMask mask{shape[0], {}};
    const std::vector<double> values = array->values();
    mask.cells.reserve(values.size());
    for (const double value : values) {
        if (value != 0 && value != 1) {
            const auto at = static_cast<std::int64_t>(mask.cells.size());
            return fail(ErrorCode::FileContent, "{}: the cell of query {}, key {} is {}; {}", path, at / mask.size,
                        at % mask.size, value, kExpected);
        }
        mask.cells.push_back(value != 0);
    }
    return mask;
}

/// 0 or 1, also as numpy.savetxt() writes them (1.000e+00), or nothing.
std::optional<bool> parse_cell(std::string_view text) {
    if (text == "0" || text == "1") return text == "1";
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || (value != 0 && value != 1)) return std::nullopt;
    return value != 0;
}

/// At most so much of a cell is quoted in a sentence.
std::string quoted(std::string_view cell) {
    constexpr std::size_t most = 20;
    return fmt::format("\"{}{}\"", cell.substr(0, most), cell.size() > most ? "..." : "");
}

class CsvReader {
public:
    CsvReader(const std::string& path, std::string_view text) : path_(path), text_(text) {}

    Result<PaintedMask> read() {
        if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
        text_ = text_.substr(0, text_.find_last_not_of(" \t\r\n") + 1);
        if (text_.empty()) return fail(ErrorCode::FileContent, "{}: an empty file; {}", path_, kExpected);
        std::int64_t rows = 0;
        while (!text_.empty() || rows == 0) {
            ++rows;
            const auto end = std::min(text_.find('\n'), text_.size());
            const auto columns = read_row(text_.substr(0, end), rows);
            if (!columns) return tl::unexpected(columns.error());
            if (rows == 1) mask_.size = *columns;
            if (*columns != mask_.size)
                return fail(ErrorCode::FileContent, "{}: in line {} the number of cells is {}, in line 1 it is {}; {}",
                            path_, rows, *columns, mask_.size, kExpected);
            text_.remove_prefix(std::min(end + 1, text_.size()));
        }
        if (rows != mask_.size)
            return fail(ErrorCode::FileContent, "{}: {}x{} cells; {}", path_, rows, mask_.size, kExpected);
        return std::move(mask_);
    }

private:
    /// Appends a line's cells and says how many they were.
    Result<std::int64_t> read_row(std::string_view line, std::int64_t row) {
        for (std::int64_t column = 1;; ++column) {
            const auto end = std::min(line.find(','), line.size());
            const auto text = trimmed(line.substr(0, end));
            const auto cell = parse_cell(text);
            if (!cell)
                return fail(ErrorCode::FileContent, "{}: line {}, cell {} is {}; {}", path_, row, column, quoted(text),
                            kExpected);
            mask_.cells.push_back(*cell);
            if (end == line.size()) return column;
            line.remove_prefix(end + 1);
        }
    }

    std::string path_;
    std::string_view text_;
    PaintedMask mask_;
};

}  // namespace

Result<PaintedMask> read_mask_file(const std::string& path) {
    if (ends_with_ignoring_case(path, ".npy")) return from_npy(path);
    if (auto file = InputFile::open(path); !file) return tl::unexpected(file.error());
    const bool json = ends_with_ignoring_case(path, ".json");
    if (!json && !ends_with_ignoring_case(path, ".csv"))
        return fail(ErrorCode::Unsupported, "{}: a mask is read from a file that ends in .json, .csv or .npy", path);
    const auto bytes = InputFile::read_all(path);
    if (!bytes) return tl::unexpected(bytes.error());
    const std::string_view text{reinterpret_cast<const char*>(bytes->data()), bytes->size()};
    return json ? parse_mask_json(text, path) : CsvReader(path, text).read();
}

}  // namespace headscope
