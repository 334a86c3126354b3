// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/mask/layer_hatch.h"

#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr int kSwatchSpacing = 6;

/// Which pixels of a plane a hatching inks: lines or dots `spacing` apart and `pen` thick.
bool inks(const LayerHatch& hatch, int x, int y, int spacing, int pen) {
    const auto line = [&](int across) { return (across % spacing + spacing) % spacing < pen; };
    const auto dash = [&](int along) { return hatch.repeat == 0 || along / std::max(2, spacing / 2) % 2 == 0; };
    switch (hatch.kind) {
        case LayerKind::Padding:
            return line(y) && dash(x);
        case LayerKind::Causal:
            return line(x + y) && dash(x);
        case LayerKind::Window:
            return line(x - y) && dash(x);
        case LayerKind::Sparse:
            return line(x) && dash(y);
        case LayerKind::Painted: {
            const int dot = std::max(2 * pen, spacing / 3), half = spacing / 2;
            const bool shifted = y % spacing >= half;
            const int column = (x + (shifted ? half : 0)) % spacing, row = y % half;
            return column < dot && row < dot && (hatch.repeat == 0 || !shifted);
        }
        case LayerKind::Combined:
            return (line(x + y) || line(x - y)) && (x / std::max(1, pen)) % 2 == 0 && dash(x);
    }
    return false;
}

/// Painted layers have the accent colour; cells masked by patterns are neutral.
QColor ink(LayerKind kind, Theme theme) {
    return color(kind == LayerKind::Painted ? Role::Accent : Role::Muted, theme);
}

}  // namespace

std::vector<LayerHatch> layerHatches(const std::vector<MaskLayer>& layers) {
    std::vector<LayerHatch> hatches;
    for (const MaskLayer& layer : layers) {
        const auto same = std::count_if(hatches.begin(), hatches.end(),
                                        [&](const LayerHatch& before) { return before.kind == layer.kind; });
        hatches.push_back({layer.kind, static_cast<int>(same)});
    }
    return hatches;
}

QBrush hatchBrush(const LayerHatch& hatch, int spacing, double pixel_ratio, Theme theme) {
    const int step = std::max(2, spacing & ~1), pen = std::max(1, static_cast<int>(std::lround(pixel_ratio)));
    const int side = 4 * step;  // lines, dots and dashes all begin anew after it
    QImage tile(side, side, QImage::Format_ARGB32_Premultiplied);
    tile.fill(Qt::transparent);
    const QRgb colored = ink(hatch.kind, theme).rgba();
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            if (inks(hatch, x, y, step, pen)) tile.setPixel(x, y, colored);
    QBrush brush(QPixmap::fromImage(tile));
    brush.setTransform(QTransform::fromScale(1 / pixel_ratio, 1 / pixel_ratio));
    return brush;
}

QPixmap hatchSwatch(const LayerHatch& hatch, const QSize& size, double pixel_ratio, Theme theme) {
    QPixmap swatch(size * pixel_ratio);
    swatch.setDevicePixelRatio(pixel_ratio);
    swatch.fill(color(Role::Masked, theme));
    QPainter painter(&swatch);
    const auto spacing = static_cast<int>(std::lround(kSwatchSpacing * pixel_ratio));
    painter.fillRect(QRect(QPoint(), size), hatchBrush(hatch, spacing, pixel_ratio, theme));
    painter.setPen(color(Role::Border, theme));
    painter.drawRect(QRect(QPoint(), size - QSize(1, 1)));
    return swatch;
}

}  // namespace headscope
