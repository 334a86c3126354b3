// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "core/base/batch.h"

class QWidget;

namespace headscope {

class Session;

/// The token that a text means: its index, or the next token after `from` that begins with the text or, if none does,
/// contains it; around the end of the sequence. Nothing if there is none.
std::optional<int> findToken(const Batch& batch, int sequence, const QString& text, int from);

/// Asks for an index or a text, and locks the cell of that token's query and key.
void goToToken(Session& session, QWidget* parent);

}  // namespace headscope
