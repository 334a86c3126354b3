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

/// The labels along one side of a map: texts, pixel positions and available room.
struct LabelBand {
    MapLabels labels;
    std::vector<Span> spans{};  ///< device pixels from the corner of the map
    double room = 0;            ///< for the longest label; 0 = no labels
    std::int64_t step = 1;      ///< one label per this many is shown
    bool rows = false;          ///< left of the map; else above it
    bool turned = false;        ///< above the map, rotated by kLabelAngle
    bool operator==(const LabelBand&) const = default;
};

/// Indices whose labels are bold: those of the locked and the hovered cell.
using Emphasis = std::array<std::optional<std::int64_t>, 2>;

/// The label font for a widget with this font.
QFont labelFont(const QFont& font, bool bold = false);
/// Step between labels that fit if cells are `pitch` wide or high.
std::int64_t labelStep(const LabelBand& band, const QFontMetricsF& metrics, double pitch);
/// Draws the labels of a map whose top left corner is at `corner`. Emphasised labels are always drawn; labels that they
/// would overlap are omitted.
void drawLabels(QPainter& painter, const LabelBand& band, const QPointF& corner, const QFont& font,
                const Emphasis& emphasis, Theme theme, double pixel_ratio);

}  // namespace headscope
