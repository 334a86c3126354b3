// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/bench.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <functional>
#include <new>
#include <nlohmann/json.hpp>

#include "core/attention/query_key.h"
#include "core/attention/stages.h"
#include "core/base/config.h"
#include "core/base/memory.h"
#include "core/base/sentence.h"
#include "core/base/thread_pool.h"
#include "core/engine/tiled.h"
#include "core/files/mask_file.h"
#include "core/weights/torch_random.h"

namespace headscope {

namespace {

/// The measurements of one run, except time.
struct Cost {
    std::uint64_t bytes = 0;
    bool emulated = false;
};
using Run = std::function<Result<Cost>()>;

constexpr const char* kCases =
    "full, causal, weights, stages, chunk:N, bfloat16, float16, float64, a mask such as local:256:0, or rules such as "
    "alibi";

Result<std::int64_t> parse_whole_number(std::string_view text, const std::string& what) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size() || number < 1) {
        return fail(ErrorCode::InvalidValue, "{} '{}' is no whole number of at least 1", what, text);
    }
    return number;
}

/// Splits at commas without a backslash before them, and removes the backslash of the others.
std::vector<std::string> split_list(std::string_view text) {
    std::vector<std::string> parts(1);
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] == ',') {
            parts.back() += text[++at];
        } else if (text[at] == ',') {
            parts.emplace_back();
        } else {
            parts.back() += text[at];
        }
    }
    return parts;
}

Tensor random_x(std::int64_t size, std::int64_t embed_dim) {
    auto x = Tensor::of<float>({1, size, embed_dim});
    TorchGenerator(1).randn(x.data<float>(), x.size());
    return x;
}

Batch batch_of(std::int64_t size) {
    Batch batch;
    batch.tokens.emplace_back(static_cast<std::size_t>(size), "x");
    batch.real.assign(static_cast<std::size_t>(size), 1);
    return batch;
}

Run tiled_run(const BenchCase& what, const LayerPtr& layer, const Tensor& x, int threads,
              const std::atomic<bool>* cancel) {
    const auto ready = std::make_shared<TiledLayer>(layer, what.precision);
    TiledOptions options;
    options.threads = threads;
    options.keep_weights = what.way == BenchCase::Way::Weights;
    options.cancel = cancel;
    return [=, batch = batch_of(x.dim(1))]() -> Result<Cost> {
        const auto maps = HeadTileMaps::of(what.mask, batch, layer->num_heads);
        if (!maps) return tl::unexpected(maps.error());
        const auto result = ready->attend(x, maps->tiles(), options);
        if (!result) return tl::unexpected(result.error());
        return Cost{result->peak_bytes, ready->emulated()};
    };
}

/// Runs the stages, with the context in chunks or with all scores and weights at once.
Run staged_run(const BenchCase& what, const LayerPtr& layer, const Tensor& x, const std::atomic<bool>* cancel) {
    return [=, batch = batch_of(x.dim(1))]() -> Result<Cost> {
        const Precision precision = what.precision;
        const auto mask = HeadMasks::build(what.mask, batch, layer->num_heads);
        if (!mask) return tl::unexpected(mask.error());
        const Tensor qkv = stages::project(x, layer->qkv_weight, layer->qkv_bias, precision, cancel);
        const auto heads = stages::split_heads(qkv, layer->num_heads);
        // qkv, then q, k and v; the context of the heads and concatenated; the output.
        auto bytes = static_cast<std::uint64_t>(2 * qkv.bytes() + 3 * x.bytes());
        Tensor context;
        if (what.way == BenchCase::Way::Chunked) {
            TiledOptions options;
            options.cancel = cancel;
            const HeadTileMaps maps(*mask, what.mask, layer->num_heads, {what.chunk_size, {}});
            auto chunks = tiled_attention(heads.q, heads.k, heads.v, maps.tiles(), precision, options);
            if (!chunks) return tl::unexpected(chunks.error());
            context = chunks->context;
            bytes += chunks->peak_bytes;
        } else {
            const Tensor scores = stages::scores(heads.q, heads.k, {}, precision, cancel);
            const Tensor weights = stages::weights(scores, *mask, Fill::Safe, precision, cancel);
            context = stages::head_context(weights, heads.v, *mask, Fill::Safe, precision, cancel);
            bytes += static_cast<std::uint64_t>(scores.bytes() + weights.bytes());
        }
        stages::project(stages::concatenate(context), layer->out_weight, layer->out_bias, precision, cancel);
        if (cancel && *cancel) return fail(ErrorCode::Cancelled, "the measurement was cancelled");
        return Cost{bytes, is_half(precision)};
    };
}

