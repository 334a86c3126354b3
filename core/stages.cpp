// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stages.h"

#include <Eigen/Core>
#include <algorithm>

#include "core/head.h"
#include "core/rounding.h"

namespace headscope {

namespace {

/// Calls f with a float or a double, after the tensor's type.
template <typename F>
auto with_type(const Tensor& tensor, F&& f) {
    return tensor.type() == Tensor::Type::Float64 ? f(double{}) : f(float{});
}

/// Calls f(sequence, head, n) for each matrix n = sequence * H + head of a (B,H,...) tensor, until it is cancelled.
template <typename F>
void for_each_head(const Tensor& tensor, stages::Cancel cancel, F&& f) {
    for (std::int64_t b = 0; b < tensor.dim(0); ++b) {
        for (std::int64_t h = 0; h < tensor.dim(1); ++h) {
            if (cancel && *cancel) return;
            f(b, h, b * tensor.dim(1) + h);
        }
    }
}

}  // namespace

namespace stages {

Tensor project(const Tensor& x, const Tensor& weight, const Tensor& bias, Precision precision, Cancel cancel) {
    const std::int64_t rows = x.dim(0) * x.dim(1), in = weight.dim(1), out = weight.dim(0);
    Tensor y(x.type(), {x.dim(0), x.dim(1), out});
    with_type(x, [&]<typename T>(T) {
        // In blocks of outputs too: one row of a wide layer alone would take long.
        constexpr std::int64_t kOutputs = 1024;
        for (std::int64_t o = 0; o < out; o += kOutputs) {
            matmul_in_blocks(x.data<T>(), in, weight.data<T>() + o * in, in, true, y.data<T>() + o, out, rows,
                             std::min(kOutputs, out - o), in, cancel);
        }
        const Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>> b(bias.data<T>(), out);
        for (std::int64_t r = 0; r < rows; ++r) {
            Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>(y.data<T>() + r * out, out) += b;
        }
        round_all(y.data<T>(), y.size(), precision);
    });
    return y;
}

Heads split_heads(const Tensor& qkv, std::int64_t num_heads) {
    const std::int64_t batch = qkv.dim(0), size = qkv.dim(1), dh = qkv.dim(2) / 3 / num_heads;
    const Shape shape{batch, num_heads, size, dh};
    Heads heads{Tensor(qkv.type(), shape), Tensor(qkv.type(), shape), Tensor(qkv.type(), shape)};
    with_type(qkv, [&]<typename T>(T) {
        T* parts[] = {heads.q.data<T>(), heads.k.data<T>(), heads.v.data<T>()};
        for_each_head(heads.q, nullptr, [&](std::int64_t b, std::int64_t h, std::int64_t n) {
            for (std::int64_t s = 0; s < size; ++s) {
                // (B,S,H,3*Dh): a head's q, k and v lie beside each other.
                const T* token = qkv.data<T>() + ((b * size + s) * num_heads + h) * 3 * dh;
                for (std::int64_t part = 0; part < 3; ++part) {
                    std::copy_n(token + part * dh, dh, parts[part] + (n * size + s) * dh);
                }
            }
        });
    });
    return heads;
}

Tensor scores(const Tensor& q, const Tensor& k, std::optional<double> scale, Precision precision, Cancel cancel) {
    const std::int64_t size = q.dim(2), dh = q.dim(3);
    const Scaling scaling{precision, scale, dh};
    Tensor all(q.type(), {q.dim(0), q.dim(1), size, size});
    with_type(q, [&]<typename T>(T) {
        for_each_head(q, cancel, [&](std::int64_t b, std::int64_t, std::int64_t n) {
            tile_scores(q.data<T>() + n * size * dh, k.data<T>() + n * size * dh, scaling, {b, 0, size, 0, size},
                        all.data<T>() + n * size * size, size, cancel);
        });
    });
    return all;
}

Tensor weights(const Tensor& scores, const Mask& mask, Fill fill, Precision precision, Cancel cancel,
               std::int64_t first_sequence) {
    const HeadRules rules(mask, fill, precision);
    const std::int64_t size = scores.dim(2);
    Tensor all(scores.type(), scores.shape());
    with_type(scores, [&]<typename T>(T) {
        for_each_head(scores, cancel, [&](std::int64_t b, std::int64_t, std::int64_t n) {
            row_weights(rules, {first_sequence + b, 0, size, 0, size}, scores.data<T>() + n * size * size,
                        all.data<T>() + n * size * size, cancel);
        });
    });
    return all;
}

Tensor head_context(const Tensor& weights, const Tensor& v, const Mask& mask, Fill fill, Precision precision,
                    Cancel cancel, std::int64_t first_sequence) {
    const HeadRules rules(mask, fill, precision);
    const std::int64_t size = v.dim(2), dh = v.dim(3);
    Tensor all(v.type(), v.shape());
    with_type(v, [&]<typename T>(T) {
        for_each_head(v, cancel, [&](std::int64_t b, std::int64_t, std::int64_t n) {
            HeadValues<T>(v.data<T>() + n * size * dh, size, dh, rules)
                .weighted_sum(rules, {first_sequence + b, 0, size, 0, size}, weights.data<T>() + n * size * size,
                              all.data<T>() + n * size * dh, cancel);
        });
        round_all(all.data<T>(), all.size(), precision);
    });
    return all;
}

Tensor concatenate(const Tensor& head_context) {
    const std::int64_t heads = head_context.dim(1), size = head_context.dim(2), dh = head_context.dim(3);
    Tensor all(head_context.type(), {head_context.dim(0), size, heads * dh});
    with_type(head_context, [&]<typename T>(T) {
        for_each_head(head_context, nullptr, [&](std::int64_t b, std::int64_t h, std::int64_t n) {
            for (std::int64_t s = 0; s < size; ++s) {
                std::copy_n(head_context.data<T>() + (n * size + s) * dh, dh,
                            all.data<T>() + ((b * size + s) * heads + h) * dh);
            }
        });
    });
    return all;
}

}  // namespace stages

Result<void> check_shapes(const Tensor& q, const Tensor& k, const Tensor& v, const Mask& mask,
                          std::int64_t first_sequence) {
    if (q.shape().size() != 4 || q.shape() != k.shape() || q.shape() != v.shape() || q.size() == 0) {
        return fail(ErrorCode::InvalidPair,
                    "query {}, key {} and value {} must have one shape (B, H, S, Dh) without a zero",
                    to_string(q.shape()), to_string(k.shape()), to_string(v.shape()));
    }
    if (mask.size() != q.dim(2) || first_sequence < 0 || first_sequence + q.dim(0) > mask.batch()) {
        return fail(ErrorCode::InvalidPair, "the mask is for {} sequences of {} tokens, the query is {}", mask.batch(),
                    mask.size(), to_string(q.shape()));
    }
    return {};
}

Result<AttentionResult> scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                                     const Mask& mask, Fill fill, std::optional<double> scale,
                                                     Precision precision) {
    if (auto shapes = check_shapes(query, key, value, mask); !shapes) return tl::unexpected(shapes.error());
    const Tensor scores =
        stages::scores(in_precision(query, precision), in_precision(key, precision), scale, precision);
    const Tensor weights = stages::weights(scores, mask, fill, precision);
    return AttentionResult{weights,
                           stages::head_context(weights, in_precision(value, precision), mask, fill, precision)};
}

}  // namespace headscope
