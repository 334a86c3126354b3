// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/base/result.h"
#include "ui/state/lesson.h"

namespace headscope {

/// The error if no window can be opened: the reason and the alternatives.
Error noDisplay();

/// headscope [FILE] [--layer LAYER] [--lesson NAME|FILE]: opens the window, the weights file or model's folder if one
/// is named, and the lesson if there is one. Returns the result of the event loop; Unsupported if there is no display.
Result<int> openWindow(int argc, char** argv, const QString& file, const QString& layer, const LessonPtr& lesson);

/// The lesson of --lesson: by its name, or from a file.
Result<LessonPtr> namedLesson(const QString& name);

}  // namespace headscope
