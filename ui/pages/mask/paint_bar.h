// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QMenu;
class QToolButton;

namespace headscope {

class MaskPainter;

/// The tools of the mask editor: what a stroke covers and leaves, where to start from, changes of the whole mask, and
/// files.
class PaintBar : public QWidget {
    Q_OBJECT
public:
    explicit PaintBar(MaskPainter& painter, QWidget* parent = nullptr);

Q_SIGNALS:
    void toolChosen();
    void loadWanted();
    void saveWanted();

private:
    QWidget* makeTools();
    QWidget* makeInks();
    QWidget* makeMenus();
    QToolButton* makeButton(const QString& text, const QString& tip, const QString& name, QWidget* parent);
    QMenu* makeStarts(QWidget* parent);
    QMenu* makeChanges(QWidget* parent);

    MaskPainter& painter_;
};

}  // namespace headscope
