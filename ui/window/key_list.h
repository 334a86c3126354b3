// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QWidget;

namespace headscope {

/// Keys and what they do, "Ctrl+E\tExport…" a line, in a dialog that scrolls where the screen is low. A line without a
/// tab is a heading.
void showKeyList(const QString& title, const QStringList& lines, QWidget* parent);

}  // namespace headscope
