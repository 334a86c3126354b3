// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/placeholder.h"

#include <algorithm>

#include "core/attention/stage_type.h"

namespace headscope {

const QList<PlaceholderName>& placeholderNames() {
    static const QString head = QStringLiteral("head"), query = QStringLiteral("query"), key = QStringLiteral("key"),
                         dim = QStringLiteral("dim"), stage = QStringLiteral("stage");
    static const QList<PlaceholderName> names{
        {"weight", {head, query, key}},
        {"percent", {head, query, key}},
        {"score", {head, query, key}},
        {"masked", {head, query, key}},
        {"dot", {head, query, key}},
        {"q", {head, query, dim}},
        {"k", {head, key, dim}},
        {"v", {head, key, dim}},
        {"context", {head, query, dim}},
        {"row_sum", {head, query}},
        {"entropy", {head, query}},
        {"allowed", {query}},
        {"token", {query, key}},
        {"key_token", {key}},
        {"query", {query}},
        {"key", {key}},
        {"head", {head}},
        {"shape", {stage}},
        {"tokens", {}},
        {"sequences", {}},
        {"heads", {}},
        {"embed_dim", {}},
        {"head_dim", {}},
        {"root", {}},
        {"scale", {}},
        {"cells", {}},
        {"masked_cells", {}},
        {"fully_masked", {}},
        {"padding", {}},
        {"fill", {}},
        {"parameters", {}},
        {"chunk_size", {}},
        {"memory_whole", {}},
        {"memory_chunked", {}},
        {"chunk_difference", {}},
    };
    return names;
}

namespace {

const PlaceholderName* nameOf(const QString& word) {
    const auto& names = placeholderNames();
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const auto& one) { return word == QLatin1StringView(one.name); });
    return found == names.end() ? nullptr : &*found;
}

std::string listOf(const QStringList& words) {
    return words.join(QStringLiteral(", ")).toStdString();
}

std::string namesList() {
    QStringList words;
    for (const PlaceholderName& name : placeholderNames()) words << QString::fromLatin1(name.name);
    return listOf(words);
}

/// One "head=6".
Result<void> readArgument(const QString& text, const PlaceholderName& name, const std::string& place,
                          Placeholder& into) {
    const qsizetype equals = text.indexOf(u'=');
    const QString word = text.left(equals).trimmed(), value = equals < 0 ? QString() : text.mid(equals + 1).trimmed();
    if (equals < 0 || !name.arguments.contains(word))
        return fail(ErrorCode::FileContent, "{}: the placeholder {} has '{}', which it does not take; it takes {}",
                    place, name.name, text.toStdString(),
                    name.arguments.isEmpty() ? std::string("nothing") : listOf(name.arguments));
    if (word == u"stage") {
        into.stage = parse_stage(value.toStdString());
        if (into.stage) return {};
        QStringList stages;
        for (const StageType& type : stage_types()) stages << QString::fromLatin1(type.word);
        return fail(ErrorCode::FileContent, "{}: '{}' is not a stage; the stages are {}", place, value.toStdString(),
                    listOf(stages));
    }
    bool ok = false;
    const int number = value.toInt(&ok);
    if (!ok)
        return fail(ErrorCode::FileContent, "{}: {} is '{}'; it must be a whole number", place, word.toStdString(),
                    value.toStdString());
    (word == u"head" ? into.head : word == u"query" ? into.query : word == u"key" ? into.key : into.dim) = number;
    return {};
}

}  // namespace

Result<QList<Placeholder>> placeholdersOf(const QString& text, const std::string& place) {
    QList<Placeholder> found;
    for (qsizetype at = 0; (at = text.indexOf(u'{', at)) >= 0;) {
        const qsizetype end = text.indexOf(u'}', at);
        if (end < 0)
            return fail(ErrorCode::FileContent,
                        "{}: '{}' has no closing brace; a placeholder is {{weight}} or {{token:key=0}}", place,
                        text.mid(at, 20).toStdString());
        const QString inside = text.mid(at + 1, end - at - 1);
        const qsizetype colon = inside.indexOf(u':');
        Placeholder placeholder{at, end + 1 - at, inside.left(colon)};
        const PlaceholderName* name = nameOf(placeholder.name);
        if (!name)
            return fail(ErrorCode::FileContent, "{}: there is no placeholder '{}'; there are: {}", place,
                        inside.left(30).toStdString(), namesList());
        if (colon >= 0)
            for (const QString& argument : inside.mid(colon + 1).split(u','))
                if (auto read = readArgument(argument, *name, place, placeholder); !read)
                    return tl::unexpected(read.error());
        found << placeholder;
        at = end + 1;
    }
    return found;
}

}  // namespace headscope
