// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/product.h"

#include <atomic>

namespace headscope {

namespace {

std::atomic<int> insisted{-1};

bool kernel_has(const ProductShape& shape, const char* word) {
    return onednn_kernel(shape).find(word) != std::string::npos;
}

}  // namespace

ProductBackend product_backend() {
    static const bool fast = !onednn_kernel({.m = 64, .n = 64, .k = 64, .ldb = 64, .ldc = 64}).empty();
    const int wanted = insisted.load(std::memory_order_relaxed);
    const bool onednn = wanted < 0 ? fast : wanted == static_cast<int>(ProductBackend::OneDnn) && has_onednn();
    return onednn ? ProductBackend::OneDnn : ProductBackend::Eigen;
}

void set_product_backend_for_tests(std::optional<ProductBackend> backend) {
    insisted.store(backend ? static_cast<int>(*backend) : -1, std::memory_order_relaxed);
}

bool has_native_bfloat16() {
    // Without the instructions the kernel's name is that of float's, and five times slower.
    static const bool native =
        kernel_has({.m = 64, .n = 64, .k = 64, .element = Element::BFloat16, .ldb = 64, .ldc = 64}, "bf16");
    return native && product_backend() == ProductBackend::OneDnn;
}

bool has_panels() {
    static const bool panels = kernel_has({.m = 64, .n = 64, .k = 64, .right = RightSide::Panels, .ldc = 64}, "brg");
    return panels && product_backend() == ProductBackend::OneDnn;
}

}  // namespace headscope
