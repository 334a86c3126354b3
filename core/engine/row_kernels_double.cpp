// SPDX-License-Identifier: GPL-3.0-or-later
// The row kernels in float64: plain loops, because speed does not matter in this precision.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/engine/row_kernels.h"

namespace headscope::rows {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

double maximum(const double* x, std::int64_t n) {
    double best = -kInfinity;
    for (std::int64_t j = 0; j < n; ++j) best = x[j] > best ? x[j] : best;
    return best;
}

void fill_masked(double* x, const std::uint8_t* allowed, std::int64_t n, double fill) {
    for (std::int64_t j = 0; j < n; ++j) x[j] = allowed[j] ? x[j] : fill;
}

double exponentials(const double* x, std::int64_t n, double offset, double* out) {
    double sum = 0;
    for (std::int64_t j = 0; j < n; ++j) {
        out[j] = std::exp(x[j] - offset);
        sum += out[j];
    }
    return sum;
}

void soft_cap(double* x, std::int64_t n, double cap) {
    for (std::int64_t j = 0; j < n; ++j) x[j] = cap * std::tanh(x[j] / cap);
}

void subtract_distances(double* x, std::int64_t n, double slope, std::int64_t first) {
    for (std::int64_t j = 0; j < n; ++j) x[j] -= slope * static_cast<double>(std::abs(first + j));
}

double sum(const double* x, std::int64_t n) {
    return std::accumulate(x, x + n, 0.0);
}

void scale(const double* x, std::int64_t n, double factor, double* out) {
    std::transform(x, x + n, out, [factor](double value) { return value * factor; });
}

bool add_rows(Matrix<const double> x, const double* bias, std::int64_t rows, std::int64_t n, double factor,
              Matrix<double> out) {
    bool finite = true;
    for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t j = 0; j < n; ++j) {
            const double value = (x.data[r * x.stride + j] + bias[j]) * factor;
            out.data[r * out.stride + j] = value;
            finite = finite && std::isfinite(value);
        }
    }
    return finite;
}

void scale_rows(const double* x, std::int64_t rows, std::int64_t n, const double* factors, Matrix<double> out) {
    for (std::int64_t r = 0; r < rows; ++r) scale(x + r * n, n, factors[r], out.data + r * out.stride);
}

void softmax_step(const SoftmaxTile<double>& tile) {
    for (std::int64_t r = 0; r < tile.rows; ++r) {
        double* scores = tile.scores + r * tile.stride;
        const MaskedPart& masked = tile.masked;
        if (masked.cells) fill_masked(scores + masked.first, masked.cells + r * masked.stride, masked.count, tile.fill);
        const double here = maximum(scores, tile.keys);
        const double before = tile.offset[r], now = std::max(before, here);
        tile.offset[r] = now;
        if (now != before && before != -kInfinity) {
            const double shrink = std::exp(before - now);
            double* context = tile.context + r * tile.context_width;
            tile.sum[r] *= shrink;
            scale(context, tile.context_width, shrink, context);
        }
        tile.sum[r] += exponentials(scores, tile.keys, now == -kInfinity ? 0.0 : now, scores);
        std::fill(scores + tile.keys, scores + tile.padded_keys, 0.0);
    }
}

}  // namespace headscope::rows
