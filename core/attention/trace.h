// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/request.h"
#include "core/base/tensor.h"
#include "core/masks/mask.h"
#include "core/weights/layer.h"

namespace headscope {

/// What can be looked at, in the order in which it is computed.
enum class Stage { X, Qkv, Heads, Q, K, V, Scores, Mask, Masked, Weights, HeadContext, Concat, Output };

/// "x", "qkv", "heads", "q", "k", "v", "scores", "mask", "masked", "weights", "context", "concat", "output"
std::string_view to_string(Stage stage);
std::optional<Stage> parse_stage(std::string_view word);
/// (2, 8, 10, 64) for Q of the article's layer.
Shape stage_shape(Stage stage, const Dims& dims);
/// Is it a matrix a head (heads, q, k, v, scores, masked, weights, context), or one for the whole layer?
bool has_heads(Stage stage);
/// Are its columns keys (scores, mask, masked, weights)?
bool is_square(Stage stage);
/// The line of PyTorch that makes it, with the present fill and scale, and the projections that the layer has.
std::string pytorch_line(Stage stage, const Request& request);

/// One matrix of a trace, read only; it lives as long as the trace does. Rows are queries (tokens).
struct MatrixView {
    std::int64_t rows = 0, columns = 0;
    Tensor::Type type = Tensor::Type::Float32;
    const void* data = nullptr;          ///< first number; nullptr for the mask itself
    std::int64_t stride = 0;             ///< numbers from row to row
    const std::uint8_t* mask = nullptr;  ///< rows×columns, 1 = may attend; only where columns are keys
    std::optional<double> fill{};        ///< what masked cells hold, where the stage is Masked

    double at(std::int64_t row, std::int64_t column) const;
    bool masked(std::int64_t row, std::int64_t column) const { return mask && !mask[row * columns + column]; }
    explicit operator bool() const { return rows > 0; }
};

/// How the rows of the weights came out, over the whole batch.
struct RowCheck {
    std::int64_t rows = 0;          ///< B * H * S
    std::int64_t sum_to_one = 0;    ///< within what the precision allows; uniform rows of a finite fill too
    std::int64_t fully_masked = 0;  ///< have no allowed key: zeros, NaN or uniform, as the fill value has it
    std::int64_t not_finite = 0;    ///< hold NaN or infinity though they have an allowed key
    double largest_error = 0;       ///< of |sum - 1| over the finite rows with an allowed key
};
/// Adds rows of weights to a check, of which these are the sums (B·H·S); their first sequence is first_sequence of the
/// mask's.
void check_rows(const std::vector<double>& row_sums, std::int64_t num_heads, const Mask& mask,
                std::int64_t first_sequence, Precision precision, RowCheck& check);

/// What the finite fill -1e9 made the tiled computation do: the fully masked tiles of a head and a block of queries
/// were computed only where a masked key could get weight.
struct FilledTiles {
    std::int64_t queries = 0;            ///< of a block
    std::vector<std::uint8_t> computed;  ///< (B,H,blocks); none with another fill
};

/// Every intermediate of one computation. Immutable; parts are shared with the traces before and after.
struct Trace {
    Request request;
    LayerPtr layer;               ///< as it was drawn or read
    LayerPtr used_layer;          ///< the same in storage_type(precision), rounded to the precision
    TensorPtr x;                  ///< (B,S,E), rounded to the precision
    TensorPtr qkv;                ///< (B,S,3E); as (B,S,H,3*Dh) it is the heads
    TensorPtr q, k, v;            ///< (B,H,S,Dh)
    TensorPtr scores;             ///< (B',H,S,S), scaled, before the mask; null where they weren't asked for
    MaskPtr mask;                 ///< (B,1,S,S)
    TensorPtr weights;            ///< (B',H,S,S)
    TensorPtr head_context;       ///< (B,H,S,Dh)
    TensorPtr context;            ///< (B,S,E)
    TensorPtr output;             ///< (B,S,E)
    std::int64_t first_kept = 0;  ///< scores and weights hold sequences first_kept ... first_kept + B' - 1

    FilledTiles filled_tiles;
    RowCheck row_check;
    double chunk_difference = 0;      ///< largest |output(chunked) - output(whole)|; NaN matches NaN
    std::uint64_t bytes_whole = 0;    ///< scores and weights of one sequence, all heads at once
    std::uint64_t bytes_chunked = 0;  ///< of a tile of each head instead, with the running values
    std::uint64_t bytes_running = 0;  ///< the running values' part of bytes_chunked; see ChunkBytes
    double milliseconds = 0;          ///< of this computation
    std::vector<Stage> computed;      ///< stages that were not reused from the previous trace

    const Batch& batch() const { return request.batch; }
    Dims dims() const { return request.dims(); }

    /// The matrix of one stage; head is ignored where the stage has none. Empty where it wasn't kept.
    MatrixView matrix(Stage stage, std::int64_t sequence, std::int64_t head) const;
    /// The tensor whose numbers a stage shows: qkv for Heads, the scores for Masked; null for Mask (see mask).
    const TensorPtr& tensor(Stage stage) const;
    /// Does it have the numbers of a stage, of any sequence?
    bool keeps(Stage stage) const;
    /// The tensor behind a stage, to see by identity whether it changed; null for Mask (see mask) and Masked.
    const void* identity(Stage stage) const;
};
using TracePtr = std::shared_ptr<const Trace>;

/// The same trace without its scores: an empty tensor (0,H,S,S) stands in their place.
TracePtr without_scores(const TracePtr& trace);

}  // namespace headscope
