// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/compute.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <new>
#include <string_view>
#include <unordered_map>

#include "core/attention/chunked.h"
#include "core/attention/plan.h"
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

/// (B,S,E): the vector of each token by its text; drawn once where a token is repeated.
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

/// Largest |a - b|; NaN and the same infinity match themselves, and are infinitely far from anything else.
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

/// One head as a tensor of its own, (1,1,S,columns), which shares the numbers.
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

/// One run of compute(): the ten steps in their order, each passed on or made anew.
class Computation {
public:
    Computation(const Request& request, TracePtr previous, const std::atomic<bool>* cancel)
        : request_(request), previous_(std::move(previous)), cancel_(cancel) {
        trace_.request = request;
    }

    Result<TracePtr> run() {
        const auto begin = std::chrono::steady_clock::now();
        if (auto ready = prepare(); !ready) return tl::unexpected(ready.error());
        if (auto layer = make_layer(); !layer) return tl::unexpected(layer.error());
        for (const auto step : {&Computation::make_x, &Computation::project_and_split, &Computation::make_scores}) {
            if (!cancelled()) (this->*step)();
        }
        if (cancelled()) return fail(ErrorCode::Cancelled, "a newer change took over");
        if (auto attended = attend(); !attended) return tl::unexpected(attended.error());
        if (cancelled()) return fail(ErrorCode::Cancelled, "a newer change took over");
        if (is_large(trace_)) release_pooled_blocks();  // what lies idle would be needed sooner elsewhere
        list_computed();
        trace_.milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        return std::make_shared<const Trace>(std::move(trace_));
    }

private:
    bool cancelled() const { return cancel_ && *cancel_; }

    /// Checks the request, sees what can be passed on, and takes no memory that can't be had.
    Result<void> prepare() {
        if (auto legal = check_request(request_); !legal) return legal;
        const auto mask_size = mask_bytes(request_);
        if (!mask_size) return tl::unexpected(mask_size.error());
        bool same = previous_ && same_mask(request_, previous_->request);
        if (same) {
            trace_.mask = previous_->mask;
        } else {
            if (auto fits = require_memory(*mask_size, phrase("the mask")); !fits) return fits;
            auto mask = Mask::build(request_.mask, request_.batch);
            if (!mask) return tl::unexpected(mask.error());
            same = previous_ && **mask == *previous_->mask;  // another text for the same cells changes nothing
            trace_.mask = same ? previous_->mask : *mask;
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
            trace_.q = shared(std::move(heads.q));
            trace_.k = shared(std::move(heads.k));
            trace_.v = shared(std::move(heads.v));
        }
    }

    void make_scores() {
        kept_ = kept_sequences(request_);
        trace_.first_kept = kept_.first;
        trace_.scores = reuse_.scores ? previous_->scores
                                      : shared(stages::scores(trace_.q->part(kept_.first, kept_.count),
                                                              trace_.k->part(kept_.first, kept_.count), request_.scale,
                                                              request_.precision, cancel_));
    }

    /// Softmax onwards: weights, context, concatenation and output.
    Result<void> attend() {
        if (auto bytes = state_bytes(); !bytes) return bytes;
        const bool whole = is_whole(request_.dims().sequence_length, request_.chunk_size, request_.key_chunk_size);
        if (!reuse_.context) head_context_ = Tensor(trace_.v->type(), trace_.v->shape());
        if (reuse_.weights) {
            trace_.weights = previous_->weights;
        } else if (auto made = whole ? attend_whole() : attend_in_chunks(); !made) {
            return made;
        }
        if (reuse_.context) {
            trace_.head_context = previous_->head_context;
            trace_.context = previous_->context;
            trace_.row_check = previous_->row_check;
        } else {
            trace_.head_context = shared(head_context_);
            trace_.context = shared(stages::concatenate(head_context_));
        }
        trace_.output = reuse_.output ? previous_->output : shared(project_out(*trace_.context));
        if (reuse_.context) {
            trace_.chunk_difference = previous_->chunk_difference;
        } else if (!whole) {
            compare_with_whole();
        }
        return {};
    }

    Result<void> state_bytes() {
        const Dims dims = request_.dims();
        const auto all = chunked_bytes(dims, request_.precision, {}, {});
        const auto chunked = chunked_bytes(dims, request_.precision, request_.chunk_size, request_.key_chunk_size);
        if (!all) return tl::unexpected(all.error());
        if (!chunked) return tl::unexpected(chunked.error());
        trace_.bytes_whole = *all;
        trace_.bytes_chunked = *chunked;
        return {};
    }

    Tensor project_out(const Tensor& context) const {
        const Layer& layer = *trace_.used_layer;
        return stages::project(context, layer.out_weight, layer.out_bias, request_.precision, cancel_);
    }

