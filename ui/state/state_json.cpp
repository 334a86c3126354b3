// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/state_json.h"

#include <algorithm>

#include "core/files/input_file.h"

namespace headscope {
namespace {

using nlohmann::json;
using Json = nlohmann::ordered_json;

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

std::string wordsText(const QStringList& words) {
    return words.join(QStringLiteral(", ")).toStdString();
}

std::optional<Stage> stageNamed(const QString& word) {
    return parse_stage(word.toStdString());
}

QStringList stageWords() {
    QStringList words;
    for (int i = 0; i <= static_cast<int>(Stage::Output); ++i)
        words << qt(std::string(to_string(static_cast<Stage>(i))));
    return words;
}

template <typename Value>
QStringList wordsOf(std::initializer_list<Value> values) {
    QStringList words;
    for (const Value value : values) words << toWord(value);
    return words;
}

Json fieldsOf(const std::map<Field, QString>& fields) {
    Json object = Json::object();
    for (const auto& [field, value] : fields) object[optionName(field).mid(2).toStdString()] = value.toStdString();
    return object;
}

}  // namespace

nlohmann::ordered_json stateJson(const LessonState& state) {
    const Selection& look = state.selection;
    Json object{{"page", toWord(look.page).toStdString()},
                {"part", toWord(look.steps_part).toStdString()},
                {"stage", std::string(to_string(look.stage))},
                {"sequence", look.sequence}};
    if (look.head) object["head"] = *look.head;
    if (look.range) object["range"] = toWord(*look.range).toStdString();
    if (look.palette) object["palette"] = toWord(*look.palette).toStdString();
    if (look.locked) {
        object["cell"] = {{"head", look.locked->head}, {"query", look.locked->query}, {"key", look.locked->key}};
        if (look.locked_stage != look.stage) object["cell"]["stage"] = std::string(to_string(look.locked_stage));
    }
    object["draft"] = fieldsOf(state.draft);
    if (state.b) object["b"] = fieldsOf(*state.b);
    return object;
}

bool StateReader::isObject(const json& value, const std::string& place, const QStringList& keys,
                           const QStringList& required) {
    if (!value.is_object()) {
        refuse(fail(ErrorCode::FileContent, "{}: it must be an object with the keys {}", at(place), wordsText(keys)));
        return false;
    }
    for (const auto& [key, ignored] : value.items())
        if (!keys.contains(qt(key)))
            refuse(fail(ErrorCode::FileContent, "{}: the key \"{}\" is unknown; the keys are {}", at(place), key,
                        wordsText(keys)));
    for (const QString& key : required)
        if (!value.contains(key.toStdString()))
            refuse(fail(ErrorCode::FileContent, "{}: the key \"{}\" is missing", at(place), key.toStdString()));
    return true;
}

QString StateReader::text(const json& object, const std::string& key, const std::string& place) {
    const auto found = object.find(key);
    if (found == object.end()) return {};
    const QString read = found->is_string() ? qt(found->get<std::string>()) : QString();
    if (!found->is_string() || read.size() > longest_text_)
        refuse(fail(ErrorCode::FileContent, "{}: it must be a text of at most {} characters", at(place + "." + key),
                    longest_text_));
    return read;
}

std::optional<int> StateReader::whole(const json& object, const std::string& key, const std::string& place) {
    const auto found = object.find(key);
    if (found == object.end()) return std::nullopt;
    constexpr std::int64_t most = 1 << 20;
    if (found->is_number_integer() && found->get<double>() >= -most && found->get<double>() <= most)
        return found->get<int>();
    refuse(fail(ErrorCode::FileContent, "{}: it must be a whole number from {} to {}", at(place + "." + key), -most,
                most));
    return std::nullopt;
}

QStringList StateReader::list(const json& value, const std::string& place, const QStringList& words) {
    QStringList read;
    if (!value.is_array())
        refuse(fail(ErrorCode::FileContent, "{}: it must be a list of {}", at(place), wordsText(words)));
    else
        for (const json& one : value) {
            read << (one.is_string() ? qt(one.get<std::string>()) : QString());
            if (!words.contains(read.last()))
                refuse(fail(ErrorCode::FileContent, "{}: '{}' is not a part of the window; the parts are {}", at(place),
                            read.last().toStdString(), wordsText(words)));
        }
    return read;
}

template <typename Value>
void StateReader::word(const json& object, const std::string& key, const std::string& place, const QStringList& words,
                       std::optional<Value> (*parse)(const QString&), Value& into) {
    const QString typed = text(object, key, place);
    if (!object.contains(key)) return;
    if (const auto value = parse(typed))
        into = *value;
    else
        refuse(fail(ErrorCode::FileContent, "{}: '{}' must be one of {}", at(place + "." + key), typed.toStdString(),
                    wordsText(words)));
}

std::map<Field, QString> StateReader::fields(const json& value, const std::string& place) {
    QStringList names;
    for (int i = 0; i < static_cast<int>(Field::Count); ++i) names << optionName(static_cast<Field>(i)).mid(2);
    std::map<Field, QString> read;
    if (!isObject(value, place, names, {})) return read;
    for (int i = 0; i < names.size(); ++i)
        if (const std::string key = names[i].toStdString(); value.contains(key))
            read[static_cast<Field>(i)] = text(value, key, place);
    return read;
}

Cell StateReader::cell(const json& value, const std::string& place, Stage& stage) {
    const QStringList required{QStringLiteral("query"), QStringLiteral("key")};
    const QStringList keys = required + QStringList{QStringLiteral("head"), QStringLiteral("stage")};
    if (!isObject(value, place, keys, required)) return {};
    word(value, "stage", place, stageWords(), stageNamed, stage);
    return {whole(value, "query", place).value_or(0), whole(value, "key", place).value_or(0),
            whole(value, "head", place).value_or(0)};
}

LessonState StateReader::state(const json& value, const std::string& place) {
    static const QStringList keys{QStringLiteral("draft"),    QStringLiteral("b"),     QStringLiteral("page"),
                                  QStringLiteral("part"),     QStringLiteral("stage"), QStringLiteral("range"),
                                  QStringLiteral("sequence"), QStringLiteral("head"),  QStringLiteral("palette"),
                                  QStringLiteral("cell")};
    LessonState read;
    if (!isObject(value, place, keys, {})) return read;
    if (value.contains("draft")) read.draft = fields(value["draft"], place + ".draft");
    if (value.contains("b")) read.b = fields(value["b"], place + ".b");
    Selection& look = read.selection;
    using enum PageName;
    word(value, "page", place, wordsOf({Heads, Mask, Compare, Steps, Atlas}), parsePage, look.page);
    word(value, "part", place, wordsOf({StepsPart::Cell, StepsPart::Chunks, StepsPart::Precision}), parseStepsPart,
         look.steps_part);
    word(value, "stage", place, stageWords(), stageNamed, look.stage);
    look.locked_stage = look.stage;
    if (value.contains("range"))
        word(value, "range", place, wordsOf({Range::Unit, Range::Head, Range::Shared, Range::Log}), parseRange,
             look.range.emplace());
    if (value.contains("palette"))
        word(value, "palette", place,
             wordsOf({Palette::Viridis, Palette::Cividis, Palette::Magma, Palette::Greys, Palette::Diverging}),
             parsePalette, look.palette.emplace());
    look.sequence = whole(value, "sequence", place).value_or(0);
    look.head = whole(value, "head", place);
    if (value.contains("cell")) look.locked = cell(value["cell"], place + ".cell", look.locked_stage);
    if (look.locked && look.head && !value["cell"].contains("head")) look.locked->head = *look.head;
    return read;
}

Result<QByteArray> readJsonFile(const QString& path, qint64 most) {
    const std::string name = path.toStdString();
    auto file = InputFile::open(name, FileKind::Json);
    if (!file) return tl::unexpected(file.error());
    if (file->size() > static_cast<std::uint64_t>(most))
        return fail(ErrorCode::FileContent, "{}: the file has {} bytes; at most {} are read", name, file->size(), most);
    QByteArray text(static_cast<qsizetype>(file->size()), Qt::Uninitialized);
    if (auto done = file->read(text.data(), file->size()); !done) return tl::unexpected(done.error());
    return text;
}

}  // namespace headscope
