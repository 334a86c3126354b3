// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "core/explain/cell_account.h"
#include "ui/state/selection.h"

class QBoxLayout;
class QCheckBox;
class QLabel;
class QScrollArea;
class QStackedWidget;

namespace headscope {

class CellPanel;
class IndexBox;
class RowBars;
class Session;

/// The way of the locked cell from q and k to its weight and what that adds to the context, and beside it the way of
/// its row: bars before and after the mask, and what the mask took. Works only while it is in sight.
class StoryView : public QWidget {
    Q_OBJECT
public:
    explicit StoryView(Session& session, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeHeader();
    QWidget* makeRow();
    void retranslate();
    void refresh();
    void refreshHover();
    void showCell(const Cell& cell);
    QString emptyText() const;
    std::optional<Cell> cell() const;
    void lock(Cell cell);
    void arrange();

    Session& session_;
    QStackedWidget* pages_;
    QLabel* empty_;
    QScrollArea* scroll_;
    QBoxLayout* columns_;
    QLabel *row_title_, *row_text_, *wrong_text_;
    IndexBox *head_, *query_, *key_;
    QCheckBox* wrong_way_;
    CellPanel* cell_panel_;
    RowBars* bars_;
    std::shared_ptr<const RowAccount> row_;
    TracePtr shown_;            ///< whose accounts these are
    std::optional<Cell> told_;  ///< of which cell
    int told_sequence_ = -1;
};

}  // namespace headscope
