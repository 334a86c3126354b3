// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/settings.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QVariant>
#include <algorithm>
#include <array>

namespace headscope::settings {
namespace {

constexpr qsizetype kRecentFiles = 10;

/// An INI file on every platform, under fixed names, whatever the application calls itself.
QSettings store() {
    return {QSettings::IniFormat, QSettings::UserScope, QStringLiteral("headscope"), QStringLiteral("headscope")};
}

QString keyOf(Field field) {
    static constexpr std::array<const char*, static_cast<std::size_t>(Field::Count)> keys = {
        "text", "tokenizer", "embed_dim", "num_heads", "weights",   "layer",      "layout",
        "seed", "mask",      "fill",      "scale",     "precision", "chunk_size", "key_chunk_size"};
    return QStringLiteral("draft/") + QString::fromLatin1(keys[static_cast<std::size_t>(field)]);
}

std::optional<int> index(const QVariant& value) {
    bool ok = false;
    const int number = value.toInt(&ok);
    return ok && number >= 0 ? std::optional(number) : std::nullopt;
}

// From and to what an INI file can hold; nothing where it can't be meant.

template <typename T>
std::optional<T> decode(const QVariant& value) {
    return value.isValid() && value.canConvert<T>() ? std::optional(value.value<T>()) : std::nullopt;
}
template <>
std::optional<QString> decode(const QVariant& value) {
    return value.typeId() == QMetaType::QString ? std::optional(value.toString()) : std::nullopt;
}
template <>
std::optional<bool> decode(const QVariant& value) {
    const QString word = value.toString();
    return word == u"true" || word == u"false" ? std::optional(word == u"true") : std::nullopt;
}
template <>
std::optional<int> decode(const QVariant& value) {
    bool ok = false;
    const int number = value.toInt(&ok);
    return ok ? std::optional(number) : std::nullopt;
}
QString checksum(const QByteArray& bytes) {
    return QString::fromLatin1(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toBase64());
}
template <>
std::optional<QByteArray> decode(const QVariant& value) {
    const QStringList parts = value.toString().split(u':');
    if (parts.size() != 2) return std::nullopt;
    const auto bytes = QByteArray::fromBase64Encoding(parts[1].toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
    return bytes && parts[0] == checksum(*bytes) ? std::optional(*bytes) : std::nullopt;
}
template <>
std::optional<Theme> decode(const QVariant& value) {
    const QString word = value.toString();
    if (word == u"light") return Theme::Light;
    if (word == u"dark") return Theme::Dark;
    return std::nullopt;
}
template <>
std::optional<Stage> decode(const QVariant& value) {
    return parse_stage(value.toString().toStdString());
}
template <>
std::optional<Cell> decode(const QVariant& value) {
    const QStringList parts = value.toStringList();
    if (parts.size() != 3) return std::nullopt;
    const auto query = index(parts[0]), key = index(parts[1]), head = index(parts[2]);
    return query && key && head ? std::optional(Cell{*query, *key, *head}) : std::nullopt;
}

template <typename T>
QVariant encode(const T& value) {
    return QVariant::fromValue(value);
}
QVariant encode(const QByteArray& value) {
    return QString(checksum(value) + u':' + QString::fromLatin1(value.toBase64()));
}
QVariant encode(Theme value) {
    return value == Theme::Dark ? QStringLiteral("dark") : QStringLiteral("light");
}
QVariant encode(Stage value) {
    const std::string_view word = to_string(value);
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
}
QVariant encode(const Cell& cell) {
    return QStringList{QString::number(cell.query), QString::number(cell.key), QString::number(cell.head)};
}

}  // namespace

template <typename T>
T Setting<T>::get() const {
    const auto value = decode<T>(store().value(QString::fromLatin1(key_)));
    return value && (!meant_ || meant_(*value)) ? *value : fallback_;
}

template <typename T>
void Setting<T>::set(const T& value) const {
    store().setValue(QString::fromLatin1(key_), encode(value));
}

template <typename T>
bool Setting<T>::isUsable() const {
    const QVariant stored = store().value(QString::fromLatin1(key_));
    const auto value = decode<T>(stored);
    return !stored.isValid() || (value && (!meant_ || meant_(*value)));
}

template class Setting<bool>;
template class Setting<int>;
template class Setting<QString>;
template class Setting<QStringList>;
template class Setting<QByteArray>;
template class Setting<Theme>;

void addRecentFile(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = recentFiles.get();
    files.removeAll(absolute);
    files.prepend(absolute);
    recentFiles.set(files.mid(0, kRecentFiles));
}

void removeRecentFile(const QString& path) {
    QStringList files = recentFiles.get();
    files.removeAll(QFileInfo(path).absoluteFilePath());
    recentFiles.set(files);
}

namespace {

/// A key of the selection, and what can be read from it.
struct SelectionKey {
    const char* name;
    bool (*usable)(const QVariant& value);
};
const SelectionKey kSelectionKeys[] = {
    {"sequence", [](const QVariant& value) { return index(value).has_value(); }},
    {"head", [](const QVariant& value) { return index(value).has_value(); }},
    {"stage", [](const QVariant& value) { return decode<Stage>(value).has_value(); }},
    {"range", [](const QVariant& value) { return parseRange(value.toString()).has_value(); }},
    {"palette", [](const QVariant& value) { return parsePalette(value.toString()).has_value(); }},
    {"locked", [](const QVariant& value) { return decode<Cell>(value).has_value(); }},
    {"locked_stage", [](const QVariant& value) { return decode<Stage>(value).has_value(); }},
};

/// Every key whose value is there and can't be used.
QStringList unusableKeys(const QSettings& file) {
    QStringList keys;
    const auto check = [&keys](const auto&... settings) {
        (..., (settings.isUsable() ? void() : void(keys << QString::fromLatin1(settings.key()))));
    };
    check(theme, fontSize, language, windowGeometry, windowLayout, recentFiles);
    for (const SelectionKey& key : kSelectionKeys) {
        const QString name = QStringLiteral("selection/") + QLatin1String(key.name);
        if (file.contains(name) && !key.usable(file.value(name))) keys << name;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(Field::Count); ++i) {
        const QString name = keyOf(static_cast<Field>(i));
        if (file.contains(name) && !decode<QString>(file.value(name))) keys << name;
    }
    return keys;
}

}  // namespace

std::optional<QString> putAsideUnusable() {
    QSettings file = store();
    const QStringList keys = unusableKeys(file);
    if (keys.isEmpty() && file.status() != QSettings::FormatError) return std::nullopt;
    const QString copy = file.fileName() + QStringLiteral(".unusable");
    QFile::remove(copy);
    QFile::copy(file.fileName(), copy);
    for (const QString& key : keys) file.remove(key);
    return copy;
}

Draft lastDraft() {
    const QSettings file = store();
    Draft draft;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Field::Count); ++i) {
        const auto field = static_cast<Field>(i);
        if (const auto text = decode<QString>(file.value(keyOf(field)))) draft.set(field, *text);
    }
    return draft;
}

