// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/chunked.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/attention/head.h"
#include "core/attention/softmax.h"
#include "core/base/buffer_pool.h"
#include "core/base/memory.h"
#include "core/base/sentence.h"
#include "core/base/thread_pool.h"
#include "core/engine/rounding.h"

namespace headscope {

namespace {

std::int64_t chunk_of(std::optional<std::int64_t> size, std::int64_t sequence_length) {
    return std::min(size.value_or(sequence_length), sequence_length);
}

/// The chunked attention of one sequence after another: its heads side by side in tiles that are kept and used again.
template <typename T>
class Chunks {
public:
    Chunks(const Tensor& q, const Tensor& k, const Tensor& v, const HeadRules& rules, const Scaling& scaling,
           std::int64_t queries, std::int64_t keys, const std::atomic<bool>* cancel)
        : q_(q.data<T>()),
          k_(k.data<T>()),
          v_(v.data<T>()),
          rules_(rules),
          scaling_(scaling),
          heads_(q.dim(1)),
          size_(q.dim(2)),
          dh_(q.dim(3)),
          queries_(queries),
          keys_(keys),
          cancel_(cancel),
          scores_(static_cast<std::size_t>(heads_ * queries * keys)),
          weights_(static_cast<std::size_t>(heads_ * queries * keys)) {
        if (keys_ == size_) return;
        maximum_.resize(static_cast<std::size_t>(heads_ * queries));
        sum_.resize(static_cast<std::size_t>(heads_ * queries));
        running_.resize(heads_ * queries, dh_);
        product_.resize(heads_ * queries, dh_);
    }

    /// context: (H,S,Dh) of this sequence; weights: (H,S,S), or null where they aren't wanted.
    void run(std::int64_t b, std::int64_t mask_sequence, T* context, T* weights) {
        std::vector<HeadValues<T>> values;
        for (std::int64_t h = 0; h < heads_; ++h) values.emplace_back(head(v_, b, h), size_, dh_, rules_);
        for (std::int64_t i = 0; i < size_ && !cancelled(); i += queries_) {
            const Tile rows{mask_sequence, i, std::min(queries_, size_ - i), 0, size_};
            if (keys_ == size_) {
                whole_rows(b, rows, values, context, weights);
            } else {
                running_rows(b, rows, values, context, weights);
            }
        }
    }

private:
    using Rows = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

    bool cancelled() const { return cancel_ && *cancel_; }
    const T* head(const T* tensor, std::int64_t b, std::int64_t h) const {
        return tensor + (b * heads_ + h) * size_ * dh_;
    }
    T* tile(const PooledArray<T>& tiles, std::int64_t h) const { return tiles.data() + h * queries_ * keys_; }

    /// f(h) for each head, on as many threads as a tile of scores of them all is worth.
    template <typename F>
    void for_each_head(F&& f) const {
        const double operations = 4.0 * static_cast<double>(heads_ * queries_ * keys_) * static_cast<double>(dh_);
        parallel_for(threads_for(operations), heads_, [&](std::int64_t h, int) {
            if (!cancelled()) f(h);
        });
    }

    /// A chunk of queries with all of their keys: the very steps of the whole way.
    void whole_rows(std::int64_t b, const Tile& rows, const std::vector<HeadValues<T>>& values, T* context,
                    T* weights) {
        for_each_head([&](std::int64_t h) {
            tile_scores(head(q_, b, h), head(k_, b, h), scaling_, rows, tile(scores_, h), size_, cancel_);
            row_weights(rules_, rows, tile(scores_, h), tile(weights_, h), cancel_);
            T* out = context + (h * size_ + rows.first_query) * dh_;
            values[static_cast<std::size_t>(h)].weighted_sum(rules_, rows, tile(weights_, h), out, cancel_);
            round_all(out, rows.queries * dh_, rules_.precision);
            if (!weights) return;
            std::copy_n(tile(weights_, h), rows.queries * size_, weights + (h * size_ + rows.first_query) * size_);
        });
    }

