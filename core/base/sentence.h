// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace headscope {

/// A message that is not an error, as a template and its arguments, so that an interface can translate it.
struct Sentence {
    std::string text{};               ///< in the syntax of fmt, with {} for each argument
    std::vector<std::string> args{};  ///< already formatted

    bool operator==(const Sentence&) const = default;
    bool empty() const { return text.empty(); }
    std::string str() const { return Error{ErrorCode::InvalidValue, text, args}.message(); }
};

/// Marks words that are an argument of a message, so that they are translated as well.
constexpr const char* phrase(const char* words) {
    return words;
}

/// say("query {} can attend to {} keys", i, n)
template <typename... Args>
Sentence say(std::string text, const Args&... args) {
    return {std::move(text), {fmt::format("{}", args)...}};
}

}  // namespace headscope
