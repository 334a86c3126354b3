// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QImage>

#include "core/attention/trace.h"
#include "ui/look/theme.h"
#include "ui/state/background.h"
#include "ui/state/examples.h"

class QListWidget;

namespace headscope {

/// The picture of an example: its heads, or A − B where it has a B, computed and drawn as figures are.
/// a, b: the requests of its drafts.
QImage exampleThumbnail(const Example& example, const Request& a, const std::optional<Request>& b, const QSize& size,
                        Theme theme, double ratio, const std::atomic<bool>& cancel);

/// The examples as pictures to choose from. The pictures are computed off the GUI thread while the gallery is open.
class ExampleGallery : public QDialog {
    Q_OBJECT
public:
    explicit ExampleGallery(QWidget* parent = nullptr);
    bool isBusy() const { return work_.isBusy(); }

Q_SIGNALS:
    void chosen(const headscope::Example& example);

private:
    void draw();

    QList<Example> examples_;
    QListWidget* list_;
    Background work_;  ///< last: what runs must not outlive the rest
};

}  // namespace headscope
