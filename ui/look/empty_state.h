// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headscope {

class Session;

/// The text that a view shows instead of a map; empty if there is a map. An empty input text is not an error, but there
/// is nothing to draw.
QString missingPicture(const Session& session);

/// Why a recording shows no stage but its weights and the mask.
QString missingStage();

}  // namespace headscope
