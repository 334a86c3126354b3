// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/tensor.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <functional>

#include "core/base/buffer_pool.h"

namespace headscope {

namespace {

std::int64_t product(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

}  // namespace

std::string to_string(const Shape& shape) {
    return fmt::format("({})", fmt::join(shape, ", "));
}

Tensor::Tensor(Type type, Shape shape) : type_(type), shape_(std::move(shape)), size_(product(shape_)) {
    storage_ = pooled_block(static_cast<std::size_t>(bytes()));
}

Tensor Tensor::reshaped(Shape shape) const {
    assert(product(shape) == size_);
    Tensor other = *this;
    other.shape_ = std::move(shape);
    return other;
}

Tensor Tensor::part(std::int64_t first, std::int64_t count) const {
    assert(first >= 0 && count >= 0 && first + count <= dim(0));
    Tensor other = *this;
    other.shape_[0] = count;
    other.size_ = product(other.shape_);
    const std::int64_t offset = dim(0) == 0 ? 0 : bytes() / dim(0) * first;
    other.storage_ = std::shared_ptr<void>(storage_, static_cast<std::byte*>(storage_.get()) + offset);
    return other;
}

Tensor Tensor::converted(Type type) const {
    if (type == type_) return *this;
    Tensor other(type, shape_);
    if (type == Type::Float64) {
        std::copy_n(data<float>(), size_, other.data<double>());
    } else {
        std::transform(data<double>(), data<double>() + size_, other.data<float>(),
                       [](double value) { return static_cast<float>(value); });
    }
    return other;
}

}  // namespace headscope
