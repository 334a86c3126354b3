// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/selection.h"

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

bool isSigned(Stage stage) {
    return stage != Stage::Weights && stage != Stage::Mask;
}

std::optional<Range> parseRange(const QString& word) {
    return valueOf(word, kRanges);
}
std::optional<Palette> parsePalette(const QString& word) {
    return valueOf(word, kPalettes);
}
QString toWord(Range range) {
    return wordOf(range, kRanges);
}
QString toWord(Palette palette) {
    return wordOf(palette, kPalettes);
}

}  // namespace headscope
