// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QLabel;
class QWidget;

namespace headscope {

/// Labels that show their text as it is: what users write is never taken for markup.
QLabel* plainLabel(QWidget* parent, const QString& name);
/// The same for sentences, which break into lines.
QLabel* plainParagraph(QWidget* parent, const QString& name);

}  // namespace headscope
