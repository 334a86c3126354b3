// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace headscope {

class ExplainedCell;
class HeadGrid;
class Session;
class TabHint;

/// The page of all heads: the grid, the strip that explains the locked cell, and a hint for the end of the tab bar.
class HeadsPage : public QWidget {
    Q_OBJECT
public:
    explicit HeadsPage(Session& session, QWidget* parent = nullptr);

    HeadGrid* grid() const { return grid_; }
    /// Explains rows, columns and hatching, and what the maps omit. The window places this widget.
    TabHint* hint() const { return hint_; }

Q_SIGNALS:
    void stepsWanted();  ///< emitted to show every step of the explained cell

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    QString hintText() const;
    QString gestures() const;

    Session& session_;
    HeadGrid* grid_;
    ExplainedCell* explained_;
    TabHint* hint_;
};

}  // namespace headscope
