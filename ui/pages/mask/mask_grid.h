// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/explain/mask_code.h"
#include "ui/maps/map_labels.h"
#include "ui/maps/map_layout.h"
#include "ui/pages/mask/layer_hatch.h"
#include "ui/pages/mask/mask_overlay.h"
#include "ui/pages/mask/mask_picture.h"
#include "ui/pages/mask/stroke.h"
#include "ui/state/selection.h"

namespace headscope {

/// The token grid that is painted on: rows are queries, columns keys, each masked cell hatched by the layers that mask
/// it. Cells, rows (along the row labels), columns and rectangles are dragged; arrow keys move a cell cursor.
class MaskGrid : public QWidget {
    Q_OBJECT
public:
    explicit MaskGrid(QWidget* parent = nullptr);

    void setPicture(std::shared_ptr<const MaskPicture> picture);
    /// How the cells' numbers are written.
    void setConvention(MaskConvention convention);
    /// Of a drag over cells and of the space bar; labels always paint rows and columns, Shift rectangles.
    void setTool(PaintTool tool) { tool_ = tool; }
    /// Row and column outlined, as in the heads.
    void setCrosshair(const std::optional<Cell>& hovered, const std::optional<Cell>& locked);

    /// What is drawn over the cells. While it shows the reach, a click chooses a cell and paints nothing.
    void setOverlay(const MaskOverlay& overlay);

    /// A cell, and the label before a row or above a column; empty before there is a picture.
    QRectF cellRect(std::int64_t query, std::int64_t key) const;
    QPointF rowHandle(std::int64_t query) const;
    QPointF columnHandle(std::int64_t key) const;
    std::optional<paint::Cell> cursorCell() const { return cursor_; }
    /// Moves the cursor, as the arrow keys do.
    void setCursorCell(const paint::Cell& cell);
    /// What stands in a cell under the present convention; empty where it doesn't fit.
    QString cellText(bool allowed) const;

Q_SIGNALS:
    void hovered(const std::optional<headscope::paint::Cell>& cell);
    void pressed(headscope::paint::Cell at, headscope::PaintTool tool);
    void dragged(headscope::paint::Cell at);
    void released();
    void cancelled();
    void lockWanted(headscope::paint::Cell cell);
    void cursorMoved(headscope::paint::Cell cell);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum class Zone { Nowhere, Cells, RowLabels, ColumnLabels };
    Zone zoneAt(const QPointF& position) const;
    paint::Cell cellAt(const QPointF& position) const;  ///< beyond the grid too
    double pitch() const;
    QRectF mapRect() const;
    QFont labelFont(bool bold = false) const;
    std::int64_t labelStep() const;
    void relayout();
    void moveCursor(int queries, int keys, bool paint);
    void endKeyStroke();

    struct Range {
        std::int64_t first, last;
    };
    Range rowsIn(const QRectF& area) const;
    Range columnsIn(const QRectF& area) const;
    void drawCells(QPainter& painter, const Range& rows, const Range& columns) const;
    void drawNumbers(QPainter& painter, const Range& rows, const Range& columns) const;
    void drawLines(QPainter& painter, const Range& rows, const Range& columns) const;
    void markFullyMaskedRows(QPainter& painter, const Range& rows) const;
    void drawLabels(QPainter& painter) const;
    void drawLabel(QPainter& painter, std::int64_t index, bool row, bool bold) const;
    void drawCrosshair(QPainter& painter) const;
    void drawCursor(QPainter& painter) const;
    void drawOverlay(QPainter& painter, const Range& rows, const Range& columns) const;

    std::shared_ptr<const MaskPicture> picture_;
    std::vector<LayerHatch> hatches_;
    MapLabels labels_;
    MapLayout layout_;
    MaskConvention convention_ = MaskConvention::MayAttend;
    PaintTool tool_ = PaintTool::Cells;
    MaskOverlay overlay_;
    std::optional<Cell> hovered_, locked_;
    std::optional<paint::Cell> cursor_;
    bool dragging_ = false, key_stroke_ = false;
};

}  // namespace headscope
