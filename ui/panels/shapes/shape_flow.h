// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QTimer>
#include <QWidget>

#include "ui/panels/shapes/stage_box.h"
#include "ui/state/session.h"

class QLabel;
class QScrollArea;

namespace headscope {

/// The way from x to the output as boxes with live shapes; a click shows a step in the grid. Where the room is low the
/// gaps shrink, then the lines of PyTorch go (they stay in the tooltips), then it scrolls.
class ShapeFlow : public QWidget {
    Q_OBJECT
public:
    explicit ShapeFlow(Session& session, QWidget* parent = nullptr);

    StageBox* box(Stage stage) const;
    QString shapeText(Stage stage) const { return box(stage)->shapeText(); }  ///< "(2, 8, 10, 10)"
    QString lineText(Stage stage) const { return box(stage)->stageText().line; }
    QString memoryText(Stage stage) const { return box(stage)->stageText().memory; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    class Canvas;

    StageText textOf(Stage stage) const;
    void showTrace();
    void showSelection();
    void showLegend();
    void arrange();
    int heightOfBoxes(bool with_lines) const;
    void moveFocus(StageBox* from, int rows, int columns);
    void focusOnly(StageBox* box);  ///< the one that Tab reaches

    Session& session_;
    TracePtr trace_;
    QLabel* legend_;
    QScrollArea* scroll_;
    Canvas* canvas_;
    QList<QList<StageBox*>> rows_;
    QTimer highlight_;
};

}  // namespace headscope
