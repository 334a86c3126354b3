// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "core/base/result.h"

namespace headscope {

/// Multiplies sizes. OutOfMemory if the product exceeds 2^63 - 1 or a factor is negative.
Result<std::int64_t> checked_product(std::initializer_list<std::int64_t> factors);

/// "6.4 KB", "1.2 GB": decimal units, at least two significant digits.
std::string format_bytes(std::uint64_t bytes);

/// The most that a computation can use: three quarters of what the system and its control group have available
/// (MemAvailable, cgroup v2 memory.max less memory.current), or $HEADSCOPE_MEMORY_LIMIT bytes where that is set.
std::uint64_t memory_limit();

/// Replaces memory_limit() for a test; 0 restores it.
void set_memory_limit_for_tests(std::uint64_t bytes);

/// OutOfMemory with both figures if bytes exceeds memory_limit(). `what` names the data, such as "the scores".
Result<void> require_memory(std::uint64_t bytes, const std::string& what);

}  // namespace headscope
