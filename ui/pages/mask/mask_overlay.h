// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/explain/reach.h"
#include "core/masks/mask_doctor.h"
#include "ui/state/appearance.h"

class QPainter;
class QFont;

namespace headscope {

/// What is drawn over the cells of the mask grid: the wrong cells of a checked mask, or the reach through several
/// layers.
struct MaskOverlay {
    std::shared_ptr<const MaskDiagnosis> diagnosis{};  ///< wrong cells are crossed, the first is framed
    std::shared_ptr<const Reach> reach{};
    int layers = 0;                                ///< pairs that need more are not drawn
    std::shared_ptr<const BitMatrix> forbidden{};  ///< a pair that is reached all the same leaks
    std::vector<std::int64_t> path{};              ///< of the chosen pair

    bool showsReach() const { return reach != nullptr; }
    bool leaks(std::int64_t query, std::int64_t key) const;
};

/// The part of the grid that is painted, and where its cells lie.
struct OverlayArea {
    std::int64_t first_row, last_row, first_column, last_column;
    std::int64_t size;  ///< S
    std::function<QRectF(std::int64_t query, std::int64_t key)> cell;
    double pitch;
};

/// The colour of a pair that needs `steps` of at most `layers` layers: the fewer, the stronger.
QColor reachColor(int steps, int layers, Theme theme);

/// Fills the reached pairs and writes the number of layers where it fits.
void drawReach(QPainter& painter, const MaskOverlay& overlay, const OverlayArea& area, const QFont& font);
/// Frames the cells of the path and joins them through the diagonal.
void drawPath(QPainter& painter, const MaskOverlay& overlay, const OverlayArea& area);
void drawWrongCells(QPainter& painter, const MaskDiagnosis& diagnosis, const OverlayArea& area);

}  // namespace headscope