    /// A chunk of queries, a chunk of keys at a time.
    void running_rows(std::int64_t b, const Tile& rows, const std::vector<HeadValues<T>>& values, T* context,
                      T* weights) {
        std::fill(maximum_.begin(), maximum_.end(), -std::numeric_limits<T>::infinity());
        std::fill(sum_.begin(), sum_.end(), 0.0);
        running_.setZero();
        for (std::int64_t j = 0; j < size_; j += keys_) {
            const Tile part{rows.sequence, rows.first_query, rows.queries, j, std::min(keys_, size_ - j)};
            for_each_head([&](std::int64_t h) {
                tile_scores(head(q_, b, h), head(k_, b, h), scaling_, part, tile(scores_, h), part.keys, cancel_);
                if (weights) keep_scores(part, h, weights);
                add_tile(part, h, values[static_cast<std::size_t>(h)]);
            });
        }
        for_each_head([&](std::int64_t h) {
            finish_context(rows, h, context);
            if (weights) finish_weights(rows, h, weights);
        });
    }

    /// Milakov and Gimelshein's step for a tile: what was summed so far is scaled to the new maximum.
    void add_tile(const Tile& part, std::int64_t h, const HeadValues<T>& values) {
        const auto fill = static_cast<T>(rules_.fill);
        for (std::int64_t i = 0; i < part.queries; ++i) {
            const auto r = static_cast<std::size_t>(h * queries_ + i);
            T* weights = tile(weights_, h) + i * part.keys;
            const std::uint8_t* open = rules_.open(part.sequence, part.first_query + i, part.first_key);
            const T here = fill_row<T>({tile(scores_, h) + i * part.keys, open, part.keys, rules_.mode, fill}, weights);
            const T before = maximum_[r];
            const T maximum = here > before || std::isnan(here) ? here : before;  // once NaN it stays so
            maximum_[r] = maximum;
            if (maximum == -std::numeric_limits<T>::infinity()) {
                std::fill_n(weights, part.keys, T{0});
                continue;
            }
            if (maximum != before) {
                const double shrink = std::exp(static_cast<double>(before) - static_cast<double>(maximum));
                sum_[r] *= shrink;
                running_.row(h * queries_ + i) *= shrink;
            }
            sum_[r] += exponentiate(weights, part.keys, maximum);
        }
        const auto product = product_.middleRows(h * queries_, part.queries);
        values.weighted_sum(rules_, part, tile(weights_, h), product_.row(h * queries_).data(), cancel_);
        running_.middleRows(h * queries_, part.queries) += product.template cast<double>();
    }

    void finish_context(const Tile& rows, std::int64_t h, T* context) {
        for (std::int64_t i = 0; i < rows.queries; ++i) {
            const auto r = static_cast<std::size_t>(h * queries_ + i);
            T* out = context + (h * size_ + rows.first_query + i) * dh_;
            const bool nothing = maximum_[r] == -std::numeric_limits<T>::infinity();
            // Nothing to attend to: what was summed are zeros, which stay in Safe and make NaN otherwise.
            const double sum = nothing && rules_.mode == Fill::Safe ? 1.0 : sum_[r];
            for (std::int64_t d = 0; d < dh_; ++d) out[d] = static_cast<T>(running_(h * queries_ + i, d) / sum);
            round_all(out, dh_, rules_.precision);
        }
    }

    void keep_scores(const Tile& part, std::int64_t h, T* weights) {
        for (std::int64_t i = 0; i < part.queries; ++i) {
            std::copy_n(tile(scores_, h) + i * part.keys, part.keys,
                        weights + (h * size_ + part.first_query + i) * size_ + part.first_key);
        }
    }

    /// Turns the kept scores into the weights that the running maximum and sum ended with.
    void finish_weights(const Tile& rows, std::int64_t h, T* weights) {
        std::vector<T> scores(static_cast<std::size_t>(size_));
        for (std::int64_t i = 0; i < rows.queries; ++i) {
            const auto r = static_cast<std::size_t>(h * queries_ + i);
            T* row = weights + (h * size_ + rows.first_query + i) * size_;
            std::copy_n(row, size_, scores.data());
            const std::uint8_t* open = rules_.open(rows.sequence, rows.first_query + i, 0);
            softmax_row<T>({scores.data(), open, size_, rules_.mode, static_cast<T>(rules_.fill)}, maximum_[r], sum_[r],
                           row);
            round_all(row, size_, rules_.precision);
        }
    }

