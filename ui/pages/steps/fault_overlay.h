// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <vector>

#include "ui/look/theme.h"
#include "ui/maps/map_overlay.h"
#include "ui/pages/steps/lens.h"

namespace headscope {

/// Marks over a heat map of errors: a triangle that points up where a number overflowed, down where it underflowed.
/// Where cells are smaller than a mark, one stands for its neighbours.
class FaultOverlay : public MapOverlay {
    Q_OBJECT
public:
    using MapOverlay::MapOverlay;

    /// Null: nothing to mark.
    void setLens(const LensPtr& lens, Precision precision);

    struct Mark {
        QPointF centre;
        double size = 0;  ///< of the triangle, in the widget's units
        CellFault fault = CellFault::None;
        QColor color{};
    };
    const std::vector<Mark>& marks() const { return marks_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void place();
    QColor inkAt(std::size_t cell) const;

    LensPtr lens_;
    Precision precision_ = Precision::Float32;
    LensPtr placed_lens_;
    Theme placed_theme_ = Theme::Light;
    QRectF placed_;  ///< the map's rectangle for which marks_ were found
    std::vector<Mark> marks_;
};

}  // namespace headscope
