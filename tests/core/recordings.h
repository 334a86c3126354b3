// SPDX-License-Identifier: GPL-3.0-or-later
// Small recordings, as another program would write them.
#pragma once

#include <nlohmann/json.hpp>
#include <random>

#include "core/files/recording.h"
#include "core/files/safetensors_file.h"
#include "scratch.h"

namespace headscope::testing {

using Lines = std::vector<std::vector<std::string>>;

/// Rows that sum to 1, all different.
inline Tensor random_attention(const Shape& shape, std::uint32_t seed = 1) {
    std::mt19937 random(seed);
    Tensor tensor = Tensor::of<double>(shape);
    const std::int64_t size = shape.back();
    for (std::int64_t row = 0; row < tensor.size() / size; ++row) {
        double sum = 0;
        double* out = tensor.data<double>() + row * size;
        for (std::int64_t j = 0; j < size; ++j) sum += out[j] = 1.0 + double(random() % 1000);
        for (std::int64_t j = 0; j < size; ++j) out[j] /= sum;
    }
    return tensor;
}

inline std::vector<std::string> some_tokens(std::int64_t size, const std::string& prefix = "t") {
    std::vector<std::string> tokens;
    for (std::int64_t i = 0; i < size; ++i) tokens.push_back(prefix + std::to_string(i));
    return tokens;
}

inline TensorFile recording_file(const Tensor& attention, const nlohmann::json& tokens = {}) {
    TensorFile file{{{"attention", FileTensor::from(attention)}}, {}};
    if (!tokens.is_null()) file.metadata["tokens"] = tokens.dump();
    return file;
}

}  // namespace headscope::testing
