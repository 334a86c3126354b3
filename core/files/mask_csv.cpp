// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/base/utf8.h"
#include "core/files/input_file.h"
#include "core/files/mask_cells.h"
#include "core/files/mask_file.h"

namespace headscope {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Maximum length of a cell that a message quotes.
std::string quoted(std::string_view cell) {
    constexpr std::size_t most = 20;
    return fmt::format("\"{}{}\"", cell.substr(0, most), cell.size() > most ? "..." : "");
}

bool same_word(std::string_view text, std::string_view lower_case) {
    return std::equal(text.begin(), text.end(), lower_case.begin(), lower_case.end(),
                      [](char t, char l) { return (t >= 'A' && t <= 'Z' ? t - 'A' + 'a' : t) == l; });
}

/// Appends a cell's value: 0, 1, true, false, or a number as numpy.savetxt() writes it (1.000e+00, -inf).
bool add_cell(std::string_view text, MaskCells& cells) {
    if (text == "0" || text == "1") return cells.add(text == "1");
    if (same_word(text, "true")) return cells.add(1);
    if (same_word(text, "false")) return cells.add(0);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return false;
    cells.set_floating();
    return cells.add(number);
}

class CsvReader {
public:
    CsvReader(const std::string& path, std::string_view text) : path_(path), text_(without_byte_order_mark(text)) {
        text_ = text_.substr(0, text_.find_last_not_of(" \t\r\n") + 1);
        const std::string_view line = text_.substr(0, text_.find('\n'));
        for (const char separator : {'\t', ';', ','})
            if (line.find(separator) != std::string_view::npos) separator_ = separator;
    }

    Result<PaintedMask> read() {
        if (text_.empty()) return fail(ErrorCode::FileContent, "{}: an empty file; {}", path_, kExpectedMask);
        std::int64_t size = 0, rows = 0;
        do {
            ++rows;
            const auto columns = read_row(rows);
            if (!columns) return tl::unexpected(columns.error());
            if (rows == 1) size = *columns;
            if (*columns != size)
                return fail(ErrorCode::FileContent, "{}: in line {} the number of cells is {}, in line 1 it is {}; {}",
                            path_, rows, *columns, size, kExpectedMask);
        } while (take('\n'));
        if (rows != size) return fail(ErrorCode::FileContent, "{}: {}x{} cells; {}", path_, rows, size, kExpectedMask);
        return std::move(cells_).to_mask(size, path_);
    }

private:
    bool at_end() const { return at_ == text_.size(); }
    bool take(char c) {
        if (at_end() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    /// Appends a line's cells and returns how many there were.
    Result<std::int64_t> read_row(std::int64_t row) {
        for (std::int64_t column = 1;; ++column) {
            const std::string_view text = next_cell();
            if (!add_cell(text, cells_))
                return fail(ErrorCode::FileContent, "{}: line {}, cell {} is {}; {}", path_, row, column, quoted(text),
                            kExpectedMask);
            if (!take(separator_)) return column;
        }
    }

    /// Reads up to the next separator, line end or end of text. Removes the quotes of a cell that is quoted as a
    /// whole. Keeps other quotes, which are refused later because no number contains one.
    std::string_view next_cell() {
        const std::size_t start = at_;
        bool inside = false;
        for (; !at_end(); ++at_) {
            if (text_[at_] == '"') inside = !inside;
            if (!inside && (text_[at_] == separator_ || text_[at_] == '\n')) break;
        }
        const std::string_view text = trimmed(text_.substr(start, at_ - start));
        const bool in_quotes = text.size() >= 2 && text.front() == '"' && text.find('"', 1) == text.size() - 1;
        return in_quotes ? trimmed(text.substr(1, text.size() - 2)) : text;
    }

    const std::string& path_;
    std::string_view text_;
    std::size_t at_ = 0;
    char separator_ = ',';
    MaskCells cells_;
};

}  // namespace

Result<PaintedMask> parse_mask_csv(std::string_view text, const std::string& name) {
    if (auto utf8 = require_utf8(text, name); !utf8) return tl::unexpected(utf8.error());
    return CsvReader(name, text).read();
}

}  // namespace headscope
