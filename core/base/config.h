// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/tensor.h"

namespace headscope {

enum class Precision { Float32, Float64, BFloat16, Float16 };
/// The value of a masked score before the softmax (docs/conventions.md 5 and 6).
enum class Fill {
    Safe,          ///< -inf; a fully masked row becomes zeros (PyTorch 2.5 and later)
    Inf,           ///< -inf; a fully masked row becomes NaN
    MinusBillion,  ///< -1e9; a fully masked row becomes uniform over every key
};
enum class WeightSource {
    Textbook,
    Seed,
    File,
    Recording  ///< attention that was recorded: there are no weights of a layer
};
/// The order of a fused projection's rows (docs/conventions.md 11).
enum class Layout { Interleaved, Blocks, Transposed, Separate };

/// The words of the command line: "float32", "safe", "textbook", "interleaved" ...
std::string_view to_string(Precision precision);
std::string_view to_string(Fill fill);
std::string_view to_string(WeightSource source);
std::string_view to_string(Layout layout);
Result<Precision> parse_precision(std::string_view word);
Result<Fill> parse_fill(std::string_view word);
Result<Layout> parse_layout(std::string_view word);

/// The sizes of one computation: B sequences of S tokens, E numbers a token, H heads.
struct Dims {
    std::int64_t batch = 0, sequence_length = 0, embed_dim = 0, num_heads = 0;
    std::int64_t head_dim() const { return num_heads ? embed_dim / num_heads : 0; }
    bool operator==(const Dims&) const = default;
};

/// The largest embed_dim: a layer of this size takes 17.6 terabytes in float32.
inline constexpr std::int64_t kLargestEmbedDim = 1 << 20;

/// InvalidValue if E < 1, E > kLargestEmbedDim or H < 1; InvalidPair if H > E or E % H != 0. The message contains both
/// numbers, and for E % H != 0 also the nearest legal ones.
Result<void> check_heads(std::int64_t embed_dim, std::int64_t num_heads);
/// Every legal num_heads of an embed_dim, ascending: its divisors. Empty if the embed_dim itself is not legal.
std::vector<std::int64_t> legal_num_heads(std::int64_t embed_dim);

/// The type in which a precision's tensors are stored: float64 in double, every other in float (the half formats as
/// floats with rounded values).
Tensor::Type storage_type(Precision precision);

/// True if the precision keeps fewer bits than the type in which its tensors are stored.
bool is_half(Precision precision);

/// The smallest normal number of a precision's format, and its largest.
struct NormalRange {
    double smallest, largest;
};
NormalRange normal_range(Precision precision);

/// Rounds a value to the precision's format, to nearest even.
double round_to(Precision precision, double value);

/// The value of a masked score in a precision: -inf, or for -1e9: -1e9, -998244352 in bfloat16, -inf in float16.
double effective_fill(Fill fill, Precision precision);

/// The fill mode in effect: `fill`, but Inf for -1e9 in float16, which can't represent it (docs/conventions.md 6).
Fill effective_mode(Fill fill, Precision precision);

}  // namespace headscope
