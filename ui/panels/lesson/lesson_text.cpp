// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/lesson/lesson_text.h"

#include <cmath>
#include <map>
#include <numeric>

#include "core/attention/row_reader.h"
#include "core/base/memory.h"
#include "core/explain/row_account.h"
#include "ui/maps/cell_explanation.h"
#include "ui/state/lesson.h"
#include "ui/state/placeholder.h"

namespace headscope {
namespace {

/// Reads a trace at the cell of one placeholder.
class PlaceholderText {
public:
    PlaceholderText(const Trace& trace, const Selection& selection, const Placeholder& placeholder)
        : trace_(trace), placeholder_(placeholder) {
        const Dims dims = trace.dims();
        const Cell locked = selection.locked.value_or(Cell{0, 0, selection.head.value_or(0)});
        sequence_ = resolvedIndex(selection.sequence, dims.batch);
        head_ = resolvedIndex(placeholder.head.value_or(locked.head), dims.num_heads);
        query_ = resolvedIndex(placeholder.query.value_or(locked.query), dims.sequence_length);
        key_ = resolvedIndex(placeholder.key.value_or(locked.key), dims.sequence_length);
        dim_ = resolvedIndex(placeholder.dim.value_or(0), dims.head_dim());
    }
    QString text() const;

private:
    QString cellText() const;
    QString rowText() const;
    QString nameText() const;
    QString layerText() const;
    QString computationText() const;
    QString number(Stage stage, std::int64_t row, std::int64_t column) const {
        if (!has_rows(trace_, stage, sequence_, head_)) return kMissing;
        return numberText(cell_of(trace_, stage, sequence_, head_, row, column));
    }
    QString score() const { return number(Stage::Scores, query_, key_); }
    QString dot() const {
        const MatrixView q = trace_.matrix(Stage::Q, sequence_, head_), k = trace_.matrix(Stage::K, sequence_, head_);
        if (!q || !k) return kMissing;
        double sum = 0;
        for (std::int64_t d = 0; d < q.columns; ++d) sum += q.at(query_, d) * k.at(key_, d);
        return numberText(sum);
    }
    bool is(const char* name) const { return placeholder_.name == QLatin1StringView(name); }

    static inline const QString kMissing = QStringLiteral("…");
    const Trace& trace_;
    const Placeholder& placeholder_;
    int sequence_, head_, query_, key_, dim_;
};

QString PlaceholderText::cellText() const {
    if (is("weight")) return number(Stage::Weights, query_, key_);
    if (is("percent")) {
        if (!has_rows(trace_, Stage::Weights, sequence_, head_)) return kMissing;
        return percentText(cell_of(trace_, Stage::Weights, sequence_, head_, query_, key_));
    }
    if (is("score")) return score();
    if (is("dot")) return dot();
    if (is("masked")) {
        const bool allowed = trace_.mask.of(head_).allowed(sequence_, query_, key_);
        return allowed ? score() : numberText(effective_fill(trace_.request.fill, trace_.request.precision));
    }
    if (is("q")) return number(Stage::Q, query_, dim_);
    if (is("k")) return number(Stage::K, key_, dim_);
    if (is("v")) return number(Stage::V, key_, dim_);
    if (is("context")) return number(Stage::HeadContext, query_, dim_);
    return {};
}

QString PlaceholderText::rowText() const {
    if (is("allowed")) return QString::number(trace_.mask.of(head_).allowed_in_row(sequence_, query_));
    if (!is("row_sum") && !is("entropy")) return {};
    if (!has_rows(trace_, Stage::Weights, sequence_, head_)) return kMissing;
    const std::vector<double> row = row_of(trace_, Stage::Weights, sequence_, head_, query_);
    return numberText(is("entropy") ? entropy_in_bits(row) : std::accumulate(row.begin(), row.end(), 0.0));
}

QString PlaceholderText::nameText() const {
    if (is("token")) return quotedToken(trace_, sequence_, placeholder_.key ? key_ : query_);
    if (is("key_token")) return quotedToken(trace_, sequence_, key_);
    if (is("query")) return QString::number(query_);
    if (is("key")) return QString::number(key_);
    if (is("head")) return QString::number(head_);
    if (is("shape"))
        return QString::fromStdString(to_string(stage_shape(placeholder_.stage.value_or(Stage::X), trace_.request)));
    return {};
}

QString PlaceholderText::layerText() const {
    const Dims dims = trace_.dims();
    const std::int64_t size = dims.sequence_length;
    const std::map<QString, std::int64_t> counts{
        {QStringLiteral("tokens"), size},
        {QStringLiteral("sequences"), dims.batch},
        {QStringLiteral("heads"), dims.num_heads},
        {QStringLiteral("embed_dim"), dims.embed_dim},
        {QStringLiteral("head_dim"), dims.head_dim()},
        {QStringLiteral("cells"), size * size},
        {QStringLiteral("masked_cells"), size * size - trace_.mask.of(head_).allowed_cells(sequence_)},
        {QStringLiteral("fully_masked"),
         static_cast<std::int64_t>(trace_.mask.of(head_).fully_masked_rows(sequence_).size())},
        {QStringLiteral("parameters"), 4 * dims.embed_dim * (dims.embed_dim + 1)},
        {QStringLiteral("chunk_size"), std::min(size, trace_.request.chunk_size.value_or(size))}};
    const auto count = counts.find(placeholder_.name);
    if (count != counts.end()) return QString::number(count->second);
    if (!is("padding")) return {};
    std::int64_t padding = 0;
    for (std::int64_t i = 0; i < size; ++i) padding += !trace_.batch().is_real(sequence_, i);
    return QString::number(padding);
}

QString PlaceholderText::computationText() const {
    const auto bytes = [](std::uint64_t count) { return QString::fromStdString(format_bytes(count)); };
    if (is("root")) return numberText(std::sqrt(static_cast<double>(trace_.dims().head_dim())));
    if (is("scale")) return numberText(trace_.request.scale_value());
    if (is("fill")) return numberText(effective_fill(trace_.request.fill, trace_.request.precision), 9);
    if (is("memory_whole")) return bytes(trace_.bytes_whole);
    if (is("memory_chunked")) return bytes(trace_.bytes_chunked);
    if (is("chunk_difference")) return numberText(trace_.chunk_difference, 2);
    return {};
}

QString PlaceholderText::text() const {
    for (const auto part : {&PlaceholderText::cellText, &PlaceholderText::rowText, &PlaceholderText::nameText,
                            &PlaceholderText::layerText})
        if (const QString found = (this->*part)(); !found.isEmpty()) return found;
    return computationText();
}

}  // namespace

QString filledText(const LessonText& lesson_text, const Selection& selection, const TracePtr& trace) {
    const QString text = lesson_text.current();
    const auto placeholders = placeholdersOf(text, {});
    if (!placeholders || !trace) return text;
    QString filled;
    qsizetype at = 0;
    for (const Placeholder& placeholder : *placeholders) {
        filled += text.mid(at, placeholder.begin - at) + PlaceholderText(*trace, selection, placeholder).text();
        at = placeholder.begin + placeholder.length;
    }
    return filled + text.mid(at);
}

}  // namespace headscope
