// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QLineEdit;

namespace headscope {

/// What turns one text into another: `removed` characters at `start` give way to `inserted`. Surrogate pairs stay
/// whole.
struct TextDifference {
    qsizetype start = 0, removed = 0;
    QString inserted;

    /// Where a cursor of the old text stands in the new one.
    qsizetype moved(qsizetype cursor) const;
};
TextDifference textDifference(const QString& from, const QString& to);

/// Shows a text as a difference: the cursor stays at its place, and nothing happens where the text is there already.
void showText(QLineEdit* edit, const QString& text);

}  // namespace headscope
