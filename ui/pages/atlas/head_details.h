// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/look/color_scale.h"
#include "ui/pages/atlas/recorded_heads.h"

class QLabel;
class QPushButton;

namespace headscope {

/// The measures of one head of a recording as bars, largest first, with its map and a button that opens it.
class HeadDetails : public QWidget {
    Q_OBJECT
public:
    explicit HeadDetails(QWidget* parent = nullptr);
    /// head: -1 shows what a click does.
    void setHead(const RecordedHeads* heads, int head, const ColorScale& scale);
    void retranslate();

Q_SIGNALS:
    void openWanted();

private:
    class Map;
    class Bars;

    QLabel* title_;
    Map* map_;
    Bars* bars_;
    QLabel* sentence_;
    QPushButton* open_;
};

}  // namespace headscope
