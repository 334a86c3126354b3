// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/product.h"

#include <Eigen/Core>
#include <atomic>
#include <bit>
#include <vector>

namespace headscope {

namespace {

std::atomic<int> insisted{-1};

bool kernel_has(const ProductShape& shape, const char* word) {
    return onednn_kernel(shape).find(word) != std::string::npos;
}

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using ConstView = Eigen::Map<const Matrix<T>, Eigen::Unaligned, Eigen::OuterStride<>>;
template <typename T>
using View = Eigen::Map<Matrix<T>, Eigen::Unaligned, Eigen::OuterStride<>>;

constexpr std::int64_t kPanel = 64;

template <typename T>
void multiply(const ProductShape& s, const T* a, std::int64_t lda, const T* b, T* c) {
    if (s.right == RightSide::Panels) {
        ProductShape panel = s;
        panel.n = panel.ldb = kPanel;
        panel.right = RightSide::Plain;
        for (std::int64_t j = 0; j < s.n; j += kPanel) multiply(panel, a, lda, b + j * s.k, c + j);
        return;
    }
    const ConstView<T> left(a, s.m, s.k, Eigen::OuterStride<>(lda));
    View<T> out(c, s.m, s.n, Eigen::OuterStride<>(s.ldc));
    const auto store = [&](const auto& sum) {
        if (s.add) {
            out.noalias() += sum;
        } else {
            out.noalias() = sum;
        }
    };
    if (s.right == RightSide::Transposed) {
        store(left * ConstView<T>(b, s.n, s.k, Eigen::OuterStride<>(s.ldb)).transpose());
    } else {
        store(left * ConstView<T>(b, s.k, s.n, Eigen::OuterStride<>(s.ldb)));
    }
}

std::vector<float> widened(const std::uint16_t* words, std::int64_t n) {
    std::vector<float> wide(static_cast<std::size_t>(n));
    for (auto& value : wide) value = std::bit_cast<float>(static_cast<std::uint32_t>(*words++) << 16);
    return wide;
}

/// Reads rows from the interleaved pairs of rows of bfloat16's panels.
std::vector<float> widened_panels(const std::uint16_t* words, std::int64_t k, std::int64_t n) {
    const std::vector<float> pairs = widened(words, k * n);
    std::vector<float> panels(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::size_t row_pair = i / (2 * kPanel), column = i / 2 % kPanel;
        panels[(2 * row_pair + i % 2) * kPanel + column] = pairs[i];
    }
    return panels;
}

}  // namespace

void eigen_product(const ProductShape& shape, const float* a, std::int64_t lda, const float* b, float* c) {
    multiply(shape, a, lda, b, c);
}

void eigen_product(const ProductShape& shape, const double* a, std::int64_t lda, const double* b, double* c) {
    multiply(shape, a, lda, b, c);
}

void product(ProductBackend backend, const ProductShape& shape, const float* a, const float* b, float* c) {
    if (backend == ProductBackend::OneDnn && onednn_product(shape, a, b, c)) return;
    multiply(shape, a, shape.k, b, c);
}

void product(ProductBackend, const ProductShape& shape, const double* a, const double* b, double* c) {
    multiply(shape, a, shape.k, b, c);
}

void product(ProductBackend backend, const ProductShape& shape, const std::uint16_t* a, const std::uint16_t* b,
             float* c) {
    if (backend == ProductBackend::OneDnn && onednn_product(shape, a, b, c)) return;
    const bool panels = shape.right == RightSide::Panels;
    const std::int64_t b_rows = shape.right == RightSide::Transposed ? shape.n : shape.k;
    const std::vector<float> left = widened(a, shape.m * shape.k);
    const std::vector<float> right = panels ? widened_panels(b, shape.k, shape.n) : widened(b, b_rows * shape.ldb);
    multiply(shape, left.data(), shape.k, right.data(), c);
}

ProductBackend product_backend() {
    static const bool fast = !onednn_kernel({.m = 64, .n = 64, .k = 64, .ldb = 64, .ldc = 64}).empty();
    const int wanted = insisted.load(std::memory_order_relaxed);
    const bool onednn = wanted < 0 ? fast : wanted == static_cast<int>(ProductBackend::OneDnn) && has_onednn();
    return onednn ? ProductBackend::OneDnn : ProductBackend::Eigen;
}

void set_product_backend_for_tests(std::optional<ProductBackend> backend) {
    insisted.store(backend ? static_cast<int>(*backend) : -1, std::memory_order_relaxed);
}

ProductBackend product_backend(double operations, double worthwhile) {
    const bool small = operations < worthwhile && insisted.load(std::memory_order_relaxed) < 0;
    return small ? ProductBackend::Eigen : product_backend();
}

bool has_native_bfloat16() {
    // Without the instructions oneDNN uses a kernel with float's name, which is five times slower.
    static const bool native =
        kernel_has({.m = 64, .n = 64, .k = 64, .element = Element::BFloat16, .ldb = 64, .ldc = 64}, "bf16");
    return native && product_backend() == ProductBackend::OneDnn;
}

bool fit_panels(std::int64_t k, Element element) {
    static const bool panels = kernel_has({.m = 64, .n = 64, .k = 64, .right = RightSide::Panels, .ldc = 64}, "brg");
    return panels && k % (element == Element::Float32 ? 16 : 32) == 0 && product_backend() == ProductBackend::OneDnn;
}

}  // namespace headscope
