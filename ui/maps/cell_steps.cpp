// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/cell_steps.h"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>
#include <numeric>

#include "core/explain/contributions.h"
#include "ui/look/plural.h"
#include "ui/maps/cell_explanation.h"
#include "ui/state/draft.h"

namespace headscope {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(CellSteps)
};

/// In brackets if the number is negative, to avoid "28 − −3".
QString subtrahend(double value) {
    return value < 0 ? QLatin1Char('(') + numberText(value) + QLatin1Char(')') : numberText(value);
}

double norm(const std::vector<double>& vector) {
    return std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
}

QString subscript(const char* letter, std::int64_t number) {
    QString text = QLatin1StringView(letter) + QString::number(number);
    for (QChar& c : text)
        if (c.isDigit()) c = QChar(0x2080 + c.digitValue());
    return text;
}

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// The texts for each step of one cell.
class StepWords {
public:
    StepWords(const Trace& trace, const CellAccount& cell)
        : request_(trace.request), cell_(cell), type_(storage_type(trace.request.precision)) {}

    QList<CellStep> steps() const {
        QList<CellStep> all{products(), scaled()};
        for (const CellAccount::Change& change : cell_.changes) all << changed(change);
        return all << masked() << exponential() << weight();
    }

private:
    CellStep step(const QString& name, const QString& formula, const QString& brief, double value,
                  Tensor::Type type) const {
        return {name, formula, brief, value, numberText(value), exactText(value, type), std::isnan(value)};
    }
    QString rounded(double before, double after) const {
        if (!is_half(request_.precision) || before == after || after == 0 || std::isnan(after)) return {};
        return Tr::tr(", rounded to %1").arg(fromView(to_string(request_.precision)));
    }

    CellStep products() const {
        const QString sum =
            Tr::tr("%1 · %2, over %3 dimensions", nullptr, counted(cell_.products.size()))
                .arg(subscript("q", cell_.query), subscript("k", cell_.key), QString::number(cell_.products.size()));
        return step(Tr::tr("sum of products"), sum + preparation() + rounded(cell_.product_sum, cell_.rounded_sum),
                    QStringLiteral("q · k"), cell_.rounded_sum, type_);
    }

    /// What the head's rules did to q and k.
    QString preparation() const {
        const HeadPart& part = request_.mask.of(cell_.head);
        QString text;
        if (part.rule(ScoreRule::Kind::Norm)) text += Tr::tr(", divided by their root mean square");
        if (part.rule(ScoreRule::Kind::Rope)) text += Tr::tr(", rotated by their positions");
        return text;
    }

    CellStep scaled() const {
        const QString by = cell_.divided ? QStringLiteral("× 1/√%1").arg(cell_.q.size())
                                         : QStringLiteral("× ") + numberText(cell_.scale, 6);
        const QString formula = QStringLiteral("%1 %2").arg(numberText(cell_.rounded_sum), by);
        if (!cell_.changes.empty()) return step(Tr::tr("scaled"), formula, by, cell_.exact_score, type_);
        return step(Tr::tr("score"), formula + rounded(cell_.exact_score, cell_.score), by, cell_.score, type_);
    }

    /// One rule of the head; the last gives the score.
    CellStep changed(const CellAccount::Change& change) const {
        const bool last = &change == &cell_.changes.back(), cap = change.kind == ScoreRule::Kind::SoftCap;
        const QString number = numberText(change.number), before = numberText(change.before);
        const QString brief = cap ? QStringLiteral("%1 · tanh(… / %1)").arg(number)
                                  : QStringLiteral("− %1 · %2").arg(number).arg(change.distance);
        const QString formula =
            cap ? QStringLiteral("%1 · tanh(%2 / %1)").arg(number, before)
                : Tr::tr("%1 − %2 · %3, the slope of head %4 times the distance")
                      .arg(before, number, QString::number(change.distance), QString::number(cell_.head));
        return step(cap ? Tr::tr("soft cap") : Tr::tr("ALiBi"),
                    last ? formula + rounded(change.after, cell_.score) : formula, brief,
                    last ? cell_.score : change.after, type_);
    }

    CellStep masked() const {
        QStringList layers;
        for (const MaskedBy& layer : cell_.masked_by) layers << sentence(layer.names);
        const QString name = Tr::tr("after the mask");
        if (layers.isEmpty())
            return step(name, Tr::tr("allowed: the score is unchanged"), Tr::tr("allowed"), cell_.masked_score, type_);
        return step(name, Tr::tr("masked by %1").arg(layers.join(QStringLiteral(" · "))),
                    Tr::tr("masked: %1").arg(numberText(cell_.masked_score)), cell_.masked_score, type_);
    }

