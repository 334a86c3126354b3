// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/attend.h"

#include <algorithm>
#include <cmath>

#include "core/attention/head.h"
#include "core/attention/plan.h"
#include "core/attention/query_key.h"
#include "core/attention/stages.h"
#include "core/base/buffer_pool.h"
#include "core/base/thread_pool.h"
#include "core/engine/rounding.h"
#include "core/engine/row_kernels.h"
#include "core/engine/tiled.h"

namespace headscope {

namespace {

/// A view of one head as a tensor (1,1,S,columns).
Tensor head_of(const Tensor& tensor, std::int64_t sequence, std::int64_t head) {
    const std::int64_t heads = tensor.dim(1), rows = tensor.dim(2), columns = tensor.dim(3);
    return tensor.reshaped({tensor.dim(0) * heads, 1, rows, columns}).part(sequence * heads + head, 1);
}

/// A view of some numbers, as a tensor of one axis.
Tensor rows_from(const Tensor& tensor, std::int64_t first, std::int64_t count) {
    return tensor.reshaped({tensor.size()}).part(first, count);
}

void copy_into(Tensor destination, const Tensor& source) {
    if (source.type() == Tensor::Type::Float64) {
        std::copy_n(source.data<double>(), source.size(), destination.data<double>());
    } else {
        std::copy_n(source.data<float>(), source.size(), destination.data<float>());
    }
}

class Attention {
public:
    Attention(const Trace& trace, bool only_weights, const std::atomic<bool>* cancel, WorkCounter* progress = nullptr)
        : trace_(trace),
          kept_(kept_sequences(trace.request)),
          changes_(score_changes(trace.request)),
          only_weights_(only_weights),
          cancel_(cancel),
          progress_(progress) {}

    Result<Attended> run() {
        if (!only_weights_) {
            const Tensor& v = *trace_.v;
            const Shape rows{v.dim(0), v.dim(1), v.dim(2)};
            result_.head_context = Tensor(v.type(), v.shape());
            result_.row_offsets = Tensor(v.type(), rows);
            result_.row_sums = Tensor(v.type(), rows);
        }
        if (computes_tiles(request())) {
            if (auto made = attend_in_tiles(); !made) return tl::unexpected(made.error());
        } else {
            attend_by_stages();
        }
        return std::move(result_);
    }

    Result<Tensor> whole_context(const HeadTiles& tiles, std::int64_t b) const {
        const Tensor q = trace_.q->part(b, 1), k = trace_.k->part(b, 1), v = trace_.v->part(b, 1);
        if (!is_half(request().precision)) {
            return tiled_attention(q, k, v, tiles, request().precision, tiled_options(false), b)
                .map([](const TiledContext& tiled) { return tiled.context; });
        }
        Tensor context(v.type(), v.shape());
        for (std::int64_t h = 0; h < request().num_heads && !cancelled(); ++h) {
            attend_by_stages(b, h, {.context = head_of(context, 0, h).data<float>()});
        }
        return context;
    }

private:
    const Request& request() const { return trace_.request; }
    bool cancelled() const { return cancel_ && *cancel_; }

    TiledOptions tiled_options(bool keep_weights) const {
        TiledOptions options;
        options.fill = request().fill;
        options.scale = request().scale;
        options.keep_weights = keep_weights;
        options.cancel = cancel_;
        options.progress = progress_;
        return options;
    }

    /// Computes the weights of the kept sequences, and checks the rows of the others one head at a time. If none is
    /// kept, only the sums of the exponentials can be checked.
    Result<void> attend_in_tiles() {
        const HeadTileMaps maps(trace_.mask, request().mask, request().num_heads, tile_size(request()));
        const HeadTiles& tiles = maps.tiles();
        if (kept_.count == 0) {
            const auto all =
                tiled_attention(*trace_.q, *trace_.k, *trace_.v, tiles, request().precision, tiled_options(false));
            if (!all) return tl::unexpected(all.error());
            take(*all, result_.head_context, 0, 0);
            return {};
        }
        const auto part = [&](const TensorPtr& tensor) { return tensor->part(kept_.first, kept_.count); };
        auto kept = tiled_attention(part(trace_.q), part(trace_.k), part(trace_.v), tiles, request().precision,
                                    tiled_options(true), kept_.first);
        if (!kept) return tl::unexpected(kept.error());
        result_.weights = kept->weights;
        if (only_weights_) return {};
        take(*kept, result_.head_context.part(kept_.first, kept_.count), kept_.first,
             kept_.first * request().num_heads);
        for (std::int64_t b = 0; b < request().dims().batch; ++b) {
            if (kept_.holds(b)) continue;
            for (std::int64_t h = 0; h < request().num_heads; ++h) {
                const auto one =
                    tiled_attention(head_of(*trace_.q, b, h), head_of(*trace_.k, b, h), head_of(*trace_.v, b, h),
                                    tiles.only(h), request().precision, tiled_options(true), b);
                if (!one) return tl::unexpected(one.error());
                take(*one, head_of(result_.head_context, b, h), b, b * request().num_heads + h);
            }
        }
        return {};
    }