Result<void> check_memory(const BenchCase& what, std::int64_t size, std::int64_t num_heads, std::int64_t embed_dim) {
    const bool squares = what.way == BenchCase::Way::Stages;
    const auto tensors = checked_product({size, embed_dim, 10, 4});
    const auto square = checked_product({squares ? 2 : 0, num_heads, size, size, 4});
    const auto cells = checked_product({squares || what.way == BenchCase::Way::Chunked ? 1 : 0, size, size});
    for (const auto& part : {tensors, square, cells}) {
        if (!part) return tl::unexpected(part.error());
        auto fits = require_memory(static_cast<std::uint64_t>(*part), what.name);
        if (!fits) return fits;
    }
    return {};
}

}  // namespace

Result<BenchCase> parse_bench_case(std::string_view text) {
    BenchCase what{.name = std::string(text)};
    if (text == "full") return what;
    if (text == "weights" || text == "stages") {
        what.way = text == "weights" ? BenchCase::Way::Weights : BenchCase::Way::Stages;
        return what;
    }
    constexpr std::string_view kChunk = "chunk:";
    if (text.starts_with(kChunk)) {
        const auto size = parse_whole_number(text.substr(kChunk.size()), "the chunk size of a case");
        if (!size) return tl::unexpected(size.error());
        what.way = BenchCase::Way::Chunked;
        what.chunk_size = *size;
        return what;
    }
    if (const auto precision = parse_precision(text)) {
        what.precision = *precision;
        return what;
    }
    auto mask = parse_heads(text);
    if (!mask) {
        return fail(ErrorCode::InvalidValue, "the case '{}' can't be measured; write {} ({})", text, kCases,
                    mask.error().message());
    }
    if (changes_queries(*mask)) {
        return fail(ErrorCode::InvalidValue,
                    "the case '{}' can't be measured: rope and qknorm change q and k before the attention", text);
    }
    auto loaded = load_mask_files(std::move(*mask));
    if (!loaded) return tl::unexpected(loaded.error());
    what.mask = std::move(*loaded);
    return what;
}

Result<std::vector<BenchCase>> parse_bench_cases(std::string_view text) {
    std::vector<BenchCase> cases;
    for (const std::string& part : split_list(text)) {
        auto what = parse_bench_case(part);
        if (!what) return tl::unexpected(what.error());
        cases.push_back(std::move(*what));
    }
    return cases;
}

Result<std::vector<std::int64_t>> parse_bench_numbers(std::string_view text, const std::string& what) {
    std::vector<std::int64_t> numbers;
    for (const std::string& part : split_list(text)) {
        const auto number = parse_whole_number(part, what);
        if (!number) return tl::unexpected(number.error());
        numbers.push_back(*number);
    }
    return numbers;
}

