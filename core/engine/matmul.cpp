// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/matmul.h"

#include <algorithm>

#include "core/base/buffer_pool.h"
#include "core/engine/product.h"

namespace headscope {

namespace {

ProductShape plain_shape(std::int64_t ldb, bool transpose_b, std::int64_t ldc, std::int64_t m, std::int64_t n,
                         std::int64_t k) {
    const RightSide right = transpose_b ? RightSide::Transposed : RightSide::Plain;
    return {.m = m, .n = n, .k = k, .right = right, .ldb = ldb, .ldc = ldc};
}

/// True if oneDNN computes the product. Fewer than 64 rows count as 64, so that one row uses the same product as many.
bool is_large(std::int64_t m, std::int64_t n, std::int64_t k) {
    constexpr double kWorthwhile = 8e6;
    constexpr std::int64_t kFew = 64;
    const double operations =
        2.0 * static_cast<double>(std::max(m, kFew)) * static_cast<double>(n) * static_cast<double>(k);
    return product_backend(operations, kWorthwhile) == ProductBackend::OneDnn;
}

/// Computes the product with oneDNN in blocks of rows, so that few shapes serve every m: whole blocks, and a last one
/// padded with zero rows to a multiple of 16. Returns false if oneDNN does not support the product or it is too small.
bool onednn_matmul(const float* a, std::int64_t lda, const float* b, std::int64_t ldb, bool transpose_b, float* c,
                   std::int64_t ldc, std::int64_t m, std::int64_t n, std::int64_t k) {
    constexpr std::int64_t kRows = 256, kRowUnit = 16;
    if (k == 0 || !is_large(m, n, k)) return false;
    for (std::int64_t i = 0; i < m; i += kRows) {
        const std::int64_t rows = std::min(kRows, m - i), filled = (rows + kRowUnit - 1) / kRowUnit * kRowUnit;
        if (rows == filled && lda == k) {
            const ProductShape shape = plain_shape(ldb, transpose_b, ldc, rows, n, k);
            if (!onednn_product(shape, a + i * lda, b, c + i * ldc)) return false;
            continue;
        }
        const PooledArray<float> left(static_cast<std::size_t>(filled * k)),
            product(static_cast<std::size_t>(filled * n));
        for (std::int64_t r = 0; r < rows; ++r) std::copy_n(a + (i + r) * lda, k, left.data() + r * k);
        std::fill_n(left.data() + rows * k, (filled - rows) * k, 0.0F);
        const ProductShape shape = plain_shape(ldb, transpose_b, n, filled, n, k);
        if (!onednn_product(shape, left.data(), b, product.data())) return false;
        for (std::int64_t r = 0; r < rows; ++r) std::copy_n(product.data() + r * n, n, c + (i + r) * ldc);
    }
    return true;
}

}  // namespace

bool rows_are_independent(std::int64_t n, std::int64_t k) {
    return is_large(1, n, k);
}

void matmul(const float* a, std::int64_t lda, const float* b, std::int64_t ldb, bool transpose_b, float* c,
            std::int64_t ldc, std::int64_t m, std::int64_t n, std::int64_t k) {
    if (onednn_matmul(a, lda, b, ldb, transpose_b, c, ldc, m, n, k)) return;
    eigen_product(plain_shape(ldb, transpose_b, ldc, m, n, k), a, lda, b, c);
}

void matmul(const double* a, std::int64_t lda, const double* b, std::int64_t ldb, bool transpose_b, double* c,
            std::int64_t ldc, std::int64_t m, std::int64_t n, std::int64_t k) {
    eigen_product(plain_shape(ldb, transpose_b, ldc, m, n, k), a, lda, b, c);
}

}  // namespace headscope
