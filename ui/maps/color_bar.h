// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/look/color_scale.h"

namespace headscope {

/// The whole palette with the numbers at its ends. Shows "per head" if every head has its own range.
class ColorBar : public QWidget {
    Q_OBJECT
public:
    explicit ColorBar(QWidget* parent = nullptr);

    /// One scale, or one per head.
    void setScales(const std::vector<ColorScale>& scales);
    QString lowText() const;
    QString highText() const;
    QString kindText() const;  ///< "per head", "log" or nothing
    QRect barRect() const;
    QSize sizeHint() const override { return hint_; }
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    bool differ() const;
    QSize neededSize() const;
    void follow();

    std::vector<ColorScale> scales_{ColorScale{}};
    QSize hint_;
};

/// The palette as a small image, for selectors.
QPixmap paletteSwatch(Palette palette, const QSize& size, double pixel_ratio);

}  // namespace headscope
