// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/json.h"

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "core/base/memory.h"
#include "core/files/input_file.h"

namespace headscope {
namespace {

using nlohmann::json;

constexpr int kDeepest = 64;
constexpr std::uint64_t kParsedPerByte = 32;  // upper bound of a parsed value's memory per byte of its text

/// Handles the parser's events: detects faults that the parser itself accepts, and limits the nesting.
class Watch {
public:
    explicit Watch(const std::string& place) : place_(place) {}

    bool operator()(int depth, json::parse_event_t event, json& parsed) {
        using Event = json::parse_event_t;
        if (depth >= kDeepest && (event == Event::object_start || event == Event::array_start)) {
            refuse(fail(ErrorCode::FileFormat, "{}: its JSON is nested more than {} deep", place_, kDeepest));
            return false;
        }
        if (event == Event::object_start) names_.emplace_back();
        if (event == Event::object_end) names_.pop_back();
        if (event == Event::key) {
            const auto& name = parsed.get_ref<const std::string&>();
            if (!names_.back().insert(name).second)
                refuse(fail(ErrorCode::FileFormat, "{}: its JSON holds \"{}\" twice", place_, name));
        }
        return true;
    }
    const std::optional<Error>& error() const { return error_; }

private:
    void refuse(const tl::unexpected<Error>& error) {
        if (!error_) error_ = error.value();
    }

    const std::string& place_;
    std::vector<std::set<std::string>> names_;
    std::optional<Error> error_;
};

}  // namespace

Result<json> parse_json(std::string_view text, const std::string& place, std::uint64_t offset) {
    if (auto fits = require_memory(kParsedPerByte * text.size(), place); !fits) return tl::unexpected(fits.error());
    if (auto utf8 = require_utf8(text, place, offset); !utf8) return tl::unexpected(utf8.error());
    Watch watch(place);
    try {
        json parsed = json::parse(text, std::ref(watch));
        if (watch.error()) return tl::unexpected(*watch.error());
        return parsed;
    } catch (const json::parse_error& error) {
        if (watch.error()) return tl::unexpected(*watch.error());
        return fail(ErrorCode::FileFormat, "{}: invalid JSON at byte {}", place, offset + error.byte - 1);
    } catch (const json::out_of_range&) {  // 1e400
        return fail(ErrorCode::FileFormat, "{}: its JSON holds a number that is out of range", place);
    }
}

}  // namespace headscope
