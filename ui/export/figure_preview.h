// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QTimer>
#include <QWidget>
#include "core/attention/trace.h"
#include "ui/export/figure.h"
#include "ui/state/background.h"

namespace headscope {

/// Shows a figure as it will be written, scaled to the available room. Draws off the GUI thread: only the newest
/// request is drawn, and the last image is shown until then.
class FigurePreview : public QWidget {
    Q_OBJECT
public:
    explicit FigurePreview(QWidget* parent = nullptr);

    void show(const TracePtr& trace, const Selection& selection, const FigureStyle& style);
    void clear();  ///< removes the image if nothing can be drawn
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
    QTimer timer_;     // merges changes that arrive together
    Background work_;  ///< last member: running work must not outlive the others
};

}  // namespace headscope
