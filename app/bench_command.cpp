// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench_command.h"

#include <cstdio>

#include "app/bench_interface.h"
#include "core/bench.h"

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
            return fail(ErrorCode::InvalidValue, "{} has no meaning beside {}; leave one of them away", name, mode);
    }
    return {};
}

Result<void> runEngine(const Arguments& arguments) {
    const auto sizes = parse_bench_numbers(valueOf(arguments, "--sizes", "512,1024,4096"), "--sizes");
    if (!sizes) return tl::unexpected(sizes.error());
    const auto threads = parse_bench_numbers(valueOf(arguments, "--threads", "1,2"), "--threads");
    if (!threads) return tl::unexpected(threads.error());
    const auto cases = parse_bench_cases(valueOf(arguments, "--cases", "full,causal"));
    if (!cases) return tl::unexpected(cases.error());
    const auto embedDim = numberOf(arguments, "--embed-dim", "512"), numHeads = numberOf(arguments, "--num-heads", "8");
    const auto repeat = repeatOf(arguments);
    for (const auto* number : {&embedDim, &numHeads}) {
        if (!*number) return tl::unexpected(number->error());
    }
    if (!repeat) return tl::unexpected(repeat.error());
    const auto bench = Bench::make(*embedDim, *numHeads, *repeat);
    if (!bench) return tl::unexpected(bench.error());
    for (const std::int64_t size : *sizes) {
        for (const std::int64_t count : *threads) {
            for (const BenchCase& what : *cases) {
                const auto line = bench->measure(what, size, static_cast<int>(std::min<std::int64_t>(count, 64)));
                if (!line) return tl::unexpected(line.error());
                printLine(to_json(*line));
            }
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
        {QStringLiteral("--sizes"), QStringLiteral("S,..."), QStringLiteral("tokens of a sequence (512,1024,4096)")},
        {QStringLiteral("--threads"), QStringLiteral("N,..."), QStringLiteral("threads (1,2)")},
        {QStringLiteral("--cases"), QStringLiteral("CASE,..."),
         QStringLiteral("full, a mask (as in local:256:0; write \\, for a comma of its own), weights (kept), stages, "
                        "chunk:N, bfloat16, float16, float64 (full,causal)")},
        {QStringLiteral("--embed-dim"), QStringLiteral("N"), QStringLiteral("numbers a token (512)")},
        {QStringLiteral("--num-heads"), QStringLiteral("N"), QStringLiteral("heads, a divisor of embed-dim (8)")},
        {QStringLiteral("--repeat"), QStringLiteral("N"),
         QStringLiteral("runs of each, of which the median counts (9; 5 from 2048 tokens on)")},
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
    return arguments.has(QStringLiteral("--interface")) ? runInterface(arguments) : runEngine(arguments);
}

}  // namespace headscope
