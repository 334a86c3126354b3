// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "core/explain/cell_account.h"
#include "ui/controls/page.h"

class QBoxLayout;
class QCheckBox;
class QLabel;
class QScrollArea;

namespace headscope {

class CellPanel;
class IndexBox;
class RowBars;

/// How the weight of the explained cell was computed from q and k and what it adds to the context, and beside it its
/// row: bars before and after the mask, and what the mask took.
class StoryView : public Page {
    Q_OBJECT
public:
    explicit StoryView(Session& session, QWidget* parent = nullptr);

protected:
    void retranslate() override;
    void refresh() override;
    void refreshHover() override;
    void arrange() override;
    void applyLook() override;
    void release() override;

private:
    QWidget* makeHeader();
    QWidget* makeRow();
    void showCell(const Cell& cell);

    QBoxLayout* columns_;
    QLabel *row_title_, *row_text_, *wrong_text_;
    IndexBox *head_, *query_, *key_;
    QCheckBox* wrong_way_;
    CellPanel* cell_panel_;
    RowBars* bars_;
    std::shared_ptr<const RowAccount> row_;
    TracePtr shown_;            ///< whose accounts these are
    std::optional<Cell> told_;  ///< the cell that they are of; none where they are to be made anew
    int told_sequence_ = -1;
};

}  // namespace headscope
