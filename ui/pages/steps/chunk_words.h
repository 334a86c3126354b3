// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/explain/chunk_steps.h"

namespace headscope {

/// A chunk size that cuts so many tokens into at most five tiles a side: a power of two, 0 where nothing can be cut.
std::int64_t tellingChunkSize(std::int64_t tokens);

/// "Tile 3 of 8: queries 0–3 × keys 4–7 is skipped: it is fully masked."
QString tileSentence(const ChunkAccount& account, std::size_t step);
/// What the tile does to the chosen row: "Row 5: the maximum rises from 12 to 28, ..."
QString rowSentence(const ChunkAccount& account, std::size_t step);
/// After the last tile: how far the row is from the whole computation, and the bytes that the skipped tiles save.
/// computed: the trace was computed with these chunk sizes.
QString closingSentence(const Trace& trace, const ChunkAccount& account, bool computed);
/// That the request makes one tile, and is shown with chunks of another size.
QString oneTileSentence(const Request& request, std::int64_t shown);

}  // namespace headscope
