// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace headscope {

class HeatMap;

/// A view drawn over a heat map: always as large as the map, repainted with it, transparent for the mouse.
class MapOverlay : public QWidget {
    Q_OBJECT
public:
    explicit MapOverlay(HeatMap* map);

protected:
    HeatMap* map() const { return map_; }
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    HeatMap* map_;
};

}  // namespace headscope
