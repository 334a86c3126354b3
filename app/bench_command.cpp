// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench_command.h"

#include <cstdio>

#include "app/bench_interface.h"
#include "core/measure/article.h"

namespace headscope {
namespace {

std::string valueOf(const Arguments& arguments, const char* name, const char* otherwise) {
    return arguments.value(QLatin1String(name)).value_or(QLatin1String(otherwise)).toStdString();
}

Result<std::int64_t> numberOf(const Arguments& arguments, const char* name, const char* otherwise) {
    const auto numbers = parse_bench_numbers(valueOf(arguments, name, otherwise), name);
    if (!numbers) return tl::unexpected(numbers.error());
    if (numbers->size() != 1) return fail(ErrorCode::InvalidValue, "{} takes one number", name);
    return numbers->front();
}

/// 0 where it was not given: the measurement chooses.
Result<int> repeatOf(const Arguments& arguments) {
    if (!arguments.has(QStringLiteral("--repeat"))) return 0;
    return numberOf(arguments, "--repeat", "").map([](std::int64_t number) {
        return static_cast<int>(std::min<std::int64_t>(number, 1000000));
    });
}

void printLine(const std::string& line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

/// An option that would be passed over in silence is a mistake of whoever typed it.
Result<void> refuse(const Arguments& arguments, const char* mode, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        if (arguments.has(QLatin1String(name)))
            return fail(ErrorCode::InvalidValue, "{} has no meaning beside {}; remove one of them", name, mode);
    }
    return {};
}

/// What the measurements of the engine have in common.
struct EngineSettings {
    std::vector<std::int64_t> sizes;
    std::vector<int> threads;
    Bench bench;
};

Result<EngineSettings> engineSettings(const Arguments& arguments, const char* sizes, const char* threads) {
    const auto size_list = parse_bench_numbers(valueOf(arguments, "--sizes", sizes), "--sizes");
    if (!size_list) return tl::unexpected(size_list.error());
    const auto counts = parse_bench_numbers(valueOf(arguments, "--threads", threads), "--threads");
    if (!counts) return tl::unexpected(counts.error());
    const auto embedDim = numberOf(arguments, "--embed-dim", "512"), numHeads = numberOf(arguments, "--num-heads", "8");
    const auto repeat = repeatOf(arguments);
    for (const auto* number : {&embedDim, &numHeads}) {
        if (!*number) return tl::unexpected(number->error());
    }
    if (!repeat) return tl::unexpected(repeat.error());
    auto bench = Bench::make(*embedDim, *numHeads, *repeat);
    if (!bench) return tl::unexpected(bench.error());
    EngineSettings settings{*size_list, {}, std::move(*bench)};
    for (const std::int64_t count : *counts)
        settings.threads.push_back(static_cast<int>(std::min<std::int64_t>(count, 64)));
    return settings;
}

Result<void> runEngine(const Arguments& arguments) {
    const auto cases = parse_bench_cases(valueOf(arguments, "--cases", "full,causal,bfloat16"));
    if (!cases) return tl::unexpected(cases.error());
    const auto settings = engineSettings(arguments, "16,64,256,1024,4096", "1,2");
    if (!settings) return tl::unexpected(settings.error());
    for (const std::int64_t size : settings->sizes) {
        for (const int count : settings->threads) {
            for (const BenchCase& what : *cases) {
                const auto line = settings->bench.measure(what, size, count);
                if (!line) return tl::unexpected(line.error());
                printLine(to_json(*line));
            }
        }
    }
    return {};
}

Result<void> runArticle(const Arguments& arguments) {
    if (auto known = refuse(arguments, "--article", {"--cases", "--interface"}); !known) return known;
    const auto settings = engineSettings(arguments, "1024,4096", "2");
    if (!settings) return tl::unexpected(settings.error());
    for (const std::int64_t size : settings->sizes) {
        for (const int count : settings->threads) {
            const auto rows = measure_article(settings->bench, size, count);
            if (!rows) return tl::unexpected(rows.error());
            for (const ArticleRow& row : *rows) printLine(to_json(row));
        }
    }
    return {};
}

Result<void> runInterface(const Arguments& arguments) {
    if (auto known = refuse(arguments, "--interface", {"--threads", "--cases"}); !known) return known;
    const auto embedDim = numberOf(arguments, "--embed-dim", "1"), numHeads = numberOf(arguments, "--num-heads", "8");
    const auto repeat = repeatOf(arguments);
    for (const auto* number : {&embedDim, &numHeads}) {
        if (!*number) return tl::unexpected(number->error());
    }
    if (!repeat) return tl::unexpected(repeat.error());
    const auto sizes = parseInterfaceSizes(valueOf(arguments, "--sizes", "64x8,1024x8,32x96,4096x8"), *numHeads);
    if (!sizes) return tl::unexpected(sizes.error());
    const bool given = arguments.has(QStringLiteral("--embed-dim"));
    return benchInterface({*sizes, given ? *embedDim : 0, *repeat},
                          [](const InterfaceLine& line) { printLine(to_json(line)); });
}

}  // namespace

QList<OptionSpec> benchOptions() {
    return {
        {QStringLiteral("--sizes"), QStringLiteral("S,..."),
         QStringLiteral("tokens of a sequence (16,64,256,1024,4096)")},
        {QStringLiteral("--threads"), QStringLiteral("N,..."), QStringLiteral("threads (1,2)")},
        {QStringLiteral("--cases"), QStringLiteral("CASE,..."),
         QStringLiteral("full, a mask (as in local:256:0; write \\, for a comma of its own), weights (kept), stages, "
                        "chunk:N, bfloat16, float16, float64 (full,causal,bfloat16)")},
        {QStringLiteral("--embed-dim"), QStringLiteral("N"), QStringLiteral("numbers a token (512)")},
        {QStringLiteral("--num-heads"), QStringLiteral("N"), QStringLiteral("heads, a divisor of embed-dim (8)")},
        {QStringLiteral("--repeat"), QStringLiteral("N"),
         QStringLiteral("runs of each, of which the median counts (101; 9 from 512 and 5 from 2048 tokens on)")},
        {QStringLiteral("--article"),
         {},
         QStringLiteral("instead, what the article claims for memory-efficient attention, mixed precision and sparse "
                        "attention, beside what each takes here (--sizes 1024,4096 --threads 2)")},
        {QStringLiteral("--interface"),
         {},
         QStringLiteral("instead, what the window takes from a gesture until the answer is painted, offscreen; --sizes "
                        "are then tokens x heads (64x8,1024x8,32x96,4096x8)")},
        {QStringLiteral("--help"), {}, QStringLiteral("this text")}};
}

Result<void> runBench(const Arguments& arguments) {
    if (!arguments.operands.isEmpty()) {
        return fail(ErrorCode::InvalidValue, "bench takes options only, not '{}'",
                    arguments.operands.first().toStdString());
    }
    if (arguments.has(QStringLiteral("--article"))) return runArticle(arguments);
    return arguments.has(QStringLiteral("--interface")) ? runInterface(arguments) : runEngine(arguments);
}

}  // namespace headscope
