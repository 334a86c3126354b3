// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/arguments.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/base/utf8.h"

namespace headscope {
namespace {

/// Levenshtein distance: the least number of letters to change, insert or delete.
int editDistance(const QString& a, const QString& b) {
    std::vector<int> row(static_cast<std::size_t>(b.size()) + 1);
    std::iota(row.begin(), row.end(), 0);
    for (qsizetype i = 0; i < a.size(); ++i) {
        int diagonal = row[0];
        row[0] = static_cast<int>(i) + 1;
        for (qsizetype j = 0; j < b.size(); ++j) {
            const auto at = static_cast<std::size_t>(j);
            const int changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[at + 1];
            row[at + 1] = std::min({changed, row[at] + 1, row[at + 1] + 1});
        }
    }
    return row.back();
}

const OptionSpec* find(const QList<OptionSpec>& specs, const QString& name) {
    const auto found = std::find_if(specs.begin(), specs.end(), [&](const OptionSpec& s) { return s.name == name; });
    return found == specs.end() ? nullptr : &*found;
}

tl::unexpected<Error> unknownOption(const QString& name, const QList<OptionSpec>& specs) {
    QStringList names;
    for (const OptionSpec& spec : specs) names += spec.name;
    return fail(ErrorCode::InvalidValue, "{}: there is no such option{}", name.toStdString(), suggestion(name, names));
}

/// Only "--" starts an option: a negative number, a single dash and a dash before a word can be values.
bool looksLikeOption(const QString& text) {
    return text.startsWith(u"--");
}

}  // namespace

bool Arguments::has(const QString& name) const {
    return value(name).has_value();
}

std::optional<QString> Arguments::value(const QString& name) const {
    const auto last =
        std::find_if(options.rbegin(), options.rend(), [&](const auto& option) { return option.first == name; });
    return last == options.rend() ? std::nullopt : std::optional(last->second);
}

Result<Arguments> readArguments(const QStringList& typed, const QList<OptionSpec>& specs) {
    Arguments arguments;
    for (qsizetype i = 0; i < typed.size(); ++i) {
        const QString& word = typed[i];
        if (word == u"--") {  // all later words are file names, whatever they begin with
            arguments.operands += typed.mid(i + 1);
            break;
        }
        if (!word.startsWith(u'-') || word == u"-") {
            arguments.operands += word;
            continue;
        }
        const qsizetype equals = word.indexOf(u'=');
        const QString name = equals < 0 ? word : word.left(equals);
        const OptionSpec* spec = find(specs, name);
        if (!spec) return unknownOption(name, specs);
        if (spec->value.isEmpty()) {
            if (equals >= 0) return fail(ErrorCode::InvalidValue, "{} takes no value", name.toStdString());
            arguments.options += {name, QString()};
            continue;
        }
        const bool follows = i + 1 < typed.size() && !looksLikeOption(typed[i + 1]);
        const QString value = equals >= 0 ? word.mid(equals + 1) : follows ? typed[++i] : QString();
        if ((equals < 0 && !follows) || (value.isEmpty() && !spec->may_be_empty))
            return fail(ErrorCode::InvalidValue, "{}: the value is missing; give it as {}={}", name.toStdString(),
                        name.toStdString(), spec->value.toStdString());
        arguments.options += {name, value};
    }
    return arguments;
}

Result<QString> decodeArgument(const QByteArray& bytes, int place) {
    if (const auto offset = invalid_utf8({bytes.data(), static_cast<std::size_t>(bytes.size())}))
        return fail(ErrorCode::InvalidValue, "argument {} is not UTF-8 at its byte {} ('{}'); give it in UTF-8", place,
                    *offset, QString::fromUtf8(bytes).toStdString());
    return QString::fromUtf8(bytes);
}

std::string suggestion(const QString& typed, const QStringList& candidates) {
    constexpr qsizetype longest = 64;  // only shorter words are compared: a longer one is no typing error
    const QString* nearest = nullptr;
    int least = std::max(2, static_cast<int>(typed.size()) / 3) + 1;
    if (typed.size() > longest) return {};
    for (const QString& candidate : candidates) {
        const bool begins = typed.size() > 4 && candidate.startsWith(typed);
        const int distance = begins ? 1 : editDistance(typed, candidate);
        if (distance >= least) continue;
        least = distance;
        nearest = &candidate;
    }
    return nearest ? "; did you mean " + nearest->toStdString() + "?" : std::string();
}

}  // namespace headscope
