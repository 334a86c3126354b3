// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/matmul.h"

#include <Eigen/Core>

namespace headscope {

namespace {

template <typename T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using ConstView = Eigen::Map<const RowMajor<T>, Eigen::Unaligned, Eigen::OuterStride<>>;
template <typename T>
using View = Eigen::Map<RowMajor<T>, Eigen::Unaligned, Eigen::OuterStride<>>;

template <typename T>
void eigen_matmul(const T* a, std::int64_t lda, const T* b, std::int64_t ldb, bool transpose_b, T* c, std::int64_t ldc,
                  std::int64_t m, std::int64_t n, std::int64_t k) {
    const ConstView<T> left(a, m, k, Eigen::OuterStride<>(lda));
    View<T> product(c, m, n, Eigen::OuterStride<>(ldc));
    if (transpose_b) {
        product.noalias() = left * ConstView<T>(b, n, k, Eigen::OuterStride<>(ldb)).transpose();
    } else {
        product.noalias() = left * ConstView<T>(b, k, n, Eigen::OuterStride<>(ldb));
    }
}

}  // namespace

void matmul(const float* a, std::int64_t lda, const float* b, std::int64_t ldb, bool transpose_b, float* c,
            std::int64_t ldc, std::int64_t m, std::int64_t n, std::int64_t k) {
    eigen_matmul(a, lda, b, ldb, transpose_b, c, ldc, m, n, k);
}

void matmul(const double* a, std::int64_t lda, const double* b, std::int64_t ldb, bool transpose_b, double* c,
            std::int64_t ldc, std::int64_t m, std::int64_t n, std::int64_t k) {
    eigen_matmul(a, lda, b, ldb, transpose_b, c, ldc, m, n, k);
}

}  // namespace headscope
