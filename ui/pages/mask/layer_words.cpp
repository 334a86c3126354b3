// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/mask/layer_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "ui/look/plural.h"
#include "ui/state/draft.h"
#include "ui/state/tokenizer.h"

namespace headscope {

namespace {

constexpr int kGraphemes = 24;
constexpr std::size_t kNamedRows = 6;

QString tr(const char* text, const char* comment = nullptr, int count = -1) {
    return QCoreApplication::translate("headscope", text, comment, count);
}

QString token(const MaskPicture& picture, std::int64_t at) {
    return tokenInSentence(picture.batch.tokens.front()[static_cast<std::size_t>(at)], kGraphemes);
}

/// Tokens may hold a %: everything is filled in at once.
QString pair(const MaskPicture& picture, std::int64_t query, std::int64_t key, const QString& text,
             const QString& layers) {
    return text.arg(token(picture, query), QString::number(query), token(picture, key), QString::number(key), layers);
}

}  // namespace

QString layerWord(const MaskLayer& layer) {
    QStringList words;
    for (const MaskPattern& pattern : layer.patterns) words << sentence(short_name(pattern));
    return words.join(QStringLiteral(" + "));
}

QString layerName(const MaskLayer& layer) {
    return sentence(layer.names);
}

QString listed(const QStringList& words) {
    if (words.size() < 2) return words.join(QString());
    return tr("%1 and %2").arg(words.first(words.size() - 1).join(QStringLiteral(", ")), words.last());
}

QStringList layerWords(const MaskPicture& picture, std::uint32_t bits) {
    QStringList words;
    for (std::size_t place = 0; place < picture.layers.size(); ++place)
        if (picture.layers[place].on && (bits & layerBit(place))) words << layerWord(picture.layers[place]);
    return words;
}

QString tokenWords(const MaskPicture& picture, std::int64_t position) {
    return QStringLiteral("'%1' (%2)").arg(token(picture, position), QString::number(position));
}

QString cellWords(const MaskPicture& picture, std::int64_t query, std::int64_t key) {
    if (picture.tooLarge() || !picture.inside(query, key)) return {};
    const QStringList words = layerWords(picture, picture.maskedBy(query, key));
    if (!words.isEmpty())
        return pair(picture, query, key, tr("'%1' (query %2) can't attend to '%3' (key %4): masked by %5"),
                    listed(words));
    const bool masked = std::any_of(picture.layers.begin(), picture.layers.end(), [](const auto& l) { return l.on; });
    return pair(picture, query, key, tr("'%1' (query %2) can attend to '%3' (key %4): %5"),
                masked ? tr("no layer masks it") : tr("there is no mask"));
}

QString rowWords(const MaskPicture& picture, std::int64_t query) {
    if (picture.tooLarge() || !picture.inside(query, 0)) return {};
    const std::int64_t allowed = picture.allowed_in_row[static_cast<std::size_t>(query)];
    return tr("'%1' (query %2) can attend to %3 of %4 keys", nullptr, counted(picture.size))
        .arg(token(picture, query), QString::number(query), QString::number(allowed), QString::number(picture.size));
}

QString columnWords(const MaskPicture& picture, std::int64_t key) {
    if (picture.tooLarge() || !picture.inside(0, key)) return {};
    const std::int64_t allowed = picture.allowed_in_column[static_cast<std::size_t>(key)];
    return tr("%3 of %4 queries can attend to '%1' (key %2)", nullptr, counted(picture.size))
        .arg(token(picture, key), QString::number(key), QString::number(allowed), QString::number(picture.size));
}

QString fullyMaskedRowWords(const MaskPicture& picture) {
    const auto rows = picture.fullyMaskedRows();
    if (rows.empty()) return {};
    QStringList names;
    for (std::size_t i = 0; i < std::min(rows.size(), kNamedRows); ++i) names << tokenWords(picture, rows[i]);
    if (rows.size() > kNamedRows) names << QStringLiteral("…");
    if (rows.size() == 1)
        return tr("'%1' (query %2) has no key to attend to").arg(token(picture, rows[0]), QString::number(rows[0]));
    return tr("%n queries have no key to attend to: ", nullptr, counted(rows.size())) +
           names.join(QStringLiteral(", "));
}

}  // namespace headscope
