// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <optional>

#include "core/attention/trace.h"
#include "ui/state/selection.h"

class QLabel;

namespace headscope {

/// What becomes of one row, and of one cell of it, from A to B.
class ChangePanel : public QWidget {
    Q_OBJECT
public:
    explicit ChangePanel(QWidget* parent = nullptr);
    /// selection: sequence and stage count. No cell: says what to point at.
    void setCell(const Trace& a, const Trace& b, const Selection& selection, const std::optional<Cell>& cell);
    /// Where there is little height: one line after the other, instead of one below the other.
    void setOneParagraph(bool one);

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyLook();
    void showLines();

    QStringList told_;
    bool one_paragraph_ = false;
    QLabel *title_, *lines_, *cell_;
};

}  // namespace headscope
