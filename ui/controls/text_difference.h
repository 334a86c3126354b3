// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QLineEdit;

namespace headscope {

/// The edit that turns one text into another: `removed` characters at `start` are replaced by `inserted`. It doesn't
/// split surrogate pairs.
struct TextDifference {
    qsizetype start = 0, removed = 0;
    QString inserted;

    /// Maps a cursor position of the old text to the new text.
    qsizetype moved(qsizetype cursor) const;
};
TextDifference textDifference(const QString& from, const QString& to);

/// Applies a text as a difference, which keeps the position of the cursor. Does nothing if the text is unchanged.
void showText(QLineEdit* edit, const QString& text);

}  // namespace headscope
