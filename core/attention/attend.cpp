// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/attend.h"

#include <algorithm>

#include "core/attention/plan.h"
#include "core/attention/stages.h"
#include "core/base/config.h"
#include "core/engine/row_kernels.h"
#include "core/engine/tiled.h"

namespace headscope {

namespace {

/// A view of one head as a tensor (1,1,S,columns).
Tensor head_of(const Tensor& tensor, std::int64_t sequence, std::int64_t head) {
    const std::int64_t heads = tensor.dim(1), rows = tensor.dim(2), columns = tensor.dim(3);
    return tensor.reshaped({tensor.dim(0) * heads, 1, rows, columns}).part(sequence * heads + head, 1);
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
    Attention(const Trace& trace, bool only_weights, const std::atomic<bool>* cancel)
        : trace_(trace), kept_(kept_sequences(trace.request)), only_weights_(only_weights), cancel_(cancel) {}

    Result<Attended> run() {
        if (!only_weights_) result_.head_context = Tensor(trace_.v->type(), trace_.v->shape());
        if (computes_tiles(request())) {
            if (auto made = attend_in_tiles(); !made) return tl::unexpected(made.error());
        } else {
            attend_by_stages();
        }
        return std::move(result_);
    }

    Result<Tensor> whole_context(const TileMap& tiles, std::int64_t b) const {
        const Tensor q = trace_.q->part(b, 1), k = trace_.k->part(b, 1), v = trace_.v->part(b, 1);
        if (!is_half(request().precision)) {
            return tiled_attention(q, k, v, tiles, request().precision, tiled_options(false), b)
                .map([](const TiledContext& tiled) { return tiled.context; });
        }
        Tensor context(v.type(), v.shape());
        for (std::int64_t h = 0; h < request().num_heads && !cancelled(); ++h) {
            copy_into(head_of(context, 0, h), staged_context(staged_weights(b, h), b, h));
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
        return options;
    }

    /// Computes the weights of the kept sequences, and checks the rows of the others one head at a time.
    Result<void> attend_in_tiles() {
        const TileMap tiles(trace_.mask, tile_size(request()));
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
                    tiled_attention(head_of(*trace_.q, b, h), head_of(*trace_.k, b, h), head_of(*trace_.v, b, h), tiles,
                                    request().precision, tiled_options(true), b);
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
        check_rows(tiled.row_sums, tiled.context.dim(1), *trace_.mask, first_sequence, request().precision,
                   result_.row_check);
        if (tiled.fill_mattered.empty()) return;
        FilledTiles& filled = result_.filled_tiles;
        filled.queries = tiled.query_block;
        const std::int64_t blocks = (request().dims().sequence_length - 1) / tiled.query_block + 1;
        filled.computed.resize(static_cast<std::size_t>(request().dims().batch * request().num_heads * blocks));
        std::copy(tiled.fill_mattered.begin(), tiled.fill_mattered.end(),
                  filled.computed.begin() + static_cast<std::ptrdiff_t>(first_head * blocks));
    }

    /// For half formats with whole rows: calls the stages, which round where PyTorch does.
    void attend_by_stages() {
        const Dims dims = request().dims();
        const Shape square{kept_.count, dims.num_heads, dims.sequence_length, dims.sequence_length};
        Tensor kept(trace_.v->type(), square);
        for (std::int64_t b = 0; b < dims.batch; ++b) {
            if (only_weights_ && !kept_.holds(b)) continue;
            for (std::int64_t h = 0; h < dims.num_heads && !cancelled(); ++h) {
                const Tensor weights = staged_weights(b, h);
                if (kept_.holds(b)) copy_into(head_of(kept, b - kept_.first, h), weights);
                if (only_weights_ || cancelled()) continue;
                check_rows(sums_of(weights), 1, *trace_.mask, b, request().precision, result_.row_check);
                copy_into(head_of(result_.head_context, b, h), staged_context(weights, b, h));
            }
        }
        result_.weights = std::move(kept);
    }

    Tensor staged_weights(std::int64_t b, std::int64_t h) const {
        const Tensor scores = trace_.scores && kept_.holds(b)
                                  ? head_of(*trace_.scores, b - kept_.first, h)
                                  : stages::scores(head_of(*trace_.q, b, h), head_of(*trace_.k, b, h), request().scale,
                                                   request().precision, cancel_);
        return stages::weights(scores, *trace_.mask, request().fill, request().precision, cancel_, b);
    }

    Tensor staged_context(const Tensor& weights, std::int64_t b, std::int64_t h) const {
        return stages::head_context(weights, head_of(*trace_.v, b, h), *trace_.mask, request().fill,
                                    request().precision, cancel_, b);
    }

    static std::vector<double> sums_of(const Tensor& weights) {
        const std::int64_t size = weights.dim(3);
        std::vector<double> sums;
        for (std::int64_t row = 0; row < weights.size() / size; ++row) {
            sums.push_back(rows::sum(weights.data<float>() + row * size, size));
        }
        return sums;
    }

    const Trace& trace_;
    Kept kept_;
    bool only_weights_;
    const std::atomic<bool>* cancel_;
    Attended result_;
};

}  // namespace

Result<Attended> attend_to(const Trace& trace, bool only_weights, const std::atomic<bool>* cancel) {
    return Attention(trace, only_weights, cancel).run();
}

Result<Tensor> whole_context(const Trace& trace, const TileMap& tiles, std::int64_t sequence,
                             const std::atomic<bool>* cancel) {
    return Attention(trace, false, cancel).whole_context(tiles, sequence);
}

}  // namespace headscope