    /// Stores the context and FilledTiles of the heads from first_head on (counted over the batch), and checks their
    /// row sums.
    void take(const TiledContext& tiled, const Tensor& context, std::int64_t first_sequence, std::int64_t first_head) {
        if (context.size() == result_.head_context.size()) {
            result_.head_context = tiled.context;
        } else {
            copy_into(context, tiled.context);
        }
        const std::int64_t size = request().dims().sequence_length;
        copy_into(rows_from(result_.row_offsets, first_head * size, tiled.offsets.size()), tiled.offsets);
        copy_into(rows_from(result_.row_sums, first_head * size, tiled.sums.size()), tiled.sums);
        const std::int64_t own_heads = tiled.context.dim(1), head = first_head % request().num_heads;
        std::vector<double> row_sums = tiled.row_sums.empty() ? completed_sums(tiled.sums) : tiled.row_sums;
        for (std::int64_t n = 0; n < tiled.sums.size() && !tiled.row_sums.empty(); ++n) {
            row_sums[static_cast<std::size_t>(n)] +=
                sink_weight(head + n / size % own_heads, tiled.offsets.value(n), tiled.sums.value(n));
        }
        check_rows(row_sums, own_heads, trace_.mask, first_sequence, request().precision, result_.row_check, head);
        if (tiled.fill_mattered.empty()) return;
        FilledTiles& filled = result_.filled_tiles;
        filled.queries = tiled.query_block;
        const std::int64_t blocks = (size - 1) / tiled.query_block + 1;
        filled.computed.resize(static_cast<std::size_t>(request().dims().batch * request().num_heads * blocks));
        std::copy(tiled.fill_mattered.begin(), tiled.fill_mattered.end(),
                  filled.computed.begin() + static_cast<std::ptrdiff_t>(first_head * blocks));
    }

    /// For half formats with whole rows: the stages' code, which rounds where PyTorch does.
    void attend_by_stages() {
        const Dims dims = request().dims();
        const std::int64_t size = dims.sequence_length;
        if (kept_.count > 0) result_.weights = Tensor(trace_.v->type(), {kept_.count, dims.num_heads, size, size});
        for (std::int64_t b = 0; b < dims.batch; ++b) {
            if (only_weights_ && !kept_.holds(b)) continue;
            for (std::int64_t h = 0; h < dims.num_heads && !cancelled(); ++h) {
                const std::int64_t row = (b * dims.num_heads + h) * size;
                HeadResult head;
                if (kept_.holds(b)) head.weights = head_of(result_.weights, b - kept_.first, h).data<float>();
                std::vector<double> weight_sums(only_weights_ ? 0 : static_cast<std::size_t>(size));
                if (!only_weights_) {
                    head.context = head_of(result_.head_context, b, h).data<float>();
                    head.offsets = result_.row_offsets.data<float>() + row;
                    head.sums = result_.row_sums.data<float>() + row;
                    head.weight_sums = weight_sums.data();
                }
                attend_by_stages(b, h, head);
                if (only_weights_ || cancelled()) continue;
                for (std::int64_t i = 0; i < size; ++i) {
                    weight_sums[static_cast<std::size_t>(i)] +=
                        sink_weight(h, static_cast<double>(head.offsets[i]), static_cast<double>(head.sums[i]));
                }
                check_rows(weight_sums, 1, trace_.mask, b, request().precision, result_.row_check, h);
            }
        }
    }

