// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "core/masks/mask_edit.h"
#include "ui/pages/mask/mask_picture.h"

class QLabel;

namespace headscope {

class Segments;
class Session;

/// What is said below the grid: the cell under the pointer and the layers that mask it; what became of a mask that was
/// painted for another number of tokens; and the fully masked rows, with the fill that decides what they
/// become.
class MaskNotes : public QWidget {
    Q_OBJECT
public:
    explicit MaskNotes(Session& session, QWidget* parent = nullptr);

    void setPicture(std::shared_ptr<const MaskPicture> picture);
    void setCell(const std::optional<paint::Cell>& cell);
    /// Whether the grid can be painted on at the moment.
    void setPaintable(bool paintable);
    /// allowed: what is being painted. A note says where another layer keeps the cell masked.
    void setPainting(std::optional<bool> allowed);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    QString cellText() const;
    QString sizeText() const;
    QString emptyText() const;
    QString emptyTip() const;

    Session& session_;
    std::shared_ptr<const MaskPicture> picture_;
    std::optional<paint::Cell> cell_;
    std::optional<bool> painting_;
    bool paintable_ = true;
    QLabel *cell_note_, *size_note_, *empty_note_;
    QWidget* empty_;
    Segments* fills_;
};

}  // namespace headscope
