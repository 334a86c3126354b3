// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPolygonF>
#include <QWidget>

namespace headscope {

/// What a teacher points with, on top of the presentation: a pen that draws, and a spotlight around the pointer. Clicks
/// reach what is below while neither is on.
class PresentationInk : public QWidget {
    Q_OBJECT
public:
    explicit PresentationInk(QWidget* parent);

    void setPen(bool on);
    void setSpotlight(bool on);
    bool pen() const { return pen_; }
    bool spotlight() const { return spotlight_; }
    void clear();
    qsizetype strokes() const { return strokes_.size(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void follow();

    bool pen_ = false, spotlight_ = false;
    QPointF pointer_;
    QList<QPolygonF> strokes_;
};

}  // namespace headscope
