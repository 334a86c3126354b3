// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/phrase.h"

#include <QCoreApplication>

namespace headscope {

QString translated(const char* phrase) {
    return sentence(say(phrase));
}

QString stageTitle(Stage stage) {
    return QCoreApplication::translate("Stage", type_of(stage).name);
}

}  // namespace headscope
