// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>

#include "ui/look/color_scale.h"
#include "ui/maps/cell_raster.h"
#include "ui/maps/custom_plot.h"
#include "ui/maps/label_band.h"
#include "ui/maps/map_layout.h"
#include "ui/maps/tile_store.h"
#include "ui/state/derived_matrix.h"

namespace headscope {

/// One matrix of a trace: rows are queries from top to bottom, columns are keys or dimensions. The plot's axes give the
/// visible range. The cells are an image, the labels the layer of the plot, so that a new value repaints only its own
/// part; a mouse move repaints only the crosshair. Cells have whole screen pixels.
class HeatMap : public QCustomPlot {
    Q_OBJECT
public:
    explicit HeatMap(QWidget* parent = nullptr);
    ~HeatMap() override;

    struct Content {
        TracePtr trace;
        Selection selection;  ///< sequence and stage are used
        int head = 0;
        ColorScale scale;
        DerivedMatrixPtr derived{};  ///< drawn instead of the trace's numbers, with the same rows and columns
        TracePtr minus{};            ///< whose numbers are subtracted, if the trace does not keep its own
    };
    /// Repaints only what changed: nothing, the cells, or also the labels.
    void setContent(const Content& content);
    /// Outlines the row and column of either cell and makes their labels bold.
    void setCrosshair(const std::optional<Cell>& hovered, const std::optional<Cell>& locked);
    /// Whether the map draws note() in the corner between the labels; if not, another widget shows it.
    void setNoteDrawn(bool drawn);
    /// Enlarged mode: numbers are drawn if they fit; wheel and drag zoom and pan.
    void setDetailed(bool detailed);
    /// Omits the labels: the map shares them with other maps.
    void setBare(bool bare);

    std::optional<Cell> cellAt(const QPointF& position) const;
    /// Empty if the cell is outside the visible range.
    QRectF cellRect(int query, int key) const;
    QRectF mapRect() const;
    /// The strip along the upper or the left edge of a zoomed map: which part of the whole is in sight. A click or a
    /// drag moves that part. Empty if the map is not zoomed.
    QRectF overviewRect(Qt::Orientation direction) const;
    /// The height above which cells don't grow at this width.
    int neededHeight(int width) const;
    /// What the map omits: "labels: 1 in 4 · 1 pixel = largest of 14×14 cells". Empty if nothing.
    QString note() const;
    /// The part of note() about the cells.
    QString cellNote() const;
    /// The tiles from which it draws; null if the trace keeps the numbers.
    const TiledMatrixPtr& tiles() const { return tiles_; }
    /// Moves the view, if the cell is outside it.
    void reveal(const Cell& cell);
    bool isZoomed() const;
    void resetZoom();

Q_SIGNALS:
    void hovered(const std::optional<headscope::Cell>& cell);
    void clicked(const headscope::Cell& cell);
    void doubleClicked();
    void noteChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void paintCells();
    void drawCells(QPainter& painter);
    void drawLabels(QPainter& painter);
    void drawCrosshair(QPainter& painter);
    void drawNumbers(QPainter& painter, const MatrixView& matrix, std::int64_t first_row = 0,
                     std::int64_t first_column = 0);
    void drawTiles(QPainter& painter);
    void drawProgress(QPainter& painter) const;
    void drawOverview(QPainter& painter) const;
    void drawFaded(QPainter& painter);
    void markFullyMaskedRows(QPainter& painter);
    void drawNote(QPainter& painter);
    void outline(QPainter& painter, const Cell& cell, int stroke);
    void moveRanges(const std::function<void(QCPAxis&, Qt::Orientation)>& move);
    void drag(const QPointF& to);
    std::optional<Qt::Orientation> overviewAt(const QPointF& position) const;
    void moveInOverview(const QPointF& to);
    LabelBand labelBand(bool rows) const;

    enum Part { Nothing = 0, Cells = 1, Labels = 2, Everything = 3 };
    void markDirty(int parts);
    void relayout();
    void setFullRange();
    void rangeMoved();
    void announceNote();
    void followTiles();
    void placeBlocks();
    VisibleTiles visibleTiles() const;
    QRect tileRect(const TilePlace& place) const;
    std::optional<Cell> largestCell(const Span& row, const Span& column) const;
    MatrixView matrix() const;
    Reduction reduction() const;
    bool hasSigns() const;
    bool canLeak() const;
    bool isFullyMasked(std::int64_t row) const;
    std::int64_t rowStep() const;
    std::int64_t columnStep() const;
    std::int64_t ownStep(bool rows) const;

    Content content_;
    Theme theme_;
    MapLabels row_labels_, column_labels_;
    MapLayout layout_;
    std::vector<Span> rows_, columns_;
    std::shared_ptr<TileStore> store_;
    TiledMatrixPtr tiles_;  ///< null if the trace keeps the numbers
    QMetaObject::Connection tiles_changed_;
    int level_ = 0;                                 ///< of the tiles in sight
    std::vector<Span> row_blocks_, column_blocks_;  ///< as rows_ and columns_, but of blocks
    std::optional<Cell> hovered_, locked_;
    QImage cells_;         ///< as last painted
    bool square_ = false;  ///< rows and columns are the same tokens
    bool detailed_ = false, bare_ = false;
    bool note_drawn_ = true;
    int dirty_ = Nothing;  ///< parts to repaint at the next paint event
    QString shown_note_;
    QPointF pressed_, dragged_;                   ///< where the left button went down; where the drag is
    std::optional<Qt::Orientation> in_overview_;  ///< the strip that is dragged
    bool press_counts_ = false;                   ///< whether a release near the press is a click
};

}  // namespace headscope
