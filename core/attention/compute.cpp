// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/compute.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <new>
#include <string_view>
#include <unordered_map>

#include "core/attention/attend.h"
#include "core/attention/chunks.h"
#include "core/attention/plan.h"
#include "core/attention/preview.h"
#include "core/attention/query_key.h"
#include "core/attention/recorded.h"
#include "core/attention/stages.h"
#include "core/base/buffer_pool.h"
#include "core/base/memory.h"
#include "core/base/sentence.h"
#include "core/engine/rounding.h"
#include "core/weights/textbook.h"
#include "core/weights/torch_random.h"

namespace headscope {

namespace {

TensorPtr shared(Tensor tensor) {
    return std::make_shared<const Tensor>(std::move(tensor));
}

/// (B,S,E): the vector of each token, looked up by its text. A repeated token is drawn once.
Tensor token_vectors(const Batch& batch, std::uint64_t seed, std::int64_t embed_dim, const std::atomic<bool>* cancel) {
    auto x = Tensor::of<float>({batch.size(), batch.sequence_length(), embed_dim});
    std::unordered_map<std::string_view, const float*> drawn;
    float* out = x.data<float>();
    for (const auto& tokens : batch.tokens) {
        for (const auto& token : tokens) {
            if (cancel && *cancel) return x;
            const auto [known, is_new] = drawn.emplace(token, out);
            if (is_new) {
                token_vector(token, seed, embed_dim, out);
            } else {
                std::copy_n(known->second, embed_dim, out);
            }
            out += embed_dim;
        }
    }
    return x;
}

/// Largest |a - b|. NaN matches NaN and an infinity matches itself; their difference from any other value is infinite.
double largest_difference(const Tensor& a, const Tensor& b) {
    double largest = 0;
    for (std::int64_t n = 0; n < a.size(); ++n) {
        const double left = a.value(n), right = b.value(n);
        if (left == right || (std::isnan(left) && std::isnan(right))) continue;
        const double difference = std::fabs(left - right);
        largest = std::max(largest, std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference);
    }
    return largest;
}

/// One run of compute(): executes the ten steps in order, each reused or computed.
class Computation {
public:
    Computation(const Request& request, TracePtr previous, const std::atomic<bool>* cancel, const Reports& reports)
        : request_(request), previous_(std::move(previous)), cancel_(cancel), reports_(reports) {
        trace_.request = request;
    }

    Result<TracePtr> run() {
        const auto begin = std::chrono::steady_clock::now();
        if (auto ready = prepare(); !ready) return tl::unexpected(ready.error());
        if (auto layer = make_layer(); !layer) return tl::unexpected(layer.error());
        for (const auto step : {&Computation::make_x, &Computation::project_and_split, &Computation::make_scores}) {
            if (!cancelled()) (this->*step)();
        }
        if (auto bytes = count_bytes(); !bytes) return tl::unexpected(bytes.error());
        report_preview();
        if (cancelled()) return fail(ErrorCode::Cancelled, "a newer change replaced it");
        if (auto attended = attend(); !attended) return tl::unexpected(attended.error());
        if (cancelled()) return fail(ErrorCode::Cancelled, "a newer change replaced it");
        // Other allocations may need the unused memory.
        if (is_large(trace_) || !trace_.mask.stores_cells()) release_pooled_blocks();
        list_computed();
        trace_.milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        return std::make_shared<const Trace>(std::move(trace_));
    }

private:
    bool cancelled() const { return cancel_ && *cancel_; }

    /// Checks the request, finds what can be reused, and fails before allocating if the memory does not suffice.
    Result<void> prepare() {
        if (auto legal = check_request(request_); !legal) return legal;
        const auto mask_size = mask_bytes(request_);
        if (!mask_size) return tl::unexpected(mask_size.error());
        bool same = previous_ && same_mask(request_, previous_->request) &&
                    (previous_->mask.stores_cells() || kept_sequences(request_).count == 0);
        if (same) {
            trace_.mask = previous_->mask;
        } else {
            if (auto fits = require_memory(*mask_size, phrase("the mask")); !fits) return fits;
            auto mask = HeadMasks::build(request_.mask, request_.batch, request_.num_heads, stored_mask_bytes(request_),
                                         previous_ ? previous_->mask : HeadMasks());
            if (!mask) return tl::unexpected(mask.error());
            same = previous_ && *mask == previous_->mask;  // another expression for the same cells changes nothing
            trace_.mask = std::move(*mask);
        }
        if (previous_) reuse_ = reusable(request_, *previous_, same);
        const auto bytes = needed_bytes(request_, reuse_);
        if (!bytes) return tl::unexpected(bytes.error());
        return require_memory(*bytes, phrase("this computation"));
    }

