// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/explain/cell_account.h"

class QGridLayout;
class QLabel;

namespace headscope {

class StripTable;

/// How one weight came to be, number by number: q, k and their products as strips; the steps from their sum to the
/// weight; and what that adds to the context.
class CellPanel : public QWidget {
    Q_OBJECT
public:
    explicit CellPanel(QWidget* parent = nullptr);
    void setCell(const Trace& trace, const CellAccount& cell);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Line {
        QLabel *name, *formula, *value;
    };
    void showSteps(const Trace& trace, const CellAccount& cell);
    void applyLook();

    QLabel *title_, *adds_;
    StripTable *score_strips_, *context_strips_;
    QGridLayout* grid_;
    QList<Line> lines_;
    QList<bool> warned_;
};

}  // namespace headscope
