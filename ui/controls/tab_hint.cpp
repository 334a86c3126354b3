// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/tab_hint.h"

#include <QTabBar>
#include <QTabWidget>
#include <algorithm>

namespace headscope {

QSize TabHint::sizeHint() const {
    constexpr int kGap = 16;  // between the last tab and the hint
    const auto* tabs = qobject_cast<QTabWidget*>(parentWidget());
    if (!tabs) return LabelPlace::sizeHint();
    const QSize bar = tabs->tabBar()->sizeHint();
    return {std::max(0, tabs->width() - bar.width() - kGap), bar.height()};
}

}  // namespace headscope
