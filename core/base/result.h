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

/// The kind of an error; every code has a test.
enum class ErrorCode {
    InvalidValue,  ///< a number or word that is not legal by itself
    InvalidPair,   ///< two values that conflict, such as embed_dim and num_heads
    InvalidMask,   ///< an invalid mask expression, or a mask file of the wrong size
    NoTokens,      ///< no token to attend to
    OutOfMemory,   ///< more than the available memory; the message contains both figures
    Cancelled,     ///< replaced by a newer request
    FileMissing,
    FileUnreadable,
    FileFormat,   ///< not the format of its extension or header
    FileContent,  ///< well-formed, but not a usable layer, mask or text
    FileUnwritable,
    Unsupported,
};

/// An error as a value: a code, and a message for the user. The message is kept as a template and its arguments, so
/// that an interface can translate it.
struct Error {
    ErrorCode code;
    std::string text;                 ///< in the syntax of fmt, with {} for each argument
    std::vector<std::string> args{};  ///< already formatted

    bool operator==(const Error&) const = default;
    /// The message, on one line whatever its arguments contain.
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
