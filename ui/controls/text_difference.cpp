// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/text_difference.h"

#include <QLineEdit>
#include <algorithm>

namespace headscope {

qsizetype TextDifference::moved(qsizetype cursor) const {
    if (cursor <= start) return cursor;
    if (cursor >= start + removed) return cursor - removed + inserted.size();
    return start + inserted.size();
}

TextDifference textDifference(const QString& from, const QString& to) {
    const qsizetype shorter = std::min(from.size(), to.size());
    qsizetype start = 0;
    while (start < shorter && from[start] == to[start]) ++start;
    if (start > 0 && from[start - 1].isHighSurrogate()) --start;

    qsizetype tail = 0;
    while (tail < shorter - start && from[from.size() - 1 - tail] == to[to.size() - 1 - tail]) ++tail;
    if (tail > 0 && from[from.size() - tail].isLowSurrogate()) --tail;

    return {start, from.size() - tail - start, to.mid(start, to.size() - tail - start)};
}

void showText(QLineEdit* edit, const QString& text) {
    if (edit->text() == text) return;
    const qsizetype cursor = textDifference(edit->text(), text).moved(edit->cursorPosition());
    edit->setText(text);
    edit->setCursorPosition(static_cast<int>(cursor));
}

}  // namespace headscope
