// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <QList>
#include <memory>
#include <vector>

namespace headscope {

/// Lays out items from left to right at their preferred widths; an item that doesn't fit starts the next line.
class FlowLayout : public QLayout {
    Q_OBJECT
public:
    explicit FlowLayout(QWidget* parent, int gap = 12, int line_gap = 6);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(items_.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    std::vector<std::vector<QLayoutItem*>> lines(int width) const;
    int lineHeight(const std::vector<QLayoutItem*>& line) const;

    std::vector<std::unique_ptr<QLayoutItem>> items_;
    int gap_, line_gap_;
};

}  // namespace headscope
