// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/base/result.h"
#include "ui/state/lesson.h"

namespace headscope {

/// The error if no window can be opened: the reason and the alternatives.
Error noDisplay();

/// What the window begins with; what is empty is as at the last time.
struct Opening {
    QString file{}, layer{};  ///< weights, a recording or a session
    LessonPtr lesson{};
};

/// headscope [FILE] [--layer LAYER] [--lesson NAME|FILE]: opens the window. Returns the result of the event loop;
/// Unsupported if there is no display.
Result<int> openWindow(int argc, char** argv, const Opening& opening);

/// The lesson of --lesson: by its name, or from a file.
Result<LessonPtr> namedLesson(const QString& name);

}  // namespace headscope
