// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/mask_python.h"

#include <algorithm>

#include "core/masks/mask_edit.h"
#include "core/masks/pattern.h"

namespace headscope {

namespace {

using Kind = MaskPattern::Kind;

/// The cells as readable rows of 0 and 1.
std::string painted_lines(const PaintedMask& mask) {
    std::string lines = "painted = torch.tensor([[cell == \"1\" for cell in row] for row in \"\"\"\n";
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

Result<PythonLayer> python_layer(const std::vector<MaskPattern>& layer, std::int64_t sequence_length) {
    PythonLayer lines;
    PaintedMask painted;  // combined into one, because any of them may allow a cell
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
        }
        const PatternPython python = type_of(pattern.kind).python(pattern);
        lines.expression.append(lines.expression.empty() ? "" : " | ").append(python.expression);
        if (lines.functions.find(python.before) == std::string::npos) lines.functions += python.before;
    }
    if (painted.size > 0) lines.painted = painted_lines(painted);
    return lines;
}

Result<std::string> python_mask(const MaskExpression& expression, const Batch& batch) {
    std::string lines = "i, j = torch.arange(S)[:, None], torch.arange(S)[None, :]  # query, key\n";
    if (expression.uses_padding()) lines += python_real(batch);
    std::string functions, layers;
    for (const auto& layer : expression.layers) {
        const auto python = python_layer(layer, batch.sequence_length());
        if (!python) return tl::unexpected(python.error());
        if (functions.find(python->functions) == std::string::npos) functions += python->functions;
        layers += fmt::format("{}mask &= {}  # {}\n", python->painted, python->expression, comment(layer));
    }
    return lines + functions + "mask = torch.ones(B, 1, S, S, dtype=torch.bool)\n" + layers;
}

}  // namespace headscope
