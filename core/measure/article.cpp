// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/article.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/memory.h"

namespace headscope {

namespace {

constexpr std::int64_t kWindow = 256;  // of the sparse case
constexpr double kNear = 0.95;         // a claim counts as met within the noise of the timing

/// The ratios of the three methods, and other figures quoted in the reasons.
struct Measured {
    ArticleRow row;
    double without_window = 1;  ///< the sparse case's time relative to the same tiles without a mask
};

bool is_met(const ArticleRow& row) {
    return row.speed() >= kNear * row.claim.speed && row.memory() >= kNear * row.claim.memory;
}

/// Formats a ratio or a percentage: "1.5".
std::string number(double value) {
    return fmt::format("{:.1f}", value);
}

Sentence why_memory_efficient(const ArticleRow& row) {
    const std::string whole = format_bytes(row.plain.peak_bytes), tiles = format_bytes(row.way.peak_bytes);
    if (is_met(row)) {
        return say("plain attention writes every weight, {} in all, and reads it again; tiles stay in the cache",
                   whole);
    }
    if (row.memory() < kNear * row.claim.memory) {
        return say(
            "at a length of {} the weights are small beside q, k, v and the output ({} whole, {} in tiles); memory is "
            "saved as the square of the tokens",
            row.way.sequence_length, whole, tiles);
    }
    return say(
        "memory falls from {} to {}; the arithmetic is the same either way, and plain attention is fast here too, "
        "since its memory is kept and used again",
        whole, tiles);
}

Sentence why_mixed_precision(const ArticleRow& row) {
    if (row.way.emulated) {
        return say(
            "this processor has no bfloat16 products: the rounding is simulated, which costs time and saves no memory");
    }
    if (is_met(row)) return say("the processor's bfloat16 products take half the time, and half the bytes");
    return say(
        "the processor's bfloat16 products are faster, but the softmax is computed in float32, and plain attention "
        "stores its weights in float32");
}

Sentence why_sparse(const Measured& measured) {
    const ArticleRow& row = measured.row;
    const std::int64_t size = row.way.sequence_length;
    if (size <= kWindow + 1) {
        return say("the window of {} tokens covers all {}: there is nothing to skip; use a longer text", kWindow, size);
    }
    // Row i of a window to the left has min(i, W) + 1 allowed cells.
    const auto n = static_cast<double>(size), w = static_cast<double>(kWindow);
    const double allowed = ((w + 1) * n - w * (w + 1) / 2) / (n * n);
    return say(
        "a window of {} leaves {} % of the cells; the projections are as large as before. Beside the same tiles "
        "without a window it is {} times as fast",
        kWindow, number(allowed * 100), number(measured.without_window));
}

nlohmann::ordered_json columns(const ArticleRow& row, const std::string& why) {
    nlohmann::ordered_json json;
    json["case"] = row.claim.name;
    json["measured"] = row.way.name;
    json["sequence_length"] = row.way.sequence_length;
    json["threads"] = row.way.threads;
    json["claimed_speed"] = row.claim.speed;
    json["speed"] = row.speed();
    json["claimed_memory"] = row.claim.memory;
    json["memory"] = row.memory();
    json["plain_ms"] = row.plain.median_ms;
    json["median_ms"] = row.way.median_ms;
    json["plain_bytes"] = row.plain.peak_bytes;
    json["peak_bytes"] = row.way.peak_bytes;
    json["why"] = why;
    return json;
}

/// A field of a CSV file, quoted if necessary.
std::string field(std::string text) {
    if (text.find_first_of(",\"\r\n") == text.npos) return text;
    for (std::size_t at = 0; (at = text.find('"', at)) != text.npos; at += 2) text.insert(at, 1, '"');
    return '"' + text + '"';
}

}  // namespace

Result<std::vector<ArticleRow>> measure_article(const Bench& bench, std::int64_t sequence_length, int threads,
                                                const std::function<void(int)>& done, const std::atomic<bool>* cancel) {
    std::vector<BenchCase> cases{{.name = "weights", .way = BenchCase::Way::Weights}};
    for (const ArticleClaim& claim : kArticleClaims) {
        auto what = parse_bench_case(claim.bench_case);
        if (!what) return tl::unexpected(what.error());
        // Only the precision differs from plain attention.
        if (what->precision != Precision::Float32) {
            what->way = BenchCase::Way::Weights;
            what->name = "weights in " + what->name;
        }
        cases.push_back(std::move(*what));
    }
    const auto lines = bench.measure_in_turn(cases, sequence_length, threads, done, cancel);
    if (!lines) return tl::unexpected(lines.error());
    std::vector<ArticleRow> rows;
    for (std::size_t i = 0; i < std::size(kArticleClaims); ++i)
        rows.push_back({kArticleClaims[i], lines->front(), (*lines)[i + 1], {}});
    rows[0].why = why_memory_efficient(rows[0]);
    rows[1].why = why_mixed_precision(rows[1]);
    rows[2].why = why_sparse({rows[2], rows[0].way.median_ms / rows[2].way.median_ms});
    return rows;
}

std::string to_json(const ArticleRow& row) {
    return columns(row, row.why.str()).dump();
}

std::string article_csv(const std::vector<ArticleRow>& rows, const std::function<std::string(const Sentence&)>& said) {
    std::string csv;
    for (const ArticleRow& row : rows) {
        const auto json = columns(row, said(row.why));
        std::string names, values;
        for (const auto& item : json.items()) {
            const std::string comma = names.empty() ? "" : ",";
            names += comma + item.key();
            values += comma + field(item.value().is_string() ? item.value().get<std::string>() : item.value().dump());
        }
        if (csv.empty()) csv = names + "\r\n";
        csv += values + "\r\n";
    }
    return csv;
}

}  // namespace headscope
