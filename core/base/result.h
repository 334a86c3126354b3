// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/args.h>
#include <fmt/format.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "core/base/utf8.h"

namespace headscope {

/// What kind of thing went wrong; every code has a test.
enum class ErrorCode {
    InvalidValue,  ///< a number or word that is not legal by itself
    InvalidPair,   ///< two values that clash, such as embed_dim and num_heads
    InvalidMask,   ///< a mask expression or a mask file that can't be meant
    NoTokens,      ///< nothing to attend to
    OutOfMemory,   ///< would not fit; the message holds both figures
    Cancelled,     ///< a newer request took over
    FileMissing,
    FileUnreadable,
    FileFormat,   ///< not what its ending or header says
    FileContent,  ///< well formed, but not a layer, mask or text that can be used
    FileUnwritable,
    Unsupported,
};

/// Bad input as a value: a code, and a sentence made for the person who reads it. The sentence is kept as a template
/// and its arguments, so that an interface in another language can say it too.
struct Error {
    ErrorCode code;
    std::string text;                 ///< in the syntax of fmt, with {} for each argument
    std::vector<std::string> args{};  ///< already formatted

    bool operator==(const Error&) const = default;
    /// The sentence, on one line whatever its arguments hold.
    std::string message() const {
        fmt::dynamic_format_arg_store<fmt::format_context> store;
        for (const auto& arg : args) store.push_back(arg);
        return one_line(fmt::vformat(text, store));
    }
};

template <typename T>
using Result = tl::expected<T, Error>;

/// fail(ErrorCode::InvalidValue, "num_heads is {}; it must be at least 1", n)
template <typename... Args>
tl::unexpected<Error> fail(ErrorCode code, std::string text, const Args&... args) {
    return tl::unexpected<Error>(Error{code, std::move(text), {fmt::format("{}", args)...}});
}

}  // namespace headscope
