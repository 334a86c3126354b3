// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/layer_info.h"

#include <algorithm>

namespace headscope {

Result<void> check_heads(const LayerInfo& layer, std::int64_t num_heads) {
    if (auto legal = check_heads(layer.embed_dim, num_heads); !legal) return legal;
    if (num_heads % layer.group() == 0) return {};
    return fail(ErrorCode::InvalidPair,
                "num_heads is {}, but {} query heads share each key/value head in '{}'; it must be a multiple of {}",
                num_heads, layer.group(), layer.path, layer.group());
}

std::vector<std::int64_t> legal_num_heads(const LayerInfo& layer) {
    auto heads = legal_num_heads(layer.embed_dim);
    std::erase_if(heads, [&](std::int64_t number) { return number % layer.group() != 0; });
    return heads;
}

}  // namespace headscope
