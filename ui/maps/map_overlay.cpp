// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/map_overlay.h"

#include <QEvent>

#include "ui/maps/heat_map.h"

namespace headscope {

MapOverlay::MapOverlay(HeatMap* map) : QWidget(map), map_(map) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setGeometry(map->rect());
    map->installEventFilter(this);
}

bool MapOverlay::eventFilter(QObject* watched, QEvent* event) {
    if (watched == map_ && event->type() == QEvent::Resize) setGeometry(map_->rect());
    return QWidget::eventFilter(watched, event);
}

}  // namespace headscope
