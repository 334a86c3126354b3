// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace headscope {

/// A frequently used mask and its name for menus, with a mnemonic.
struct NamedMask {
    QString name;
    QString expression;
};
/// "none" and the presets of the table of patterns, in its order.
QList<NamedMask> maskPresets();
/// Those with rules that change scores, or with masks by head, from the table of rules.
QList<NamedMask> rulePresets();

/// The filter of file dialogs for masks: every file format that read_mask_file() supports.
QString maskFileFilter();

}  // namespace headscope
