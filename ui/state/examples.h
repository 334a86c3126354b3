// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <optional>

#include "ui/state/draft.h"
#include "ui/state/selection.h"

namespace headscope {

/// A state that is ready to be shown: what is computed, what it is compared with, and what is looked at.
struct Example {
    QString key;               ///< for tests: "causal"
    QString name, sentence;    ///< its name, and what is to be seen in it
    Draft draft{};             ///< of the window, and of A on page Compare
    std::optional<Draft> b{};  ///< of B on page Compare
    Selection selection{};
};

/// All of them, in the order of the gallery and in the language of the interface.
QList<Example> examples();

}  // namespace headscope
