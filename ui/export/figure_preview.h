// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QTimer>
#include <QWidget>
#include "core/attention/trace.h"
#include "ui/export/figure.h"
#include "ui/state/background.h"

namespace headscope {

/// Shows a figure as it will be written, scaled to the room that there is. Draws off the GUI thread: the newest wish
/// counts, and the last picture stays until its successor is there.
class FigurePreview : public QWidget {
    Q_OBJECT
public:
    explicit FigurePreview(QWidget* parent = nullptr);

    void show(const TracePtr& trace, const Selection& selection, const FigureStyle& style);
    void clear();  ///< where nothing can be drawn
    const QImage& image() const { return image_; }
    QSize sizeHint() const override { return {520, 380}; }

Q_SIGNALS:
    void drawn();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void start();

    TracePtr trace_;
    Selection selection_;
    FigureStyle style_;
    QImage image_;
    QTimer timer_;     // gathers changes that come at once
    Background work_;  ///< last: what runs must not outlive the rest
};

/// The trace itself where it holds what a selection shows, else one that does; may compute.
Result<TracePtr> traceFor(const TracePtr& trace, const Selection& selection, const std::atomic<bool>* cancel = nullptr);

}  // namespace headscope
