// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/batch.h"

#include <algorithm>

namespace headscope {

Batch make_batch(const std::vector<std::vector<std::string>>& lines) {
    std::size_t longest = 0;
    for (const auto& line : lines) longest = std::max(longest, line.size());

    Batch batch{lines, {}};
    batch.real.reserve(lines.size() * longest);
    for (auto& tokens : batch.tokens) {
        tokens.resize(longest, kPad);
        for (const auto& token : tokens) batch.real.push_back(token != kPad);
    }
    return batch;
}

}  // namespace headscope
