// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope {

/// Computes c (m×n) = a (m×k) · b (k×n), or a · bᵀ with b (n×k), for row-major matrices of any size. Leading dimensions
/// are in numbers. Sums are float (double for doubles). Runs on the calling thread alone. oneDNN computes large
/// products of floats where it has a fast kernel, Eigen all others. The stages call it; the tiled engine calls
/// product() (product.h).
void matmul(const float* a, std::int64_t lda, const float* b, std::int64_t ldb, bool transpose_b, float* c,
            std::int64_t ldc, std::int64_t m, std::int64_t n, std::int64_t k);
void matmul(const double* a, std::int64_t lda, const double* b, std::int64_t ldb, bool transpose_b, double* c,
            std::int64_t ldc, std::int64_t m, std::int64_t n, std::int64_t k);

/// True if a row of a float product with (k,n) is identical to the last bit, however many rows are computed with it.
bool rows_are_independent(std::int64_t n, std::int64_t k);

}  // namespace headscope
