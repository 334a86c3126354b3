// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPainter>
#include <array>
#include <optional>
#include <vector>

#include "ui/look/theme.h"
#include "ui/maps/cell_raster.h"
#include "ui/maps/map_labels.h"

namespace headscope {

/// The labels along one side of a map: what stands there, beside which pixels, and in how much room.
struct LabelBand {
    MapLabels labels;
    std::vector<Span> spans{};  ///< device pixels from the map's corner
    double room = 0;            ///< of the longest label; 0 = there are no labels
    std::int64_t step = 1;      ///< one in so many is shown
    bool rows = false;          ///< to the left of the map, not above it
    bool turned = false;        ///< above the map, by kLabelAngle
    bool operator==(const LabelBand&) const = default;
};

/// Indices whose labels are bold: those of the locked and of the hovered cell.
using Emphasis = std::array<std::optional<std::int64_t>, 2>;

/// The type of labels in a widget of this type.
QFont labelFont(const QFont& font, bool bold = false);
/// One in how many labels can be shown where cells are `pitch` wide or high.
std::int64_t labelStep(const LabelBand& band, const QFontMetricsF& metrics, double pitch);
/// Draws the labels beside a map whose top left corner lies at `corner`. Emphasised ones are drawn also where labels
/// are thinned out; those that they would overlap are left out.
void drawLabels(QPainter& painter, const LabelBand& band, const QPointF& corner, const QFont& font,
                const Emphasis& emphasis, Theme theme, double pixel_ratio);

}  // namespace headscope
