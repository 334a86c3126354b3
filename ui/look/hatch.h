// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QList>
#include <QPainter>
#include <QRectF>

#include "ui/look/theme.h"

namespace headscope {

/// Hatching lines rise to the right and lie where x + y is a multiple of the spacing, so that neighbouring cells join.
inline constexpr double kHatchSpacing = 8;

/// The lines of a hatched rectangle, cut at its borders: no clip path is needed, in a file least of all.
QList<QLineF> hatchLines(const QRectF& rect, double spacing = kHatchSpacing);

/// A masked cell, or a run of them: its background and lines one unit wide.
void drawMasked(QPainter& painter, const QRectF& rect, Theme theme, double spacing = kHatchSpacing);

/// A cell that holds NaN: a cross from corner to corner on the background of a card.
void drawNan(QPainter& painter, const QRectF& rect, Theme theme);

}  // namespace headscope
