// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/masks/mask.h"
#include "core/masks/mask_answer.h"

namespace headscope {

/// A painted answer in small: allowed cells are filled, masked ones empty, and wrong ones are crossed.
class AnswerMap : public QWidget {
    Q_OBJECT
public:
    explicit AnswerMap(QWidget* parent = nullptr);
    void setAnswer(const PaintedMask& painted, const MaskAnswer& answer);
    QSize sizeHint() const override { return {200, 200}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return qMin(width, 220); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    PaintedMask painted_;
    MaskAnswer answer_;
};

}  // namespace headscope
