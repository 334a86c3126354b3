// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

#include "core/files/file_tensor.h"

namespace headscope {
namespace {

static_assert(std::endian::native == std::endian::little, "bytes of files are copied as they are");

float from_half(std::uint16_t bits) {
    const int exponent = bits >> 10 & 0x1F;
    const int fraction = bits & 0x3FF;
    float magnitude;
    if (exponent == 0x1F) {
        magnitude = fraction ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
    } else if (exponent == 0) {
        magnitude = std::ldexp(static_cast<float>(fraction), -24);
    } else {
        magnitude = std::ldexp(static_cast<float>(fraction + 0x400), exponent - 25);
    }
    return bits & 0x8000 ? -magnitude : magnitude;
}

float from_bfloat(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// Reads numbers of type Stored and converts each to double or float with `widen`.
template <typename Stored, typename Out, typename Widen>
void convert_as(const std::vector<std::uint8_t>& bytes, Out* out, Widen widen) {
    for (std::size_t at = 0; at + sizeof(Stored) <= bytes.size(); at += sizeof(Stored)) {
        Stored stored;
        std::memcpy(&stored, bytes.data() + at, sizeof(Stored));
        *out++ = static_cast<Out>(widen(stored));
    }
}

template <typename Out>
void convert(const FileTensor& tensor, Out* out) {
    const auto same = [](auto value) { return value; };
    const auto& bytes = tensor.bytes;
    if (tensor.dtype == "F64") return convert_as<double>(bytes, out, same);
    if (tensor.dtype == "F32") return convert_as<float>(bytes, out, same);
    if (tensor.dtype == "F16") return convert_as<std::uint16_t>(bytes, out, from_half);
    if (tensor.dtype == "BF16") return convert_as<std::uint16_t>(bytes, out, from_bfloat);
    if (tensor.dtype == "I64") return convert_as<std::int64_t>(bytes, out, same);
    if (tensor.dtype == "I32") return convert_as<std::int32_t>(bytes, out, same);
    if (tensor.dtype == "I16") return convert_as<std::int16_t>(bytes, out, same);
    if (tensor.dtype == "I8") return convert_as<std::int8_t>(bytes, out, same);
    if (tensor.dtype == "U64") return convert_as<std::uint64_t>(bytes, out, same);
    if (tensor.dtype == "U32") return convert_as<std::uint32_t>(bytes, out, same);
    if (tensor.dtype == "U16") return convert_as<std::uint16_t>(bytes, out, same);
    if (tensor.dtype == "U8") return convert_as<std::uint8_t>(bytes, out, same);
    convert_as<std::uint8_t>(bytes, out, [](std::uint8_t byte) { return byte != 0; });  // BOOL
}

template <typename T>
std::vector<std::uint8_t> as_bytes(const T* numbers, std::size_t count) {
    std::vector<std::uint8_t> bytes(count * sizeof(T));
    if (count > 0) std::memcpy(bytes.data(), numbers, bytes.size());
    return bytes;
}

}  // namespace

std::size_t dtype_size(std::string_view dtype) {
    static constexpr std::array<std::pair<std::string_view, std::size_t>, 13> sizes = {{{"F64", 8},
                                                                                        {"F32", 4},
                                                                                        {"F16", 2},
                                                                                        {"BF16", 2},
                                                                                        {"I64", 8},
                                                                                        {"I32", 4},
                                                                                        {"I16", 2},
                                                                                        {"I8", 1},
                                                                                        {"U64", 8},
                                                                                        {"U32", 4},
                                                                                        {"U16", 2},
                                                                                        {"U8", 1},
                                                                                        {"BOOL", 1}}};
    const auto found =
        std::find_if(sizes.begin(), sizes.end(), [&](const auto& entry) { return entry.first == dtype; });
    return found == sizes.end() ? 0 : found->second;
}

std::int64_t FileTensor::size() const {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

bool is_floating(std::string_view dtype) {
    return dtype == "F16" || dtype == "BF16" || dtype == "F32" || dtype == "F64";
}

bool FileTensor::is_floating() const {
    return headscope::is_floating(dtype);
}

std::vector<double> FileTensor::values() const {
    std::vector<double> numbers(static_cast<std::size_t>(size()));
    convert(*this, numbers.data());
    return numbers;
}

Tensor FileTensor::to_tensor(Tensor::Type type) const {
    Tensor tensor(type, shape);
    if (type == Tensor::Type::Float64) {
        convert(*this, tensor.data<double>());
    } else {
        convert(*this, tensor.data<float>());
    }
    return tensor;
}

FileTensor FileTensor::from(const Tensor& tensor) {
    const auto count = static_cast<std::size_t>(tensor.size());
    if (tensor.type() == Tensor::Type::Float64) return {"F64", tensor.shape(), as_bytes(tensor.data<double>(), count)};
    return {"F32", tensor.shape(), as_bytes(tensor.data<float>(), count)};
}

FileTensor FileTensor::from_u8(Shape shape, std::vector<std::uint8_t> cells) {
    return {"U8", std::move(shape), std::move(cells)};
}

FileTensor FileTensor::from_i64(Shape shape, const std::vector<std::int64_t>& numbers) {
    return {"I64", std::move(shape), as_bytes(numbers.data(), numbers.size())};
}

const FileTensor* TensorFile::find(std::string_view name) const {
    const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const auto& t) { return t.first == name; });
    return found == tensors.end() ? nullptr : &found->second;
}

}  // namespace headscope
