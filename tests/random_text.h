// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>
#include <ctime>
#include <initializer_list>
#include <random>
#include <string>

namespace headscope::testing {

/// Random draws for tests of texts, reproducible on every machine.
class Draws {
public:
    explicit Draws(std::uint32_t seed) : engine_(seed) {}
    std::size_t below(std::size_t n) { return engine_() % n; }
    bool one_in(std::size_t n) { return below(n) == 0; }
    const char* of(std::initializer_list<const char*> list) { return list.begin()[below(list.size())]; }

    /// A number as users, files and fuzzers write it: legal, at a limit, out of range, or not a number.
    std::string number() {
        switch (below(8)) {
            case 0:
                return of({"0",   "-0",  "00",  "-00", "1", "-1", "01", "+1",  " 1",    "1 ", "1e3", "0x10",
                           "1.5", "NaN", "inf", "-",   "",  "٣",  "１", "1,5", "1_000", "−1", "--1"});
            case 1:
                return of({"2147483646", "2147483647", "2147483648", "4294967295", "4294967296", "9223372036854775807",
                           "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
                           "18446744073709551615", "18446744073709551616", "-2147483648"});
            case 2:
                return std::string(1 + below(80), static_cast<char>('0' + below(10)));
            case 3:
                return std::to_string(below(300));
            default:
                return std::to_string(below(9));
        }
    }
    /// Random bytes mixed with special characters, half of each.
    std::string noise() {
        std::string text;
        for (std::size_t n = below(12); n > 0; --n) {
            text += one_in(2) ? std::string(1, static_cast<char>(below(256)))
                              : of({"猫",  "é",  "👋🏽", "🇮🇳",  "\u2028", "\u0085", "\u202E", "\uFEFF", "\n", "\t",
                                    "\0x", "%1", "{}",       "{0}", "<b>",    "'",      "\"",     "\\",     "--", "a"});
        }
        return text;
    }
    /// Changes the bytes at one to three places.
    std::string mutated(std::string text) {
        for (std::size_t n = 1 + below(3); n > 0; --n) {
            const std::size_t at = below(text.size() + 1), count = below(text.size() - at + 1);
            switch (below(5)) {
                case 0:
                    text.erase(at, 1 + below(4));
                    break;
                case 1:
                    text.insert(at, of({",", "+", ":", "\\", " ", "-", "0", ",,", "off:", "\n"}));
                    break;
                case 2:
                    text.insert(at, noise());
                    break;
                case 3:
                    text.insert(below(text.size() + 1), text.substr(at, count));
                    break;
                default:
                    if (at < text.size()) text[at] = static_cast<char>(below(256));
            }
        }
        return text;
    }

private:
    std::mt19937 engine_;
};

/// How many random inputs a test tries. HEADSCOPE_TEST_COUNT overrides it.
inline int test_count(int usual) {
    const int count = qEnvironmentVariableIntValue("HEADSCOPE_TEST_COUNT");
    return count > 0 ? count : usual;
}

/// The processor's time since it was made, which doesn't count what other programs take.
class ProcessorTime {
public:
    double milliseconds() const { return 1000.0 * static_cast<double>(std::clock() - begin_) / CLOCKS_PER_SEC; }

private:
    std::clock_t begin_ = std::clock();
};
/// The longest that one text may take; a sanitizer may take longer on a busy machine.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kMostMilliseconds = 300;
#else
constexpr double kMostMilliseconds = 100;
#endif

/// The seed of a test, which is printed. HEADSCOPE_TEST_SEED overrides it.
inline std::uint32_t test_seed() {
    const std::uint32_t seed = static_cast<std::uint32_t>(qEnvironmentVariableIntValue("HEADSCOPE_TEST_SEED"));
    qInfo("HEADSCOPE_TEST_SEED=%u", seed);
    return seed;
}

}  // namespace headscope::testing
