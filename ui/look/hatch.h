// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QList>
#include <QPainter>
#include <QRectF>

#include "ui/look/theme.h"

namespace headscope {

/// Hatching lines rise to the right at multiples of the spacing of x + y, so that lines of adjacent cells join.
inline constexpr double kHatchSpacing = 8;

/// The lines of a hatched rectangle, clipped at its borders, so that no clip path is needed (in particular in files).
QList<QLineF> hatchLines(const QRectF& rect, double spacing = kHatchSpacing);

/// Paints a masked cell or a run of them: the background and lines one unit wide.
void drawMasked(QPainter& painter, const QRectF& rect, Theme theme, double spacing = kHatchSpacing);

/// Paints a NaN cell: a diagonal cross on the background of a card.
void drawNan(QPainter& painter, const QRectF& rect, Theme theme);

}  // namespace headscope
