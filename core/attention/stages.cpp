// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/stages.h"

#include <algorithm>
#include <vector>

#include "core/attention/head.h"
#include "core/base/buffer_pool.h"
#include "core/base/thread_pool.h"
#include "core/engine/matmul.h"
#include "core/engine/rounding.h"
#include "core/engine/row_kernels.h"

namespace headscope {

namespace {

/// Calls f with a float or a double, depending on the tensor's type.
template <typename F>
auto with_type(const Tensor& tensor, F&& f) {
    return tensor.type() == Tensor::Type::Float64 ? f(double{}) : f(float{});
}

double as_double(std::int64_t n) {
    return static_cast<double>(n);
}

/// Calls f(sequence, head, n) for each matrix n = sequence * H + head of a (B,H,...) tensor. The number of threads
/// depends on the operations per number.
template <typename F>
void for_each_head(const Tensor& tensor, F&& f) {
    const std::int64_t heads = tensor.dim(1);
    parallel_for(threads_for(as_double(tensor.size())), tensor.dim(0) * heads,
                 [&](std::int64_t n, int) { f(n / heads, n % heads, n); });
}

/// Calls f(n, tile) for blocks of rows of each matrix n = sequence * H + head of (B,H,S,S) scores, until cancelled. The
/// number of threads depends on the operations per number.
template <typename F>
void for_each_block(const Tensor& scores, std::int64_t operations, stages::Cancel cancel, F&& f) {
    constexpr std::int64_t kRows = stages::kRowsAtOnce;
    const std::int64_t heads = scores.dim(1), size = scores.dim(2), blocks = (size + kRows - 1) / kRows;
    const int threads = threads_for(as_double(scores.size()) * as_double(operations));
    parallel_for(threads, scores.dim(0) * heads * blocks, [&](std::int64_t index, int) {
        if (cancel && *cancel) return;
        const std::int64_t n = index / blocks, first = index % blocks * kRows;
        f(n, Tile{n / heads, first, std::min(kRows, size - first), 0, size});
    });
}

/// y = x Wᵀ + b for some rows and outputs; y and b start at the first of these outputs.
template <typename T>
void project_block(const T* x, const T* weight, const T* bias, std::int64_t rows, std::int64_t in, std::int64_t outputs,
                   rows::Matrix<T> y, stages::Cancel cancel) {
    const PooledArray<T> products(static_cast<std::size_t>(rows * outputs));
    matmul_in_blocks(x, in, weight, in, true, products.data(), outputs, rows, outputs, in, cancel);
    rows::add_rows({products.data(), outputs}, bias, rows, outputs, T{1}, y);
}

}  // namespace

namespace stages {

Tensor project(const Tensor& x, const Tensor& weight, const Tensor& bias, Precision precision, Cancel cancel) {
    const std::int64_t tokens = x.dim(0) * x.dim(1), in = weight.dim(1), out = weight.dim(0);
    Tensor y(x.type(), {x.dim(0), x.dim(1), out});
    with_type(x, [&]<typename T>(T) {
        constexpr std::int64_t kRows = 256, kOutputs = kProjectedAtOnce;
        const std::int64_t parts = (out + kOutputs - 1) / kOutputs, blocks = (tokens + kRows - 1) / kRows * parts;
        const double operations = 2.0 * as_double(y.size()) * as_double(in);
        parallel_for(threads_for(operations), blocks, [&](std::int64_t block, int) {
            const std::int64_t r = block / parts * kRows, o = block % parts * kOutputs;
            project_block(x.data<T>() + r * in, weight.data<T>() + o * in, bias.data<T>() + o,
                          std::min(kRows, tokens - r), in, std::min(kOutputs, out - o),
                          rows::Matrix<T>{y.data<T>() + r * out + o, out}, cancel);
        });
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
        for_each_head(heads.q, [&](std::int64_t b, std::int64_t h, std::int64_t n) {
            for (std::int64_t s = 0; s < size; ++s) {
                // (B,S,H,3*Dh): the q, k and v of a head are adjacent.
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
        for_each_block(all, 2 * dh, cancel, [&](std::int64_t n, const Tile& tile) {
            tile_scores(q.data<T>() + n * size * dh, k.data<T>() + n * size * dh, scaling, tile,
                        all.data<T>() + (n * size + tile.first_query) * size, size, cancel);
        });
    });
    return all;
}

Tensor score_row(const Tensor& q, const Tensor& k, const Row& row, std::optional<double> scale, Precision precision) {
    const std::int64_t size = q.dim(2), dh = q.dim(3), head = (row.sequence * q.dim(1) + row.head) * size * dh;
    // A block of rows, where their number may decide which product is used.
    const std::int64_t rows = q.type() == Tensor::Type::Float32 && rows_are_independent(size, dh) ? 1 : kRowsAtOnce;
    const std::int64_t first = row.query / rows * rows;
    const Tile tile{row.sequence, first, std::min(rows, size - first), 0, size};
    Tensor block(q.type(), {tile.queries, size});
    with_type(q, [&]<typename T>(T) {
        tile_scores(q.data<T>() + head, k.data<T>() + head, {precision, scale, dh}, tile, block.data<T>(), size,
                    nullptr);
    });
    return block.part(row.query - first, 1);
}

void change_scores(Tensor& scores, const Changes& changes, Precision precision, Cancel cancel) {
    if (changes.empty()) return;
    const std::int64_t heads = scores.dim(1), size = scores.dim(2);
    with_type(scores, [&]<typename T>(T) {
        constexpr std::int64_t kOperations = 10;  // per number
        for_each_block(scores, kOperations, cancel, [&](std::int64_t n, const Tile& tile) {
            change_tile(changes[static_cast<std::size_t>(n % heads)], precision, tile,
                        scores.data<T>() + (n * size + tile.first_query) * size, size);
        });
    });
}

Tensor weights(const Tensor& scores, const HeadMasks& mask, Fill fill, Precision precision, Cancel cancel,
               std::int64_t first_sequence, const Changes& changes) {
    const std::int64_t heads = scores.dim(1), size = scores.dim(2);
    Tensor all(scores.type(), scores.shape());
    with_type(scores, [&]<typename T>(T) {
        constexpr std::int64_t kOperations = 20;  // per number: the exponential and the rest of the softmax
        for_each_block(scores, kOperations, cancel, [&](std::int64_t n, Tile tile) {
            const std::int64_t place = (n * size + tile.first_query) * size, h = n % heads;
            const HeadRules rules(mask.of(h), fill, precision,
                                  changes.empty() ? ScoreChange() : changes[static_cast<std::size_t>(h)]);
            tile.sequence += first_sequence;
            row_weights(rules, tile, scores.data<T>() + place, all.data<T>() + place, cancel);
        });
    });
    return all;
}

Tensor head_context(const Tensor& weights, const Tensor& v, const HeadMasks& mask, Fill fill, Precision precision,
                    Cancel cancel, std::int64_t first_sequence) {
    const std::int64_t heads = v.dim(1), size = v.dim(2), dh = v.dim(3);
    const auto rules = [&](std::int64_t n) { return HeadRules(mask.of(n % heads), fill, precision); };
    Tensor all(v.type(), v.shape());
    with_type(v, [&]<typename T>(T) {
        std::vector<HeadValues<T>> values;
        for (std::int64_t n = 0; n < v.dim(0) * v.dim(1); ++n) {
            values.emplace_back(v.data<T>() + n * size * dh, size, dh, rules(n));
        }
        for_each_block(weights, 2 * dh, cancel, [&](std::int64_t n, Tile tile) {
            const std::int64_t row = n * size + tile.first_query;
            tile.sequence += first_sequence;
            values[static_cast<std::size_t>(n)].weighted_sum(rules(n), tile, weights.data<T>() + row * size,
                                                             all.data<T>() + row * dh, cancel);
        });
        round_all(all.data<T>(), all.size(), precision);
    });
    return all;
}

Tensor concatenate(const Tensor& head_context) {
    const std::int64_t heads = head_context.dim(1), size = head_context.dim(2), dh = head_context.dim(3);
    Tensor all(head_context.type(), {head_context.dim(0), size, heads * dh});
    with_type(head_context, [&]<typename T>(T) {
        for_each_head(head_context, [&](std::int64_t b, std::int64_t h, std::int64_t n) {
            for (std::int64_t s = 0; s < size; ++s) {
                std::copy_n(head_context.data<T>() + (n * size + s) * dh, dh,
                            all.data<T>() + ((b * size + s) * heads + h) * dh);
            }
        });
    });
    return all;
}

}  // namespace stages

Result<void> check_shapes(const Tensor& q, const Tensor& k, const Tensor& v, const HeadMasks& mask,
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
                                                     const HeadMasks& mask, Fill fill, std::optional<double> scale,
                                                     Precision precision, const stages::Changes& changes) {
    if (auto shapes = check_shapes(query, key, value, mask); !shapes) return tl::unexpected(shapes.error());
    Tensor scores = stages::scores(in_precision(query, precision), in_precision(key, precision), scale, precision);
    stages::change_scores(scores, changes, precision);
    const Tensor weights = stages::weights(scores, mask, fill, precision, nullptr, 0, changes);
    return AttentionResult{weights,
                           stages::head_context(weights, in_precision(value, precision), mask, fill, precision)};
}

}  // namespace headscope
