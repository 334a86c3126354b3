// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <map>
#include <vector>

#include "core/attention/trace.h"
#include "ui/state/selection.h"

class QAction;
class QActionGroup;
class QButtonGroup;
class QToolButton;

namespace headscope {

class ColorBar;
class Session;

/// One row: the shown stage, its colour scale, the palette with the ends of the scale, and the window's commands at the
/// right. Items that don't fit move into menus, in this order: half of the colour bar, the commands, stages.
class StageBar : public QWidget {
    Q_OBJECT
public:
    explicit StageBar(Session& session, QWidget* parent = nullptr);

    /// Adds a button at the right end for an action of the window.
    void addCommand(QAction* command);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// The items that are moved into menus.
    struct Fold {
        bool short_bar = false, commands = false;
        std::size_t stages = 0;  ///< number of movable stages that are in the menu
    };
    void makeStages();
    void makeRanges();
    void makePalettes();
    QToolButton* makeButton(const QString& name, const char* place);
    void retranslate();
    void refresh();
    void refreshStages();
    void refreshRanges();
    void refreshColors();
    std::vector<Fold> folds() const;
    std::vector<Stage> foldedStages(const Fold& fold) const;
    int widthOf(const Fold& fold) const;
    void place();

    Session& session_;
    std::map<Stage, QToolButton*> stages_;
    std::map<Stage, QAction*> stage_actions_;  ///< entries of the menu "…"
    QButtonGroup* stage_group_;
    QToolButton *more_, *range_, *palette_, *commands_menu_;
    std::map<Range, QAction*> ranges_;
    std::vector<QAction*> palettes_;
    std::vector<QToolButton*> commands_;
    ColorBar* bar_;
    TracePtr shown_;       ///< the trace of the colour bar
    Selection selection_;  ///< the selection of the colour bar
};

}  // namespace headscope
