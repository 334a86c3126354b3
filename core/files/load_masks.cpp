// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/tensor_file.h"
#include "core/masks/mask.h"

namespace headscope {

Result<MaskExpression> load_mask_files(MaskExpression mask) {
    for (auto& layer : mask.layers) {
        for (auto& pattern : layer) {
            if (pattern.kind != MaskPattern::Kind::File || pattern.painted) continue;
            auto painted = read_mask_file(pattern.path);
            if (!painted) return tl::unexpected(painted.error());
            pattern.painted = std::make_shared<const PaintedMask>(std::move(*painted));
        }
    }
    return mask;
}

}  // namespace headscope
