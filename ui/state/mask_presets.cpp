// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/mask_presets.h"

#include <QCoreApplication>

#include "core/masks/pattern.h"
#include "core/masks/score_rule.h"
#include "ui/state/draft.h"

namespace headscope {

QList<NamedMask> maskPresets() {
    QList<NamedMask> presets{{QCoreApplication::translate("headscope", "&None"), QStringLiteral("none")}};
    for (const PatternType& type : pattern_types()) {
        for (const MaskPreset& preset : type.presets)
            presets << NamedMask{sentence(say(preset.name)), QString::fromLatin1(preset.expression)};
    }
    return presets;
}

QList<NamedMask> rulePresets() {
    QList<NamedMask> presets;
    for (const ScoreRuleType& type : score_rule_types()) {
        for (const ScorePreset& preset : type.presets)
            presets << NamedMask{sentence(say(preset.name)), QString::fromLatin1(preset.expression)};
    }
    return presets;
}

QString maskFileFilter() {
    return QCoreApplication::translate("headscope", "Masks (*.json *.csv *.npy);;All files (*)");
}

}  // namespace headscope
