// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBrush>
#include <QPixmap>
#include <vector>

#include "core/masks/mask_layers.h"
#include "ui/look/theme.h"

namespace headscope {

/// How a layer is hatched: by its kind, and broken where layers before it are of the same kind. Several hatchings over
/// each other can still be told apart.
struct LayerHatch {
    LayerKind kind = LayerKind::Causal;
    int repeat = 0;  ///< how many of its kind stand before it in the list
    bool operator==(const LayerHatch&) const = default;
};
std::vector<LayerHatch> layerHatches(const std::vector<MaskLayer>& layers);

/// Transparent but for the hatching; its lines lie `spacing` device pixels apart.
QBrush hatchBrush(const LayerHatch& hatch, int spacing, double pixel_ratio, Theme theme);

/// The hatching as it looks on masked cells, for a list.
QPixmap hatchSwatch(const LayerHatch& hatch, const QSize& size, double pixel_ratio, Theme theme);

}  // namespace headscope
