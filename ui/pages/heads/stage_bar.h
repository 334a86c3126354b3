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

/// One row: the stage that the maps show, its colour scale, the palette with the ends of the scale, and at the right
/// the window's commands. What has no room folds into menus, in this order: half of the colour bar, the commands,
/// stages.
class StageBar : public QWidget {
    Q_OBJECT
public:
    explicit StageBar(Session& session, QWidget* parent = nullptr);

    /// A button at the right end for an action of the window.
    void addCommand(QAction* command);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// What is folded away.
    struct Fold {
        bool short_bar = false, commands = false;
        std::size_t stages = 0;  ///< of those that may fold
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
    std::map<Stage, QAction*> stage_actions_;  ///< in the menu behind "…"
    QButtonGroup* stage_group_;
    QToolButton *more_, *range_, *palette_, *commands_menu_;
    std::map<Range, QAction*> ranges_;
    std::vector<QAction*> palettes_;
    std::vector<QToolButton*> commands_;
    ColorBar* bar_;
    TracePtr shown_;       ///< whose numbers the colour bar stands for
    Selection selection_;  ///< under which it does
};

}  // namespace headscope
