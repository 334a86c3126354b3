// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/lesson/prediction_bars.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/look/theme.h"

namespace headscope {
namespace {

constexpr int kGap = 6, kLongestLabel = 90;
constexpr double kKeyStep = 0.05;

}  // namespace

PredictionBars::PredictionBars(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("predictionBars"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Predicted weights"));
}

void PredictionBars::setKeys(const QStringList& keys) {
    keys_ = keys;
    bars_.assign(static_cast<std::size_t>(keys.size()), 0.0);
    weights_.clear();
    current_ = 0;
    describe();
    updateGeometry();
    update();
}

std::vector<double> PredictionBars::prediction() const {
    std::vector<double> scaled = bars_;
    const double sum = std::accumulate(bars_.begin(), bars_.end(), 0.0);
    for (double& bar : scaled) bar = sum > 0 ? bar / sum : 1.0 / static_cast<double>(scaled.size());
    return scaled;
}

void PredictionBars::setBar(int key, double length) {
    if (!weights_.empty() || key < 0 || key >= keys_.size()) return;  // revealed
    bars_[static_cast<std::size_t>(key)] = std::clamp(length, 0.0, 1.0);
    current_ = key;
    describe();
    update();
}

void PredictionBars::setWeights(const std::vector<double>& weights) {
    weights_ = weights;
    describe();
    update();
}

void PredictionBars::describe() {
    if (keys_.isEmpty()) return;
    const auto at = static_cast<std::size_t>(current_);
    if (weights_.empty())
        setAccessibleDescription(tr("%1: %2%").arg(keys_[current_]).arg(qRound(100 * bars_[at])));
    else
        setAccessibleDescription(tr("%1: predicted %2%, weight %3%")
                                     .arg(keys_[current_])
                                     .arg(qRound(100 * prediction()[at]))
                                     .arg(100 * weights_[at], 0, 'f', 0));
}

int PredictionBars::rowHeight() const {
    return fontMetrics().height() + 4;
}

int PredictionBars::labelWidth() const {
    int width = 0;
    for (const QString& key : keys_) width = std::max(width, fontMetrics().horizontalAdvance(key));
    return std::min(width, kLongestLabel);
}

QRect PredictionBars::barRect(int key) const {
    const int left = labelWidth() + kGap;
    return {left, key * rowHeight() + 2, std::max(1, width() - left - 2), rowHeight() - 4};
}

QSize PredictionBars::sizeHint() const {
    return {240, rowHeight() * static_cast<int>(keys_.size()) + 2};
}

void PredictionBars::drag(const QPointF& position) {
    const QRect bar = barRect(0);
    setBar(static_cast<int>(position.y()) / rowHeight(), (position.x() - bar.left()) / bar.width());
}

void PredictionBars::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) drag(event->position());
}

void PredictionBars::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) drag(event->position());
}

void PredictionBars::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(keys_.size()) - 1;
    const double length = bars_.empty() ? 0 : bars_[static_cast<std::size_t>(current_)];
    switch (event->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
            current_ = std::clamp(current_ + (event->key() == Qt::Key_Up ? -1 : 1), 0, std::max(last, 0));
            describe();
            return update();
        case Qt::Key_Left:
            return setBar(current_, length - kKeyStep);
        case Qt::Key_Right:
            return setBar(current_, length + kKeyStep);
        default:
            QWidget::keyPressEvent(event);
    }
}

void PredictionBars::paintEvent(QPaintEvent*) {
    const Theme theme = currentTheme();
    QPainter painter(this);
    for (int key = 0; key < keys_.size(); ++key) {
        const auto at = static_cast<std::size_t>(key);
        const QRect bar = barRect(key);
        painter.setPen(color(Role::Text, theme));
        painter.drawText(QRect(0, bar.top(), labelWidth(), bar.height()), Qt::AlignRight | Qt::AlignVCenter,
                         fontMetrics().elidedText(keys_[key], Qt::ElideRight, labelWidth()));
        painter.fillRect(bar, color(Role::Panel, theme));
        painter.setPen(color(Role::Border, theme));
        painter.drawRect(bar.adjusted(0, 0, -1, -1));
        const double shown = weights_.empty() ? bars_[at] : prediction()[at];
        painter.fillRect(QRectF(bar.left(), bar.top(), bar.width() * shown, bar.height()), tint(Role::Query, theme));
        if (hasFocus() && key == current_) {
            painter.setPen(QPen(color(Role::Accent, theme), 2));
            painter.drawRect(bar);
        }
        if (weights_.empty() || std::isnan(weights_[at])) continue;
        const double x = bar.left() + bar.width() * weights_[at];
        painter.fillRect(QRectF(x - 2, bar.top(), 4, bar.height()), color(Role::Output, theme));
    }
}

}  // namespace headscope
