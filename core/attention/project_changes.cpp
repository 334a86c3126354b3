// SPDX-License-Identifier: GPL-3.0-or-later
// Projects only the tokens that changed after a keystroke.
#include <algorithm>
#include <cstring>
#include <vector>

#include "core/attention/stages.h"
#include "core/engine/matmul.h"

namespace headscope {

namespace {

/// For each token of x (B,S,E) the row of `before` with the same vector, or -1.
std::vector<std::int64_t> rows_before(const Tensor& x, const Tensor& before) {
    const std::int64_t size = x.dim(1), embed = x.dim(2), size_before = before.dim(1);
    const auto bytes = static_cast<std::size_t>(embed) * sizeof(float);
    std::vector<std::int64_t> found(static_cast<std::size_t>(x.dim(0) * size), -1);
    for (std::int64_t b = 0; b < std::min(x.dim(0), before.dim(0)); ++b) {
        for (std::int64_t s = 0; s < size; ++s) {
            const float* row = x.data<float>() + (b * size + s) * embed;
            for (const std::int64_t place : {s, s - size + size_before}) {
                if (place < 0 || place >= size_before) continue;
                const std::int64_t candidate = b * size_before + place;
                if (std::memcmp(row, before.data<float>() + candidate * embed, bytes) != 0) continue;
                found[static_cast<std::size_t>(b * size + s)] = candidate;
                break;
            }
        }
    }
    return found;
}

}  // namespace

Tensor stages::project_changes(const Tensor& x, const Tensor& x_before, const Tensor& y_before, const Tensor& weight,
                               const Tensor& bias, Precision precision, Cancel cancel) {
    const std::int64_t embed = x.dim(2), out = weight.dim(0), tokens = x.dim(0) * x.dim(1);
    const std::int64_t last_block = out % kProjectedAtOnce > 0 ? out % kProjectedAtOnce : kProjectedAtOnce;
    const bool comparable =
        x.type() == Tensor::Type::Float32 && x_before.type() == x.type() && x_before.dim(2) == embed;
    if (!comparable || !rows_are_independent(std::min(last_block, out), embed)) {
        return project(x, weight, bias, precision, cancel);
    }
    const std::vector<std::int64_t> known = rows_before(x, x_before);
    const auto changed = static_cast<std::int64_t>(std::count(known.begin(), known.end(), -1));
    if (changed > tokens / 2) return project(x, weight, bias, precision, cancel);

    Tensor some(x.type(), {1, changed, embed}), y(x.type(), {x.dim(0), x.dim(1), out});
    float* next = some.data<float>();
    for (std::int64_t t = 0; t < tokens; ++t) {
        if (known[static_cast<std::size_t>(t)] < 0) next = std::copy_n(x.data<float>() + t * embed, embed, next);
    }
    const Tensor projected = changed > 0 ? project(some, weight, bias, precision, cancel) : some;
    const float* made = projected.data<float>();
    for (std::int64_t t = 0; t < tokens; ++t) {
        const std::int64_t before = known[static_cast<std::size_t>(t)];
        std::copy_n(before < 0 ? made : y_before.data<float>() + before * out, out, y.data<float>() + t * out);
        if (before < 0) made += out;
    }
    return y;
}

}  // namespace headscope
