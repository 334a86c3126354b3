// SPDX-License-Identifier: GPL-3.0-or-later
// Small attention layers under the names and in the layouts of the families of models, and what they compute, written
// down naively from their definition.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/files/file_tensor.h"
#include "scratch.h"

namespace headscope::testing {

using Row = std::vector<double>;
using Matrix = std::vector<Row>;
using Tensors = std::vector<std::pair<std::string, FileTensor>>;

inline FileTensor to_file(const Matrix& matrix) {
    std::vector<float> numbers;
    for (const Row& row : matrix) numbers.insert(numbers.end(), row.begin(), row.end());
    return {"F32", {std::int64_t(matrix.size()), std::int64_t(matrix.front().size())}, bytes_of(numbers)};
}
inline FileTensor to_file(const Row& row) {
    return {"F32", {std::int64_t(row.size())}, bytes_of(std::vector<float>(row.begin(), row.end()))};
}

inline Matrix transposed(const Matrix& matrix) {
    Matrix result(matrix.front().size(), Row(matrix.size()));
    for (std::size_t r = 0; r < matrix.size(); ++r)
        for (std::size_t c = 0; c < result.size(); ++c) result[c][r] = matrix[r][c];
    return result;
}

template <typename T>
std::vector<T> joined(std::vector<T> first, const std::vector<T>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// query, key, value and output projection of one layer; key and value may have fewer heads.
struct SmallLayer {
    std::size_t embed_dim, heads, kv_heads;
    Matrix x, q, k, v, out;
    Row q_bias, k_bias, v_bias, out_bias;

    SmallLayer(std::size_t embed, std::size_t head_count, std::size_t kv_count, std::uint32_t seed, bool biases = true)
        : embed_dim(embed), heads(head_count), kv_heads(kv_count) {
        std::mt19937 random(seed);
        std::normal_distribution<double> normal(0, 0.5);
        // Floats, so that the file holds the same numbers.
        const auto row = [&](std::size_t size, bool drawn) {
            Row numbers(size);
            for (double& number : numbers) number = drawn ? double(float(normal(random))) : 0;
            return numbers;
        };
        const auto matrix = [&](std::size_t rows) {
            Matrix numbers;
            for (std::size_t r = 0; r < rows; ++r) numbers.push_back(row(embed, true));
            return numbers;
        };
        const std::size_t shared = embed / heads * kv_heads;
        x = matrix(5);
        q = matrix(embed), k = matrix(shared), v = matrix(shared), out = matrix(embed);
        q_bias = row(embed, biases), k_bias = row(shared, biases), v_bias = row(shared, biases);
        out_bias = row(embed, biases);
    }

    std::size_t head_dim() const { return embed_dim / heads; }

    /// [Q; K; V]
    Matrix blocks() const { return joined(joined(q, k), v); }
    Row block_bias() const { return joined(joined(q_bias, k_bias), v_bias); }

    /// For each key/value head: the queries that share it, its key, its value. [q0 k0 v0 q1 k1 v1 ...] where none is
    /// shared.
    template <typename T>
    std::vector<T> grouped(const std::vector<T>& query, const std::vector<T>& key, const std::vector<T>& value) const {
        std::vector<T> rows;
        const auto add = [&](const std::vector<T>& from, std::size_t head) {
            for (std::size_t i = 0; i < head_dim(); ++i) rows.push_back(from[head * head_dim() + i]);
        };
        for (std::size_t shared = 0; shared < kv_heads; ++shared) {
            for (std::size_t n = 0; n < heads / kv_heads; ++n) add(query, shared * (heads / kv_heads) + n);
            add(key, shared);
            add(value, shared);
        }
        return rows;
    }
    Matrix grouped() const { return grouped(q, k, v); }
    Row grouped_bias() const { return grouped(q_bias, k_bias, v_bias); }

    Tensors fused(const std::string& module, const Matrix& weight, const Row& bias,
                  const std::string& out_module) const {
        return {{module + ".weight", to_file(weight)},
                {module + ".bias", to_file(bias)},
                {out_module + ".weight", to_file(out)},
                {out_module + ".bias", to_file(out_bias)}};
    }
    Tensors separate(const std::string& prefix, const std::vector<std::string>& modules,
                     const std::string& out_module) const {
        return {{prefix + modules[0] + ".weight", to_file(q)},   {prefix + modules[0] + ".bias", to_file(q_bias)},
                {prefix + modules[1] + ".weight", to_file(k)},   {prefix + modules[1] + ".bias", to_file(k_bias)},
                {prefix + modules[2] + ".weight", to_file(v)},   {prefix + modules[2] + ".bias", to_file(v_bias)},
                {prefix + out_module + ".weight", to_file(out)}, {prefix + out_module + ".bias", to_file(out_bias)}};
    }
};

inline Tensors without_biases(Tensors tensors) {
    std::erase_if(tensors, [](const auto& tensor) { return tensor.first.ends_with("bias"); });
    return tensors;
}

struct Attention {
    std::vector<Matrix> weights;  ///< by head
    Matrix output;
};

/// Rotates each head's rows by their positions, the number d with d + head_dim/2 (half) or its neighbour.
inline void rotate(Matrix& rows, std::size_t head_dim, double base, bool half) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t at = 0; at < rows[i].size(); at += head_dim)
            for (std::size_t d = 0; d < head_dim / 2; ++d) {
                double &x = rows[i][at + (half ? d : 2 * d)], &y = rows[i][at + (half ? d + head_dim / 2 : 2 * d + 1)];
                const double angle = double(i) * std::pow(base, -2.0 * double(d) / double(head_dim)), before = x;
                x = before * std::cos(angle) - y * std::sin(angle);
                y = y * std::cos(angle) + before * std::sin(angle);
            }
}

