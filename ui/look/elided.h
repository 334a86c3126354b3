// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>
#include <QString>

namespace headscope {

/// Shortens a text to a width and appends "…". QFontMetrics::elidedText() uses an older version of Unicode and may
/// split an emoji; this function cuts at grapheme boundaries. Empty if not even "…" fits.
QString elided(const QString& text, const QFontMetricsF& metrics, double width);

}  // namespace headscope
