// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "core/explain/chunk_steps.h"
#include "ui/maps/map_overlay.h"
#include "ui/state/selection.h"

namespace headscope {

/// The tiles over a heat map of the weights: those to come cover its cells, those that are skipped are left hatched and
/// struck out, the present one is outlined.
class TileOverlay : public MapOverlay {
    Q_OBJECT
public:
    explicit TileOverlay(HeatMap* map);

    void setAccount(const std::shared_ptr<const ChunkAccount>& account, std::size_t step);
    /// Empty where there is no such tile.
    QRectF tileRect(std::size_t step) const;
    std::optional<std::size_t> tileOf(const Cell& cell) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void drawTile(QPainter& painter, std::size_t step) const;
    void drawNumber(QPainter& painter, const QRectF& rect, std::size_t step) const;
    void drawRow(QPainter& painter) const;

    std::shared_ptr<const ChunkAccount> account_;
    std::size_t step_ = 0;
};

}  // namespace headscope
