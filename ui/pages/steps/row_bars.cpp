// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/row_bars.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/controls/tool_tip.h"
#include "ui/look/hatch.h"
#include "ui/look/theme.h"
#include "ui/maps/cell_explanation.h"
#include "ui/pages/steps/row_words.h"

namespace headscope {

namespace {

constexpr double kLeastPlot = 56, kGap = 6;
constexpr double kPairPitch = 8;  // keys that are narrower have their two bars one behind the other

/// Of a run of keys that share a pixel: NaN where one is, else the number that is farthest from 0.
double farthest(const std::vector<double>& values, std::int64_t first, std::int64_t last) {
    double best = 0;
    for (std::int64_t i = first; i < last; ++i) {
        const double value = values[static_cast<std::size_t>(i)];
        if (std::isnan(value)) return value;
        if (std::abs(value) > std::abs(best)) best = value;
    }
    return best;
}

}  // namespace

/// What one panel draws: numbers before and after, and the ends of its scale.
struct RowBars::Bars {
    const std::vector<double>*before = nullptr, *after = nullptr;  ///< before: null where only one is drawn
    QColor before_color, after_color;
    double low = 0, high = 0;
    bool pale_where_masked = false;  ///< scores: what the mask takes is drawn pale

    void include(const std::vector<double>& values) {
        for (const double value : values) {
            if (!std::isfinite(value)) continue;
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
};

RowBars::RowBars(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("rowBars"));
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::MinimumExpanding);
    setSizePolicy(policy);
}

void RowBars::setRow(const TracePtr& trace, const std::shared_ptr<const RowAccount>& row, bool wrong_way) {
    const int before = panels();
    trace_ = trace;
    row_ = row;
    wrong_ = row && wrong_way ? masked_after_softmax(*row) : std::vector<double>();
    labels_ = row ? MapLabels::ofTokens(trace->batch(), static_cast<int>(row->sequence)) : MapLabels();
    if (panels() != before) updateGeometry();
    update();
}

void RowBars::setKeys(const std::optional<int>& hovered, const std::optional<int>& locked) {
    if (hovered_ == hovered && locked_ == locked) return;
    hovered_ = hovered;
    locked_ = locked;
    update();
}

QFont RowBars::small() const {
    QFont face = font();
    if (face.pointSizeF() > 0) face.setPointSizeF(face.pointSizeF() * 0.8);
    return face;
}

/// The height of the tokens above the bars.
double RowBars::labelRoom() const {
    return 4.2 * QFontMetricsF(small()).height();
}

double RowBars::pitch() const {
    const double reach = labelRoom() * 0.55;  // what the last label leans out at the right
    return std::max(0.0, (width() - reach) / static_cast<double>(std::max<std::int64_t>(labels_.count, 1)));
}

/// The plot below the panel's title.
QRectF RowBars::panelRect(int panel) const {
    const double title = fontMetrics().height() + 2;
    const double each = (height() - labelRoom()) / panels();
    return QRectF(0, labelRoom() + panel * each + title, pitch() * static_cast<double>(labels_.count),
                  std::max(8.0, each - title - kGap));
}

QRectF RowBars::columnRect(int panel, int key) const {
    if (!row_ || key < 0 || key >= labels_.count) return {};
    const QRectF plot = panelRect(panel);
    return QRectF(plot.left() + key * pitch(), plot.top(), pitch(), plot.height());
}

std::optional<int> RowBars::keyAt(const QPointF& position) const {
    if (!row_ || position.x() < 0 || !(pitch() > 0)) return std::nullopt;
    const auto key = static_cast<std::int64_t>(position.x() / pitch());
    return key < labels_.count ? std::optional(static_cast<int>(key)) : std::nullopt;
}

QSize RowBars::minimumSizeHint() const {
    const double panel = fontMetrics().height() + 2 + kLeastPlot + kGap;
    return {200, static_cast<int>(std::ceil(labelRoom() + panels() * panel))};
}

QSize RowBars::sizeHint() const {
    return {420, minimumSizeHint().height() + panels() * 24};
}

QString RowBars::keyText(int key) const {
    if (!row_ || key < 0 || key >= labels_.count) return {};
    const auto j = static_cast<std::size_t>(key);
    const Tensor::Type type = storage_type(trace_->request.precision);
    const auto exact = [&](double value) { return exactText(value, type); };
    QStringList lines{tr("%1 (key %2)").arg(quotedToken(*trace_, row_->sequence, key), QString::number(key)),
                      tr("score %1").arg(exact(row_->scores[j]))};
    if (!row_->allowed[j]) lines << tr("masked: %1").arg(exact(row_->masked[j]));
    lines << tr("weight %1").arg(exact(row_->weights[j]))
          << tr("without the mask %1").arg(exact(row_->unmasked_weights[j]));
    if (!wrong_.empty()) lines << tr("masked after softmax %1").arg(exact(wrong_[j]));
    return lines.join(QLatin1Char('\n'));
}

RowBars::Bars RowBars::barsOf(int panel) const {
    const Theme theme = currentTheme();
    const QColor accent = color(Role::Accent, theme);
    QColor muted = color(Role::Muted, theme);
    muted.setAlphaF(0.6F);
    Bars bars;
    if (panel == 0) {
        bars = {nullptr, &row_->scores, muted, accent, 0, 0, true};
    } else {
        const bool masked = row_->allowed_keys < static_cast<std::int64_t>(row_->scores.size());
        bars = {masked ? &row_->unmasked_weights : nullptr, &row_->weights, muted, accent};
        if (panel == 2) bars = {&row_->weights, &wrong_, accent, color(Role::Error, theme)};
    }
    bars.include(*bars.after);
    if (bars.before) bars.include(*bars.before);
    if (bars.low == bars.high) bars.high = 1;
    return bars;
}

QString RowBars::titleOf(int panel) const {
    const Bars bars = barsOf(panel);
    const QString ends = tr("%1 to %2").arg(numberText(bars.low, 3), numberText(bars.high, 3));
    if (panel == 0) return tr("scores · %1 · pale: masked").arg(ends);
    if (panel == 1) return (bars.before ? tr("weights · %1 · grey: without the mask") : tr("weights · %1")).arg(ends);
    return tr("Incorrect: masked after softmax · %1 · blue: correct").arg(ends);
}

/// A bar from 0 to a number; beyond the scale it ends there, and NaN is a cross.
void RowBars::drawBar(QPainter& painter, const Bars& bars, const QRectF& column, double value,
                      const QColor& fill) const {
    if (std::isnan(value)) return drawNan(painter, column, currentTheme());
    const double inside = std::clamp(value, bars.low, bars.high);
    const auto y = [&](double number) {
        return column.bottom() - (number - bars.low) / (bars.high - bars.low) * column.height();
    };
    const double zero = y(0), tip = y(inside);
    QRectF bar(column.left(), std::min(zero, tip), column.width(), std::abs(zero - tip));
    if (value != 0 && bar.height() < 1) bar.setTop(bar.bottom() - 1);  // what is there is seen
    painter.fillRect(bar, fill);
}

void RowBars::drawColumn(QPainter& painter, const Bars& bars, const QRectF& column, std::int64_t first,
                         std::int64_t last) const {
    const Theme theme = currentTheme();
    const bool masked =
        std::none_of(row_->allowed.begin() + first, row_->allowed.begin() + last, [](auto c) { return c; });
    if (masked) drawMasked(painter, column, theme);
    const double after = farthest(*bars.after, first, last);
    const QFontMetricsF metrics(painter.font());
    const double air = column.width() >= kPairPitch ? std::floor(column.width() * 0.1) : 0;
    const QRectF inner = column.adjusted(air, metrics.height(), -air, 0);  // numbers stand above
    if (masked && bars.pale_where_masked && !std::isnan(after)) {
        QColor ghost = bars.after_color;
        ghost.setAlphaF(0.25F);
        drawBar(painter, bars, inner, after, ghost);
    } else if (!bars.before) {
        drawBar(painter, bars, inner, after, bars.after_color);
    } else {
        const double before = farthest(*bars.before, first, last);
        const bool pair = column.width() >= kPairPitch;
        const QRectF left = pair ? QRectF(inner.topLeft(), QSizeF(inner.width() / 2, inner.height())) : inner;
        const QRectF right = pair ? left.translated(left.width(), 0) : inner;
        drawBar(painter, bars, left, before, bars.before_color);
        drawBar(painter, bars, right, after, bars.after_color);
    }
    const QString text = numberText(after, 2);
    if (last - first > 1 || metrics.horizontalAdvance(text) + 2 > column.width() || (masked && after == 0)) return;
    painter.setPen(color(Role::Text, theme));
    painter.drawText(column, Qt::AlignHCenter | Qt::AlignTop, text);
}

void RowBars::drawPanel(QPainter& painter, int panel) const {
    const Theme theme = currentTheme();
    const QRectF plot = panelRect(panel);
    const Bars bars = barsOf(panel);
    const QRectF title(0, plot.top() - fontMetrics().height() - 2, width(), fontMetrics().height());
    painter.setFont(font());
    painter.setPen(color(panel == 2 ? Role::Error : Role::Muted, theme));
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(titleOf(panel), Qt::ElideRight, static_cast<int>(title.width())));
    painter.setFont(small());
    // Whole keys side by side, or runs of them where they are narrower than a pixel.
    const auto each = static_cast<std::int64_t>(std::max(1.0, std::ceil(1 / std::max(pitch(), 1e-9))));
    for (std::int64_t key = 0; key < labels_.count; key += each) {
        const std::int64_t end = std::min(key + each, labels_.count);
        const double from = plot.left() + static_cast<double>(key) * pitch();
        const double to = plot.left() + static_cast<double>(end) * pitch();
        drawColumn(painter, bars, QRectF(from, plot.top(), to - from, plot.height()), key, end);
    }
    const double height = plot.height() - QFontMetricsF(small()).height();
    const double zero = plot.bottom() + bars.low / (bars.high - bars.low) * height;
    painter.setPen(color(Role::Border, theme));
    painter.drawLine(QPointF(plot.left(), zero), QPointF(plot.right(), zero));
    painter.setPen(QPen(color(Role::Crosshair, theme), 1));
    painter.setBrush(Qt::NoBrush);
    for (const auto& key : {locked_, hovered_})
        if (key) painter.drawRect(columnRect(panel, *key).adjusted(0, 0, -1, 0));
}