Selection lastSelection() {
    const QSettings file = store();
    const auto value = [&](const char* key) { return file.value(QStringLiteral("selection/") + QLatin1String(key)); };
    Selection selection;
    selection.page = parsePage(value("page").toString()).value_or(selection.page);
    selection.steps_part = parseStepsPart(value("steps_part").toString()).value_or(selection.steps_part);
    selection.sequence = index(value("sequence")).value_or(0);
    selection.head = index(value("head"));
    selection.stage = decode<Stage>(value("stage")).value_or(selection.stage);
    selection.range = parseRange(value("range").toString());
    selection.palette = parsePalette(value("palette").toString());
    selection.locked = decode<Cell>(value("locked"));
    selection.locked_stage = decode<Stage>(value("locked_stage")).value_or(selection.locked_stage);
    return selection;
}

void rememberWork(const Draft& draft, const Selection& selection) {
    QSettings file = store();
    for (std::size_t i = 0; i < static_cast<std::size_t>(Field::Count); ++i) {
        const auto field = static_cast<Field>(i);
        file.setValue(keyOf(field), draft.value(field));
    }
    const auto keep = [&](const char* key, const QVariant& value) {
        const QString name = QStringLiteral("selection/") + QLatin1String(key);
        value.isValid() ? file.setValue(name, value) : file.remove(name);
    };
    const auto variant = [](const auto& value, auto convert) { return value ? QVariant(convert(*value)) : QVariant(); };
    keep("page", toWord(selection.page));
    keep("steps_part", toWord(selection.steps_part));
    keep("sequence", selection.sequence);
    keep("head", variant(selection.head, [](int head) { return head; }));
    keep("stage", encode(selection.stage));
    keep("range", variant(selection.range, [](Range range) { return toWord(range); }));
    keep("palette", variant(selection.palette, [](Palette palette) { return toWord(palette); }));
    keep("locked", variant(selection.locked, [](const Cell& cell) { return encode(cell); }));
    keep("locked_stage", encode(selection.locked_stage));
}

}  // namespace headscope::settings
