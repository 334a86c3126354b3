// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QScrollArea;

namespace headscope {

class ComputeSection;
class Fold;
class ProblemNote;
class Session;

/// All settings of the layer: layer, weights and mask; chunks, precision, scale and seed in the folded section More. It
/// scrolls vertically if the room is low and keeps the width that its texts need.
class ParameterPanel : public QWidget {
    Q_OBJECT
public:
    explicit ParameterPanel(Session& session, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void paintWanted();      ///< emitted to open the mask editor
    void startOverWanted();  ///< emitted to restore the default settings

private:
    void showComputeError();
    void showMore();
    void makeWay(bool scrolls);
    void scrollTo(QWidget* focused);

    Session& session_;
    ProblemNote* compute_error_;
    QScrollArea* scroll_;
    ComputeSection* compute_;
    Fold* more_;
};

}  // namespace headscope
