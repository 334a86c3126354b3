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
#include "core/masks/head_masks.h"
#include "core/masks/mask.h"
#include "core/weights/layer.h"

namespace headscope {

/// The stages that can be displayed, in the order in which they are computed.
enum class Stage { X, Qkv, Heads, Q, K, V, Scores, Mask, Masked, Weights, HeadContext, Concat, Output };

/// "x", "qkv", "heads", "q", "k", "v", "scores", "mask", "masked", "weights", "context", "concat", "output"
std::string_view to_string(Stage stage);
std::optional<Stage> parse_stage(std::string_view word);
/// (2, 8, 10, 64) for Q of the article's layer; of the mask if every head has the same.
Shape stage_shape(Stage stage, const Dims& dims);
/// The same, but (B,H,S,S) for masks that differ by head.
Shape stage_shape(Stage stage, const Request& request);
/// True if each head has a matrix (heads, q, k, v, scores, masked, weights, context), false if the layer has one.
/// The mask has one per head if the heads have different masks.
bool has_heads(Stage stage, const Request& request);
/// True if the columns are keys (scores, mask, masked, weights).
bool is_square(Stage stage);
/// The line of PyTorch that computes the stage, with the request's fill and scale and the layer's projections.
std::string pytorch_line(Stage stage, const Request& request);

/// True if a trace of this request can have the stage. A recording has its weights and the mask.
bool has_stage(const Request& request, Stage stage);

/// A read-only view of one matrix of a trace, valid as long as the trace. Rows are queries (tokens).
struct MatrixView {
    std::int64_t rows = 0, columns = 0;
    Tensor::Type type = Tensor::Type::Float32;
    const void* data = nullptr;          ///< first number; nullptr for the mask itself
    std::int64_t stride = 0;             ///< distance between rows, in numbers
    const std::uint8_t* mask = nullptr;  ///< rows×columns, 1 = allowed; only if columns are keys
    std::optional<double> fill{};        ///< the value of masked cells, if the stage is Masked

    double at(std::int64_t row, std::int64_t column) const;
    bool masked(std::int64_t row, std::int64_t column) const { return mask && !mask[row * columns + column]; }
    explicit operator bool() const { return rows > 0; }
};

/// Counts the outcomes of the weights' rows, over the whole batch. If no weights are kept, a row's sum is that of its
/// exponentials times the factor by which the engine divides them.
struct RowCheck {
    std::int64_t rows = 0;          ///< B * H * S
    std::int64_t sum_to_one = 0;    ///< within the precision's tolerance; includes uniform rows of a finite fill
    std::int64_t fully_masked = 0;  ///< have no allowed key: zeros, NaN or uniform, depending on the fill value
    std::int64_t not_finite = 0;    ///< contain NaN or infinity although they have an allowed key
    double largest_error = 0;       ///< largest |sum - 1| over the finite rows with an allowed key
};
/// Adds rows of weights to a check. row_sums: their sums (B·H·S), with the weight of a sink; first_sequence and
/// first_head: of the masks.
void check_rows(const std::vector<double>& row_sums, std::int64_t num_heads, const HeadMasks& mask,
                std::int64_t first_sequence, Precision precision, RowCheck& check, std::int64_t first_head = 0);

/// With the finite fill -1e9: which blocks of queries needed their fully masked tiles. The tiled engine computes these
/// only where a masked key could get weight.
struct FilledTiles {
    std::int64_t queries = 0;            ///< queries per block
    std::vector<std::uint8_t> computed;  ///< (B,H,blocks), 1 = computed; empty with another fill
};

/// Every intermediate result of one computation. Immutable; shares reused tensors with earlier and later traces.
struct Trace {
    Request request;
    LayerPtr layer;          ///< as drawn or read
    LayerPtr used_layer;     ///< the same in storage_type(precision), rounded to the precision
    TensorPtr x;             ///< (B,S,E), rounded to the precision
    TensorPtr qkv;           ///< (B,S,3E); the heads when viewed as (B,S,H,3*Dh)
    TensorPtr q, k, v;       ///< (B,H,S,Dh); q and k after the rules that change them
    TensorPtr scores;        ///< (B',H,S,S), scaled and changed by the rules, before the mask; null if not kept
    HeadMasks mask;          ///< of each head: (B,1,S,S), or (B,H,S,S) if they differ
    TensorPtr weights;       ///< (B',H,S,S); null if not kept
    TensorPtr head_context;  ///< (B,H,S,Dh); null if the mask stores no cells: then only `context`
    TensorPtr context;       ///< (B,S,E)
    TensorPtr output;        ///< (B,S,E)
    /// Each row's softmax in two numbers (B,H,S): weight = exp(masked score - offset) / sum. The offset is the largest
    /// masked score or at most 8 less; -inf if the row has no score above -inf, and then the sum is 0. A sink counts as
    /// one of the scores. From these
    /// region() and row_of() compute weights that are not kept.
    TensorPtr row_offsets, row_sums;
    std::int64_t first_kept = 0;  ///< scores and weights hold sequences first_kept ... first_kept + B' - 1

    FilledTiles filled_tiles;
    RowCheck row_check;
    double chunk_difference = 0;      ///< largest |output(chunked) - output(whole)|; NaN if not compared
    std::uint64_t bytes_whole = 0;    ///< scores and weights of one sequence, all heads at once
    std::uint64_t bytes_chunked = 0;  ///< of one tile per head, with the running values
    std::uint64_t bytes_running = 0;  ///< the running values' part of bytes_chunked; see ChunkBytes
    double milliseconds = 0;          ///< of this computation
    std::vector<Stage> computed;      ///< stages that were not reused from the previous trace

    const Batch& batch() const { return request.batch; }
    Dims dims() const { return request.dims(); }

    /// A view of the matrix of one stage; head is ignored if the stage has none. Empty if the matrix was not kept.
    MatrixView matrix(Stage stage, std::int64_t sequence, std::int64_t head) const;
    /// The tensor that contains a stage's numbers: qkv for Heads, the scores for Masked; null for Mask (see mask).
    const TensorPtr& tensor(Stage stage) const;
    /// True if the trace keeps the numbers of a stage, of any sequence.
    bool keeps(Stage stage) const;
    /// The address of a stage's tensor, to detect by identity whether it changed; null for Mask (see mask) and Masked.
    const void* identity(Stage stage) const;
};
using TracePtr = std::shared_ptr<const Trace>;

/// A copy of the trace without its scores, which are replaced by an empty tensor (0,H,S,S).
TracePtr without_scores(const TracePtr& trace);

}  // namespace headscope
