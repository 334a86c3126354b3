// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/tiled.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <variant>

#include "core/base/memory.h"
#include "core/base/thread_pool.h"
#include "core/engine/rounding.h"
#include "core/engine/row_kernels.h"
#include "core/engine/tiled_call.h"

namespace headscope {

namespace {

using tiled::Plan;
using tiled::ReadyWeights;
using tiled::Sum;

constexpr std::int64_t kPanel = 64;
constexpr std::int64_t kRowUnit = 4;  // rows are padded to a multiple, so that several lengths share kernels

/// The element type of the products for a stored type; nothing for doubles.
template <typename Stored>
constexpr std::optional<Element> kElementOf = std::is_same_v<Stored, double> ? std::nullopt
                                                                             : std::optional(tiled::kElement<Stored>);

std::int64_t rounded_up(std::int64_t n, std::int64_t unit) {
    return (n + unit - 1) / unit * unit;
}

/// Copies `rows` rows of a weight (.., E) as `columns` >= rows columns of the product's right side: as rows, or in
/// panels (columns/64, E, 64). Fills the rest with zeros.
template <typename Stored>
void order_weight(const Sum<Stored>* weight, std::int64_t rows, std::int64_t embed, std::int64_t columns, bool panels,
                  Stored* out) {
    std::fill_n(out, columns * embed, Stored{0});
    std::vector<Stored> halves;
    const Stored* stored;
    if constexpr (std::is_same_v<Stored, std::uint16_t>) {
        halves.resize(static_cast<std::size_t>(rows * embed));
        rows::to_bfloat16(weight, rows * embed, halves.data());
        stored = halves.data();
    } else {
        stored = weight;
    }
    if (!panels) {
        std::copy_n(stored, rows * embed, out);
        return;
    }
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(Stored));
    const std::int64_t words = embed * kSize / 4;
    for (std::int64_t first = 0; first < rows; first += kPanel) {
        rows::transpose_words(stored + first * embed, words, std::min(kPanel, rows - first), words, out + first * embed,
                              kPanel);
    }
}

template <typename Stored>
ReadyWeights<Stored> make_ready(const Layer& layer, Precision precision) {
    const std::int64_t embed = layer.embed_dim, heads = layer.num_heads, rows = 3 * embed / heads;
    ReadyWeights<Stored> ready;
    ready.panels = !std::is_same_v<Stored, double> && fit_panels(embed, tiled::kElement<Stored>);
    ready.head_columns = ready.panels ? rounded_up(rows, kPanel) : rows;
    ready.out_columns = ready.panels ? rounded_up(embed, kPanel) : embed;
    ready.qkv = PooledArray<Stored>(static_cast<std::size_t>(heads * ready.head_columns * embed));
    ready.out = PooledArray<Stored>(static_cast<std::size_t>(ready.out_columns * embed));
    // Weights stored in bfloat16 are rounded then, not before.
    const Precision given = std::is_same_v<Stored, std::uint16_t> ? Precision::Float32 : precision;
    const Tensor qkv = in_precision(layer.qkv_weight, given), out = in_precision(layer.out_weight, given);
    using T = Sum<Stored>;
    for (std::int64_t h = 0; h < heads; ++h) {
        order_weight<Stored>(qkv.data<T>() + h * rows * embed, rows, embed, ready.head_columns, ready.panels,
                             ready.qkv.data() + h * ready.head_columns * embed);
    }
    order_weight<Stored>(out.data<T>(), embed, embed, ready.out_columns, ready.panels, ready.out.data());
    const Tensor qkv_bias = in_precision(layer.qkv_bias, precision), out_bias = in_precision(layer.out_bias, precision);
    ready.qkv_bias.assign(qkv_bias.data<T>(), qkv_bias.data<T>() + 3 * embed);
    ready.out_bias.assign(out_bias.data<T>(), out_bias.data<T>() + embed);
    return ready;
}

double scale_of(const TiledOptions& options, Precision precision, std::int64_t head_dim) {
    if (options.scale) return round_to(precision, *options.scale);
    return 1 / round_to(precision, std::sqrt(static_cast<double>(head_dim)));
}

/// True if one thread computes each head completely. Its projection then stays in that thread's cache, and threads do
/// not wait for each other midway. At the end, however, idle threads wait for the last heads, which takes long if a
/// head does.
bool takes_heads_apart(const Plan& plan) {
    constexpr std::int64_t kMostNumbers = 32768;  // of q: 128 KB
    constexpr std::int64_t kManyHeads = 4;
    if (plan.threads == 1) return true;
    if (plan.rows() * plan.dims.head_dim() > kMostNumbers) return false;
    return plan.dims.num_heads % plan.threads == 0 || plan.dims.num_heads >= kManyHeads * plan.threads;
}

/// Otherwise enough heads that no thread has to wait for the others.
std::int64_t heads_at_a_time(const Plan& plan) {
    constexpr std::int64_t kTasksPerThread = 4;
    if (plan.heads_apart) return 1;
    const std::int64_t tasks = plan.dims.batch * plan.query_blocks(), wanted = kTasksPerThread * plan.threads;
    return std::min((wanted + tasks - 1) / tasks, plan.dims.num_heads);
}

/// Chooses the tile sizes: the wanted ones, or the engine's own. mask: used to detect narrow windows; null if only the
/// sizes matter.
void choose_tiles(Plan& plan, std::optional<Element> element, const TileSize& wanted, const HeadTiles* mask) {
    const std::int64_t size = plan.dims.sequence_length, dh = plan.dims.head_dim();
    // Half as many queries follow a window's edge more closely, and leave cache for the kept weights.
    const bool windows = mask && !wanted.queries && mask->busy_blocks(2) * 10 > mask->busy_blocks(1) * 11;
    plan.query_block = std::min(windows || plan.keeps ? kPanel : 2 * kPanel, rounded_up(size, 16));
    if (wanted.queries) plan.query_block = std::min(*wanted.queries, size);
    if (wanted.keys) plan.key_block = std::min(*wanted.keys, size);
    plan.unit = size >= kPanel ? kPanel : 16;
    if (wanted.keys && plan.key_block < size && plan.key_block % plan.unit != 0) plan.unit = 1;
    plan.queries = rounded_up(size, plan.query_block);
    plan.keys = rounded_up(size, plan.unit);
    plan.most_runs = (size - 1) / (wanted.keys ? plan.key_block : TileMap::kSide) + 1;
    constexpr double kFew = 1e5;  // operations of a tile: calling oneDNN takes longer
    const double operations = static_cast<double>(plan.query_block) * static_cast<double>(plan.widest_run() * dh);
    const bool few = operations < kFew && element != Element::BFloat16;
    plan.tile_backend = few ? ProductBackend::Eigen : plan.backend;
    plan.key_panels = element && plan.tile_backend == ProductBackend::OneDnn && fit_panels(dh, *element) &&
                      plan.unit == kPanel && (!wanted.keys || plan.key_block % kPanel == 0 || plan.key_block == size);
}

/// Chooses one block size for every row: 128, or a little less so that the last block is nearly full.
std::int64_t rows_at_a_time(std::int64_t rows) {
    constexpr std::int64_t kMost = 2 * kPanel;
    const std::int64_t blocks = (rows + kMost - 1) / kMost;
    return rounded_up((rows + blocks - 1) / blocks, kRowUnit);
}

/// OutOfMemory for sizes so large that the arithmetic of a plan would overflow.
Result<void> check_sizes(const Dims& dims) {
    constexpr std::int64_t kRoom = 1024;  // bytes of a number, and rounding up to whole blocks
    return checked_product({dims.batch, dims.sequence_length, dims.embed_dim, kRoom}).map([](std::int64_t) {});
}

/// Makes the parts of a plan that both entry points share; operations: of the whole call.
Plan make_plan(const Dims& dims, Precision precision, const TiledOptions& options, std::optional<Element> element,
               const TileSize& wanted, const HeadTiles* mask, double operations) {
    // Eigen takes 0.3 ms for so many operations, which is as long as oneDNN takes to generate the kernels of such a
    // small call. For bfloat16 always oneDNN, because Eigen would have to widen it first.
    constexpr double kWorthwhile = 4e6;
    constexpr double kWorthWaking = 1e6;  // operations, to wake other threads
    Plan plan;
    plan.dims = dims;
    plan.precision = precision;
    plan.emulated = is_half(precision) && element == Element::Float32;
    plan.backend = product_backend(operations, element == Element::BFloat16 ? 0 : kWorthwhile);
    plan.scale = scale_of(options, precision, dims.head_dim());
    plan.scaling = {precision, options.scale, dims.head_dim()};
    plan.mode = effective_mode(options.fill, precision);
    plan.fill = effective_fill(options.fill, precision);
    plan.threads = options.threads > 0 ? options.threads : available_threads();
    if (operations < kWorthWaking) plan.threads = 1;
    plan.keeps = options.keep_weights;
    choose_tiles(plan, element, wanted, mask);
    plan.heads_apart = takes_heads_apart(plan);
    plan.head_group = heads_at_a_time(plan);
    plan.row_block = rows_at_a_time(plan.rows());
    return plan;
}

Plan plan_layer(const Dims& dims, Precision precision, const TiledOptions& options, std::optional<Element> element,
                const HeadTiles* mask) {
    const auto rows = static_cast<double>(rounded_up(dims.batch * dims.sequence_length, kRowUnit));
    const auto size = static_cast<double>(dims.sequence_length), embed = static_cast<double>(dims.embed_dim);
    const double operations = rows * embed * (8 * embed + 4 * size);
    return make_plan(dims, precision, options, element, mask ? mask->any().tile_size() : TileSize{}, mask, operations);
}

Plan plan_attention(const Dims& dims, Precision precision, const TiledOptions& options, const TileSize& wanted,
                    const HeadTiles* mask) {
    const auto size = static_cast<double>(dims.sequence_length);
    const double operations = 4 * static_cast<double>(dims.batch * dims.embed_dim) * size * size;
    const auto element = precision == Precision::Float64 ? std::nullopt : std::optional(Element::Float32);
    TiledOptions with_threads = options;
    if (options.threads == 0) with_threads.threads = threads_for(operations);
    Plan plan = make_plan(dims, precision, with_threads, element, wanted, mask, operations);
    plan.scales_products = true;
    return plan;
}

/// Bytes of q, k and v of the heads computed together, of the kept weights and of each thread's scratch.
template <typename Stored>
Result<std::uint64_t> attention_bytes(const Plan& plan) {
    constexpr auto kStored = static_cast<std::int64_t>(sizeof(Stored)),
                   kSum = static_cast<std::int64_t>(sizeof(Sum<Stored>));
    const std::int64_t dh = plan.dims.head_dim(), size = plan.dims.sequence_length, heads = plan.dims.num_heads;
    std::uint64_t bytes = static_cast<std::uint64_t>(plan.threads) * tiled::attention_scratch<Stored>(plan);
    for (const auto& part : {checked_product({plan.slots(), plan.queries, dh, kStored}),
                             checked_product({2, plan.slots(), plan.keys, dh, kStored}),
                             checked_product({std::int64_t{plan.keeps}, plan.dims.batch, heads, size, size, kSum}),
                             checked_product({std::int64_t{plan.keeps}, plan.dims.batch, heads, size, 8})}) {
        if (!part) return tl::unexpected(part.error());
        bytes += static_cast<std::uint64_t>(*part);
    }
    return bytes;
}

template <typename Stored>
Result<std::uint64_t> layer_bytes(const Plan& plan, const ReadyWeights<Stored>& weights) {
    constexpr auto kStored = static_cast<std::int64_t>(sizeof(Stored)),
                   kSum = static_cast<std::int64_t>(sizeof(Sum<Stored>));
    const bool rounds_x = plan.emulated || std::is_same_v<Stored, double>;  // before it is stored
    auto bytes = attention_bytes<Stored>(plan);
    if (!bytes) return bytes;
    for (const auto& part :
         {checked_product({std::int64_t{rounds_x}, plan.rows(), plan.dims.embed_dim, kSum}),
          checked_product({plan.copies_x<Stored>() ? 2 : 1, plan.padded_rows(), plan.dims.embed_dim, kStored}),
          checked_product({plan.rows(), plan.dims.embed_dim, kSum})}) {
        if (!part) return tl::unexpected(part.error());
        *bytes += static_cast<std::uint64_t>(*part);
    }
    return *bytes + static_cast<std::uint64_t>(plan.threads) * tiled::projection_scratch(plan, weights);
}

/// Allocates the kept weights and the other results that both entry points need.
template <typename Stored>
void make_room(tiled::Call<Stored>& call, Tensor& weights) {
    const Plan& plan = call.plan;
    const Dims& dims = plan.dims;
    call.sets_aside = plan.mode != Fill::MinusBillion && !call.tiles.all_allowed();
    if (call.counter) {
        call.counter->queries = plan.query_block;
        call.counter->keys = call.tiles.any().key_side();
    }
    if (!plan.keeps) return;
    weights = Tensor::of<Sum<Stored>>({dims.batch, dims.num_heads, dims.sequence_length, dims.sequence_length});
    call.weights = weights.data<Sum<Stored>>();
}

template <typename Stored>
Result<TiledResult> run_layer(const Plan& plan, const ReadyWeights<Stored>& layer, const Tensor& x,
                              const HeadTiles& mask, const TiledOptions& options) {
    const auto bytes = layer_bytes(plan, layer);
    if (!bytes) return tl::unexpected(bytes.error());
    if (auto fits = require_memory(*bytes, "this attention"); !fits) return tl::unexpected(fits.error());
    using T = Sum<Stored>;
    const Dims& dims = plan.dims;
    TiledResult result;
    result.peak_bytes = *bytes;
    result.output = Tensor::of<T>({dims.batch, dims.sequence_length, dims.embed_dim});
    tiled::Call<Stored> call{plan, mask, options.cancel, options.counter};
    call.progress = options.progress;
    call.layer = &layer;
    make_room(call, result.weights);
    const std::int64_t embed = dims.embed_dim, rows = plan.rows();
    call.side_by_side = PooledArray<Stored>(static_cast<std::size_t>(plan.padded_rows() * embed));
    std::fill_n(call.side_by_side.data() + rows * embed, (plan.padded_rows() - rows) * embed, Stored{0});
    call.context = {call.side_by_side.data(), dims.sequence_length * embed, dims.head_dim(), embed};
    tiled::take_x(call, x.data<T>());
    tiled::attend(call);
    tiled::finish(call, result.output.data<T>());
    if (call.cancelled()) return fail(ErrorCode::Cancelled, "a newer change replaced it");
    return result;
}

template <typename T>
Result<TiledContext> run_attention(const Plan& plan, const Tensor& q, const Tensor& k, const Tensor& v,
                                   const HeadTiles& mask, const TiledOptions& options, std::int64_t first_sequence) {
    const auto bytes = attention_bytes<T>(plan);
    if (!bytes) return tl::unexpected(bytes.error());
    const Dims& dims = plan.dims;
    TiledContext result;
    result.peak_bytes = *bytes + static_cast<std::uint64_t>(q.bytes());
    result.context = Tensor::of<T>(q.shape());
    result.query_block = plan.query_block;
    tiled::Call<T> call{plan, mask, options.cancel, options.counter, first_sequence};
    call.progress = options.progress;
    call.given_q = q.data<T>();
    call.given_k = k.data<T>();
    call.given_v = v.data<T>();
    make_room(call, result.weights);
    const std::int64_t matrix = dims.sequence_length * dims.head_dim();
    call.context = {result.context.data<T>(), dims.num_heads * matrix, matrix, dims.head_dim()};
    const std::int64_t heads = dims.batch * dims.num_heads;
    result.offsets = Tensor::of<T>({dims.batch, dims.num_heads, dims.sequence_length});
    result.sums = Tensor::of<T>(result.offsets.shape());
    call.offsets = result.offsets.data<T>();
    call.sums = result.sums.data<T>();
    if (plan.keeps) result.row_sums.resize(static_cast<std::size_t>(heads * dims.sequence_length));
    call.row_sums = plan.keeps ? result.row_sums.data() : nullptr;
    if (plan.mode == Fill::MinusBillion) {
        result.fill_mattered.resize(static_cast<std::size_t>(heads * plan.query_blocks()));
        call.fill_mattered = result.fill_mattered.data();
    }
    tiled::attend(call);
    if (call.cancelled()) return fail(ErrorCode::Cancelled, "a newer change replaced it");
    return result;
}

Result<void> check_attention(const Tensor& q, const Tensor& k, const Tensor& v, const HeadTiles& mask,
                             std::int64_t first_sequence) {
    if (q.shape().size() != 4 || q.shape() != k.shape() || q.shape() != v.shape() || q.size() == 0) {
        return fail(ErrorCode::InvalidPair,
                    "query {}, key {} and value {} must have one shape (B, H, S, Dh) without a zero",
                    to_string(q.shape()), to_string(k.shape()), to_string(v.shape()));
    }
    const TileMap& any = mask.any();
    if (any.size() != q.dim(2) || first_sequence < 0 || first_sequence + q.dim(0) > any.batch() ||
        !mask.fits(q.dim(1))) {
        return fail(ErrorCode::InvalidPair, "the mask is for {} sequences of {} tokens, the query is {}", any.batch(),
                    any.size(), to_string(q.shape()));
    }
    return {};
}

}  // namespace

