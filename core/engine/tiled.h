// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/config.h"
#include "core/base/tensor.h"
#include "core/base/work_counter.h"
#include "core/engine/head_tiles.h"
#include "core/masks/tile_map.h"
#include "core/weights/layer.h"

namespace headscope {

/// For tests: counts the computed tiles, of all heads and sequences, and records their size.
struct TileCounter {
    std::atomic<std::int64_t> scores{0}, context{0};
    std::int64_t queries = 0, keys = 0;
};

struct TiledOptions {
    Fill fill = Fill::Safe;
    std::optional<double> scale{};  ///< nothing = 1/sqrt(head_dim)
    int threads = 0;                ///< 0 = as many as are worthwhile; 1 = the calling thread alone
    bool keep_weights = false;
    const std::atomic<bool>* cancel = nullptr;  ///< checked between tiles
    TileCounter* counter = nullptr;
    WorkCounter* progress = nullptr;  ///< counts blocks of queries, of each head
};

struct TiledContext {
    Tensor context;                ///< (B,H,S,Dh)
    Tensor weights;                ///< (B,H,S,S), if kept
    std::vector<double> row_sums;  ///< sums of the weights' rows (B·H·S), if kept
    /// The final state of the running softmax (B,H,S): weight = exp(masked score - offset) / sum.
    Tensor offsets, sums;
    std::int64_t query_block = 0;  ///< queries per tile
    /// (B·H·query blocks), with the finite fill: 1 where masked keys could get weight, so that fully masked tiles were
    /// computed.
    std::vector<std::uint8_t> fill_mattered;
    std::uint64_t peak_bytes = 0;  ///< scratch and results, without q, k, v and the mask
};

/// Computes attention in tiles of queries × keys with a running softmax (Milakov and Gimelshein 2018; Dao and others
/// 2022), without S×S tensors unless the weights are kept. The result equals that of the stages, up to rounding, for
/// every mask, change of scores, fill, precision, scale and tile size. Uses the tile size for which `mask` was made, or
/// else the engine's own. Skips fully masked tiles; with a finite fill only if they can't change the result: each of
/// their rows has a score far above the fill (or is NaN anyway), and no v is NaN or infinite.
///
/// q, k and v are (B,H,S,Dh) in storage_type(precision), and belong to the sequences first_sequence ... of the mask. In
/// a half format scores, weights and context are rounded, the products' sums are not: simulated rounding. Errors:
/// InvalidPair (shapes), OutOfMemory, Cancelled.
Result<TiledContext> tiled_attention(const Tensor& q, const Tensor& k, const Tensor& v, const HeadTiles& mask,
                                     Precision precision, const TiledOptions& options, std::int64_t first_sequence = 0);
/// The peak memory of tiled_attention() in bytes, without q, k, v and the mask.
Result<std::uint64_t> tiled_bytes(const Dims& dims, Precision precision, const TileSize& size, bool keep_weights);

struct TiledResult {
    Tensor output;                 ///< (B,S,E)
    Tensor weights;                ///< (B,H,S,S), if kept
    std::uint64_t peak_bytes = 0;  ///< scratch and results, without x and the layer
};

/// A layer prepared for the whole computation x -> output in the same tiles. The result equals that of the ten stages,
/// except for numbers near the limits of the format: queries are scaled before the product, so scores that overflow
/// float16 in the stages do not overflow here.
///
/// bfloat16 uses the processor's own instructions if it has them: the exponentials are rounded for the product with v,
/// and all other intermediate values stay in float. Otherwise, and for float16, x, the weights, q, k, v, context and
/// output are rounded and the products are float's: simulated rounding, which emulated() reports.
class TiledLayer {
public:
    /// May throw std::bad_alloc.
    TiledLayer(LayerPtr layer, Precision precision);

    /// x is (B,S,E); the mask is for the same B and S. Errors: InvalidPair if they do not match, OutOfMemory,
    /// Cancelled.
    Result<TiledResult> attend(const Tensor& x, const HeadTiles& mask, const TiledOptions& options) const;

    Precision precision() const { return precision_; }
    bool emulated() const;
    /// The peak memory of attend() in bytes: scratch and results.
    Result<std::uint64_t> needed_bytes(std::int64_t batch, std::int64_t sequence_length,
                                       const TiledOptions& options) const;

private:
    struct Ready;  // the weights in the type and memory layout of the products
    LayerPtr layer_;
    Precision precision_;
    std::shared_ptr<const Ready> ready_;
};

}  // namespace headscope
