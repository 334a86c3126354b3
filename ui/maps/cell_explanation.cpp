// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/cell_explanation.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

#include "core/attention/row_reader.h"
#include "core/base/precision_type.h"
#include "core/masks/mask_layers.h"
#include "ui/look/number_text.h"
#include "ui/state/draft.h"
#include "ui/state/tokenizer.h"

namespace headscope {

namespace {

constexpr int kGraphemes = 24;

QString tr(const char* text) {
    return QCoreApplication::translate("headscope", text);
}

/// Replaces %1 to %9 in one pass: an argument may contain a %, and a sentence need not use all arguments.
QString filled(const QString& text, const QStringList& arguments) {
    QString out;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const int which = text[i] == u'%' && i + 1 < text.size() ? text[i + 1].digitValue() : 0;
        if (which < 1 || which > arguments.size()) {
            out += text[i];
        } else {
            out += arguments[which - 1];
            ++i;
        }
    }
    return out;
}

QString token(const Trace& trace, int sequence, int position) {
    const auto& tokens = trace.batch().tokens[static_cast<std::size_t>(sequence)];
    return tokenInSentence(tokens[static_cast<std::size_t>(position)], kGraphemes);
}

/// An existing cell, and the texts for it.
class CellWords {
    Q_DECLARE_TR_FUNCTIONS(CellExplanation)

public:
    CellWords(const Trace& trace, const Selection& selection, const Cell& cell)
        : trace_(trace),
          selection_(selection),
          cell_(cell),
          value_(cell_of(trace, selection.stage, selection.sequence, cell.head, cell.query, cell.key)) {}

    CellExplanation words() const {
        switch (selection_.stage) {
            case Stage::Weights:
                return weight();
            case Stage::Mask:
                return {pair(masked() ? tr("'%1' (query %2) is masked from '%3' (key %4)")
                                      : tr("'%1' (query %2) is allowed to attend to '%3' (key %4)")),
                        masked() ? QStringLiteral("0") : QStringLiteral("1")};
            case Stage::Masked:
                if (masked()) return {maskedSentence(), exact()};
                [[fallthrough]];
            case Stage::Scores:
                return {pair(tr("'%1' (query %2) scores %5 with '%3' (key %4) in head %6")), exact()};
            default:
                return {entry(), exact()};
        }
    }

private:
    double value() const { return value_; }
    bool masked() const {
        return is_square(selection_.stage) &&
               !trace_.mask.of(cell_.head).allowed(selection_.sequence, cell_.query, cell_.key);
    }
    QString exact() const { return exactText(value(), storage_type(trace_.request.precision)); }
    QString query() const { return token(trace_, selection_.sequence, cell_.query); }

    /// %1 and %2 are the query, %3 and %4 the key, %5 the number, %6 the head.
    QString pair(const QString& text, const QString& number = {}) const {
        return filled(text, {query(), QString::number(cell_.query), token(trace_, selection_.sequence, cell_.key),
                             QString::number(cell_.key), number.isEmpty() ? numberText(value()) : number,
                             QString::number(cell_.head)});
    }

    /// Lists the layers that mask the cell.
    QString maskedSentence() const {
        QStringList layers;
        for (const MaskedBy& layer : masked_by(trace_.request.mask.mask(cell_.head), trace_.batch(),
                                               selection_.sequence, cell_.query, cell_.key))
            layers.append(sentence(layer.names));
        return pair(tr("Masked: '%1' (query %2) can't attend to '%3' (key %4)")) +
               (layers.isEmpty() ? QString() : QStringLiteral(" · ") + layers.join(QStringLiteral(", ")));
    }

    CellExplanation weight() const {
        const double share = value();
        if (trace_.mask && trace_.mask.of(cell_.head).allowed_in_row(selection_.sequence, cell_.query) == 0)
            return {fullyMaskedRowSentence(trace_, selection_.sequence, cell_.head, cell_.query), exact()};
        if (masked() && share == 0) return {maskedSentence(), exact()};
        if (masked() && !std::isnan(share))
            return {pair(tr("'%1' (query %2) takes %5 from '%3' (key %4) in head %6: leaked weight on a masked key"),
                         percentText(share)),
                    exact()};
        if (std::isnan(share))
            return {
                pair(tr("'%1' (query %2) takes NaN from '%3' (key %4) in head %6: not all of its scores are numbers")),
                exact()};
        return {pair(tr("'%1' (query %2) takes %5 from '%3' (key %4) in head %6"), percentText(share)),
                underflowed(share) ? QString::fromLatin1(type_of(trace_.request.precision).underflow) : exact()};
    }

