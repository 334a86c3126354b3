// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QScrollArea;

namespace headscope {

class ComputeSection;
class Fold;
class ProblemNote;
class Session;

/// Everything about the layer that can be set: layer, weights and mask; chunks, precision, scale and seed folded under
/// More. It scrolls where its room is low and keeps the width that its texts need.
class ParameterPanel : public QWidget {
    Q_OBJECT
public:
    explicit ParameterPanel(Session& session, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void paintWanted();      ///< a person wants the mask editor
    void startOverWanted();  ///< a person wants the settings of the first start

private:
    void showComputeError();
    void showMore();
    void scrollTo(QWidget* focused);

    Session& session_;
    ProblemNote* compute_error_;
    QScrollArea* scroll_;
    ComputeSection* compute_;
    Fold* more_;
};

}  // namespace headscope
