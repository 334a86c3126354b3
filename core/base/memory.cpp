// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

namespace headscope {

namespace {

constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();
std::atomic<std::uint64_t> limit_for_tests{0};

std::optional<std::uint64_t> parse_number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end == text.data()) return std::nullopt;
    return value;
}

/// The number at the start of a one-line file of the kernel; nothing if it is "max" or missing.
std::optional<std::uint64_t> number_in(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line)) return std::nullopt;
    return parse_number(line);
}

/// The value of "KEY ... N" in a file of the kernel, which has one key a line.
std::optional<std::uint64_t> keyed_number_in(const std::string& path, std::string_view key) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(key)) continue;
        const auto digit = line.find_first_of("0123456789", key.size());
        if (digit != std::string::npos) return parse_number(std::string_view(line).substr(digit));
    }
    return std::nullopt;
}

std::uint64_t system_available() {
    const auto kilobytes = keyed_number_in("/proc/meminfo", "MemAvailable:");
    return kilobytes ? *kilobytes * 1024 : kUnknown;
}

/// Memory available in one control group, including the file pages that the kernel can reclaim.
std::uint64_t group_available(const std::string& folder, const char* most, const char* used, const char* reclaimable) {
    const auto limit = number_in(folder + most);
    const auto usage = number_in(folder + used);
    if (!limit || !usage) return kUnknown;
    const std::uint64_t given_back = keyed_number_in(folder + "memory.stat", reclaimable).value_or(0);
    const std::uint64_t held = *usage - std::min(*usage, given_back);
    return *limit - std::min(*limit, held);
}

/// The minimum over the groups from ours up to the root: each limits those below it.
std::uint64_t groups_available() {
    std::uint64_t least = kUnknown;
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const bool v2 = line.starts_with("0::");
        const auto v1 = line.find(":memory:");
        if (!v2 && v1 == std::string::npos) continue;
        const std::string root = v2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
        std::string path = line.substr(line.rfind(':') + 1);
        while (true) {
            const std::string folder = root + path + (path.ends_with('/') ? "" : "/");
            least = std::min(least, v2 ? group_available(folder, "memory.max", "memory.current", "inactive_file ")
                                       : group_available(folder, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                                         "total_inactive_file "));
            if (path.empty() || path == "/") break;
            path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
        }
    }
    return least;
}

/// A limit set by a test or the environment, in place of the system's.
std::optional<std::uint64_t> chosen_limit() {
    if (const std::uint64_t bytes = limit_for_tests) return bytes;
    const char* text = std::getenv("HEADSCOPE_MEMORY_LIMIT");
    return text ? parse_number(text) : std::nullopt;
}

}  // namespace

Result<std::int64_t> checked_product(std::initializer_list<std::int64_t> factors) {
    std::int64_t product = 1;
    bool fits = true;
    for (const std::int64_t factor : factors) {
        if (factor == 0) return 0;
        fits = fits && factor > 0 && !__builtin_mul_overflow(product, factor, &product);
    }
    if (fits) return product;
    std::string sizes;
    for (const std::int64_t factor : factors) sizes += fmt::format("{}{}", sizes.empty() ? "" : " x ", factor);
    return fail(ErrorCode::OutOfMemory, "{} is more than any memory holds; make one of these sizes smaller", sizes);
}

std::string format_bytes(std::uint64_t bytes) {
    if (bytes < 1000) return fmt::format("{} B", bytes);
    constexpr const char* kUnits[] = {"KB", "MB", "GB", "TB", "PB", "EB"};
    double value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    // From 999.5 on the number would be rounded to 1000 of this unit.
    for (; value >= 999.5 && unit + 1 < std::size(kUnits); ++unit) value /= 1000;
    return fmt::format("{:.{}f} {}", value, value < 9.95 ? 1 : 0, kUnits[unit]);
}

std::uint64_t memory_limit() {
    if (const auto bytes = chosen_limit()) return *bytes;
    const std::uint64_t available = std::min(system_available(), groups_available());
    return available == kUnknown ? kUnknown : available / 4 * 3;
}

void set_memory_limit_for_tests(std::uint64_t bytes) {
    limit_for_tests = bytes;
}

Result<void> require_memory(std::uint64_t bytes, const std::string& what) {
    // Querying the system takes longer than computing a sentence, and so little memory is always available.
    constexpr std::uint64_t kNotWorthAsking = 16'000'000;
    if (bytes <= kNotWorthAsking && !chosen_limit()) return {};
    const std::uint64_t limit = memory_limit();
    if (bytes <= limit) return {};
    return fail(ErrorCode::OutOfMemory,
                "{} would take {}, and {} can be had; fewer tokens or a smaller layer would fit", what,
                format_bytes(bytes), format_bytes(limit));
}

}  // namespace headscope