struct TiledLayer::Ready {
    std::variant<ReadyWeights<float>, ReadyWeights<double>, ReadyWeights<std::uint16_t>> weights;
};

TiledLayer::TiledLayer(LayerPtr layer, Precision precision) : layer_(std::move(layer)), precision_(precision) {
    auto ready = std::make_shared<Ready>();
    if (precision == Precision::Float64) {
        ready->weights = make_ready<double>(*layer_, precision);
    } else if (precision == Precision::BFloat16 && has_native_bfloat16()) {
        ready->weights = make_ready<std::uint16_t>(*layer_, precision);
    } else {
        ready->weights = make_ready<float>(*layer_, precision);
    }
    ready_ = std::move(ready);
}

bool TiledLayer::emulated() const {
    return is_half(precision_) && !std::holds_alternative<ReadyWeights<std::uint16_t>>(ready_->weights);
}

Result<std::uint64_t> TiledLayer::needed_bytes(std::int64_t batch, std::int64_t sequence_length,
                                               const TiledOptions& options) const {
    const Dims dims{batch, sequence_length, layer_->embed_dim, layer_->num_heads};
    if (auto sizes = check_sizes(dims); !sizes) return tl::unexpected(sizes.error());
    return std::visit(
        [&]<typename Stored>(const ReadyWeights<Stored>& weights) {
            return layer_bytes(plan_layer(dims, precision_, options, kElementOf<Stored>, nullptr), weights);
        },
        ready_->weights);
}

