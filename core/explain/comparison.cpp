// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/row_reader.h"
#include "core/base/memory.h"
#include "core/base/precision_type.h"
#include "core/base/sentence.h"
#include "core/files/recording.h"
#include "core/masks/mask_layers.h"

namespace headscope {

namespace {

/// The beginning of a sequence, cut after a whole token.
std::string beginning(const std::vector<std::string>& tokens) {
    constexpr std::size_t kMostBytes = 60;
    std::string text;
    for (const auto& token : tokens) {
        if (!text.empty() && text.size() + token.size() > kMostBytes) return text + " ...";
        text.append(text.empty() ? "" : " ").append(token);
    }
    return text;
}

Sentence batch_text(const Batch& batch, std::size_t sequence) {
    const std::int64_t size = batch.size(), length = batch.sequence_length();
    if (sequence >= batch.tokens.size())
        return length == 1 ? say("{} x 1 token", size) : say("{} x {} tokens", size, length);
    const std::string words = beginning(batch.tokens[sequence]);
    return length == 1 ? say("{} x 1 token, sequence {}: {}", size, sequence, words)
                       : say("{} x {} tokens, sequence {}: {}", size, length, sequence, words);
}

/// A value in the words of the command line, which are not translated.
template <typename T>
Sentence word(const T& value) {
    return say("{}", value);
}

std::size_t first_difference(const Batch& a, const Batch& b) {
    const auto [in_a, in_b] = std::mismatch(a.tokens.begin(), a.tokens.end(), b.tokens.begin(), b.tokens.end());
    return static_cast<std::size_t>(in_a - a.tokens.begin());
}

Sentence weights_text(const Request& request) {
    if (request.recording) return word(fmt::format("{}, {}", request.recording->path(), request.recorded_layer));
    if (request.source != WeightSource::File || !request.file) return word(to_string(request.source));
    const LayerFile& file = *request.file;
    const std::string layer = file.layers.size() > 1 ? ", " + file.title : std::string();
    return word(fmt::format("{}{} ({})", file.path, layer, to_string(file.layout)));
}

Sentence size_text(std::optional<std::int64_t> size) {
    return size ? word(*size) : word("whole");
}

std::string shape_text(const RowReader& reader) {
    return fmt::format("{}x{}", reader.rows(), reader.columns());
}

Result<RowReader> reader_of(const Trace& trace, Stage stage, std::int64_t sequence, std::int64_t head) {
    if (has_rows(trace, stage, sequence, head)) return RowReader(trace, stage, sequence, head);
    return fail(ErrorCode::InvalidValue, "there is no sequence {}, head {} of {}", sequence, head, to_string(stage));
}

/// Adds a row of the mask, 1 = masked.
void add_masked(const std::uint8_t* allowed, std::int64_t n, std::vector<std::uint8_t>& masked) {
    for (std::int64_t j = 0; allowed && j < n; ++j) masked.push_back(!allowed[j]);
}

/// The distance from 1 to the next number in the finer precision, by which products are rounded.
double finer_epsilon(const Trace& a, const Trace& b) {
    const auto epsilon = [](Precision precision) { return std::ldexp(1.0, 1 - type_of(precision).significand); };
    return std::min(epsilon(a.request.precision), epsilon(b.request.precision));
}

double cell_difference(double a, double b) {
    const bool same = a == b || (std::isnan(a) && std::isnan(b));  // infinities too
    return same ? 0 : a - b;
}

struct ComparedRow {
    const std::vector<double>& values;
    const std::uint8_t* allowed;
};

/// Adds rows to a result.
class Comparer {
public:
    Comparer(const Trace& a, const Trace& b, Stage stage, DifferenceMatrix& result)
        : a_(a), b_(b), stage_(stage), result_(result) {}

    void add(std::int64_t row, const ComparedRow& a, const ComparedRow& b, bool keep) {
        ++result_.compared_rows;
        for (std::int64_t j = 0; j < result_.columns; ++j) {
            const double in_a = a.values[static_cast<std::size_t>(j)], in_b = b.values[static_cast<std::size_t>(j)];
            const double value = cell_difference(in_a, in_b);
            add_magnitude(in_a, a.allowed, j);
            add_magnitude(in_b, b.allowed, j);
            if (keep) result_.values.push_back(value);
            result_.undefined += std::isnan(value);
            if (!(std::fabs(value) > result_.largest)) continue;
            result_.largest = std::fabs(value);
            result_.row = row;
            result_.column = j;
        }
    }
    void finish() const {
        constexpr double kUlps = 4;  // sums of head_dim products are rounded more than once
        if (stage_ != Stage::Mask) result_.floor = kUlps * finer_epsilon(a_, b_) * magnitude_;
    }

private:
    void add_magnitude(double value, const std::uint8_t* allowed, std::int64_t j) {
        if (std::isfinite(value) && !(stage_ == Stage::Masked && !allowed[j]))
            magnitude_ = std::max(magnitude_, std::fabs(value));
    }

