// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "app/arguments.h"
#include "app/bench_interface.h"
#include "core/measure/bench.h"

namespace headscope {

/// The options of `headscope bench`, each value legal by itself.
struct BenchJob {
    enum class Mode { Engine, Article, Interface } mode = Mode::Engine;
    std::vector<std::int64_t> sizes{};  ///< tokens of a sequence; for the engine and the article
    std::vector<int> threads{};
    std::vector<BenchCase> cases{};
    std::vector<InterfaceSize> interface_sizes{};
    std::int64_t embed_dim = 0, num_heads = 0;  ///< embed_dim 0: the default of the interface measurement
    int repeat = 0;                             ///< 0: the default of the measurement
};

QList<OptionSpec> benchOptions();
/// InvalidValue for an illegal value or an illegal pair of options; also returns the errors of reading a mask file.
Result<BenchJob> readBenchJob(const Arguments& arguments);
/// headscope bench [options]: writes one JSON object per line to standard output for each case, size and number of
/// threads. Needs no display and reads no settings.
Result<void> runBench(const Arguments& arguments);

}  // namespace headscope
