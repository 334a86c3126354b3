// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/selection.h"

#include <algorithm>
#include <utility>

namespace headscope {
namespace {

const std::pair<Range, QLatin1StringView> kRanges[] = {{Range::Unit, QLatin1StringView("unit")},
                                                       {Range::Head, QLatin1StringView("head")},
                                                       {Range::Shared, QLatin1StringView("shared")},
                                                       {Range::Log, QLatin1StringView("log")}};
const std::pair<Palette, QLatin1StringView> kPalettes[] = {{Palette::Viridis, QLatin1StringView("viridis")},
                                                           {Palette::Cividis, QLatin1StringView("cividis")},
                                                           {Palette::Magma, QLatin1StringView("magma")},
                                                           {Palette::Greys, QLatin1StringView("greys")},
                                                           {Palette::Diverging, QLatin1StringView("diverging")}};
const std::pair<PageName, QLatin1StringView> kPages[] = {{PageName::Heads, QLatin1StringView("heads")},
                                                         {PageName::Mask, QLatin1StringView("mask")},
                                                         {PageName::Compare, QLatin1StringView("compare")},
                                                         {PageName::Steps, QLatin1StringView("steps")},
                                                         {PageName::Atlas, QLatin1StringView("atlas")}};
const std::pair<StepsPart, QLatin1StringView> kStepsParts[] = {{StepsPart::Cell, QLatin1StringView("cell")},
                                                               {StepsPart::Chunks, QLatin1StringView("chunks")},
                                                               {StepsPart::Precision, QLatin1StringView("precision")}};

template <typename Value, std::size_t N>
std::optional<Value> valueOf(const QString& word, const std::pair<Value, QLatin1StringView> (&table)[N]) {
    for (const auto& [value, name] : table)
        if (word == name) return value;
    return std::nullopt;
}

template <typename Value, std::size_t N>
QString wordOf(Value value, const std::pair<Value, QLatin1StringView> (&table)[N]) {
    for (const auto& [candidate, name] : table)
        if (candidate == value) return name;
    return {};
}

}  // namespace

Range Selection::shownRange() const {
    switch (stage) {
        case Stage::Weights:
            return range.value_or(Range::Unit);
        case Stage::Mask:
            return Range::Unit;
        default:
            return range == Range::Head ? Range::Head : Range::Shared;
    }
}

Palette Selection::shownPalette() const {
    return palette.value_or(isSigned(stage) ? Palette::Diverging : Palette::Viridis);
}

bool isInside(const Cell& cell, Stage stage, const Dims& dims) {
    const auto columns = stage_shape(stage, dims).back();
    return cell.query >= 0 && cell.query < dims.sequence_length && cell.key >= 0 && cell.key < columns &&
           cell.head >= 0 && cell.head < dims.num_heads;
}

Cell steppedCell(const Selection& selection, const Dims& dims, int queries, int keys, int head) {
    if (!selection.locked) return {0, 0, head};
    const auto rows = static_cast<int>(dims.sequence_length);
    const auto columns = static_cast<int>(stage_shape(selection.stage, dims).back());
    return {std::clamp(selection.locked->query + queries, 0, rows - 1),
            std::clamp(selection.locked->key + keys, 0, columns - 1), head};
}

Selection fitted(Selection selection, const Dims& dims) {
    const auto last = [](int index, std::int64_t count) {
        return static_cast<int>(std::clamp<std::int64_t>(index, 0, std::max<std::int64_t>(count - 1, 0)));
    };
    selection.sequence = last(selection.sequence, dims.batch);
    if (selection.head) selection.head = last(*selection.head, dims.num_heads);
    const auto columns = [&](Stage stage) { return std::pair(is_square(stage), stage_shape(stage, dims).back()); };
    if (selection.locked && (!isInside(*selection.locked, selection.stage, dims) ||
                             columns(selection.stage) != columns(selection.locked_stage)))
        selection.locked.reset();
    return selection;
}

bool isSigned(Stage stage) {
    return stage != Stage::Weights && stage != Stage::Mask;
}

std::optional<Range> parseRange(const QString& word) {
    return valueOf(word, kRanges);
}
std::optional<Palette> parsePalette(const QString& word) {
    return valueOf(word, kPalettes);
}
std::optional<PageName> parsePage(const QString& word) {
    return valueOf(word, kPages);
}
std::optional<StepsPart> parseStepsPart(const QString& word) {
    return valueOf(word, kStepsParts);
}
QString toWord(Range range) {
    return wordOf(range, kRanges);
}
QString toWord(Palette palette) {
    return wordOf(palette, kPalettes);
}
QString toWord(PageName page) {
    return wordOf(page, kPages);
}
QString toWord(StepsPart part) {
    return wordOf(part, kStepsParts);
}

}  // namespace headscope
