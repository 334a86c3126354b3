// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace headscope {

using Shape = std::vector<std::int64_t>;

/// "(2, 8, 10, 64)"
std::string to_string(const Shape& shape);

/// Contiguous row-major numbers with a shape: float, or double if the computation runs in float64. Copies share the
/// numbers. A tensor is written while it is built, then shared as a TensorPtr and never changed.
class Tensor {
public:
    enum class Type { Float32, Float64 };

    Tensor() = default;

    /// Uninitialised numbers, aligned to 64 bytes. The caller must have checked the size (memory.h).
    Tensor(Type type, Shape shape);

    template <typename T>
    static Tensor of(Shape shape) {
        return Tensor(std::is_same_v<T, double> ? Type::Float64 : Type::Float32, std::move(shape));
    }

    Type type() const { return type_; }
    const Shape& shape() const { return shape_; }
    std::int64_t dim(std::size_t axis) const { return shape_[axis]; }
    std::int64_t size() const { return size_; }
    std::int64_t bytes() const { return size_ * (type_ == Type::Float32 ? 4 : 8); }

    /// The numbers as T, which must be the tensor's own type.
    template <typename T>
    T* data() {
        return static_cast<T*>(storage_.get());
    }
    template <typename T>
    const T* data() const {
        return static_cast<const T*>(storage_.get());
    }

    double value(std::int64_t flat) const {
        return type_ == Type::Float32 ? static_cast<double>(data<float>()[flat]) : data<double>()[flat];
    }

    /// The same numbers under another shape of the same size.
    Tensor reshaped(Shape shape) const;

    /// `count` indices of the first axis, starting at `first`: a view that shares the numbers.
    Tensor part(std::int64_t first, std::int64_t count) const;

    /// A copy with the same values in the other type, or the tensor itself if it has that type.
    Tensor converted(Type type) const;

private:
    Type type_ = Type::Float32;
    Shape shape_;
    std::int64_t size_ = 0;
    std::shared_ptr<void> storage_;
};

using TensorPtr = std::shared_ptr<const Tensor>;

}  // namespace headscope
