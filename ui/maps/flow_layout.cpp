// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/flow_layout.h"

#include <QStyle>
#include <QWidget>
#include <algorithm>

namespace headscope {

FlowLayout::FlowLayout(QWidget* parent, int gap, int line_gap) : QLayout(parent), gap_(gap), line_gap_(line_gap) {
    QSizePolicy policy = parent->sizePolicy();
    policy.setHeightForWidth(true);
    parent->setSizePolicy(policy);
}

FlowLayout::~FlowLayout() = default;

void FlowLayout::addItem(QLayoutItem* item) {
    items_.emplace_back(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    if (index < 0 || index >= count()) return nullptr;
    QLayoutItem* item = items_[static_cast<std::size_t>(index)].release();
    items_.erase(items_.begin() + index);
    return item;
}

std::vector<std::vector<QLayoutItem*>> FlowLayout::lines(int width) const {
    std::vector<std::vector<QLayoutItem*>> lines;
    int used = 0;
    for (const auto& item : items_) {
        if (item->isEmpty()) continue;
        const int wanted = item->sizeHint().width();
        if (lines.empty() || used + gap_ + wanted > width) {
            lines.emplace_back();
            used = -gap_;
        }
        lines.back().push_back(item.get());
        used += gap_ + wanted;
    }
    return lines;
}

int FlowLayout::lineHeight(const std::vector<QLayoutItem*>& line) const {
    int height = 0;
    for (const QLayoutItem* item : line) height = std::max(height, item->sizeHint().height());
    return height;
}

int FlowLayout::heightForWidth(int width) const {
    const QMargins margins = contentsMargins();
    int height = margins.top() + margins.bottom() - line_gap_;
    for (const auto& line : lines(width - margins.left() - margins.right())) height += lineHeight(line) + line_gap_;
    return std::max(height, 0);
}

QSize FlowLayout::sizeHint() const {
    const QMargins margins = contentsMargins();
    int width = margins.left() + margins.right() - gap_, height = 0;
    for (const auto& item : items_) {
        if (item->isEmpty()) continue;
        width += item->sizeHint().width() + gap_;
        height = std::max(height, item->sizeHint().height());
    }
    return {std::max(width, 0), height + margins.top() + margins.bottom()};
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const auto& item : items_)
        if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
    const QMargins margins = contentsMargins();
    return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    const QRect inside = rect.marginsRemoved(contentsMargins());
    int top = inside.top();
    for (const auto& line : lines(inside.width())) {
        const int height = lineHeight(line);
        int left = inside.left();
        for (QLayoutItem* item : line) {
            const int width = std::min(item->sizeHint().width(), inside.width());
            item->setGeometry(
                QStyle::visualRect(parentWidget()->layoutDirection(), rect, QRect(left, top, width, height)));
            left += width + gap_;
        }
        top += height + line_gap_;
    }
}

}  // namespace headscope
