// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figure_type.h"

#include "ui/look/theme.h"

#include <algorithm>

namespace headscope {
namespace {

QFont fontOf(double pixels, bool bold, QFont::StyleStrategy strategy) {
    QFont font;
    font.setFamilies(fontFamilies());
    font.setPixelSize(std::max(1, qRound(pixels)));
    font.setBold(bold);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(strategy);
    return font;
}

}  // namespace

FigureType::FigureType(double pixels, bool bold)
    : plain_(fontOf(pixels, bold, QFont::PreferNoShaping)),
      shaped_(fontOf(pixels, bold, QFont::PreferDefault)),
      plain_metrics_(plain_),
      shaped_metrics_(shaped_) {}

/// Glyphs that stand in for others by context have no letter in a PDF: "(" and "<" would be lost to a search. So Latin,
/// signs and Chinese are set letter by letter, and only what must be shaped is shaped.
bool FigureType::needsShaping(const QString& text) {
    return std::any_of(text.begin(), text.end(), [](QChar c) {
        const char16_t u = c.unicode();
        const bool simple = u < 0x300 || (u >= 0x2010 && u < 0x2028) || (u >= 0x2030 && u < 0x2C00) ||
                            (u >= 0x2E80 && u < 0xA000) || (u >= 0xFF00 && u < 0xFFF0);
        return !simple;
    });
}

double FigureType::width(const QString& text) const {
    return (needsShaping(text) ? shaped_metrics_ : plain_metrics_).horizontalAdvance(text);
}

QString FigureType::elided(const QString& text, double width) const {
    return (needsShaping(text) ? shaped_metrics_ : plain_metrics_).elidedText(text, Qt::ElideRight, width);
}

}  // namespace headscope
