// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/sentence.h"
#include "core/measure/bench.h"

namespace headscope {

/// The three methods of the article "Transformer attention in PyTorch" that HeadScope started from, with its claims.
struct ArticleClaim {
    const char* name;              ///< "memory-efficient", "mixed precision", "sparse"
    const char* bench_case;        ///< the case that is measured for it; see parse_bench_case()
    double speed = 1, memory = 1;  ///< claimed factors: as fast, and as little memory, relative to plain attention
};
inline constexpr ArticleClaim kArticleClaims[] = {
    {"memory-efficient", "full", 1.5, 3}, {"mixed precision", "bfloat16", 2, 1.5}, {"sparse", "local:256:0", 3, 4}};

/// One claim and its measurement. Plain attention is the same engine in float32 without a mask, with the weights of all
/// heads kept whole, as in the article's module.
struct ArticleRow {
    ArticleClaim claim;
    BenchLine plain, way;
    Sentence why;  ///< the reason why the claim is met or not on this machine

    double speed() const { return plain.median_ms / way.median_ms; }
    double memory() const { return static_cast<double>(plain.peak_bytes) / static_cast<double>(way.peak_bytes); }
};

/// Measures the rows of one size in turn. Calls `done` with the number of turns after each of kArticleSteps turns.
/// Errors: OutOfMemory, Cancelled.
inline constexpr int kArticleSteps = 4 * Bench::kRounds;
Result<std::vector<ArticleRow>> measure_article(const Bench& bench, std::int64_t sequence_length, int threads,
                                                const std::function<void(int)>& done = {},
                                                const std::atomic<bool>* cancel = nullptr);

/// {"case":"sparse","measured":"local:256:0","sequence_length":1024,"threads":2,"claimed_speed":3.0,"speed":1.8,
/// "claimed_memory":4.0,"memory":3.8,"plain_ms":..,"median_ms":..,"plain_bytes":..,"peak_bytes":..,"why":".."}
std::string to_json(const ArticleRow& row);
/// The same columns as CSV (RFC 4180), with a header line. said: the reason in the user's language.
std::string article_csv(const std::vector<ArticleRow>& rows, const std::function<std::string(const Sentence&)>& said);

}  // namespace headscope
