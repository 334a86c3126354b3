// SPDX-License-Identifier: GPL-3.0-or-later
// Small traces for the tests of derived quantities.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "core/attention/compute.h"
#include "support.h"

namespace headscope::testing {

/// A request for a layer of random weights in memory, with sequences of these lengths. spread: of x; a larger spread
/// gives a more peaked softmax.
inline Request random_request(std::mt19937& random, const std::vector<std::int64_t>& lengths, std::int64_t size,
                              std::int64_t embed_dim, std::int64_t num_heads, const std::string& mask,
                              double spread = 1) {
    const auto type = Tensor::Type::Float64;
    const double scale = 1 / std::sqrt(static_cast<double>(embed_dim));
    auto file = std::make_shared<LayerFile>();
    file->path = "test";
    file->embed_dim = embed_dim;
    file->layout = Layout::Interleaved;
    file->fused_weight = random_tensor(type, {3 * embed_dim, embed_dim}, random, scale);
    file->fused_bias = random_tensor(type, {3 * embed_dim}, random, 0.1);
    file->out_weight = random_tensor(type, {embed_dim, embed_dim}, random, scale);
    file->out_bias = random_tensor(type, {embed_dim}, random, 0.1);
    file->batch = batch_of_lengths(lengths, size);
    file->x = random_tensor(type, {file->batch.size(), size, embed_dim}, random, spread);

    Request request;
    request.batch = file->batch;
    request.embed_dim = embed_dim;
    request.num_heads = num_heads;
    request.source = WeightSource::File;
    request.file = file;
    request.mask = parse_mask(mask).value();
    request.chunk_size = std::nullopt;
    return request;
}

/// The same request with one element of x changed: (sequence, token, dimension).
inline Request with_x(Request request, std::int64_t sequence, std::int64_t token, std::int64_t dim, double value) {
    auto file = std::make_shared<LayerFile>(*request.file);
    Tensor x = filled(Tensor::Type::Float64, file->x->shape(), [&](auto n) { return file->x->value(n); });
    x.data<double>()[(sequence * x.dim(1) + token) * x.dim(2) + dim] = value;
    file->x = x;
    request.file = file;
    return request;
}

/// Computes the trace. Prints the error and returns null if that fails.
inline TracePtr traced(const Request& request, const TracePtr& previous = nullptr) {
    const auto trace = compute(request, previous);
    if (!trace) qWarning("%s", trace.error().message().c_str());
    return trace ? *trace : nullptr;
}

}  // namespace headscope::testing
