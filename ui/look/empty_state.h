// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headscope {

class Session;

/// What a view says in place of a picture; empty where there is one. Nothing typed is no fault, but there is nothing to
/// see.
QString missingPicture(const Session& session);

}  // namespace headscope
