// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/config.h"
#include "core/masks/head_expression.h"
#include "core/weights/layer.h"

namespace headscope {

/// A way to compute the layer, x -> output, that can be measured.
struct BenchCase {
    enum class Way {
        Tiled,    ///< the tiled engine, outputs only
        Weights,  ///< the tiled engine, keeping the weights of every head
        Chunked,  ///< tiled_attention() between the stages' projections
        Stages,   ///< the ten stages, keeping every intermediate result
    };
    std::string name;  ///< as written by the user
    Way way = Way::Tiled;
    HeadExpression mask{};
    Precision precision = Precision::Float32;
    std::int64_t chunk_size = 0;
};

/// Parses "full", "weights", "stages", "chunk:N", "bfloat16", "float16", "float64" (without a mask), or a mask
/// expression.
Result<BenchCase> parse_bench_case(std::string_view text);
/// Parses cases separated by commas; a backslash before a comma makes it part of a case: "full,causal\,local:256:0".
Result<std::vector<BenchCase>> parse_bench_cases(std::string_view text);
/// Parses "512,1024": whole numbers of at least 1. `what` names them in the error.
Result<std::vector<std::int64_t>> parse_bench_numbers(std::string_view text, const std::string& what);

struct BenchLine {
    std::string name;
    std::int64_t sequence_length = 0;
    int threads = 1;
    Precision precision = Precision::Float32;
    double median_ms = 0, min_ms = 0;
    std::uint64_t peak_bytes = 0;  ///< scratch and results of one call, without x and the layer
    /// True for a half format whose products are computed in float and then rounded. Always true for chunks and stages,
    /// which follow autocast's roundings step by step. The tiled engine computes bfloat16 products if the processor
    /// supports them.
    bool emulated = false;
};
/// {"case":"causal","sequence_length":512,"threads":2,"precision":"float32","median_ms":4.3,"min_ms":4.2,
/// "peak_bytes":123}, with "emulated":true added if it is.
std::string to_json(const BenchLine& line);

/// Measures with one layer, batch 1, on random tokens. One-time work is done before the clock starts: the layer is
/// prepared and each case runs once.
class Bench {
public:
    /// InvalidPair if num_heads doesn't divide embed_dim. repeat: runs of each case; 0 = 101, from 512 tokens on nine
    /// and from 2048 on five.
    static Result<Bench> make(std::int64_t embed_dim, std::int64_t num_heads, int repeat);
    /// Errors: InvalidMask, InvalidValue, OutOfMemory, Cancelled.
    Result<BenchLine> measure(const BenchCase& what, std::int64_t sequence_length, int threads,
                              const std::atomic<bool>* cancel = nullptr) const;
    /// Measures cases that are compared with each other in turn: kRounds times a part of each case's runs, so that
    /// other load of the machine affects all of them alike. Calls `done` with the number of turns after each.
    static constexpr int kRounds = 3;
    Result<std::vector<BenchLine>> measure_in_turn(const std::vector<BenchCase>& cases, std::int64_t sequence_length,
                                                   int threads, const std::function<void(int)>& done = {},
                                                   const std::atomic<bool>* cancel = nullptr) const;

private:
    struct Runs;
    Bench() = default;
    int repeats(std::int64_t sequence_length) const;
    Result<void> run(const BenchCase& what, std::int64_t sequence_length, int threads, int repeat,
                     const std::atomic<bool>* cancel, Runs& runs) const;
    LayerPtr layer_;
    int repeat_ = 0;
};

}  // namespace headscope
