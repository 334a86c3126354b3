// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace headscope {

/// The library that multiplies matrices of floats. Eigen multiplies all doubles.
enum class ProductBackend { Eigen, OneDnn };

/// OneDnn if the program was built with it and it has a fast kernel for this processor; Eigen otherwise.
ProductBackend product_backend();
/// The same for a computation of so many operations: Eigen below `worthwhile`, where generating oneDNN's kernels would
/// take longer than they save. Depends on the size alone, so that results are reproducible.
ProductBackend product_backend(double operations, double worthwhile);
/// Sets the backend for every size; nullopt restores the choice. OneDnn has no effect if it was not built in.
void set_product_backend_for_tests(std::optional<ProductBackend> backend);
/// True if the program was built with oneDNN.
bool has_onednn();
/// True if the processor has bfloat16 instructions, so that bfloat16 products are faster than float's.
bool has_native_bfloat16();
enum class Element { Float32, BFloat16 };
/// True if this processor has kernels for right sides in panels (RightSide) and a matrix of k rows fits them: k must be
/// a multiple of 16, or of 32 in bfloat16. Otherwise oneDNN's format has zeros between the panels.
bool fit_panels(std::int64_t k, Element element);

/// The memory layout of b in a · b.
enum class RightSide {
    Plain,       ///< (k,n), ldb numbers between rows
    Transposed,  ///< (n,k), ldb numbers between rows
    /// Panels of 64 columns, each (k,64): oneDNN's format BA16a64b. In bfloat16 two rows are interleaved: (k/2,64,2),
    /// BA16a64b2a. k must satisfy fit_panels(); columns beyond the matrix are zeros.
    Panels,
};

/// The shape of one product c (m,n) = a (m,k) · b, computed in float. a is contiguous; c is contiguous unless b is
/// plain.
struct ProductShape {
    std::int64_t m = 0, n = 0, k = 0;
    Element element = Element::Float32;  ///< of a and b
    RightSide right = RightSide::Plain;
    std::int64_t ldb = 0;  ///< unused for panels
    std::int64_t ldc = 0;
    bool add = false;  ///< c += instead of c =
    bool operator==(const ProductShape&) const = default;
};

/// Computes any product, with the backend if it supports it and otherwise with Eigen. For bfloat16 (std::uint16_t)
/// Eigen first widens the inputs to float, which is slow: check has_native_bfloat16() before.
void product(ProductBackend backend, const ProductShape& shape, const float* a, const float* b, float* c);
void product(ProductBackend backend, const ProductShape& shape, const double* a, const double* b, double* c);
void product(ProductBackend backend, const ProductShape& shape, const std::uint16_t* a, const std::uint16_t* b,
             float* c);

/// Computes the product with Eigen; rows of a are lda numbers apart.
void eigen_product(const ProductShape& shape, const float* a, std::int64_t lda, const float* b, float* c);
void eigen_product(const ProductShape& shape, const double* a, std::int64_t lda, const double* b, double* c);

/// Computes the product with oneDNN on the calling thread alone. Returns false and leaves c unchanged if oneDNN has no
/// fast kernel for the shape, because its reference code would take hundreds of times as long. Each thread caches the
/// kernels of the shapes that it has used; a new one takes some tenths of a millisecond.
bool onednn_product(const ProductShape& shape, const void* a, const void* b, float* c);
/// The kernel's name, such as "brg:avx512_core"; empty if there is none.
std::string onednn_kernel(const ProductShape& shape);

}  // namespace headscope
