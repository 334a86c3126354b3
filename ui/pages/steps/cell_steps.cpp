// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/cell_steps.h"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>

#include "ui/look/plural.h"
#include "ui/maps/cell_story.h"
#include "ui/state/draft.h"

namespace headscope {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(CellSteps)
};

/// In brackets where it would otherwise stand as "28 − −3".
QString subtrahend(double value) {
    return value < 0 ? QLatin1Char('(') + numberText(value) + QLatin1Char(')') : numberText(value);
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

class Teller {
public:
    Teller(const Trace& trace, const CellAccount& cell)
        : request_(trace.request), cell_(cell), type_(storage_type(trace.request.precision)) {}

    QList<CellStep> tell() const { return {products(), scaled(), masked(), exponential(), weight()}; }

private:
    CellStep step(const QString& name, const QString& formula, double value, Tensor::Type type) const {
        return {name, formula, value, numberText(value), exactText(value, type), std::isnan(value)};
    }
    bool half() const { return request_.precision == Precision::BFloat16 || request_.precision == Precision::Float16; }
    /// What a half format did to a number that is told otherwise.
    QString rounded(double before, double after) const {
        if (!half() || before == after || after == 0 || std::isnan(after)) return {};
        return Tr::tr(", rounded to %1").arg(fromView(to_string(request_.precision)));
    }

    CellStep products() const {
        const QString sum =
            Tr::tr("%1 · %2, over %3 dimensions", nullptr, counted(cell_.products.size()))
                .arg(subscript("q", cell_.query), subscript("k", cell_.key), QString::number(cell_.products.size()));
        return step(Tr::tr("sum of products"), sum + rounded(cell_.product_sum, cell_.rounded_sum), cell_.rounded_sum,
                    type_);
    }

    CellStep scaled() const {
        const QString by = cell_.divided ? QStringLiteral("× 1/√%1").arg(cell_.q.size())
                                         : QStringLiteral("× ") + numberText(cell_.scale, 6);
        return step(
            Tr::tr("score"),
            QStringLiteral("%1 %2").arg(numberText(cell_.rounded_sum), by) + rounded(cell_.exact_score, cell_.score),
            cell_.score, type_);
    }

    CellStep masked() const {
        QStringList layers;
        for (const ShutBy& layer : cell_.shut_by) layers << sentence(layer.names);
        const QString text = layers.isEmpty() ? Tr::tr("open: the score stays")
                                              : Tr::tr("shut by %1").arg(layers.join(QStringLiteral(" · ")));
        return step(Tr::tr("after the mask"), text, cell_.masked_score, type_);
    }

    /// Is the weight given, because of what stands in the row or in the mask, and not divided out?
    bool leftOut() const { return cell_.quotient == 0 && (!cell_.shut_by.empty() || std::isinf(cell_.maximum)); }

    CellStep exponential() const {
        const QString name = Tr::tr("exponential");
        if (leftOut() && std::isinf(cell_.maximum))
            return step(name, Tr::tr("the row has nothing to attend to"), cell_.exponential, Tensor::Type::Float64);
        if (leftOut() && std::isinf(cell_.masked_score))
            return step(name, QStringLiteral("exp(−∞)"), cell_.exponential, Tensor::Type::Float64);
        return step(name,
                    Tr::tr("exp(%1 − %2), less the row's maximum")
                        .arg(numberText(cell_.masked_score), subtrahend(cell_.maximum)),
                    cell_.exponential, Tensor::Type::Float64);
    }

    CellStep weight() const {
        QString text =
            leftOut() && std::isinf(cell_.maximum)
                ? Tr::tr("0, for “safe” gives such a row zeros")
                : Tr::tr("%1 / %2, the sum of the row").arg(numberText(cell_.exponential), numberText(cell_.row_sum)) +
                      rounded(cell_.quotient, cell_.weight);
        if (cell_.quotient > 0 && cell_.weight == 0)
            text += Tr::tr(", too small for %1").arg(fromView(to_string(request_.precision)));
        if (cell_.leaked) text += Tr::tr(": leaked through the mask, for the fill is finite");
        CellStep weight = step(Tr::tr("weight"), text, cell_.weight, type_);
        weight.warn = weight.warn || cell_.leaked;
        return weight;
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
    return Teller(trace, cell).tell();
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
