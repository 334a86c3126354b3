// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/plan.h"

#include <algorithm>

#include "core/attention/chunks.h"
#include "core/attention/preview.h"
#include "core/attention/query_key.h"
#include "core/attention/stages.h"
#include "core/base/config.h"
#include "core/base/memory.h"
#include "core/base/thread_pool.h"
#include "core/engine/tiled.h"

namespace headscope {

namespace {

constexpr std::int64_t kLarge = 256'000'000;  // bytes of one (B,H,S,S) tensor

std::int64_t item_bytes(Precision precision) {
    return storage_type(precision) == Tensor::Type::Float64 ? 8 : 4;
}

/// Adds products of sizes, and stays empty once a product or the sum has overflowed.
class ByteSum {
public:
    void add(Result<std::uint64_t> bytes) {
        if (!bytes) {
            sum_ = std::move(bytes);
        } else if (sum_ && __builtin_add_overflow(*sum_, *bytes, &*sum_)) {
            sum_ = fail(ErrorCode::OutOfMemory, "the sizes are more than any memory holds");
        }
    }
    void add(std::initializer_list<std::int64_t> factors) {
        add(checked_product(factors).map([](std::int64_t n) { return static_cast<std::uint64_t>(n); }));
    }
    Result<std::uint64_t> sum() const { return sum_; }

private:
    Result<std::uint64_t> sum_ = std::uint64_t{0};
};

/// The source of the tokens' vectors.
enum class Vectors { Tokens, Textbook, File };

Vectors vectors_of(const Request& request) {
    if (request.source == WeightSource::Textbook) return Vectors::Textbook;
    return request.source == WeightSource::File && request.file && request.file->x ? Vectors::File : Vectors::Tokens;
}

bool same_layer_tensors(const Request& a, const Request& b) {
    if (a.source != b.source || a.embed_dim != b.embed_dim) return false;
    switch (a.source) {
        case WeightSource::Seed:
            return a.seed == b.seed;
        case WeightSource::Textbook:  // the seed only draws their x
            return a.num_heads == b.num_heads;
        case WeightSource::File:
            return a.file == b.file && a.num_heads == b.num_heads;
        case WeightSource::Recording:
            break;
    }
    return false;
}

bool same_x(const Request& a, const Request& b) {
    if (a.source == WeightSource::Recording || b.source == WeightSource::Recording) return false;
    if (a.precision != b.precision || a.embed_dim != b.embed_dim || vectors_of(a) != vectors_of(b)) return false;
    if (vectors_of(a) == Vectors::File) return a.file == b.file;
    return a.seed == b.seed && a.batch == b.batch;
}

/// True if f(head) is equal for both requests and every head of them.
template <typename F>
bool same_for_heads(const Request& a, const Request& b, F&& f) {
    if (a.mask == b.mask && a.num_heads == b.num_heads) return true;
    if (a.num_heads != b.num_heads && (a.mask.parts().size() > 1 || b.mask.parts().size() > 1)) return false;
    for (std::int64_t head = 0; head < a.num_heads; ++head) {
        if (!(f(a, head) == f(b, head))) return false;
    }
    return true;
}

bool same_masks(const Request& a, const Request& b) {
    return same_for_heads(a, b, [](const Request& r, std::int64_t head) { return r.mask.mask(head); });
}

/// The rules that change q and k.
bool same_queries_and_keys(const Request& a, const Request& b) {
    return same_for_heads(a, b, [](const Request& r, std::int64_t head) {
        std::vector<ScoreRule> rules;
        for (const auto kind : {ScoreRule::Kind::Norm, ScoreRule::Kind::Rope}) {
            if (const ScoreRule* rule = r.mask.of(head).rule(kind)) rules.push_back(*rule);
        }
        return rules;
    });
}

bool same_chunks(const Request& a, const Request& b) {
    const std::int64_t size = a.batch.sequence_length();
    const auto cut = [&](const std::optional<std::int64_t>& chunk) { return std::min(chunk.value_or(size), size); };
    return cut(a.chunk_size) == cut(b.chunk_size) && cut(a.key_chunk_size) == cut(b.key_chunk_size);
}

}  // namespace

Kept kept_sequences(const Request& request) {
    const Dims d = request.dims();
    const auto fit = [&](std::int64_t sequences, std::int64_t limit) {
        const auto bytes = checked_product({2, sequences, d.num_heads, d.sequence_length, d.sequence_length,
                                            item_bytes(request.precision)});  // scores and weights
        return bytes && *bytes <= limit;
    };
    if (fit(d.batch, std::min(kKeptBytes, request.kept_bytes))) return {0, d.batch};
    if (!fit(1, request.kept_bytes)) return {};
    return {std::clamp<std::int64_t>(request.kept_sequence, 0, std::max<std::int64_t>(d.batch - 1, 0)), 1};
}

std::int64_t stored_mask_bytes(const Request& request) {
    return request.kept_bytes / (kKeptBytes / Mask::kStoredBytes);
}

bool has_small_scores(const Request& request) {
    constexpr std::int64_t kSmall = 16'000'000;
    const Dims d = request.dims();
    const std::int64_t kept = kept_sequences(request).count, size = d.sequence_length;
    const auto bytes = checked_product({kept, d.num_heads, size, size, item_bytes(request.precision)});
    return bytes && *bytes <= kSmall;
}

bool computes_tiles(const Request& request) {
    return !is_half(request.precision) || tile_size(request).keys;
}

TileSize tile_size(const Request& request) {
    const std::int64_t size = request.dims().sequence_length;
    return {part_of(size, request.chunk_size), part_of(size, request.key_chunk_size)};
}

bool same_mask(const Request& now, const Request& before) {
    if (!same_masks(now, before) || now.batch.size() != before.batch.size() ||
        now.batch.sequence_length() != before.batch.sequence_length()) {
        return false;
    }
    return !now.mask.uses_padding() || now.batch.real == before.batch.real;
}

Reuse reusable(const Request& now, const Request& before, bool same_mask) {
    Reuse reuse;
    reuse.mask = same_mask;
    reuse.layer_tensors = same_layer_tensors(now, before);
    reuse.used_layer = reuse.layer_tensors && now.precision == before.precision;
    reuse.x = same_x(now, before);
    reuse.qkv = reuse.x && reuse.used_layer;
    reuse.heads = reuse.qkv && now.num_heads == before.num_heads && same_queries_and_keys(now, before);
    const bool same_steps =
        same_for_heads(now, before, [](const Request& r, std::int64_t head) { return score_change(r, head).steps; });
    const bool same_sinks =
        same_for_heads(now, before, [](const Request& r, std::int64_t head) { return score_change(r, head).sink; });
    const bool same_scores = reuse.heads && now.scale == before.scale && same_steps;
    const bool same_fill = effective_mode(now.fill, now.precision) == effective_mode(before.fill, before.precision);
    const bool same_kept = same_scores && kept_sequences(now) == kept_sequences(before);
    reuse.scores = same_kept;
    reuse.context = same_scores && same_sinks && reuse.mask && same_fill && same_chunks(now, before);
    reuse.weights = reuse.context && same_kept;
    reuse.output = reuse.context;
    return reuse;
}

Reuse reusable(const Request& now, const Trace& before, bool same_mask) {
    Reuse reuse = reusable(now, before.request, same_mask);
    reuse.scores = reuse.scores && before.keeps(Stage::Scores);
    reuse.weights = reuse.weights && before.keeps(Stage::Weights);
    return reuse;
}

namespace {

bool keeps_large(const Trace& trace, Stage stage) {
    return trace.keeps(stage) && trace.tensor(stage)->bytes() > kLarge;
}

}  // namespace

bool is_large(const Trace& trace) {
    return keeps_large(trace, Stage::Scores) || keeps_large(trace, Stage::Weights);
}

bool outdates_large_scores(const Request& next, const Trace& trace) {
    return keeps_large(trace, Stage::Scores) && !reusable(next, trace, same_mask(next, trace.request)).scores;
}

Result<std::uint64_t> mask_bytes(const Request& request) {
    const Dims d = request.dims();
    const std::int64_t masks = count_masks(request.mask);
    std::int64_t matrices = 0;  // a few too many if only some heads use padding
    for (const HeadPart& part : request.mask.parts()) {
        matrices = std::max(matrices, masks * (padding_matters(part.mask, request.batch) ? d.batch : 1));
    }
    const auto matrix = checked_product({d.sequence_length, d.sequence_length});
    ByteSum bytes;
    if (matrix && *matrix <= stored_mask_bytes(request) / masks) bytes.add({matrices, *matrix});
    bytes.add({matrices, d.sequence_length, d.sequence_length / TileMap::kSide / TileMap::kSide + 4});
    return bytes.sum();
}

namespace {

/// Bytes of the kept sequences' weights, and of the scratch while they and the context are computed.
Result<std::uint64_t> attention_bytes(const Request& request, std::int64_t kept, bool others) {
    const Dims d = request.dims();
    const std::int64_t s = d.sequence_length;
    ByteSum bytes;
    if (!computes_tiles(request)) {
        bytes.add({kept, d.num_heads, s, s, item_bytes(request.precision)});
        bytes.add({2, available_threads(), std::min(stages::kRowsAtOnce, s), s, item_bytes(request.precision)});
        return bytes.sum();
    }
    const TileSize size = tile_size(request);
    if (kept == 0) return tiled_bytes(d, request.precision, size, false);
    const Dims one_head{1, s, d.head_dim(), 1};
    bytes.add(tiled_bytes({kept, s, d.embed_dim, d.num_heads}, request.precision, size, true));
    if (others && kept < d.batch) bytes.add(tiled_bytes(one_head, request.precision, size, true));
    return bytes.sum();
}

}  // namespace

Result<std::uint64_t> needed_bytes(const Request& request, const Reuse& reuse) {
    const Dims d = request.dims();
    const std::int64_t b = d.batch, s = d.sequence_length, e = d.embed_dim, h = d.num_heads;
    const std::int64_t item = item_bytes(request.precision), kept = kept_sequences(request).count;
    const bool file = request.source == WeightSource::File && request.file;
    const Tensor::Type drawn = file ? request.file->fused_weight.type() : Tensor::Type::Float32;
    const bool layer_copied = is_half(request.precision) || drawn != storage_type(request.precision);
    const auto matrix = checked_product({s, s});
    const bool compares = !is_whole(s, request.chunk_size, request.key_chunk_size) && matrix &&
                          *matrix <= stored_mask_bytes(request) / count_masks(request.mask);

    ByteSum bytes;
    if (request.source == WeightSource::Recording) {
        bytes.add({kept, h, s, s, item});
        if (!reuse.mask) bytes.add(mask_bytes(request));
        return bytes.sum();
    }
    if (!reuse.layer_tensors) bytes.add({4, e, e + 1, drawn == Tensor::Type::Float64 ? 8 : 4});
    if (!reuse.used_layer && layer_copied) bytes.add({4, e, e + 1, item});
    if (!reuse.x) bytes.add({b, s, e, item + (layer_copied ? 4 : 0)});
    if (!reuse.qkv) bytes.add({3, b, s, e, item});
    if (!reuse.heads) bytes.add({3, b, s, e, item});
    if (!reuse.mask) bytes.add(mask_bytes(request));
    if (!reuse.scores && request.keep_scores) bytes.add({kept, h, s, s, item});
    if (!reuse.weights && (kept > 0 || !reuse.context)) bytes.add(attention_bytes(request, kept, !reuse.context));
    if (!reuse.context) {
        if (kept == 0) bytes.add(preview_bytes(d, request.precision));
        bytes.add({2, b, s, e, item});
        if (compares) bytes.add({3, s, e, item});  // of the whole computation that the chunked one is compared with
    }
    if (!reuse.output) bytes.add({b, s, e, item});
    return bytes.sum();
}

}  // namespace headscope
