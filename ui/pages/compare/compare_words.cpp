// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/compare_words.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/attention/row_reader.h"
#include "core/explain/row_account.h"
#include "core/masks/mask_layers.h"
#include "ui/look/plural.h"
#include "ui/maps/cell_explanation.h"
#include "ui/state/draft.h"
#include "ui/state/tokenizer.h"

namespace headscope {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(CompareWords)
};

constexpr std::size_t kMostKeys = 4;

QString settingName(const SettingDifference& setting) {
    return QCoreApplication::translate("Field", setting.name.c_str());
}

/// A value as it is shown: what was typed is shortened and made visible, of a path its last part.
QString settingValue(const SettingDifference& setting, const Sentence& value) {
    if (setting.name == "text") return displayToken(sentence(value).toStdString(), 48);
    const std::string text = value.str();
    const bool path = setting.name == "weights" && text.find('/') != std::string::npos;
    return displayToken(path ? QFileInfo(QString::fromStdString(text)).fileName().toStdString() : text, 48);
}

QString quoted(const Trace& trace, int sequence, int position) {
    const auto& tokens = trace.batch().tokens[static_cast<std::size_t>(sequence)];
    return QStringLiteral("“%1”").arg(tokenInSentence(tokens[static_cast<std::size_t>(position)]));
}

/// A weight with two decimals; what is there is never called 0.
QString shortWeight(double weight) {
    if (!std::isfinite(weight)) return numberText(weight);
    if (weight == 0) return QStringLiteral("0");
    if (weight < 0.005) return QStringLiteral("<0.01");
    return QLocale::c().toString(weight, 'f', 2);
}

QString withSign(double value) {
    return value > 0 ? QLatin1Char('+') + numberText(value) : numberText(value);
}

/// The change of one row, key by key.
class RowTeller {
public:
    RowTeller(const Trace& trace, const RowAccount& a, const RowAccount& b) : trace_(trace), a_(a), b_(b) {}

    QStringList tell() const {
        QStringList lines{allowedKeys()};
        lines += keys();
        lines += group([&](std::size_t j) { return a_.allowed[j] && !b_.allowed[j]; }, Tr::tr("masked in B"));
        lines += group([&](std::size_t j) { return !a_.allowed[j] && b_.allowed[j]; }, Tr::tr("masked in A"));
        if (!std::isnan(a_.entropy_bits) && !std::isnan(b_.entropy_bits))
            lines += change(Tr::tr("entropy in bits"), numberText(a_.entropy_bits, 3), numberText(b_.entropy_bits, 3));
        if (a_.outcome != RowOutcome::Normal) lines += Tr::tr("A: %1").arg(sentence(a_.reason));
        if (b_.outcome != RowOutcome::Normal) lines += Tr::tr("B: %1").arg(sentence(b_.reason));
        return lines;
    }

private:
    static QString change(const QString& what, const QString& from, const QString& to) {
        return from == to ? Tr::tr("%1: %2 in both").arg(what, from) : Tr::tr("%1: %2 → %3").arg(what, from, to);
    }
    static QString change(const QString& what, double from, double to) {
        return change(what, shortWeight(from), shortWeight(to));
    }

    QString allowedKeys() const {
        const QString all = QString::number(a_.scores.size());
        const int keys = counted(a_.scores.size());
        if (a_.allowed_keys == b_.allowed_keys)
            return Tr::tr("attends to %1 of %2 keys", nullptr, keys).arg(QString::number(a_.allowed_keys), all);
        return Tr::tr("attends to %1 of %3 keys in A, %2 in B", nullptr, keys)
            .arg(QString::number(a_.allowed_keys), QString::number(b_.allowed_keys), all);
    }

    /// Those that both masks treat alike and whose weights differ most, in their order.
    QStringList keys() const {
        const auto size = [&](std::size_t j) {
            const double d = std::abs(a_.weights[j] - b_.weights[j]);
            return std::isnan(d) ? HUGE_VAL : d;
        };
        std::vector<std::size_t> told;
        int less = 0;  // changes that two decimals don't show
        for (std::size_t j = 0; j < a_.weights.size(); ++j) {
            if (a_.allowed[j] != b_.allowed[j]) continue;
            if (shortWeight(a_.weights[j]) != shortWeight(b_.weights[j]))
                told.push_back(j);
            else if (size(j) > 0 && std::isfinite(size(j)))
                ++less;
        }
        std::stable_sort(told.begin(), told.end(), [&](auto x, auto y) { return size(x) > size(y); });
        if (told.size() > kMostKeys) {
            less += static_cast<int>(told.size() - kMostKeys);
            told.resize(kMostKeys);
        }
        std::sort(told.begin(), told.end());
        QStringList lines;
        for (const std::size_t j : told)
            lines += change(quoted(trace_, static_cast<int>(a_.sequence), static_cast<int>(j)), a_.weights[j],
                            b_.weights[j]);
        if (less > 0)
            lines += told.empty() ? Tr::tr("%n keys change by less than 0.01", nullptr, less)
                                  : Tr::tr("%n more keys change less", nullptr, less);
        return lines;
    }

    /// The weight of the keys that only one side masks: "future: 0.35 → 0".
    QStringList group(const std::function<bool(std::size_t)>& holds, const QString& otherwise) const {
        double from = 0, to = 0;
        std::int64_t count = 0, before = 0, last = 0;
        for (std::size_t j = 0; j < a_.weights.size(); ++j) {
            if (!holds(j)) continue;
            from += a_.weights[j];
            to += b_.weights[j];
            last = static_cast<std::int64_t>(j);
            before += last < a_.query;
            ++count;
        }
        if (count == 0) return {};
        const QString name = count == 1        ? quoted(trace_, static_cast<int>(a_.sequence), static_cast<int>(last))
                             : before == 0     ? Tr::tr("future")
                             : before == count ? Tr::tr("past")
                                               : otherwise;
        return {change(name, from, to)};
    }

