// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <map>

#include "core/attention/trace.h"
#include "ui/state/selection.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace headscope {

class ColorBar;
class Session;

/// What the grid shows and how: the stage, the colour scale with its bar, the palette, the sequence of the batch.
class StageBar : public QWidget {
    Q_OBJECT
public:
    explicit StageBar(Session& session, QWidget* parent = nullptr);

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeStages();
    QWidget* makeRanges();
    QWidget* makePalettes();
    QWidget* makeSequences();
    QToolButton* makeSegment(const QString& name, const char* place, QWidget* parent);
    void retranslate();
    void refresh();
    void refreshStages();
    void refreshScale();
    void refreshSequences();
    void makeSwatches();
    void fitHeight();

    Session& session_;
    QLabel *stage_label_, *range_label_, *sequence_label_;
    std::map<Stage, QToolButton*> stages_;
    std::map<Range, QToolButton*> ranges_;
    QToolButton* more_;
    QComboBox *palette_, *sequence_;
    QWidget* sequence_group_;
    ColorBar* bar_;
    TracePtr shown_;       ///< whose numbers the bar stands for
    Selection selection_;  ///< under which it does
};

}  // namespace headscope
