// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QLabel;
class QWidget;

namespace headscope {

/// Creates a label that shows plain text: the user's texts are never interpreted as markup.
QLabel* plainLabel(QWidget* parent, const QString& name);
/// The same for sentences, with word wrap.
QLabel* plainParagraph(QWidget* parent, const QString& name);

}  // namespace headscope