Result<TiledResult> TiledLayer::attend(const Tensor& x, const HeadTiles& mask, const TiledOptions& options) const {
    if (x.shape().size() != 3 || x.size() == 0 || x.dim(2) != layer_->embed_dim) {
        return fail(ErrorCode::InvalidPair, "x is {}, but the layer takes (B, S, {}) without a zero",
                    to_string(x.shape()), layer_->embed_dim);
    }
    const Dims dims{x.dim(0), x.dim(1), layer_->embed_dim, layer_->num_heads};
    const TileMap& any = mask.any();
    if (any.batch() != dims.batch || any.size() != dims.sequence_length || !mask.fits(dims.num_heads)) {
        return fail(ErrorCode::InvalidPair, "the mask is for {} sequences of {} tokens, but x is {}", any.batch(),
                    any.size(), to_string(x.shape()));
    }
    try {
        // If the processor has bfloat16, x is rounded when it is stored.
        const bool native = is_half(precision_) && !emulated();
        const Tensor rounded = in_precision(x, native ? Precision::Float32 : precision_);
        return std::visit(
            [&]<typename Stored>(const ReadyWeights<Stored>& weights) {
                const Plan plan = plan_layer(dims, precision_, options, kElementOf<Stored>, &mask);
                return run_layer(plan, weights, rounded, mask, options);
            },
            ready_->weights);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "the memory ran out; fewer tokens or a smaller layer would fit");
    }
}

