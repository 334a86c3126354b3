// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace headscope {

/// Something said to a person that is no error: kept as a template and its arguments, as Error is, so that an interface
/// in another language can say it too.
struct Sentence {
    std::string text{};               ///< in the syntax of fmt, with {} for each argument
    std::vector<std::string> args{};  ///< already formatted

    bool operator==(const Sentence&) const = default;
    bool empty() const { return text.empty(); }
    std::string str() const { return Error{ErrorCode::InvalidValue, text, args}.message(); }
};

/// Marks words that stand in a sentence as one of its arguments: they are translated as the sentence itself is.
constexpr const char* phrase(const char* words) {
    return words;
}

/// say("query {} may attend to {} keys", i, n)
template <typename... Args>
Sentence say(std::string text, const Args&... args) {
    return {std::move(text), {fmt::format("{}", args)...}};
}

}  // namespace headscope
