// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/tile_overlay.h"

#include <QPainter>

#include "ui/maps/heat_map.h"

namespace headscope {

namespace {

constexpr double kSmallestFramed = 5;  // pixels; the frames of smaller tiles would hide their cells
constexpr double kFrame = 2;

/// A frame just inside the rectangle.
void frame(QPainter& painter, const QRectF& rect, double width, const QColor& color) {
    painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), width), color);
    painter.fillRect(QRectF(rect.left(), rect.bottom() - width, rect.width(), width), color);
    painter.fillRect(QRectF(rect.left(), rect.top(), width, rect.height()), color);
    painter.fillRect(QRectF(rect.right() - width, rect.top(), width, rect.height()), color);
}

}  // namespace

TileOverlay::TileOverlay(HeatMap* map) : MapOverlay(map) {
    setObjectName(QStringLiteral("tileOverlay"));
}

void TileOverlay::setAccount(const std::shared_ptr<const ChunkAccount>& account, std::size_t step) {
    account_ = account;
    step_ = step;
    update();
}

QRectF TileOverlay::tileRect(std::size_t step) const {
    if (!account_ || step >= account_->steps.size()) return {};
    const ChunkStep& tile = account_->steps[step];
    const auto cell = [this](std::int64_t query, std::int64_t key) {
        return map()->cellRect(static_cast<int>(query), static_cast<int>(key));
    };
    return cell(tile.first_query, tile.first_key)
        .united(cell(tile.first_query + tile.queries - 1, tile.first_key + tile.keys - 1));
}

std::optional<std::size_t> TileOverlay::tileOf(const Cell& cell) const {
    if (!account_ || account_->steps.empty() || cell.query < 0 || cell.key < 0) return std::nullopt;
    const ChunkStep& last = account_->steps.back();
    const std::int64_t across = last.first_key / account_->key_chunk_size + 1;
    const std::int64_t step = cell.query / account_->chunk_size * across + cell.key / account_->key_chunk_size;
    if (cell.key >= last.first_key + last.keys || cell.query >= last.first_query + last.queries) return std::nullopt;
    return static_cast<std::size_t>(step);
}

void TileOverlay::paintEvent(QPaintEvent*) {
    if (!account_) return;
    QPainter painter(this);
    for (std::size_t step = 0; step < account_->steps.size(); ++step) drawTile(painter, step);
    drawRow(painter);
    const QRectF present = tileRect(step_);
    if (present.isEmpty()) return;
    const Theme theme = currentTheme();
    // Light around the accent, so that it is seen on every colour of the palette.
    frame(painter, present.adjusted(-kFrame - 1, -kFrame - 1, kFrame + 1, kFrame + 1), kFrame + 2,
          color(Role::Raised, theme));
    frame(painter, present.adjusted(-kFrame, -kFrame, kFrame, kFrame), kFrame + 1, color(Role::Accent, theme));
}

void TileOverlay::drawTile(QPainter& painter, std::size_t step) const {
    const QRectF rect = tileRect(step);
    const ChunkStep& tile = account_->steps[step];
    const Theme theme = currentTheme();
    const bool framed = std::min(rect.width(), rect.height()) >= kSmallestFramed;
    if (step > step_ && !tile.skipped) {
        painter.fillRect(rect, color(Role::Raised, theme));
        if (framed) frame(painter, rect, 1, color(Role::Border, theme));
    } else if (framed) {
        frame(painter, rect, 1, color(Role::Raised, theme));
    }
    // Where nothing may be left out (−1e9), a computed tile may be hatched all over: a line tells the skipped ones.
    if (tile.skipped && framed) {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(color(Role::Muted, theme), 1));
        painter.drawLine(rect.bottomLeft() + QPointF(1, -1), rect.topRight() + QPointF(-1, 1));
        painter.restore();
    }
    if (tile.skipped || step > step_) drawNumber(painter, rect, step);
}

/// In the corner of a tile that shows no numbers, where there is room for it.
void TileOverlay::drawNumber(QPainter& painter, const QRectF& rect, std::size_t step) const {
    const QFontMetricsF metrics(font());
    const bool skipped = account_->steps[step].skipped;
    const QString number = QString::number(step + 1);
    QString text = skipped ? tr("%1 skipped").arg(number) : number;
    const auto size = [&] { return QSizeF(metrics.horizontalAdvance(text) + 6, metrics.height()); };
    if (size().width() > rect.width() - 4) text = number;
    if (size().width() > rect.width() - 4 || size().height() > rect.height() - 4) return;
    const QRectF chip(rect.topLeft() + QPointF(2, 2), size());
    const Theme theme = currentTheme();
    painter.fillRect(chip, color(Role::Raised, theme));
    painter.setPen(color(Role::Muted, theme));
    painter.drawText(chip, Qt::AlignCenter, text);
}

void TileOverlay::drawRow(QPainter& painter) const {
    const ChunkStep& last = account_->steps.back();
    const auto query = static_cast<int>(account_->query);
    const QRectF row =
        map()->cellRect(query, 0).united(map()->cellRect(query, static_cast<int>(last.first_key + last.keys - 1)));
    frame(painter, row.adjusted(-1, -1, 1, 1), 1, color(Role::Crosshair, currentTheme()));
}

}  // namespace headscope
