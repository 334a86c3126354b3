// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QString>
#include <QStringList>

namespace headscope {

/// A size of type in pixels, without hinting: a text is as wide in a file as on the screen.
class FigureType {
public:
    explicit FigureType(double pixels, bool bold = false);

    const QFont& font(const QString& text) const { return needsShaping(text) ? shaped_ : plain_; }
    double width(const QString& text) const;
    double capHeight() const { return plain_metrics_.capHeight(); }
    /// Shortened at the end, between graphemes, to a width.
    QString elided(const QString& text, double width) const;

private:
    static bool needsShaping(const QString& text);

    QFont plain_, shaped_;
    QFontMetricsF plain_metrics_, shaped_metrics_;
};

}  // namespace headscope