    Result<void> make_layer() {
        if (reuse_.used_layer && request_.num_heads == previous_->request.num_heads) {
            trace_.layer = previous_->layer;
            trace_.used_layer = previous_->used_layer;
            return {};
        }
        if (reuse_.layer_tensors && request_.num_heads == previous_->request.num_heads) {
            trace_.layer = previous_->layer;
        } else {
            auto layer = drawn_layer();
            if (!layer) return tl::unexpected(layer.error());
            trace_.layer = std::make_shared<const Layer>(std::move(*layer));
        }
        Layer used = reuse_.used_layer ? *previous_->used_layer : *trace_.layer;
        used.num_heads = request_.num_heads;
        if (!reuse_.used_layer) {
            for (Tensor* tensor : {&used.qkv_weight, &used.qkv_bias, &used.out_weight, &used.out_bias}) {
                *tensor = in_precision(*tensor, request_.precision);
            }
        }
        trace_.used_layer = std::make_shared<const Layer>(std::move(used));
        return {};
    }

    Result<Layer> drawn_layer() const {
        if (reuse_.layer_tensors) {
            Layer layer = *previous_->layer;
            layer.num_heads = request_.num_heads;
            return layer;
        }
        switch (request_.source) {
            case WeightSource::Seed:
                return seeded_layer(request_.seed, request_.embed_dim, request_.num_heads);
            case WeightSource::File:
                return layer_from_file(*request_.file, request_.num_heads);
            case WeightSource::Textbook:
            case WeightSource::Recording:  // has no layer; compute() reads it elsewhere
                break;
        }
        return textbook_layer(request_.embed_dim, request_.num_heads);
    }

    void make_x() {
        if (reuse_.x) {
            trace_.x = previous_->x;
            return;
        }
        const auto drawn = [&] {
            if (request_.source == WeightSource::Textbook) {
                return textbook_x(request_.batch, request_.seed, request_.embed_dim);
            }
            if (request_.source == WeightSource::File && request_.file->x) return *request_.file->x;
            return token_vectors(request_.batch, request_.seed, request_.embed_dim, cancel_);
        };
        trace_.x = shared(in_precision(drawn(), request_.precision));
    }

    Tensor projected() const {
        const Layer& layer = *trace_.used_layer;
        const Precision precision = request_.precision;
        if (!reuse_.used_layer) return stages::project(*trace_.x, layer.qkv_weight, layer.qkv_bias, precision, cancel_);
        return stages::project_changes(*trace_.x, *previous_->x, *previous_->qkv, layer.qkv_weight, layer.qkv_bias,
                                       precision, cancel_);
    }

    void project_and_split() {
        trace_.qkv = reuse_.qkv ? previous_->qkv : shared(projected());
        if (reuse_.heads) {
            trace_.q = previous_->q;
            trace_.k = previous_->k;
            trace_.v = previous_->v;
        } else {
            stages::Heads heads = stages::split_heads(*trace_.qkv, request_.num_heads);
            stages::change_queries_and_keys(heads.q, heads.k, request_.mask, request_.precision);
            trace_.q = shared(std::move(heads.q));
            trace_.k = shared(std::move(heads.k));
            trace_.v = shared(std::move(heads.v));
        }
    }

    void make_scores() {
        const Kept kept = kept_sequences(request_);
        trace_.first_kept = kept.first;
        if (reuse_.scores) {
            trace_.scores = previous_->scores;
        } else if (request_.keep_scores && kept.count > 0) {
            Tensor scores =
                stages::scores(trace_.q->part(kept.first, kept.count), trace_.k->part(kept.first, kept.count),
                               request_.scale, request_.precision, cancel_);
            stages::change_scores(scores, score_changes(request_), request_.precision, cancel_);
            trace_.scores = shared(std::move(scores));
        }
    }

    void report_preview() const {
        if (!reports_.preview || reuse_.context || kept_sequences(request_).count > 0 || cancelled()) return;
        if (!trace_.mask.one_for_all() || !score_changes(request_).empty()) return;
        Trace preview = trace_;
        add_known_rows(preview, cancel_);
        if (!cancelled()) reports_.preview(std::make_shared<const Trace>(std::move(preview)));
    }

