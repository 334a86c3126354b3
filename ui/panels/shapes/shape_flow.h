// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QTimer>
#include <QWidget>
#include <optional>

#include "ui/panels/shapes/stage_box.h"
#include "ui/state/session.h"

class QLabel;
class QScrollArea;
class QToolButton;

namespace headscope {

/// The steps from x to the output as boxes with their current shapes; a click shows a step in the grid. Below them is
/// the line of PyTorch code for the box under the mouse, or for the shown step. The panel folds to a narrow strip with
/// the names. Its width follows the text; if the room is low, the gaps shrink, then it scrolls.
class ShapeFlow : public QWidget {
    Q_OBJECT
public:
    explicit ShapeFlow(Session& session, QWidget* parent = nullptr);

    StageBox* box(Stage stage) const;
    QString shapeText(Stage stage) const { return box(stage)->shapeText(); }  ///< "(2, 8, 10, 10)"
    QString lineText(Stage stage) const { return box(stage)->stageText().line; }
    QString memoryText(Stage stage) const { return box(stage)->stageText().memory; }
    bool isFolded() const { return folded_; }
    void setFolded(bool folded);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void foldedChanged(bool folded);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    class Canvas;

    StageText textOf(Stage stage) const;
    void showTrace();
    void showSelection();
    void showLegend();
    void showLine();
    void arrange();
    int heightOfBoxes() const;
    int widthNeeded() const;
    void fit();
    QString lineOf(const StageBox& box) const;
    int captionHeight() const;  ///< of "each (2, 8, 10, 64)" below Q, K and V
    void moveFocus(StageBox* from, int rows, int columns);
    void focusOnly(StageBox* box);  ///< sets the box that Tab reaches

    Session& session_;
    TracePtr trace_;
    QToolButton* fold_;
    QLabel* legend_;
    QScrollArea* scroll_;
    QLabel* line_;
    Canvas* canvas_;
    QList<QList<StageBox*>> rows_;
    std::optional<Stage> hovered_;
    bool folded_ = false;
    QTimer highlight_;
};

}  // namespace headscope
