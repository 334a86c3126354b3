// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace headscope {

/// A mask that people often want, under a name for menus: with a mnemonic.
struct NamedMask {
    QString name;
    QString expression;
};
/// "none" and the presets of the table of patterns, in its order.
QList<NamedMask> maskPresets();

/// What a file dialog offers where a mask is read: every kind that read_mask_file() takes.
QString maskFileFilter();

}  // namespace headscope
