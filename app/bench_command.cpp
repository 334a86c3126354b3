// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench_command.h"

#include <cstdio>

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

/// 0 if it was not given: the measurement then uses its default.
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

/// Refuses options that would have no effect, instead of ignoring them silently.
Result<void> refuse(const Arguments& arguments, const char* mode, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        if (arguments.has(QLatin1String(name)))
            return fail(ErrorCode::InvalidValue, "{} has no meaning beside {}; remove one of them", name, mode);
    }
    return {};
}

/// The error of --article and --interface for options that have no effect together with them.
Result<void> refuseUnused(const Arguments& arguments, BenchJob::Mode mode) {
    if (mode == BenchJob::Mode::Article) return refuse(arguments, "--article", {"--cases", "--interface"});
    if (mode == BenchJob::Mode::Interface) return refuse(arguments, "--interface", {"--threads", "--cases"});
    return {};
}

Result<void> readEngineSizes(const Arguments& arguments, BenchJob& job) {
    const bool article = job.mode == BenchJob::Mode::Article;
    const auto sizes =
        parse_bench_numbers(valueOf(arguments, "--sizes", article ? "1024,4096" : "16,64,256,1024,4096"), "--sizes");
    if (!sizes) return tl::unexpected(sizes.error());
    const auto threads = parse_bench_numbers(valueOf(arguments, "--threads", article ? "2" : "1,2"), "--threads");
    if (!threads) return tl::unexpected(threads.error());
    auto cases = parse_bench_cases(valueOf(arguments, "--cases", "full,causal,bfloat16"));
    if (!cases) return tl::unexpected(cases.error());
    job.sizes = *sizes;
    for (const std::int64_t count : *threads)
        job.threads.push_back(static_cast<int>(std::min<std::int64_t>(count, 64)));
    job.cases = std::move(*cases);
    return {};
}

Result<void> readInterfaceSizes(const Arguments& arguments, BenchJob& job) {
    const auto sizes =
        parseInterfaceSizes(valueOf(arguments, "--sizes", "64x8,1024x8,32x96,4096x8,16384x8,65536x8"), job.num_heads);
    if (!sizes) return tl::unexpected(sizes.error());
    job.interface_sizes = *sizes;
    return {};
}

Result<void> runEngine(const BenchJob& job) {
    const auto bench = Bench::make(job.embed_dim, job.num_heads, job.repeat);
    if (!bench) return tl::unexpected(bench.error());
    for (const std::int64_t size : job.sizes) {
        for (const int count : job.threads) {
            for (const BenchCase& what : job.cases) {
                const auto line = bench->measure(what, size, count);
                if (!line) return tl::unexpected(line.error());
                printLine(to_json(*line));
            }
        }
    }
    return {};
}

Result<void> runArticle(const BenchJob& job) {
    const auto bench = Bench::make(job.embed_dim, job.num_heads, job.repeat);
    if (!bench) return tl::unexpected(bench.error());
    for (const std::int64_t size : job.sizes) {
        for (const int count : job.threads) {
            const auto rows = measure_article(*bench, size, count);
            if (!rows) return tl::unexpected(rows.error());
            for (const ArticleRow& row : *rows) printLine(to_json(row));
        }
    }
    return {};
}

Result<void> runInterface(const BenchJob& job) {
    return benchInterface({job.interface_sizes, job.embed_dim, job.repeat},
                          [](const InterfaceLine& line) { printLine(to_json(line)); });
}

}  // namespace

QList<OptionSpec> benchOptions() {
    return {
        {QStringLiteral("--sizes"), QStringLiteral("S,..."),
         QStringLiteral("tokens of a sequence (16,64,256,1024,4096)")},
        {QStringLiteral("--threads"), QStringLiteral("N,..."), QStringLiteral("threads (1,2)")},
        {QStringLiteral("--cases"), QStringLiteral("CASE,..."),
         QStringLiteral("full, a mask or rules, also by head (as in local:256:0, softcap:50; write \\, for a comma of "
                        "its own), weights (kept), stages, chunk:N, bfloat16, float16, float64 "
                        "(full,causal,bfloat16)")},
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
                        "are then tokens x heads (64x8,1024x8,32x96,4096x8,16384x8,65536x8)")},
        {QStringLiteral("--help"), {}, QStringLiteral("this text")}};
}

Result<BenchJob> readBenchJob(const Arguments& arguments) {
    if (!arguments.operands.isEmpty()) {
        return fail(ErrorCode::InvalidValue, "bench takes options only, not '{}'",
                    arguments.operands.first().toStdString());
    }
    BenchJob job;
    job.mode = arguments.has(QStringLiteral("--article"))     ? BenchJob::Mode::Article
               : arguments.has(QStringLiteral("--interface")) ? BenchJob::Mode::Interface
                                                              : BenchJob::Mode::Engine;
    const bool interface = job.mode == BenchJob::Mode::Interface;
    if (auto known = refuseUnused(arguments, job.mode); !known) return tl::unexpected(known.error());
    const auto embedDim = numberOf(arguments, "--embed-dim", "512"), numHeads = numberOf(arguments, "--num-heads", "8");
    const auto repeat = repeatOf(arguments);
    for (const auto* number : {&embedDim, &numHeads}) {
        if (!*number) return tl::unexpected(number->error());
    }
    if (!repeat) return tl::unexpected(repeat.error());
    job.embed_dim = interface && !arguments.has(QStringLiteral("--embed-dim")) ? 0 : *embedDim;
    job.num_heads = *numHeads;
    job.repeat = *repeat;
    const auto sizes = interface ? readInterfaceSizes(arguments, job) : readEngineSizes(arguments, job);
    if (!sizes) return tl::unexpected(sizes.error());
    return job;
}

Result<void> runBench(const Arguments& arguments) {
    const auto job = readBenchJob(arguments);
    if (!job) return tl::unexpected(job.error());
    switch (job->mode) {
        case BenchJob::Mode::Engine:
            return runEngine(*job);
        case BenchJob::Mode::Article:
            return runArticle(*job);
        case BenchJob::Mode::Interface:
            break;
    }
    return runInterface(*job);
}

}  // namespace headscope
