// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "app/arguments.h"
#include "app/bench_interface.h"
#include "core/measure/bench.h"

namespace headscope {

/// What `headscope bench` was asked for, each value legal by itself.
struct BenchJob {
    enum class Mode { Engine, Article, Interface } mode = Mode::Engine;
    std::vector<std::int64_t> sizes{};  ///< tokens of a sequence; of the engine and the article
    std::vector<int> threads{};
    std::vector<BenchCase> cases{};
    std::vector<InterfaceSize> interface_sizes{};
    std::int64_t embed_dim = 0, num_heads = 0;  ///< embed_dim 0: the interface's own choice
    int repeat = 0;                             ///< 0: the measurement's own choice
};

QList<OptionSpec> benchOptions();
/// InvalidValue for a value or a pair of options that is not legal; the errors of a case that is a mask file.
Result<BenchJob> readBenchJob(const Arguments& arguments);
/// headscope bench [options]: one JSON object a line on standard output for each case, size and number of threads.
/// Needs no display and reads no settings.
Result<void> runBench(const Arguments& arguments);

}  // namespace headscope
