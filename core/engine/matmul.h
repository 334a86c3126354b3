// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope {

/// A product of row-major matrices of any size, for the stages; the tiled engine calls product() (product.h) itself.
/// Sums are float (double for doubles). Runs on the calling thread alone. Large products of floats are oneDNN's where
/// it has a fast kernel, all others Eigen's. c (m×n) = a (m×k) · b (k×n), or · bᵀ where b is (n×k). Leading dimensions
/// in numbers.
void matmul(const float* a, std::int64_t lda, const float* b, std::int64_t ldb, bool transpose_b, float* c,
            std::int64_t ldc, std::int64_t m, std::int64_t n, std::int64_t k);
void matmul(const double* a, std::int64_t lda, const double* b, std::int64_t ldb, bool transpose_b, double* c,
            std::int64_t ldc, std::int64_t m, std::int64_t n, std::int64_t k);

/// Does a row of float products with (k,n) come out bit by bit the same, however many rows are computed with it?
bool rows_are_independent(std::int64_t n, std::int64_t k);

}  // namespace headscope
