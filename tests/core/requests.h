// SPDX-License-Identifier: GPL-3.0-or-later
// Small requests that the tests of compute() start from.
#pragma once

#include <QTest>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/attention/compute.h"
#include "traces.h"

namespace headscope::testing {

constexpr Stage kAllStages[] = {Stage::X,           Stage::Qkv,    Stage::Heads, Stage::Q,      Stage::K,
                                Stage::V,           Stage::Scores, Stage::Mask,  Stage::Masked, Stage::Weights,
                                Stage::HeadContext, Stage::Concat, Stage::Output};

inline Batch words(const std::vector<std::vector<std::string>>& lines = {{"the", "cat", "sat", "on", "the", "mat"},
                                                                         {"a", "dog", "ran"}}) {
    return make_batch(lines);
}

inline Request small(WeightSource source = WeightSource::Seed) {
    Request request;
    request.batch = words();
    request.embed_dim = 24;
    request.num_heads = 4;
    request.source = source;
    return request;
}

inline MaskExpression mask_of(const char* text) {
    return parse_mask(text).value();
}

/// A layer as a file would hold it, interleaved, with an x of its own where one is wanted.
inline LayerFilePtr layer_file(std::int64_t embed_dim, const Batch& batch, bool with_x, std::uint32_t seed) {
    std::mt19937 random(seed);
    auto file = std::make_shared<LayerFile>();
    file->path = "layer.safetensors";
    file->embed_dim = embed_dim;
    file->layout = Layout::Interleaved;
    const auto draw = [&](const Shape& shape) { return random_tensor(Tensor::Type::Float64, shape, random, 0.4); };
    file->fused_weight = draw({3 * embed_dim, embed_dim});
    file->fused_bias = draw({3 * embed_dim});
    file->out_weight = draw({embed_dim, embed_dim});
    file->out_bias = draw({embed_dim});
    if (with_x) file->x = draw({batch.size(), batch.sequence_length(), embed_dim});
    file->batch = batch;
    return file;
}

inline Request from_file(bool with_x, std::uint32_t seed = 1) {
    Request request = small(WeightSource::File);
    request.file = layer_file(request.embed_dim, request.batch, with_x, seed);
    return request;
}

}  // namespace headscope::testing