std::string to_json(const BenchLine& line) {
    nlohmann::ordered_json json;
    json["case"] = line.name;
    json["sequence_length"] = line.sequence_length;
    json["threads"] = line.threads;
    json["precision"] = to_string(line.precision);
    json["median_ms"] = line.median_ms;
    json["min_ms"] = line.min_ms;
    json["peak_bytes"] = line.peak_bytes;
    if (line.emulated) json["emulated"] = true;
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Result<Bench> Bench::make(std::int64_t embed_dim, std::int64_t num_heads, int repeat) {
    if (auto heads = check_heads(embed_dim, num_heads); !heads) return tl::unexpected(heads.error());
    const auto weights = checked_product({4, embed_dim, embed_dim, 4, 3});  // drawn, and in the products' layout
    if (!weights) return tl::unexpected(weights.error());
    if (auto fits = require_memory(static_cast<std::uint64_t>(*weights), phrase("the layer")); !fits) {
        return tl::unexpected(fits.error());
    }
    Bench bench;
    bench.layer_ = std::make_shared<const Layer>(seeded_layer(0, embed_dim, num_heads));
    bench.repeat_ = repeat;
    return bench;
}

/// The results of one case so far.
struct Bench::Runs {
    std::vector<double> milliseconds;
    Cost cost;

    BenchLine line(const BenchCase& what, std::int64_t sequence_length, int threads) {
        std::sort(milliseconds.begin(), milliseconds.end());
        return {what.name,
                sequence_length,
                threads,
                what.precision,
                milliseconds[milliseconds.size() / 2],
                milliseconds.front(),
                cost.bytes,
                cost.emulated};
    }
};

int Bench::repeats(std::int64_t sequence_length) const {
    if (repeat_ > 0) return repeat_;
    return sequence_length < 512 ? 101 : sequence_length < 2048 ? 9 : 5;
}

Result<BenchLine> Bench::measure(const BenchCase& what, std::int64_t sequence_length, int threads,
                                 const std::atomic<bool>* cancel) const {
    Runs runs;
    if (auto done = run(what, sequence_length, threads, repeats(sequence_length), cancel, runs); !done) {
        return tl::unexpected(done.error());
    }
    return runs.line(what, sequence_length, threads);
}

Result<std::vector<BenchLine>> Bench::measure_in_turn(const std::vector<BenchCase>& cases, std::int64_t sequence_length,
                                                      int threads, const std::function<void(int)>& done,
                                                      const std::atomic<bool>* cancel) const {
    const int repeat = repeats(sequence_length);
    std::vector<Runs> all(cases.size());
    int turns = 0;
    for (int round = 0; round < kRounds; ++round) {
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const int share = repeat * (round + 1) / kRounds - repeat * round / kRounds;
            if (auto ran = run(cases[i], sequence_length, threads, share, cancel, all[i]); !ran) {
                return tl::unexpected(ran.error());
            }
            if (done) done(++turns);
        }
    }
    std::vector<BenchLine> lines;
    for (std::size_t i = 0; i < cases.size(); ++i) lines.push_back(all[i].line(cases[i], sequence_length, threads));
    return lines;
}

Result<void> Bench::run(const BenchCase& what, std::int64_t sequence_length, int threads, int repeat,
                        const std::atomic<bool>* cancel, Runs& runs) const {
    const std::int64_t embed_dim = layer_->embed_dim;
    if (auto fits = check_memory(what, sequence_length, layer_->num_heads, embed_dim); !fits || repeat == 0)
        return fits;
    try {
        const ThreadLimit limit(threads);
        const Tensor x = random_x(sequence_length, embed_dim);
        const bool staged = what.way == BenchCase::Way::Chunked || what.way == BenchCase::Way::Stages;
        const Run once = staged ? staged_run(what, layer_, x, cancel) : tiled_run(what, layer_, x, threads, cancel);
        const auto first = once();
        if (!first) return tl::unexpected(first.error());
        runs.cost = *first;
        for (int left = repeat; left > 0; --left) {
            const auto begin = std::chrono::steady_clock::now();
            const auto result = once();
            const auto end = std::chrono::steady_clock::now();
            if (!result) return tl::unexpected(result.error());
            runs.milliseconds.push_back(std::chrono::duration<double, std::milli>(end - begin).count());
        }
        return {};
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "the memory ran out at {} tokens; fewer would fit", sequence_length);
    }
}

}  // namespace headscope
