// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/masks/mask_layers.h"
#include "ui/pages/mask/mask_picture.h"

namespace headscope {

/// A layer in a word or two: "the causal layer", "the window local:4:0 + global:1".
QString layerWord(const MaskLayer& layer);
/// What it does, in full, for a list: "window: 4 to the left, 0 to the right".
QString layerName(const MaskLayer& layer);

/// "a", "a and b", "a, b and c".
QString listed(const QStringList& words);

/// The words of the layers whose bits are set, in their order.
QStringList layerWords(const MaskPicture& picture, std::uint32_t bits);

/// "'sat' (2)"
QString tokenWords(const MaskPicture& picture, std::int64_t position);

/// "'sat' (query 2) can't attend to 'mat' (key 5): masked by the causal layer and the painted layer"
QString cellWords(const MaskPicture& picture, std::int64_t query, std::int64_t key);
/// "'sat' (query 2) can attend to 3 of 10 keys", and for a column "4 of 10 queries can attend to 'mat' (key 5)".
QString rowWords(const MaskPicture& picture, std::int64_t query);
QString columnWords(const MaskPicture& picture, std::int64_t key);
/// "3 queries have no key to attend to: 'the' (0), 'cat' (1), 'sat' (2)"; empty where there are none.
QString fullyMaskedRowWords(const MaskPicture& picture);

}  // namespace headscope
