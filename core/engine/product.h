// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace headscope {

/// Who multiplies matrices of floats. Doubles are always Eigen's.
enum class ProductBackend { Eigen, OneDnn };

/// OneDnn where the program was built with it and it has a fast kernel for this processor; Eigen otherwise.
ProductBackend product_backend();
/// The same for a piece of work of so many operations: Eigen below `worthwhile`, where making oneDNN's kernels would
/// take longer than they win. By size alone, so that the same numbers come out every time.
ProductBackend product_backend(double operations, double worthwhile);
/// Insists on one of them, whatever the size; nothing takes it back. OneDnn stays Eigen where it was not built in.
void set_product_backend_for_tests(std::optional<ProductBackend> backend);
/// Was the program built with oneDNN?
bool has_onednn();
/// Does the processor multiply bfloat16 itself, so that products of them are faster than float's?
bool has_native_bfloat16();
enum class Element { Float32, BFloat16 };
/// Does this processor have kernels that take right sides in panels (RightSide), and may a matrix of k rows be one? k
/// must be a multiple of 16, or of 32 in bfloat16: oneDNN would write zeros between the panels otherwise.
bool fit_panels(std::int64_t k, Element element);

/// How b of a · b lies in memory.
enum class RightSide {
    Plain,       ///< (k,n), ldb from row to row
    Transposed,  ///< (n,k), ldb from row to row
    /// Panels of 64 columns, each (k,64): what oneDNN calls BA16a64b. In bfloat16 two rows interleaved: (k/2,64,2),
    /// BA16a64b2a. n and k are such as fit_panels() likes them; what is beyond the matrix is zeros.
    Panels,
};

/// The shape of one product c (m,n) = a (m,k) · b, in float; a is contiguous, and c is contiguous unless b is plain.
struct ProductShape {
    std::int64_t m = 0, n = 0, k = 0;
    Element element = Element::Float32;  ///< of a and b
    RightSide right = RightSide::Plain;
    std::int64_t ldb = 0;  ///< unused for panels
    std::int64_t ldc = 0;
    bool add = false;  ///< c += instead of c =
    bool operator==(const ProductShape&) const = default;
};

/// Any product, by the backend where it can and by Eigen otherwise. In bfloat16 (std::uint16_t) Eigen takes floats that
/// it has widened, which is slow: ask has_native_bfloat16() before.
void product(ProductBackend backend, const ProductShape& shape, const float* a, const float* b, float* c);
void product(ProductBackend backend, const ProductShape& shape, const double* a, const double* b, double* c);
void product(ProductBackend backend, const ProductShape& shape, const std::uint16_t* a, const std::uint16_t* b,
             float* c);

/// By Eigen; a has lda numbers from row to row.
void eigen_product(const ProductShape& shape, const float* a, std::int64_t lda, const float* b, float* c);
void eigen_product(const ProductShape& shape, const double* a, std::int64_t lda, const double* b, double* c);

/// By oneDNN, on the calling thread alone. False, and c untouched, where it has no fast kernel for the shape: its
/// reference code would take hundreds of times as long. Each thread keeps the kernels of the shapes that it has seen;
/// a new one costs some tenths of a millisecond.
bool onednn_product(const ProductShape& shape, const void* a, const void* b, float* c);
/// The kernel's name, such as "brg:avx512_core"; empty where there is none.
std::string onednn_kernel(const ProductShape& shape);

}  // namespace headscope