void RowBars::drawLabels(QPainter& painter) const {
    const Theme theme = currentTheme();
    QFont face = small();
    const QFontMetricsF metrics(face);
    const double room = labelRoom() - metrics.height() * 0.5, bottom = labelRoom() - 2;
    const std::int64_t step = labels_.step(metrics.height(), pitch());
    for (std::int64_t key = 0; key < labels_.count; ++key) {
        // A marked key is always labelled, and its neighbours make room for it.
        const auto close = [&](const std::optional<int>& to) { return to && *to != key && std::abs(*to - key) < step; };
        const bool marked = key == hovered_ || (key == locked_ && !close(hovered_));
        if (!marked && (key % step != 0 || close(hovered_) || close(locked_))) continue;
        face.setBold(marked);
        painter.setPen(color(labels_.isPadding(key) ? Role::Muted : Role::Text, theme));
        drawColumnLabel(painter, *labels_.laidOut(key, face, room, true), (static_cast<double>(key) + 0.5) * pitch(),
                        bottom);
    }
}

void RowBars::paintEvent(QPaintEvent*) {
    if (!row_) return;
    QPainter painter(this);
    painter.setFont(small());
    drawLabels(painter);
    for (int panel = 0; panel < panels(); ++panel) drawPanel(painter, panel);
}

bool RowBars::event(QEvent* event) {
    if (event->type() == QEvent::FontChange) updateGeometry();
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto key = keyAt(help->pos());
    QToolTip::showText(help->globalPos(), key ? plainToolTip(keyText(*key)) : QString(), this);
    return true;
}

void RowBars::mouseMoveEvent(QMouseEvent* event) {
    Q_EMIT hovered(keyAt(event->position()));
}

void RowBars::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto key = keyAt(event->position())) Q_EMIT clicked(*key);
}

void RowBars::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    Q_EMIT hovered(std::nullopt);
}

}  // namespace headscope
