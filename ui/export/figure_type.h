// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QString>

namespace headscope {

/// A size of type in pixels, without hinting: a text is as wide in a file as on the screen.
class FigureType {
public:
    explicit FigureType(double pixels, bool bold = false);

    double width(const QString& text) const { return metrics_.horizontalAdvance(text); }
    double capHeight() const { return metrics_.capHeight(); }
    /// Shortened at the end, between graphemes, to a width.
    QString elided(const QString& text, double width) const;
    /// Draws one line of plain text in a colour, with its baseline from `left`; returns the width it took. A PDF can't
    /// hold letters that are bitmaps, as those of a colour emoji font are: they are placed in it as images.
    double draw(QPainter& painter, const QPointF& left, const QString& text, const QColor& color) const;

private:
    /// False, and nothing drawn, where no letter of the text is a bitmap.
    bool drawWithBitmaps(QPainter& painter, const QPointF& left, const QString& text) const;

    QFont font_;
    QFontMetricsF metrics_;
};

}  // namespace headscope