    Result<void> attend_whole() {
        const Tensor v = trace_.v->part(kept_.first, kept_.count);
        trace_.weights = shared(
            stages::weights(*trace_.scores, *trace_.mask, request_.fill, request_.precision, cancel_, kept_.first));
        if (reuse_.context) return {};
        if (!cancelled()) check(*trace_.weights, kept_.first);
        const Tensor context = stages::head_context(*trace_.weights, v, *trace_.mask, request_.fill, request_.precision,
                                                    cancel_, kept_.first);
        if (kept_.count == request_.dims().batch) {
            head_context_ = context;
            return {};
        }
        copy_into(head_context_.part(kept_.first, kept_.count), context);
        for (std::int64_t b = 0; b < request_.dims().batch; ++b) {
            if (kept_.holds(b)) continue;
            for (std::int64_t h = 0; h < request_.num_heads && !cancelled(); ++h) {
                copy_into(head_of(head_context_, b, h), whole_head(b, h));
            }
        }
        return {};
    }

    /// The context of a head the whole way, its weights taken and given back: for what isn't kept.
    Tensor whole_head(std::int64_t b, std::int64_t h) {
        const Tensor scores = kept_.holds(b) ? head_of(*trace_.scores, b - kept_.first, h)
                                             : stages::scores(head_of(*trace_.q, b, h), head_of(*trace_.k, b, h),
                                                              request_.scale, request_.precision, cancel_);
        const Tensor weights = stages::weights(scores, *trace_.mask, request_.fill, request_.precision, cancel_, b);
        if (!kept_.holds(b) && !cancelled()) check(weights, b);
        return stages::head_context(weights, head_of(*trace_.v, b, h), *trace_.mask, request_.fill, request_.precision,
                                    cancel_, b);
    }

    void check(const Tensor& weights, std::int64_t first_sequence) {
        check_rows(weights, *trace_.mask, first_sequence, request_.precision, trace_.row_check);
    }

    /// Context and weights from chunks, the weights of the kept sequences only.
    Result<void> attend_in_chunks() {
        const std::int64_t batch = request_.dims().batch, end = kept_.first + kept_.count;
        const Kept groups[] = {{0, kept_.first}, kept_, {end, batch - end}};
        for (const Kept& group : groups) {
            const bool wanted = group == kept_;
            if (group.count == 0 || (reuse_.context && !wanted)) continue;
            const auto part = [&](const TensorPtr& tensor) { return tensor->part(group.first, group.count); };
            auto chunked = chunked_attention(part(trace_.q), part(trace_.k), part(trace_.v), *trace_.mask,
                                             request_.fill, request_.scale, request_.precision, request_.chunk_size,
                                             request_.key_chunk_size, wanted, cancel_, group.first);
            if (!chunked) return tl::unexpected(chunked.error());
            if (wanted) trace_.weights = shared(std::move(chunked->weights));
            if (reuse_.context) continue;
            if (wanted) check(*trace_.weights, group.first);
            copy_into(head_context_.part(group.first, group.count), chunked->context);
        }
        return {};
    }

    /// Runs the whole way beside the chunks, a head and a sequence at a time, to say how far they are apart.
    void compare_with_whole() {
        for (std::int64_t b = 0; b < request_.dims().batch; ++b) {
            Tensor context(trace_.v->type(), trace_.v->part(b, 1).shape());
            for (std::int64_t h = 0; h < request_.num_heads; ++h) {
                if (cancelled()) return;
                copy_into(head_of(context, 0, h), whole_head(b, h));
            }
            const Tensor output = project_out(stages::concatenate(context));
            trace_.chunk_difference =
                std::max(trace_.chunk_difference, largest_difference(output, trace_.output->part(b, 1)));
        }
    }

    void list_computed() {
        const bool masked_same = reuse_.scores && reuse_.mask && request_.fill == previous_->request.fill;
        const std::pair<Stage, bool> passed_on[] = {{Stage::X, reuse_.x},
                                                    {Stage::Qkv, reuse_.qkv},
                                                    {Stage::Heads, reuse_.heads},
                                                    {Stage::Q, reuse_.heads},
                                                    {Stage::K, reuse_.heads},
                                                    {Stage::V, reuse_.heads},
                                                    {Stage::Scores, reuse_.scores},
                                                    {Stage::Mask, reuse_.mask},
                                                    {Stage::Masked, masked_same},
                                                    {Stage::Weights, reuse_.weights},
                                                    {Stage::HeadContext, reuse_.context},
                                                    {Stage::Concat, reuse_.context},
                                                    {Stage::Output, reuse_.output}};
        for (const auto& [stage, same] : passed_on) {
            if (!same) trace_.computed.push_back(stage);
        }
    }

    const Request& request_;
    TracePtr previous_;
    const std::atomic<bool>* cancel_;
    Reuse reuse_;
    Kept kept_;
    Tensor head_context_;
    Trace trace_;
};

}  // namespace

Result<TracePtr> compute(const Request& request, const TracePtr& previous, const std::atomic<bool>* cancel) {
    try {
        return Computation(request, previous, cancel).run();
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "the memory ran out; fewer tokens or a smaller layer would fit");
    }
}

Result<std::uint64_t> estimated_bytes(const Request& request) {
    return needed_bytes(request, {});
}

}  // namespace headscope
