// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>
#include <memory>

#include "ui/look/color_scale.h"
#include "ui/pages/atlas/recorded_heads.h"

namespace headscope {

/// The heads of a recording as thumbnails with a stripe in the colour of their names: a row for each layer, or in any
/// other order as many in a row as fit. Paints only what is in sight.
class ThumbnailGrid : public QWidget {
    Q_OBJECT
public:
    explicit ThumbnailGrid(QWidget* parent = nullptr);

    /// heads: shared with the owner, which calls this again as it learns more. by_layer: a row for each layer.
    void setHeads(std::shared_ptr<const RecordedHeads> heads, const std::vector<int>& shown, bool by_layer);
    void setScale(const ColorScale& scale);
    void setCurrent(int head);  ///< -1 = none
    int current() const { return current_; }
    const std::vector<int>& shown() const { return shown_; }
    QRect placeOf(int head) const;  ///< of its thumbnail; empty if it is not shown
    /// Fits the thumbnails into a width; the height follows.
    void setRoom(int width);

Q_SIGNALS:
    void chosen(int head);     ///< a click or an arrow key
    void activated(int head);  ///< a double click or Enter

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void arrange();
    std::size_t headAt(const QPoint& position) const;
    const QImage& image(int head);
    void paintLabels(QPainter& painter) const;
    void paintHead(QPainter& painter, int head, const QRect& place);
    QRect cell(std::size_t index) const;

    std::shared_ptr<const RecordedHeads> heads_;
    std::vector<int> shown_;
    std::vector<AtlasName> names_;
    std::vector<QImage> images_;  ///< null until they are painted
    ColorScale scale_;
    bool by_layer_ = true;
    int current_ = -1, room_ = 400, side_ = 44, columns_ = 1;
    int left_ = 0, top_ = 0;  ///< room of the labels
};

}  // namespace headscope