    const Trace& trace_;
    const RowAccount &a_, &b_;
};

}  // namespace

QString settingsSentence(const std::vector<SettingDifference>& settings) {
    if (settings.empty()) return Tr::tr("A and B have the same settings");
    QStringList all;
    for (const SettingDifference& setting : settings)
        all << Tr::tr("%1: %2 → %3")
                   .arg(settingName(setting), settingValue(setting, setting.a), settingValue(setting, setting.b));
    return Tr::tr("B differs from A in %1").arg(all.join(QStringLiteral(" · ")));
}

QString sideName(bool a, const Request& request, const std::vector<SettingDifference>& settings) {
    const auto mask = [](const QString& text) { return text == QStringLiteral("none") ? Tr::tr("no mask") : text; };
    QStringList own;
    for (const SettingDifference& setting : settings) {
        const QString value = settingValue(setting, a ? setting.a : setting.b);
        if (setting.name == "text") continue;
        if (setting.name == "mask")
            own << mask(value);
        else if (setting.name == "precision" || setting.name == "weights")
            own << value;
        else
            own << settingName(setting) + QLatin1Char(' ') + value;
    }
    if (own.isEmpty()) own << mask(displayToken(short_text(request.mask), 48));
    return (a ? QStringLiteral("A · ") : QStringLiteral("B · ")) + own.join(QStringLiteral(", "));
}

QString largestSentence(const ComparedMaps& maps, const Trace& trace, const Trace& b, const Selection& selection) {
    const int head = selection.head.value_or(0);
    if (const auto heads = b.dims().num_heads; has_heads(selection.stage, b.request) && head >= heads)
        return Tr::tr("B has no head %1 to compare: its heads are numbered from 0 to %2")
            .arg(QString::number(head), QString::number(heads - 1));
    if (!maps.facts) return sentence(maps.facts.error());
    const DifferenceMatrix& facts = *maps.facts;
    const QString words = factsSentence(facts, maps.largest, trace, selection);
    if (facts.compared_rows == facts.rows) return words;
    return Tr::tr("In a sample of %1 of %2 rows: %3").arg(facts.compared_rows).arg(facts.rows).arg(words);
}

QString factsSentence(const DifferenceMatrix& facts, double signed_largest, const Trace& trace,
                      const Selection& selection) {
    const QString undefined = facts.undefined
                                  ? Tr::tr("%n cells are NaN in one of the two only", nullptr, counted(facts.undefined))
                                  : QString();
    if (facts.largest > 0 && facts.within_rounding())
        return Tr::tr("A and B are equal within rounding: they differ by at most %1").arg(numberText(facts.largest, 2));
    if (facts.largest == 0)
        return undefined.isEmpty() ? Tr::tr("A and B have the same number in every cell") : undefined;
    const auto row = static_cast<int>(facts.row), column = static_cast<int>(facts.column);
    const QString query = Tr::tr("%1 (query %2)").arg(quoted(trace, selection.sequence, row), QString::number(row));
    const QString where =
        is_square(selection.stage)
            ? Tr::tr("%1 (key %2)").arg(quoted(trace, selection.sequence, column), QString::number(column))
            : Tr::tr("dimension %1").arg(column);
    const QString largest =
        Tr::tr("largest difference A − B: %1 at %2, %3").arg(withSign(signed_largest), query, where);
    return undefined.isEmpty() ? largest : QString(largest + QStringLiteral(" · ") + undefined);
}

RowChange rowChange(const Trace& a, const Trace& b, int sequence, int head, int query) {
    const auto of_a = row_account(a, sequence, head, query), of_b = row_account(b, sequence, head, query);
    if (!of_a) return {{}, {sentence(of_a.error())}};
    if (!of_b) return {{}, {Tr::tr("B: %1").arg(sentence(of_b.error()))}};
    if (of_a->scores.size() != of_b->scores.size())
        return {{},
                {Tr::tr("A has %1 tokens and B has %2", nullptr, counted(of_a->scores.size()))
                     .arg(of_a->scores.size())
                     .arg(of_b->scores.size())}};
    return {Tr::tr("%1 (query %2)").arg(quoted(a, sequence, query), QString::number(query)),
            RowTeller(a, *of_a, *of_b).tell()};
}

QString cellChange(const Trace& a, const Trace& b, const Selection& selection, const Cell& cell) {
    if (!isInside(cell, selection.stage, a.dims()) || !isInside(cell, selection.stage, b.dims())) return {};
    const int sequence = selection.sequence;
    if (sequence >= a.batch().size() || sequence >= b.batch().size()) return {};
    const auto value = [&](const Trace& trace) {
        return has_rows(trace, selection.stage, sequence, cell.head)
                   ? std::optional(cell_of(trace, selection.stage, sequence, cell.head, cell.query, cell.key))
                   : std::nullopt;
    };
    const std::optional<double> in_a = value(a), in_b = value(b);
    if (!in_a || !in_b) return {};
    const double from = *in_a, to = *in_b;
    const bool same = from == to || (std::isnan(from) && std::isnan(to));
    const QString query = quoted(a, sequence, cell.query);
    const QString place = is_square(selection.stage) ? Tr::tr("%1 → %2").arg(query, quoted(a, sequence, cell.key))
                                                     : Tr::tr("%1, dimension %2").arg(query, QString::number(cell.key));
    return Tr::tr("%1: A %2, B %3, A − B %4")
        .arg(place, exactText(from, storage_type(a.request.precision)),
             exactText(to, storage_type(b.request.precision)), same ? QStringLiteral("0") : withSign(from - to));
}

}  // namespace headscope