/// softmax(q kᵀ · scale) v for each head, then the output projection. rope_base: 0 = q and k are not rotated.
inline Attention naive_attention(const SmallLayer& layer, double scale, bool causal = false, double rope_base = 0,
                                 bool half = true) {
    const auto project = [](const Matrix& input, const Matrix& weight, const Row& bias) {
        Matrix result;
        for (const Row& row : input) {
            Row& to = result.emplace_back(bias);
            for (std::size_t r = 0; r < weight.size(); ++r)
                for (std::size_t c = 0; c < row.size(); ++c) to[r] += weight[r][c] * row[c];
        }
        return result;
    };
    Matrix q = project(layer.x, layer.q, layer.q_bias), k = project(layer.x, layer.k, layer.k_bias);
    const Matrix v = project(layer.x, layer.v, layer.v_bias);
    const std::size_t size = layer.x.size(), width = layer.head_dim();
    for (Matrix* rows : {&q, &k})
        if (rope_base > 0) rotate(*rows, width, rope_base, half);
    Attention result;
    Matrix context(size, Row(layer.embed_dim, 0));
    for (std::size_t head = 0; head < layer.heads; ++head) {
        const std::size_t at = head * width, shared = head / (layer.heads / layer.kv_heads) * width;
        Matrix& weights = result.weights.emplace_back(size, Row(size, 0));
        for (std::size_t i = 0; i < size; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < (causal ? i + 1 : size); ++j) {
                double score = 0;
                for (std::size_t d = 0; d < width; ++d) score += q[i][at + d] * k[j][shared + d];
                sum += weights[i][j] = std::exp(score * scale);
            }
            for (std::size_t j = 0; j < size; ++j) {
                weights[i][j] /= sum;
                for (std::size_t d = 0; d < width; ++d) context[i][at + d] += weights[i][j] * v[j][shared + d];
            }
        }
    }
    result.output = project(context, layer.out, layer.out_bias);
    return result;
}

}  // namespace headscope::testing
