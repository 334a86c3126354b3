// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/explain/chunk_steps.h"

namespace headscope {

/// One row on its way through the tiles: the running maximum and sum so far, a column for each of its tiles with what
/// they were there and the factor by which what was gathered before shrank; and its context so far as a strip above
/// the one in the end.
class RowProgress : public QWidget {
    Q_OBJECT
public:
    explicit RowProgress(QWidget* parent = nullptr);

    /// whole: the row's context in the trace (Dh).
    void setAccount(const std::shared_ptr<const ChunkAccount>& account, std::size_t step, std::vector<double> whole);

    /// Steps that hold the row, in order; which of them are drawn; and the one under a point.
    const std::vector<std::size_t>& tiles() const { return tiles_; }
    std::size_t firstShown() const;
    std::size_t shownCount() const;
    QRectF tileRect(std::size_t index) const;
    std::optional<std::size_t> tileAt(const QPointF& position) const;
    /// What stands in a line (0 the maximum, 1 the factor, 2 the sum) of a tile; empty where it is still to come.
    QString text(int line, std::size_t index) const;
    /// The running maximum (line 0) and sum (line 2) after the present tile, to nine digits.
    QString soFar(int line) const;
    /// What the strips show: the context after the present tile.
    const std::vector<double>& context() const { return context_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void clicked(std::size_t step);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    int line() const { return fontMetrics().height() + 4; }
    double nameWidth() const;
    double nowWidth() const;
    double columnWidth() const;
    QStringList names() const;
    QRectF stripRect(int strip) const;
    void drawNow(QPainter& painter) const;
    void drawTile(QPainter& painter, std::size_t index) const;
    void drawStrip(QPainter& painter, int strip, const std::vector<double>& numbers, double extent) const;

    std::shared_ptr<const ChunkAccount> account_;
    std::size_t step_ = 0;
    std::vector<std::size_t> tiles_;
    std::vector<double> context_, whole_;
};

}  // namespace headscope
