// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/recording.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "core/base/memory.h"
#include "core/files/json.h"
#include "core/files/layer_names.h"

namespace headscope {
namespace {

const std::string kAttention = "attention";
/// More of them would be no model's, and the window shows each.
constexpr std::int64_t kMostLayers = 4096, kMostHeads = 1024, kMostSequences = 4096;

template <typename... Args>
tl::unexpected<Error> bad(const std::string& path, const std::string& text, const Args&... args) {
    return fail(ErrorCode::FileContent, "{}: " + text, path, args...);
}

using Lines = std::vector<std::vector<std::string>>;

bool is_line(const nlohmann::json& list) {
    return list.is_array() && std::all_of(list.begin(), list.end(), [](const auto& text) { return text.is_string(); });
}

/// The lists of texts in the metadata: one for each sequence, or a single one.
Result<Lines> parse_tokens(const std::string& text, const std::string& path) {
    const auto list = parse_json(text, path + ", metadata tokens");
    if (!list) return fail(ErrorCode::FileContent, "{}: metadata tokens isn't a JSON list", path);
    Lines lines;
    if (is_line(*list)) {
        lines.push_back(list->get<std::vector<std::string>>());
        return lines;
    }
    if (!list->is_array() || !std::all_of(list->begin(), list->end(), is_line))
        return bad(path, "metadata tokens must be a JSON list of texts, or one such list for each sequence");
    for (const auto& line : *list) lines.push_back(line.get<std::vector<std::string>>());
    return lines;
}

/// An npz file may hold the tokens of all sequences as one array (B,S), which arrives as a single list.
void split_evenly(Lines& lines, std::int64_t sequences, std::int64_t size) {
    if (sequences == 1 || lines.size() != 1 || std::cmp_not_equal(lines.front().size(), sequences * size)) return;
    const std::vector<std::string> all = std::move(lines.front());
    lines.clear();
    for (auto at = all.begin(); at != all.end(); at += size) lines.emplace_back(at, at + size);
}

Lines indexes(std::int64_t sequences, std::int64_t size) {
    std::vector<std::string> line;
    for (std::int64_t i = 0; i < size; ++i) line.push_back(std::to_string(i));
    return Lines(static_cast<std::size_t>(sequences), line);
}

}  // namespace

Result<RecordingPtr> Recording::open(const std::string& path) {
    auto source = TensorSource::open(path);
    if (!source) return tl::unexpected(source.error());
    if (!source->find(kAttention)) return tl::unexpected(no_layer(source->names(), path));
    const std::shared_ptr<Recording> recording(new Recording(std::move(*source)));
    auto done = recording->read_shape();
    if (done) done = recording->read_tokens();
    if (!done) return tl::unexpected(done.error());
    if (!recording->source_.reads_parts(kAttention)) {
        auto loaded = recording->source_.read(kAttention);
        if (!loaded) return tl::unexpected(loaded.error());
        recording->loaded_ = std::move(*loaded);
    }
    return recording;
}

/// Takes the last three axes as heads, queries and keys. What a fourth axis counts is known when the tokens are.
Result<void> Recording::read_shape() {
    const TensorEntry& entry = *source_.find(kAttention);
    const Shape& shape = entry.shape;
    const std::string& file = path();
    dtype_ = entry.dtype;
    if (dtype_size(dtype_) == 0 || !is_floating(dtype_))
        return fail(ErrorCode::Unsupported, "{}: attention is of type {}; F16, BF16, F32 or F64 was expected", path(),
                    dtype_);
    const std::size_t axes = shape.size();
    if (axes < 3 || axes > 5 || shape[axes - 1] != shape[axes - 2] ||
        std::any_of(shape.begin(), shape.end(), [](std::int64_t size) { return size < 1; }))
        return bad(file, "attention has the shape {}; (H,S,S), (L,H,S,S), (B,H,S,S) or (L,B,H,S,S) was expected",
                   to_string(shape));
    size_ = shape[axes - 1];
    num_heads_ = shape[axes - 3];
    if (axes == 5) sequences_ = shape[1];
    if (axes > 3) layers_ = shape[0];
    if (layers_ <= kMostLayers && num_heads_ <= kMostHeads && sequences_ <= kMostSequences) return {};
    return bad(file, "attention has the shape {}; at most {} layers, {} sequences and {} heads can be shown",
               to_string(shape), kMostLayers, kMostSequences, kMostHeads);
}

Result<void> Recording::read_tokens() {
    const std::string& file = path();
    const Shape& shape = source_.find(kAttention)->shape;
    const auto& metadata = source_.metadata();
    const auto text = metadata.find("tokens");
    Lines lines;
    if (text != metadata.end()) {
        auto parsed = parse_tokens(text->second, path());
        if (!parsed) return tl::unexpected(parsed.error());
        lines = std::move(*parsed);
    }
    // Four axes are layers, unless there is a line of tokens for each index of the first.
    const bool by_tokens = shape.size() == 4 && layers_ > 1 && layers_ <= kMostSequences &&
                           (std::cmp_equal(lines.size(), layers_) ||
                            (lines.size() == 1 && std::cmp_equal(lines.front().size(), layers_ * size_)));
    if (by_tokens) sequences_ = std::exchange(layers_, 1);
    const auto bytes = checked_product({sequences_, size_, static_cast<std::int64_t>(sizeof(std::string)) + 1});
    if (!bytes) return tl::unexpected(bytes.error());
    if (auto fits = require_memory(static_cast<std::uint64_t>(*bytes), path()); !fits) return fits;
    split_evenly(lines, sequences_, size_);
    if (lines.empty()) lines = indexes(sequences_, size_);
    if (lines.size() == 1 && sequences_ > 1) lines.resize(static_cast<std::size_t>(sequences_), lines.front());
    if (std::cmp_not_equal(lines.size(), sequences_))
        return bad(file, "metadata tokens is for a batch of {}, and attention for one of {}", lines.size(), sequences_);
    for (std::size_t b = 0; b < lines.size(); ++b) {
        if (std::cmp_greater(lines[b].size(), size_) || lines[b].empty())
            return bad(file, "sequence {} of metadata tokens has the length {}, and attention has {}", b,
                       lines[b].size(), size_);
        lines[b].resize(static_cast<std::size_t>(size_), kPad);
    }
    batch_ = make_batch(lines);
    describe(shape, by_tokens);
    return {};
}

void Recording::describe(const Shape& shape, bool by_tokens) {
    if (by_tokens)
        assumptions_.push_back(say("attention {}: {} sequences of {} heads, as there are tokens for each",
                                   to_string(shape), sequences_, num_heads_));
    else if (shape.size() == 5)
        assumptions_.push_back(
            say("attention {}: {} layers, {} sequences, {} heads", to_string(shape), layers_, sequences_, num_heads_));
    else if (shape.size() == 4)
        assumptions_.push_back(say("attention {}: {} layers of {} heads", to_string(shape), layers_, num_heads_));
    if (!source_.metadata().contains("tokens"))
        assumptions_.push_back(say("the file has no tokens: indexes label them"));
}

std::uint64_t Recording::bytes() const {
    return static_cast<std::uint64_t>(layers_ * sequences_ * num_heads_ * size_ * size_) * dtype_size(dtype_);
}

Result<void> Recording::read_bytes(std::uint64_t offset, std::uint64_t count, void* out) const {
    if (loaded_) {
        std::memcpy(out, loaded_->bytes.data() + offset, count);
        return {};
    }
    const std::lock_guard lock(mutex_);
    return source_.read_part(kAttention, offset, count, out);
}

template <typename T>
Result<void> Recording::read_rows(const Place& place, std::int64_t first, std::int64_t count, T* out) const {
    const std::size_t item = dtype_size(dtype_);
    const std::int64_t matrix = (place.layer * sequences_ + place.sequence) * num_heads_ + place.head;
    const std::uint64_t offset = static_cast<std::uint64_t>((matrix * size_ + first) * size_) * item;
    const std::uint64_t bytes = static_cast<std::uint64_t>(count * size_) * item;
    constexpr bool wide = std::is_same_v<T, double>;
    if (dtype_ == (wide ? "F64" : "F32")) return read_bytes(offset, bytes, out);
    FileTensor block{dtype_, {count, size_}, std::vector<std::uint8_t>(bytes)};
    if (auto done = read_bytes(offset, bytes, block.bytes.data()); !done) return done;
    const Tensor numbers = block.to_tensor(wide ? Tensor::Type::Float64 : Tensor::Type::Float32);
    std::copy_n(numbers.data<T>(), numbers.size(), out);
    return {};
}

template Result<void> Recording::read_rows(const Place&, std::int64_t, std::int64_t, float*) const;
template Result<void> Recording::read_rows(const Place&, std::int64_t, std::int64_t, double*) const;

}  // namespace headscope