    /// A score of −∞ gives exactly 0; any other score gives a weight that underflows the format.
    bool underflowed(double share) const {
        if (share != 0 || !has_rows(trace_, Stage::Scores, selection_.sequence, cell_.head)) return false;
        const auto scores = row_of(trace_, Stage::Scores, selection_.sequence, cell_.head, cell_.query);
        return !std::isinf(scores[static_cast<std::size_t>(cell_.key)]);
    }

    /// "q[2, 5] of 'sat' in head 3 = −0.123"
    QString entry() const {
        const std::string_view name = to_string(selection_.stage);
        const QString place = QStringLiteral("%1[%2, %3]")
                                  .arg(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())),
                                       QString::number(cell_.query), QString::number(cell_.key));
        return tr("%1 of '%2'%3 = %4").arg(place, query(), whose(), numberText(value()));
    }

    QString whose() const {
        const std::int64_t head_dim = trace_.dims().head_dim();
        const auto part = [&](std::int64_t column) {
            return QString(QLatin1Char("qkv"[column % (3 * head_dim) / head_dim]));
        };
        const auto number = [](std::int64_t n) { return QString::number(n); };
        const std::int64_t column = cell_.key;
        switch (selection_.stage) {
            case Stage::Qkv:
                return tr(" (%1 of head %2, dimension %3)")
                    .arg(part(column), number(column / (3 * head_dim)), number(column % head_dim));
            case Stage::Heads:
                return tr(" in head %1 (%2, dimension %3)")
                    .arg(number(cell_.head), part(column), number(column % head_dim));
            case Stage::Concat:
                return tr(" (head %1, dimension %2)").arg(number(column / head_dim), number(column % head_dim));
            default:
                return has_heads(selection_.stage, trace_.request) ? tr(" in head %1").arg(cell_.head) : QString();
        }
    }

    const Trace& trace_;
    const Selection& selection_;
    const Cell& cell_;
    double value_;
};

}  // namespace

CellExplanation cellExplanation(const Trace& trace, const Selection& selection, const Cell& cell) {
    if (selection.sequence < 0 || selection.sequence >= trace.batch().size()) return {};
    if (!isInside(cell, selection.stage, trace.dims())) return {};
    if (!has_rows(trace, selection.stage, selection.sequence, cell.head)) return {};
    return CellWords(trace, selection, cell).words();
}

QString cellSentence(const Trace& trace, const Selection& selection, const Cell& cell) {
    const CellExplanation explanation = cellExplanation(trace, selection, cell);
    return explanation.exact.isEmpty() ? explanation.sentence
                                       : explanation.sentence + QStringLiteral(" · ") + explanation.exact;
}

QString quotedToken(const Trace& trace, std::int64_t sequence, std::int64_t position) {
    const auto& tokens = trace.batch().tokens[static_cast<std::size_t>(sequence)];
    return QStringLiteral("“%1”").arg(tokenInSentence(tokens[static_cast<std::size_t>(position)]));
}

QString fullyMaskedRowSentence(const Trace& trace, int sequence, int head, int query) {
    const Request& request = trace.request;
    if (request.mask.of(head).rule(ScoreRule::Kind::Sink))
        return filled(tr("'%1' (query %2) is fully masked: the sink takes its weight, and its context is 0"),
                      {token(trace, sequence, query), QString::number(query)});
    const bool finite = std::isfinite(effective_fill(request.fill, request.precision));
    const QString text =
        request.fill == Fill::Safe ? tr("'%1' (query %2) is fully masked: its weights and its context are 0")
        : finite ? tr("'%1' (query %2) is fully masked: all its scores are %3, so it takes %4 from every key, "
                      "masked or not")
                 : tr("'%1' (query %2) is fully masked: all its scores are −∞, so its weights are NaN");
    const double share = 1.0 / static_cast<double>(trace.dims().sequence_length);
    return filled(text, {token(trace, sequence, query), QString::number(query),
                         numberText(effective_fill(request.fill, request.precision), 9), percentText(share)});
}

QString percentText(double share) {
    if (std::isnan(share)) return QStringLiteral("NaN");
    if (share > 0 && share < 0.0005) return QStringLiteral("<0.1%");
    if (share < 1 && share >= 0.9995) return QStringLiteral(">99.9%");
    return QLocale::c().toString(share * 100, 'f', 1) + QLatin1Char('%');
}

QString numberText(double value, int digits) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    return forPeople(QString::number(value, 'g', digits));
}

QString exactText(double value, Tensor::Type type) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    const std::string text =
        type == Tensor::Type::Float64 ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
    return QString::fromStdString(text);
}

}  // namespace headscope
