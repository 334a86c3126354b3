// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/controls/page.h"

namespace headscope {

class ExplainedCell;
class HeadGrid;
class Session;
class TabHint;

/// The page of all heads: the grid, the strip that explains the locked cell, and a hint for the end of the tab bar.
class HeadsPage : public Page {
    Q_OBJECT
public:
    explicit HeadsPage(Session& session, QWidget* parent = nullptr);

    HeadGrid* grid() const { return grid_; }
    /// Explains rows, columns and hatching, and what the maps omit. The window places this widget.
    TabHint* hint() const { return hint_; }

Q_SIGNALS:
    void stepsWanted();  ///< emitted to show every step of the explained cell

protected:
    void refresh() override;
    void retranslate() override;
    void release() override;
    void paintEvent(QPaintEvent* event) override;

private:
    void showHint();
    QString hintText() const;
    QString gestures() const;

    HeadGrid* grid_;
    ExplainedCell* explained_;
    TabHint* hint_;
};

}  // namespace headscope
