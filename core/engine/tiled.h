// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/base/config.h"
#include "core/base/tensor.h"
#include "core/masks/tile_map.h"
#include "core/weights/layer.h"

namespace headscope {

struct TiledOptions {
    Fill fill = Fill::Safe;
    std::optional<double> scale{};  ///< nothing = 1/sqrt(head_dim)
    int threads = 0;                ///< 0 = all that the machine has; 1 = the calling thread alone
    bool keep_scores = false, keep_weights = false;
    const std::atomic<bool>* cancel = nullptr;
};

struct TiledResult {
    Tensor output;                 ///< (B,S,E)
    Tensor scores, weights;        ///< (B,H,S,S), scaled and before the mask, and after the softmax; where kept
    std::uint64_t peak_bytes = 0;  ///< scratch and results, without x and the layer
};

/// A layer made ready for the fast way: the whole of x -> output in tiles of queries × keys with a running softmax
/// (Milakov and Gimelshein 2018; Dao and others 2022), so that nothing of S×S is held unless it is asked for. The same
/// answer as the ten stages, for every mask, fill and precision, but for numbers at the edge of the format: sums of
/// exponentials that are not yet divided overflow float32 where values pass about 1e35, and scores that overflow
/// float16 do not here. Tiles that the mask empties cost nothing.
///
/// bfloat16 runs on the processor's own products where it has them, with the exponentials rounded for the product with
/// v and everything between in float; elsewhere, and for float16, x, the weights, q, k, v, context and output are
/// rounded and the products are float's: a picture of the precision, which emulated() says.
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
