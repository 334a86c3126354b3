// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace headscope::rows {

// The elementwise loops, written once with Highway, compiled for every level of the processor family and selected at
// run time, so that a package built for any x86-64 runs at full speed. Lengths and alignments are arbitrary, and
// nothing beyond the given numbers is read or written.

/// The level in use, such as "AVX3" or "SSE4".
std::string_view target_name();
/// Every level that this processor has and this build contains; and, for tests, selects one of them. The empty name
/// restores the automatic choice.
std::vector<std::string_view> target_names();
void use_target_for_tests(std::string_view name);

// The same for doubles, in plain loops, so that one template can use both.

/// The largest of n numbers, ignoring NaN; -inf if there is none.
float maximum(const float* x, std::int64_t n);
double maximum(const double* x, std::int64_t n);
/// x[j] = fill where allowed[j] is 0 (masked)
void fill_masked(float* x, const std::uint8_t* allowed, std::int64_t n, float fill);
void fill_masked(double* x, const std::uint8_t* allowed, std::int64_t n, double fill);
/// out[j] = x[j], or fill where allowed[j] is 0 (masked); a null `allowed` allows every cell. Returns the maximum of
/// out: NaN if one of them is NaN, -inf if n is 0.
float copy_masked(const float* x, const std::uint8_t* allowed, std::int64_t n, float fill, float* out);
/// out[j] = exp(x[j] - offset) for x[j] <= offset, and 0 for results below 1.2e-38; returns their sum. out may be x.
/// The relative error is at most 3e-7, plus 8e-8·(offset - x[j]) if the processor has no fused multiply-add. exp(0) is
/// 1. NaN stays NaN.
float exponentials(const float* x, std::int64_t n, float offset, float* out);
double exponentials(const double* x, std::int64_t n, double offset, double* out);
/// Returns the sum, accumulated in double.
double sum(const float* x, std::int64_t n);
double sum(const double* x, std::int64_t n);
/// out[j] = x[j] * factor
void scale(const float* x, std::int64_t n, float factor, float* out);
void scale(const double* x, std::int64_t n, double factor, double* out);

/// x[j] = cap · tanh(x[j] / cap), within 4e-7 of it relatively. NaN stays NaN.
void soft_cap(float* x, std::int64_t n, float cap);
void soft_cap(double* x, std::int64_t n, double cap);
/// x[j] -= slope · |first + j|: the distances of the keys from a query.
void subtract_distances(float* x, std::int64_t n, float slope, std::int64_t first);
void subtract_distances(double* x, std::int64_t n, double slope, std::int64_t first);

/// Rows of numbers, `stride` numbers apart.
template <typename T>
struct Matrix {
    T* data;
    std::int64_t stride;
};
/// out = (x + bias) * factor, for `rows` rows of n numbers with one bias of n; x may be out. Returns true if every
/// number of the result is finite.
bool add_rows(Matrix<const float> x, const float* bias, std::int64_t rows, std::int64_t n, float factor,
              Matrix<float> out);
bool add_rows(Matrix<const float> x, const float* bias, std::int64_t rows, std::int64_t n, float factor,
              Matrix<std::uint16_t> out);
bool add_rows(Matrix<const double> x, const double* bias, std::int64_t rows, std::int64_t n, double factor,
              Matrix<double> out);
/// Multiplies row r of x by factors[r] into row r of out; x is contiguous.
void scale_rows(const float* x, std::int64_t rows, std::int64_t n, const float* factors, Matrix<float> out);
void scale_rows(const float* x, std::int64_t rows, std::int64_t n, const float* factors, Matrix<std::uint16_t> out);
void scale_rows(const double* x, std::int64_t rows, std::int64_t n, const double* factors, Matrix<double> out);

/// Rounds to nearest even, and stores the format's values as floats; NaN stays NaN.
void round_to_bfloat16(const float* x, std::int64_t n, float* out);
void round_to_float16(const float* x, std::int64_t n, float* out);
/// The same, stored in 16 bits.
void to_bfloat16(const float* x, std::int64_t n, std::uint16_t* out);

/// out[j * out_stride + i] = x[i * stride + j] for `rows` rows of n words of 32 bits of any type.
void transpose_words(const void* x, std::int64_t stride, std::int64_t rows, std::int64_t n, void* out,
                     std::int64_t out_stride);

/// The mask's cells for the columns first ... first + count - 1 of a tile, in rows `stride` bytes apart, 1 = allowed.
/// All other columns are allowed; if `cells` is null, every column is.
struct MaskedPart {
    const std::uint8_t* cells = nullptr;
    std::int64_t stride = 0, first = 0, count = 0;
    bool allowed(std::int64_t row, std::int64_t column) const {
        return column < first || column >= first + count || cells[row * stride + column - first] != 0;
    }
};

/// One tile of the running softmax (Milakov and Gimelshein 2018): rows are queries.
template <typename T>
struct SoftmaxTile {
    T* scores;            ///< rows × padded_keys, rows `stride` numbers apart
    std::int64_t stride;  ///< of scores and half
    std::int64_t rows, keys, padded_keys;
    MaskedPart masked;
    T fill;      ///< the value of a masked cell
    T* offset;   ///< per row, subtracted before exp: first -inf, then at most 8 below the running maximum
    T* sum;      ///< per row: the running sum of the exponentials
    T* context;  ///< rows × context_width: the context so far, rescaled when the offset rises
    std::int64_t context_width;
    std::uint16_t* half;        ///< receives the exponentials in bfloat16; null: `scores` does. Not for doubles
    bool keeps_scores = false;  ///< with half: also write the exponentials to `scores`
};
/// Replaces a tile's scores by exponentials (keys up to padded_keys become 0), and updates offset, sum and context. A
/// row without a score above -inf has the offset -inf and adds 0.
void softmax_step(const SoftmaxTile<float>& tile);
void softmax_step(const SoftmaxTile<double>& tile);

}  // namespace headscope::rows
