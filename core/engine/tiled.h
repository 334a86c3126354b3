// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/config.h"
#include "core/base/tensor.h"
#include "core/masks/tile_map.h"
#include "core/weights/layer.h"

namespace headscope {

/// For tests: the tiles that were computed, of all heads and sequences, and their size.
struct TileCounter {
    std::atomic<std::int64_t> scores{0}, context{0};
    std::int64_t queries = 0, keys = 0;
};

struct TiledOptions {
    Fill fill = Fill::Safe;
    std::optional<double> scale{};  ///< nothing = 1/sqrt(head_dim)
    int threads = 0;                ///< 0 = all that are worth it; 1 = the calling thread alone
    bool keep_weights = false;
    const std::atomic<bool>* cancel = nullptr;  ///< is looked at between tiles
    TileCounter* counter = nullptr;
};

struct TiledContext {
    Tensor context;                ///< (B,H,S,Dh)
    Tensor weights;                ///< (B,H,S,S), where kept
    std::vector<double> row_sums;  ///< of the weights (B·H·S), where kept
    std::int64_t query_block = 0;  ///< queries of a tile
    /// (B·H·query blocks), with the finite fill: 1 where it could matter, so that fully masked tiles were computed.
    std::vector<std::uint8_t> fill_mattered;
    std::uint64_t peak_bytes = 0;  ///< scratch and results, without q, k, v and the mask
};

/// Attention in tiles of queries × keys with a running softmax (Milakov and Gimelshein 2018; Dao and others 2022), so
/// that nothing of S×S is held unless it is asked for: the answer of the stages, to the rounding, for every mask, fill,
/// precision, scale and tile size. Tiles are those of `mask` where it was made for a tile size, and the engine's own
/// otherwise. A fully masked tile is not computed; with a finite fill only where it can't change the result: each of
/// its rows has a score far above the fill (or is NaN anyway), and no v is NaN or infinite.
///
/// q, k and v are (B,H,S,Dh) in storage_type(precision), and the mask is asked about its sequences from first_sequence
/// on. In a half format scores, weights and context are rounded, the products' sums are not: simulated rounding.
/// Errors: InvalidPair (shapes), OutOfMemory, Cancelled.
Result<TiledContext> tiled_attention(const Tensor& q, const Tensor& k, const Tensor& v, const TileMap& mask,
                                     Precision precision, const TiledOptions& options, std::int64_t first_sequence = 0);
/// What tiled_attention() takes at its peak beside q, k, v and the mask.
Result<std::uint64_t> tiled_bytes(const Dims& dims, Precision precision, const TileSize& size, bool keep_weights);

struct TiledResult {
    Tensor output;                 ///< (B,S,E)
    Tensor weights;                ///< (B,H,S,S), where kept
    std::uint64_t peak_bytes = 0;  ///< scratch and results, without x and the layer
};

/// A layer made ready for the whole of x -> output by the same tiles. The same answer as the ten stages but for
/// numbers at the edge of the format: queries are scaled before they are multiplied, and scores that overflow float16
/// do not here.
///
/// bfloat16 runs on the processor's own products where it has them, with the exponentials rounded for the product with
/// v and everything between in float; elsewhere, and for float16, x, the weights, q, k, v, context and output are
/// rounded and the products are float's: simulated rounding, which emulated() says.
class TiledLayer {
public:
    /// May throw std::bad_alloc.
    TiledLayer(LayerPtr layer, Precision precision);

    /// x is (B,S,E) and the mask of its B and S. Errors: InvalidPair where they clash, OutOfMemory, Cancelled.
    Result<TiledResult> attend(const Tensor& x, const TileMap& mask, const TiledOptions& options) const;

    Precision precision() const { return precision_; }
    bool emulated() const;
    /// What attend() would take at its peak: scratch and results.
    Result<std::uint64_t> needed_bytes(std::int64_t batch, std::int64_t sequence_length,
                                       const TiledOptions& options) const;

private:
    struct Ready;  // the weights in the type and the order in which the products like them
    LayerPtr layer_;
    Precision precision_;
    std::shared_ptr<const Ready> ready_;
};

}  // namespace headscope