    /// Computes the steps from the softmax on: weights, context, concatenation and output.
    Result<void> attend() {
        const bool keeps = kept_sequences(request_).count > 0;
        if (reuse_.weights) {
            trace_.weights = previous_->weights;
        } else if (keeps || !reuse_.context) {
            auto attended = attend_to(trace_, reuse_.context, cancel_, reports_.progress);
            if (!attended) return tl::unexpected(attended.error());
            if (keeps) trace_.weights = shared(std::move(attended->weights));
            if (!reuse_.context) take(std::move(*attended));
        }
        if (reuse_.context) {
            trace_.row_offsets = previous_->row_offsets;
            trace_.row_sums = previous_->row_sums;
            trace_.head_context = previous_->head_context;
            trace_.context = previous_->context;
            trace_.filled_tiles = previous_->filled_tiles;
            trace_.row_check = previous_->row_check;
            trace_.chunk_difference = previous_->chunk_difference;
        }
        trace_.output = reuse_.output ? previous_->output : shared(project_out(*trace_.context));
        return reuse_.context ? Result<void>() : compare_with_whole();
    }

    void take(Attended&& attended) {
        trace_.context = shared(stages::concatenate(attended.head_context));
        if (trace_.mask.stores_cells()) trace_.head_context = shared(std::move(attended.head_context));
        trace_.row_offsets = shared(std::move(attended.row_offsets));
        trace_.row_sums = shared(std::move(attended.row_sums));
        trace_.filled_tiles = std::move(attended.filled_tiles);
        trace_.row_check = attended.row_check;
    }

    Result<void> count_bytes() {
        const auto whole = chunk_bytes(request_.dims(), request_.precision, {}, {});
        if (!whole) return tl::unexpected(whole.error());
        const auto chunks =
            chunk_bytes(request_.dims(), request_.precision, request_.chunk_size, request_.key_chunk_size);
        if (!chunks) return tl::unexpected(chunks.error());
        trace_.bytes_whole = whole->sum();
        trace_.bytes_chunked = chunks->sum();
        trace_.bytes_running = chunks->running;
        return {};
    }

    Tensor project_out(const Tensor& context) const {
        const Layer& layer = *trace_.used_layer;
        return stages::project(context, layer.out_weight, layer.out_bias, request_.precision, cancel_);
    }

    /// Also computes the context without chunks, to report how far the outputs differ. Half formats with chunks of
    /// queries alone compute whole rows anyway. Not for long sequences, where it would double time and memory.
    Result<void> compare_with_whole() {
        const bool whole = is_whole(request_.dims().sequence_length, request_.chunk_size, request_.key_chunk_size);
        if (whole || !computes_tiles(request_)) return {};
        if (kept_sequences(request_).count == 0) {
            trace_.chunk_difference = std::numeric_limits<double>::quiet_NaN();
            return {};
        }
        const HeadTileMaps tiles(trace_.mask, request_.mask, request_.num_heads);
        for (std::int64_t b = 0; b < request_.dims().batch && !cancelled(); ++b) {
            const auto context = whole_context(trace_, tiles, b, cancel_);
            if (!context) return tl::unexpected(context.error());
            const Tensor output = project_out(stages::concatenate(*context));
            trace_.chunk_difference =
                std::max(trace_.chunk_difference, largest_difference(output, trace_.output->part(b, 1)));
        }
        return {};
    }

    void list_computed() {
        const bool masked_same =
            (reuse_.scores || !trace_.scores) && reuse_.mask && request_.fill == previous_->request.fill;
        const std::pair<Stage, bool> reused[] = {{Stage::X, reuse_.x},
                                                 {Stage::Qkv, reuse_.qkv},
                                                 {Stage::Heads, reuse_.heads},
                                                 {Stage::Q, reuse_.heads},
                                                 {Stage::K, reuse_.heads},
                                                 {Stage::V, reuse_.heads},
                                                 {Stage::Scores, reuse_.scores || !trace_.scores},
                                                 {Stage::Mask, reuse_.mask},
                                                 {Stage::Masked, masked_same},
                                                 {Stage::Weights, reuse_.weights || !trace_.weights},
                                                 {Stage::HeadContext, reuse_.context},
                                                 {Stage::Concat, reuse_.context},
                                                 {Stage::Output, reuse_.output}};
        for (const auto& [stage, same] : reused) {
            if (!same) trace_.computed.push_back(stage);
        }
    }

    const Request& request_;
    TracePtr previous_;
    const std::atomic<bool>* cancel_;
    const Reports& reports_;
    Reuse reuse_;
    Trace trace_;
};

}  // namespace

Result<TracePtr> compute(const Request& request, const TracePtr& previous, const std::atomic<bool>* cancel,
                         const Reports& reports) {
    try {
        if (request.source == WeightSource::Recording) return compute_recorded(request, previous, cancel);
        return Computation(request, previous, cancel, reports).run();
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "the memory ran out; fewer tokens or a smaller layer would fit");
    }
}

Result<std::uint64_t> estimated_bytes(const Request& request) {
    return needed_bytes(request, {});
}

}  // namespace headscope
