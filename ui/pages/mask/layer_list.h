// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <memory>

#include "ui/pages/mask/mask_picture.h"

class QCheckBox;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace headscope {

/// The layers of the mask, each with its hatching, what it does and a switch. One that is switched off stays listed;
/// those that mask the cell under the pointer are marked.
class LayerList : public QWidget {
    Q_OBJECT
public:
    explicit LayerList(QWidget* parent = nullptr);

    void setPicture(std::shared_ptr<const MaskPicture> picture);
    /// The bits of the layers that mask the cell under the pointer.
    void setMasking(std::uint32_t bits);

Q_SIGNALS:
    void switched(int place, bool on);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Row {
        QWidget* whole;
        QCheckBox* on;
        QLabel *swatch, *name, *mark;
    };
    Row makeRow(int place);
    void show(const Row& row, std::size_t place) const;
    void refresh();

    std::shared_ptr<const MaskPicture> picture_;
    std::uint32_t masking_ = 0;
    QLabel *title_, *empty_;
    QScrollArea* scroll_;
    QVBoxLayout* column_;  ///< of the rows
    QList<Row> rows_;
};

}  // namespace headscope
