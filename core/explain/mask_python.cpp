// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/mask_python.h"

#include <algorithm>

#include "core/masks/mask_edit.h"
#include "core/masks/pattern.h"

namespace headscope {

namespace {

using Kind = MaskPattern::Kind;

/// The cells as readable rows of 0 and 1.
std::string painted_lines(const PaintedMask& mask, const std::string& name) {
    std::string lines = name + " = torch.tensor([[cell == \"1\" for cell in row] for row in \"\"\"\n";
    for (std::int64_t n = 0; n < mask.size * mask.size; ++n) {
        lines += mask.cells[static_cast<std::size_t>(n)] ? '1' : '0';
        if (n % mask.size == mask.size - 1) lines += '\n';
    }
    return lines + "\"\"\".split()])\n";
}

/// The comment after a layer's line. It does not contain file names, which could contain any character.
std::string comment(const std::vector<MaskPattern>& layer) {
    std::string text;
    for (const auto& pattern : layer) {
        if (!text.empty()) text += '+';
        text += pattern.kind == Kind::Painted ? "painted" : pattern.kind == Kind::File ? "file" : to_string({pattern});
    }
    return text;
}

/// Appends lines unless they are there already.
void add_once(std::string& lines, const std::string& more) {
    if (lines.find(more) == std::string::npos) lines += more;
}

}  // namespace

std::string python_real(const Batch& batch) {
    const std::int64_t size = batch.sequence_length();
    std::vector<std::int64_t> lengths;
    bool padded_right = true;
    std::string rows;
    for (std::int64_t b = 0; b < batch.size(); ++b) {
        const auto begin = batch.real.begin() + static_cast<std::ptrdiff_t>(b * size);
        const auto end = begin + static_cast<std::ptrdiff_t>(size);
        lengths.push_back(std::count(begin, end, 1));
        padded_right = padded_right && std::is_sorted(begin, end, std::greater<>());
        rows += fmt::format("{}[{}]", b ? ", " : "", fmt::join(begin, end, ", "));
    }
    if (padded_right) {
        return fmt::format("real = torch.arange(S)[None, :] < torch.tensor([{}])[:, None]  # (B, S): False = [PAD]\n",
                           fmt::join(lengths, ", "));
    }
    return fmt::format("real = torch.tensor([{}]) == 1  # (B, S): False = [PAD]\n", rows);
}

Result<PythonLayer> python_layer(const std::vector<MaskPattern>& layer, std::int64_t sequence_length,
                                 const std::string& painted_name) {
    PythonLayer lines;
    PaintedMask painted;  // combined into one, because any of them may allow a cell
    const auto add = [](std::string& joined, const std::string& next) {
        joined.append(joined.empty() ? "" : " | ").append(next);
    };
    for (const auto& pattern : layer) {
        const bool cells = pattern.kind == Kind::Painted || pattern.kind == Kind::File;
        if (cells && !pattern.painted) {
            return fail(ErrorCode::InvalidMask, "the mask file '{}' was not read", pattern.path);
        }
        if (cells) {
            const PaintedMask next = paint::fitted(*pattern.painted, sequence_length);
            const bool first = painted.size == 0;
            if (first) painted = next;
            for (std::size_t n = 0; n < next.cells.size(); ++n) painted.cells[n] |= next.cells[n];
            if (!first) continue;
            add(lines.expression, painted_name);
            add(lines.cell, painted_name + "[i, j]");
            continue;
        }
        const PatternPython python = type_of(pattern.kind).python(pattern);
        add(lines.expression, python.expression);
        add(lines.cell, python.cell.empty() ? python.expression : python.cell);
        add_once(lines.functions, python.before);
        add_once(lines.tables, python.cell_before);
    }
    if (painted.size > 0) lines.painted = painted_lines(painted, painted_name);
    return lines;
}

std::vector<HeadPart::Range> ranges_of(const HeadExpression& expression, const HeadPart& part, std::int64_t num_heads) {
    std::vector<HeadPart::Range> ranges;
    for (std::int64_t head = 0; head < num_heads; ++head) {
        if (&expression.of(head) != &part) continue;
        if (!ranges.empty() && ranges.back().last == head - 1) {
            ranges.back().last = head;
        } else {
            ranges.push_back({head, head});
        }
    }
    return ranges;
}

std::string python_heads(const std::vector<HeadPart::Range>& ranges, std::int64_t num_heads) {
    std::string text;
    for (const HeadPart::Range& range : ranges) {
        if (range.first == 0 && range.last == num_heads - 1) return {};
        text += text.empty() ? "" : " | ";
        text += range.first == range.last ? fmt::format("(h == {})", range.first)
                                          : fmt::format("((h >= {}) & (h <= {}))", range.first, range.last);
    }
    return ranges.size() > 1 ? "(" + text + ")" : text;
}

Result<std::string> python_masks(const HeadExpression& expression, const Batch& batch, std::int64_t num_heads) {
    std::string lines = "i, j = torch.arange(S)[:, None], torch.arange(S)[None, :]  # query, key\n";
    if (expression.uses_padding()) lines += python_real(batch);
    std::string functions, layers;
    const bool one = expression.has_one_mask();
    for (const HeadPart& part : expression.parts()) {
        for (const auto& layer : part.mask.layers) {
            const auto python = python_layer(layer, batch.sequence_length());
            if (!python) return tl::unexpected(python.error());
            add_once(functions, python->functions);
            layers += python->painted;
            if (one) {
                layers += fmt::format("mask &= {}  # {}\n", python->expression, comment(layer));
                continue;
            }
            for (const HeadPart::Range& range : ranges_of(expression, part, num_heads)) {
                layers += fmt::format("mask[:, {}:{}] &= {}  # {}\n", range.first, range.last + 1, python->expression,
                                      comment(layer));
            }
        }
        if (one) break;
    }
    return lines + functions + fmt::format("mask = torch.ones(B, {}, S, S, dtype=torch.bool)\n", one ? "1" : "H") +
           layers;
}

Result<std::string> python_mask(const MaskExpression& expression, const Batch& batch) {
    return python_masks(expression, batch, 1);
}

Result<std::string> python_mask_mod(const HeadExpression& expression, const Batch& batch, std::int64_t num_heads) {
    std::string functions, tables, painted, rule;
    int tables_of_cells = 0;
    for (const HeadPart& part : expression.parts()) {
        const auto ranges = ranges_of(expression, part, num_heads);
        if (ranges.empty()) continue;
        std::string cell = expression.has_one_mask() ? std::string() : python_heads(ranges, num_heads);
        for (const auto& layer : part.mask.layers) {
            const std::string name = fmt::format("painted_{}", tables_of_cells++);
            const auto python = python_layer(layer, batch.sequence_length(), name);
            if (!python) return tl::unexpected(python.error());
            add_once(functions, python->functions);
            add_once(tables, python->tables);
            painted += python->painted;
            const bool joined = layer.size() > 1;
            cell.append(cell.empty() ? "" : " & ").append(joined ? "(" + python->cell + ")" : python->cell);
        }
        if (cell.empty()) cell = "(j >= 0)";
        rule.append(rule.empty() ? "" : " | ")
            .append(rule.empty() && expression.has_one_mask() ? cell : "(" + cell + ")");
        if (expression.has_one_mask()) break;
    }
    std::string lines = "i, j = torch.arange(S)[:, None], torch.arange(S)[None, :]  # query, key\n";
    if (expression.uses_padding()) lines += python_real(batch);
    return lines + functions + tables + painted +
           fmt::format("def mask_mod(b, h, i, j):  # True where query i of head h may attend to key j\n    return {}\n",
                       rule);
}

}  // namespace headscope