    /// Whether the mask and the fill value determine the weight, so that no division computes it.
    bool leftOut() const { return cell_.quotient == 0 && (!cell_.masked_by.empty() || std::isinf(cell_.maximum)); }
    bool fullyMasked() const { return leftOut() && std::isinf(cell_.maximum); }

    CellStep exponential() const {
        const QString name = Tr::tr("exponential");
        const auto result = [&](const QString& formula, const QString& brief) {
            return step(name, formula, brief, cell_.exponential, Tensor::Type::Float64);
        };
        if (fullyMasked()) return result(Tr::tr("none: the row is fully masked"), Tr::tr("fully masked row"));
        if (leftOut() && std::isinf(cell_.masked_score))
            return result(QStringLiteral("exp(−∞)"), QStringLiteral("exp(−∞) = 0"));
        const QString power =
            QStringLiteral("exp(%1 − %2)").arg(numberText(cell_.masked_score), subtrahend(cell_.maximum));
        return result(Tr::tr("%1: minus the maximum of the row").arg(power), power);
    }

    CellStep weight() const {
        const QString sum = numberText(cell_.row_sum);
        QString text = fullyMasked() ? Tr::tr("0: fill “safe” zeroes fully masked rows")
                                     : quotient() + rounded(cell_.quotient, cell_.weight);
        if (cell_.quotient > 0 && cell_.weight == 0)
            text += Tr::tr(", too small for %1").arg(fromView(to_string(request_.precision)));
        if (cell_.leaked)
            text += QStringLiteral(": ") + Tr::tr("masked, but still weighted because the fill is finite");
        CellStep weight =
            step(Tr::tr("weight"), text, leftOut() ? QString() : QStringLiteral("/ ") + sum, cell_.weight, type_);
        weight.warn = weight.warn || cell_.leaked;
        return weight;
    }

    QString quotient() const {
        const QString exponential = numberText(cell_.exponential), sum = numberText(cell_.row_sum);
        if (!cell_.sink) return Tr::tr("%1 / %2, the sum of the row").arg(exponential, sum);
        return Tr::tr("%1 / %2, the sum of the row with %3 of the sink, exp(%4 − %5)")
            .arg(exponential, sum, numberText(cell_.sink_exponential), numberText(*cell_.sink),
                 subtrahend(cell_.maximum));
    }

    const Request& request_;
    const CellAccount& cell_;
    Tensor::Type type_;
};

QString counted(const QString& name, const std::vector<double>& numbers) {
    return QStringLiteral("%1 (%2)").arg(name).arg(numbers.size());
}

}  // namespace

QList<CellStep> cellSteps(const Trace& trace, const CellAccount& cell) {
    return StepWords(trace, cell).steps();
}

QString cellTitle(const Trace& trace, const CellAccount& cell) {
    return Tr::tr("How %1 (query %2) comes to its weight on %3 (key %4) in head %5")
        .arg(quotedToken(trace, cell.sequence, cell.query), QString::number(cell.query),
             quotedToken(trace, cell.sequence, cell.key), QString::number(cell.key), QString::number(cell.head));
}

QString cellContribution(const Trace& trace, const CellAccount& cell) {
    const QString query = quotedToken(trace, cell.sequence, cell.query);
    if (cell.weight == 0) return Tr::tr("adds nothing to the context of %1").arg(query);
    return Tr::tr("adds %1 · %2 to the context of %3").arg(numberText(cell.weight), subscript("v", cell.key), query);
}

QString cellMoved(const Trace& trace, const CellAccount& cell) {
    if (cell.weight == 0) return {};
    const auto moved = moved_output(trace, cell.sequence, cell.head, cell.query, cell.key);
    return Tr::tr("‖weight · v‖ = %1 in the context, ‖weight · v W_Oᵀ‖ = %2 in the output")
        .arg(numberText(norm(cell.added)), numberText(norm(moved)));
}

QList<NumberStrip> scoreStrips(const CellAccount& cell) {
    const QString q = subscript("q", cell.query), k = subscript("k", cell.key);
    return {{counted(q, cell.q), Role::Query, cell.q},
            {counted(k, cell.k), Role::Key, cell.k},
            {QStringLiteral("%1 ⊙ %2").arg(q, k), Role::Text, cell.products}};
}

QList<NumberStrip> contextStrips(const CellAccount& cell) {
    const QString v = subscript("v", cell.key);
    return {{counted(v, cell.v), Role::Value, cell.v},
            {Tr::tr("weight · %1").arg(v), Role::Text, cell.added},
            {Tr::tr("context"), Role::Text, cell.context}};
}

}  // namespace headscope