    const Trace &a_, &b_;
    Stage stage_;
    DifferenceMatrix& result_;
    double magnitude_ = 0;  // of computed numbers only, because a fill value is exact
};

Result<void> check_sizes(const RowReader& a, const RowReader& b, Stage stage) {
    if (a.rows() == b.rows() && a.columns() == b.columns()) return {};
    return fail(ErrorCode::InvalidPair, "{} of A are {}, of B {}; only matrices of one size can be subtracted",
                to_string(stage), shape_text(a), shape_text(b));
}

}  // namespace

std::vector<SettingDifference> differing_settings(const Request& a, const Request& b) {
    std::vector<SettingDifference> differences;
    const auto add = [&](bool differ, const char* name, const auto& text_of) {
        if (differ) differences.push_back({name, text_of(a), text_of(b)});
    };
    const auto drawn = [](const Request& r) {
        return !r.recording && (r.source != WeightSource::File || !r.file || !r.file->x);  // those of a file are not
    };
    const std::size_t sequence = first_difference(a.batch, b.batch);
    add(!(a.batch == b.batch), "text", [&](const Request& r) { return batch_text(r.batch, sequence); });
    const bool recorded = a.recording || b.recording;  // which has no vectors, scores and chunks
    add(!recorded && a.embed_dim != b.embed_dim, "embed_dim", [](const Request& r) { return word(r.embed_dim); });
    add(a.num_heads != b.num_heads, "num_heads", [](const Request& r) { return word(r.num_heads); });
    add(a.source != b.source || a.file != b.file || a.recording != b.recording || a.recorded_layer != b.recorded_layer,
        "weights", weights_text);
    add(a.seed != b.seed && (drawn(a) || drawn(b)), "seed", [](const Request& r) { return word(r.seed); });
    add(!(a.mask == b.mask), "mask", [](const Request& r) { return word(short_text(r.mask)); });
    add(a.fill != b.fill, "fill", [](const Request& r) { return word(to_string(r.fill)); });
    add(!recorded && a.scale != b.scale, "scale",
        [](const Request& r) { return r.scale ? word(*r.scale) : word("auto"); });
    add(a.precision != b.precision, "precision", [](const Request& r) { return word(to_string(r.precision)); });
    add(!recorded && a.chunk_size != b.chunk_size, "chunk size",
        [](const Request& r) { return size_text(r.chunk_size); });
    add(!recorded && a.key_chunk_size != b.key_chunk_size, "key chunk size",
        [](const Request& r) { return size_text(r.key_chunk_size); });
    return differences;
}

Result<DifferenceMatrix> difference(const Trace& a, const Trace& b, Stage stage, std::int64_t sequence,
                                    std::int64_t head) {
    auto left = reader_of(a, stage, sequence, head), right = reader_of(b, stage, sequence, head);
    if (!left) return tl::unexpected(left.error());
    if (!right) return tl::unexpected(right.error());
    if (auto same = check_sizes(*left, *right, stage); !same) return tl::unexpected(same.error());
    const std::int64_t rows = left->rows(), columns = left->columns();
    constexpr std::int64_t kCellBytes = 8 + 1 + 1;
    if (auto fits = require_memory(static_cast<std::uint64_t>(rows * columns * kCellBytes), phrase("the difference"));
        !fits) {
        return tl::unexpected(fits.error());
    }
    DifferenceMatrix result{.rows = rows, .columns = columns};
    result.values.reserve(static_cast<std::size_t>(rows * columns));
    Comparer comparer(a, b, stage, result);
    for (std::int64_t i = 0; i < rows; ++i) {
        const ComparedRow in_a{left->row(i), left->allowed(i)}, in_b{right->row(i), right->allowed(i)};
        add_masked(in_a.allowed, columns, result.masked_a);
        add_masked(in_b.allowed, columns, result.masked_b);
        comparer.add(i, in_a, in_b, true);
    }
    comparer.finish();
    return result;
}

Result<DifferenceMatrix> sampled_difference(const Trace& a, const Trace& b, Stage stage, std::int64_t sequence,
                                            std::int64_t head, std::int64_t rows, const std::atomic<bool>* cancel) {
    auto left = reader_of(a, stage, sequence, head), right = reader_of(b, stage, sequence, head);
    if (!left) return tl::unexpected(left.error());
    if (!right) return tl::unexpected(right.error());
    if (auto same = check_sizes(*left, *right, stage); !same) return tl::unexpected(same.error());
    DifferenceMatrix result{.rows = left->rows(), .columns = left->columns()};
    Comparer comparer(a, b, stage, result);
    const std::int64_t count = std::min(rows, result.rows);
    for (std::int64_t n = 0; n < count; ++n) {
        if (cancel && *cancel) return fail(ErrorCode::Cancelled, "a newer change replaced it");
        const std::int64_t i = n * result.rows / count;
        const auto row_a = row_of(a, stage, sequence, head, i), row_b = row_of(b, stage, sequence, head, i);
        comparer.add(i, {row_a, left->allowed(i)}, {row_b, right->allowed(i)}, false);
    }
    comparer.finish();
    return result;
}

}  // namespace headscope
