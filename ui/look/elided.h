// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>
#include <QString>

namespace headscope {

/// A text shortened at its end with … to a width. QFontMetrics::elidedText() knows an older Unicode and may cut an
/// emoji in two; this cuts between graphemes. Empty where not even … fits.
QString elided(const QString& text, const QFontMetricsF& metrics, double width);

}  // namespace headscope