    const T *q_, *k_, *v_;
    const HeadRules& rules_;
    const Scaling& scaling_;
    std::int64_t heads_, size_, dh_, queries_, keys_;
    const std::atomic<bool>* cancel_;
    PooledArray<T> scores_, weights_;  ///< a tile a head
    std::vector<T> maximum_;           ///< a row, of each head
    std::vector<double> sum_;
    Rows running_;  ///< the context so far, times sum_
    Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> product_;
};

template <typename T>
void run_chunks(Chunks<T> chunks, std::int64_t first_sequence, Tensor& context, Tensor& weights) {
    for (std::int64_t b = 0; b < context.dim(0); ++b) {
        T* kept = weights.size() ? weights.part(b, 1).template data<T>() : nullptr;
        chunks.run(b, first_sequence + b, context.part(b, 1).template data<T>(), kept);
    }
}

Result<void> check_chunk(const char* name, std::optional<std::int64_t> size) {
    if (!size || *size >= 1) return {};
    return fail(ErrorCode::InvalidValue, "{} is {}; it must be at least 1, or whole", name, *size);
}

}  // namespace

bool is_whole(std::int64_t sequence_length, std::optional<std::int64_t> chunk_size,
              std::optional<std::int64_t> key_chunk_size) {
    return chunk_of(chunk_size, sequence_length) == sequence_length &&
           chunk_of(key_chunk_size, sequence_length) == sequence_length;
}

Result<void> check_chunks(std::optional<std::int64_t> chunk_size, std::optional<std::int64_t> key_chunk_size) {
    if (auto queries = check_chunk(phrase("chunk size"), chunk_size); !queries) return queries;
    return check_chunk(phrase("key chunk size"), key_chunk_size);
}

Result<std::uint64_t> chunked_bytes(const Dims& dims, Precision precision, std::optional<std::int64_t> chunk_size,
                                    std::optional<std::int64_t> key_chunk_size) {
    const std::int64_t item = storage_type(precision) == Tensor::Type::Float64 ? 8 : 4;
    const std::int64_t queries = chunk_of(chunk_size, dims.sequence_length);
    const std::int64_t keys = chunk_of(key_chunk_size, dims.sequence_length);
    const auto tiles = checked_product({2, dims.num_heads, queries, keys, item});
    if (!tiles || keys == dims.sequence_length) return tiles.map([](auto n) { return static_cast<std::uint64_t>(n); });
    // A row of each head: maximum, sum, context in double, and context of the tile.
    const auto rows = checked_product({dims.num_heads, queries, item + 8 + (8 + item) * dims.head_dim()});
    if (!rows) return tl::unexpected(rows.error());
    return static_cast<std::uint64_t>(*tiles) + static_cast<std::uint64_t>(*rows);
}

Result<ChunkedResult> chunked_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Mask& mask, Fill fill,
                                        std::optional<double> scale, Precision precision,
                                        std::optional<std::int64_t> chunk_size,
                                        std::optional<std::int64_t> key_chunk_size, bool want_weights,
                                        const std::atomic<bool>* cancel, std::int64_t first_sequence) {
    if (auto chunks = check_chunks(chunk_size, key_chunk_size); !chunks) return tl::unexpected(chunks.error());
    if (auto shapes = check_shapes(q, k, v, mask, first_sequence); !shapes) return tl::unexpected(shapes.error());
    const std::int64_t batch = q.dim(0), heads = q.dim(1), size = q.dim(2), dh = q.dim(3);
    const auto bytes = chunked_bytes({batch, size, heads * dh, heads}, precision, chunk_size, key_chunk_size);
    if (!bytes) return tl::unexpected(bytes.error());

    ChunkedResult result{Tensor(q.type(), q.shape()), {}, *bytes};
    if (want_weights) result.weights = Tensor(q.type(), {batch, heads, size, size});
    const HeadRules rules(mask, fill, precision);
    const Scaling scaling{precision, scale, dh};
    const std::int64_t queries = chunk_of(chunk_size, size), keys = chunk_of(key_chunk_size, size);
    if (q.type() == Tensor::Type::Float64) {
        run_chunks(Chunks<double>(q, k, v, rules, scaling, queries, keys, cancel), first_sequence, result.context,
                   result.weights);
    } else {
        run_chunks(Chunks<float>(q, k, v, rules, scaling, queries, keys, cancel), first_sequence, result.context,
                   result.weights);
    }
    if (cancel && *cancel) return fail(ErrorCode::Cancelled, "a newer change took over");
    return result;
}

}  // namespace headscope