    /// What is wanted of one head; null if it is not.
    struct HeadResult {
        float *weights = nullptr, *context = nullptr;  ///< (S,S) and (S,Dh)
        float *offsets = nullptr, *sums = nullptr;     ///< (S) each
        double* weight_sums = nullptr;                 ///< (S)
    };

    /// Computes a head in the blocks of rows in which stages::scores() does.
    void attend_by_stages(std::int64_t b, std::int64_t h, const HeadResult& head) const {
        const std::int64_t size = request().dims().sequence_length, dh = request().dims().head_dim();
        const ScoreChange change = score_change(request(), h);
        const HeadRules rules(trace_.mask.of(h), request().fill, request().precision, change);
        const float *q = head_of(*trace_.q, b, h).data<float>(), *k = head_of(*trace_.k, b, h).data<float>();
        const HeadValues<float> values(head_of(*trace_.v, b, h).data<float>(), size, dh, rules);
        const Scaling scaling{request().precision, request().scale, dh};
        const float* kept =
            trace_.scores && kept_.holds(b) ? head_of(*trace_.scores, b - kept_.first, h).data<float>() : nullptr;
        const std::int64_t rows = std::min(stages::kRowsAtOnce, size), blocks = (size + rows - 1) / rows;
        const int threads = threads_for(4.0 * static_cast<double>(size * dh) * static_cast<double>(size));
        if (progress_ && b == 0 && h == 0) progress_->all += blocks * request().dims().batch * request().num_heads;
        parallel_for(threads, blocks, [&](std::int64_t block, int) {
            if (progress_) ++progress_->done;
            const std::int64_t first = block * rows;
            const Tile tile{b, first, std::min(rows, size - first), 0, size};
            const auto cells = static_cast<std::size_t>(tile.queries * size);
            const PooledArray<float> own_scores(kept ? 0 : cells), own_weights(head.weights ? 0 : cells);
            if (!kept) {
                tile_scores(q, k, scaling, tile, own_scores.data(), size, cancel_);
                change_tile(change, request().precision, tile, own_scores.data(), size);
            }
            float* weights = head.weights ? head.weights + first * size : own_weights.data();
            row_weights(rules, tile, kept ? kept + first * size : own_scores.data(), weights, cancel_,
                        head.offsets ? head.offsets + first : nullptr, head.sums ? head.sums + first : nullptr);
            if (cancelled()) return;
            for (std::int64_t r = 0; head.weight_sums && r < tile.queries; ++r) {
                head.weight_sums[first + r] = rows::sum(weights + r * size, size);
            }
            if (!head.context) return;
            values.weighted_sum(rules, tile, weights, head.context + first * dh, cancel_);
            round_all(head.context + first * dh, tile.queries * dh, request().precision);
        });
    }

    /// The weight that a head's sink takes in a row with this softmax; 0 if it has none.
    double sink_weight(std::int64_t head, double offset, double sum) const {
        if (changes_.empty()) return 0;
        const auto& sink = changes_[static_cast<std::size_t>(head)].sink;
        return sink ? std::exp(round_to(request().precision, *sink) - offset) / sum : 0;
    }

    /// The sums of rows of weights, as far as the sums of their exponentials tell.
    std::vector<double> completed_sums(const Tensor& sums) const {
        const bool safe = effective_mode(request().fill, request().precision) == Fill::Safe;
        std::vector<double> completed(static_cast<std::size_t>(sums.size()));
        for (std::int64_t n = 0; n < sums.size(); ++n) {
            const double sum = sums.value(n);
            completed[static_cast<std::size_t>(n)] = safe && sum == 0 ? 0 : sum * (1 / sum);
        }
        return completed;
    }

    const Trace& trace_;
    Kept kept_;
    std::vector<ScoreChange> changes_;
    bool only_weights_;
    const std::atomic<bool>* cancel_;
    WorkCounter* progress_;
    Attended result_;
};

}  // namespace

Result<Attended> attend_to(const Trace& trace, bool only_weights, const std::atomic<bool>* cancel,
                           WorkCounter* progress) {
    return Attention(trace, only_weights, cancel, progress).run();
}

Result<Tensor> whole_context(const Trace& trace, const HeadTileMaps& tiles, std::int64_t sequence,
                             const std::atomic<bool>* cancel) {
    return Attention(trace, false, cancel).whole_context(tiles.tiles(), sequence);
}

}  // namespace headscope
