// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QString>

namespace headscope {

/// A font of a text size in pixels, without hinting: a text has the same width in a file and on the screen.
class FigureType {
public:
    explicit FigureType(double pixels, bool bold = false);

    double width(const QString& text) const { return metrics_.horizontalAdvance(text); }
    double capHeight() const { return metrics_.capHeight(); }
    /// Shortens a text to a width at a grapheme boundary.
    QString elided(const QString& text, double width) const;
    /// Draws one line of plain text in a colour, with its baseline starting at `left`; returns its width. A PDF can't
    /// contain bitmap letters, such as those of a colour emoji font: they are embedded as images.
    double draw(QPainter& painter, const QPointF& left, const QString& text, const QColor& color) const;

private:
    /// Returns false, and draws nothing, if no letter of the text is a bitmap.
    bool drawWithBitmaps(QPainter& painter, const QPointF& left, const QString& text) const;

    QFont font_;
    QFontMetricsF metrics_;
};

}  // namespace headscope