Result<TiledContext> tiled_attention(const Tensor& q, const Tensor& k, const Tensor& v, const HeadTiles& mask,
                                     Precision precision, const TiledOptions& options, std::int64_t first_sequence) {
    if (auto legal = check_attention(q, k, v, mask, first_sequence); !legal) return tl::unexpected(legal.error());
    const Dims dims{q.dim(0), q.dim(2), q.dim(1) * q.dim(3), q.dim(1)};
    const Plan plan = plan_attention(dims, precision, options, mask.any().tile_size(), &mask);
    return precision == Precision::Float64 ? run_attention<double>(plan, q, k, v, mask, options, first_sequence)
                                           : run_attention<float>(plan, q, k, v, mask, options, first_sequence);
}

Result<std::uint64_t> tiled_bytes(const Dims& dims, Precision precision, const TileSize& size, bool keep_weights) {
    if (auto sizes = check_sizes(dims); !sizes) return tl::unexpected(sizes.error());
    TiledOptions options;
    options.keep_weights = keep_weights;
    const Plan plan = plan_attention(dims, precision, options, size, nullptr);
    const auto context = checked_product(
        {dims.batch, dims.sequence_length, dims.embed_dim, storage_type(precision) == Tensor::Type::Float64 ? 8 : 4});
    const auto bytes = precision == Precision::Float64 ? attention_bytes<double>(plan) : attention_bytes<float>(plan);
    if (!context || !bytes) return context ? bytes : tl::unexpected(context.error());
    const std::int64_t softmax = 2 * dims.batch * dims.num_heads * dims.sequence_length * std::int64_t{sizeof(double)};
    return *bytes + static_cast<std::uint64_t>(*context + softmax);
}

}  // namespace headscope
