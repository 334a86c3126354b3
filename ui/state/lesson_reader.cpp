// SPDX-License-Identifier: GPL-3.0-or-later
// Reads lesson files strictly: docs/lesson.schema.json is what it accepts.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/files/file_kind.h"
#include "core/files/input_file.h"
#include "core/files/json.h"
#include "ui/state/lesson.h"
#include "ui/state/placeholder.h"

namespace headscope {
namespace {

using nlohmann::json;

constexpr std::int64_t kMostSteps = 200, kLongestText = 2000;
constexpr int kMostChoices = 4;

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

std::string wordsText(const QStringList& words) {
    return words.join(QStringLiteral(", ")).toStdString();
}

/// Reads the parts of a lesson; the first error counts, and what follows it is read as if it were right.
class LessonReader {
public:
    explicit LessonReader(std::string file) : file_(std::move(file)) {}
    Result<LessonPtr> read(const json& document);

private:
    void refuse(tl::unexpected<Error> error) {
        if (!error_) error_ = std::move(error.value());
    }
    std::string at(const std::string& place) const { return file_ + ": " + place; }

    /// Whether a value is an object of no other keys than these, and has the required ones.
    bool isObject(const json& value, const std::string& place, const QStringList& keys, const QStringList& required);
    QString text(const json& object, const std::string& key, const std::string& place);
    LessonText both(const json& object, const std::string& key, const std::string& place);
    std::optional<int> whole(const json& object, const std::string& key, const std::string& place);
    QStringList controls(const json& value, const std::string& place);
    template <typename Value>
    void word(const json& object, const std::string& key, const std::string& place, const QStringList& words,
              std::optional<Value> (*parse)(const QString&), Value& into);
    std::map<Field, QString> fields(const json& value, const std::string& place);
    Cell cell(const json& value, const std::string& place, std::optional<int> head);
    LessonState state(const json& value, const std::string& place);
    LessonTask task(const json& value, const std::string& place);
    LessonStep step(const json& value, const std::string& place);
    void checkState(const LessonStep& step, const std::string& place);
    void checkTexts(const LessonStep& step, const std::string& place, std::int64_t heads);

    std::string file_;
    std::optional<Error> error_;
};

bool LessonReader::isObject(const json& value, const std::string& place, const QStringList& keys,
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

QString LessonReader::text(const json& object, const std::string& key, const std::string& place) {
    const auto found = object.find(key);
    if (found == object.end()) return {};
    const QString read = found->is_string() ? qt(found->get<std::string>()) : QString();
    if (!found->is_string() || read.size() > kLongestText)
        refuse(fail(ErrorCode::FileContent, "{}: it must be a text of at most {} characters", at(place + "." + key),
                    kLongestText));
    return read;
}

/// A plain text is the same in both languages.
LessonText LessonReader::both(const json& object, const std::string& key, const std::string& place) {
    const auto found = object.find(key);
    if (found == object.end()) return {};
    if (found->is_string()) {
        const QString read = text(object, key, place);
        return {read, read};
    }
    const std::string inside = place + "." + key;
    const QStringList languages{QStringLiteral("en"), QStringLiteral("zh_CN")};
    if (!found->is_object()) {
        refuse(fail(ErrorCode::FileContent, "{}: it must be a text, or an object with one in each of {}", at(inside),
                    wordsText(languages)));
        return {};
    }
    if (!isObject(*found, inside, languages, languages)) return {};
    return {text(*found, "en", inside), text(*found, "zh_CN", inside)};
}

std::optional<int> LessonReader::whole(const json& object, const std::string& key, const std::string& place) {
    const auto found = object.find(key);
    if (found == object.end()) return std::nullopt;
    constexpr std::int64_t most = 1 << 20;
    if (found->is_number_integer() && found->get<double>() >= -most && found->get<double>() <= most)
        return found->get<int>();
    refuse(fail(ErrorCode::FileContent, "{}: it must be a whole number from {} to {}", at(place + "." + key), -most,
                most));
    return std::nullopt;
}

QStringList LessonReader::controls(const json& value, const std::string& place) {
    QStringList read;
    if (!value.is_array())
        refuse(fail(ErrorCode::FileContent, "{}: it must be a list of {}", at(place), wordsText(lessonControls())));
    else
        for (const json& one : value) {
            read << (one.is_string() ? qt(one.get<std::string>()) : QString());
            if (!lessonControls().contains(read.last()))
                refuse(fail(ErrorCode::FileContent, "{}: '{}' is not a part of the window; the parts are {}", at(place),
                            read.last().toStdString(), wordsText(lessonControls())));
        }
    return read;
}

template <typename Value>
void LessonReader::word(const json& object, const std::string& key, const std::string& place, const QStringList& words,
                        std::optional<Value> (*parse)(const QString&), Value& into) {
    const QString typed = text(object, key, place);
    if (!object.contains(key)) return;
    if (const auto value = parse(typed))
        into = *value;
    else
        refuse(fail(ErrorCode::FileContent, "{}: '{}' must be one of {}", at(place + "." + key), typed.toStdString(),
                    wordsText(words)));
}

std::map<Field, QString> LessonReader::fields(const json& value, const std::string& place) {
    QStringList names;
    for (int i = 0; i < static_cast<int>(Field::Count); ++i) names << optionName(static_cast<Field>(i)).mid(2);
    std::map<Field, QString> read;
    if (!isObject(value, place, names, {})) return read;
    for (int i = 0; i < names.size(); ++i)
        if (const std::string key = names[i].toStdString(); value.contains(key))
            read[static_cast<Field>(i)] = text(value, key, place);
    return read;
}

Cell LessonReader::cell(const json& value, const std::string& place, std::optional<int> head) {
    const QStringList required{QStringLiteral("query"), QStringLiteral("key")};
    if (!isObject(value, place, required + QStringList(QStringLiteral("head")), required)) return {};
    Cell read{whole(value, "query", place).value_or(0), whole(value, "key", place).value_or(0), head.value_or(0)};
    if (const auto own = whole(value, "head", place)) read.head = *own;
    if (head && read.head != *head)
        refuse(fail(ErrorCode::FileContent, "{}: the cell is of head {}, but head {} is enlarged; give the same head",
                    at(place), read.head, *head));
    return read;
}

std::optional<Stage> stageNamed(const QString& word) {
    return parse_stage(word.toStdString());
}

template <typename Value>
QStringList wordsOf(std::initializer_list<Value> values) {
    QStringList words;
    for (const Value value : values) words << toWord(value);
    return words;
}

LessonState LessonReader::state(const json& value, const std::string& place) {
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
    QStringList stages;
    for (int i = 0; i <= static_cast<int>(Stage::Output); ++i)
        stages << qt(std::string(to_string(static_cast<Stage>(i))));
    word(value, "stage", place, stages, stageNamed, look.stage);
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
    if (value.contains("cell")) look.locked = cell(value["cell"], place + ".cell", look.head);
    return read;
}

LessonTask LessonReader::task(const json& value, const std::string& place) {
    static const QStringList keys{QStringLiteral("kind"),  QStringLiteral("question"), QStringLiteral("mask"),
                                  QStringLiteral("head"),  QStringLiteral("query"),    QStringLiteral("choices"),
                                  QStringLiteral("right"), QStringLiteral("why")};
    LessonTask read;
    if (!isObject(value, place, keys, {QStringLiteral("kind"), QStringLiteral("question")})) return read;
    const QString kind = text(value, "kind", place);
    read.question = both(value, "question", place);
    read.why = both(value, "why", place);
    const auto need = [&](const char* key) {
        if (!value.contains(key)) refuse(fail(ErrorCode::FileContent, "{}: the key \"{}\" is missing", at(place), key));
    };
    if (kind == u"paint") {
        read.kind = LessonTask::Kind::Paint;
        need("mask");
        read.mask = text(value, "mask", place);
        if (const auto mask = parse_mask(read.mask.toStdString()); !mask)
            refuse(fail(ErrorCode::FileContent, "{}: {}", at(place + ".mask"), mask.error().message()));
    } else if (kind == u"weights") {
        read.kind = LessonTask::Kind::Weights;
        need("head");
        need("query");
        read.head = whole(value, "head", place).value_or(0);
        read.query = whole(value, "query", place).value_or(0);
    } else if (kind == u"choose") {
        need("choices");
        need("right");
        const json choices = value.value("choices", json::array());
        for (std::size_t i = 0; choices.is_array() && i < choices.size(); ++i)
            read.choices << both(json{{"choice", choices[i]}}, "choice", place + fmt::format(".choices[{}]", i));
        read.right = whole(value, "right", place).value_or(0);
        if (read.choices.size() < 2 || read.choices.size() > kMostChoices)
            refuse(fail(ErrorCode::FileContent, "{}: it must be a list of 2 to {} texts", at(place + ".choices"),
                        kMostChoices));
        else if (read.right < 0 || read.right >= read.choices.size())
            refuse(fail(ErrorCode::FileContent, "{}: it must be a whole number from {} to {}", at(place + ".right"), 0,
                        read.choices.size() - 1));
    } else {
        refuse(fail(ErrorCode::FileContent, "{}: '{}' must be one of {}", at(place + ".kind"), kind.toStdString(),
                    "paint, weights, choose"));
    }
    return read;
}

LessonStep LessonReader::step(const json& value, const std::string& place) {
    static const QStringList keys{QStringLiteral("title"),   QStringLiteral("text"),  QStringLiteral("formula"),
                                  QStringLiteral("pytorch"), QStringLiteral("state"), QStringLiteral("highlight"),
                                  QStringLiteral("show"),    QStringLiteral("task")};
    LessonStep read;
    if (!isObject(value, place, keys, {QStringLiteral("title"), QStringLiteral("text")})) return read;
    read.title = both(value, "title", place);
    read.text = both(value, "text", place);
    read.formula = text(value, "formula", place);
    read.pytorch = text(value, "pytorch", place);
    if (value.contains("state")) read.state = state(value["state"], place + ".state");
    if (value.contains("highlight")) read.highlight = controls(value["highlight"], place + ".highlight");
    if (value.contains("show")) read.controls = controls(value["show"], place + ".show");
    if (value.contains("task")) read.task = task(value["task"], place + ".task");
    if (!error_) checkState(read, place);
    return read;
}

/// The state on the default text must be legal.
void LessonReader::checkState(const LessonStep& step, const std::string& place) {
    const Draft draft = lessonDraft(step, Draft());
    const Reading reading = readDraft(draft);
    if (!reading.problems.isEmpty())
        return refuse(fail(ErrorCode::FileContent, "{}: {}", at(place + ".state.draft"),
                           reading.problems.front().error.message()));
    if (const auto b = lessonDraftB(step, Draft()))
        if (const Reading of_b = readDraft(*b); !of_b.problems.isEmpty())
            return refuse(
                fail(ErrorCode::FileContent, "{}: {}", at(place + ".state.b"), of_b.problems.front().error.message()));
    if (reading.request) checkTexts(step, place, reading.request->num_heads);
}

void LessonReader::checkTexts(const LessonStep& step, const std::string& place, std::int64_t heads) {
    const auto checkHead = [&](int head, const std::string& where) {
        if (head >= heads || head < -heads)
            refuse(fail(ErrorCode::FileContent, "{}: there is no head {}; this step has {} heads, 0 to {}", at(where),
                        head, heads, heads - 1));
    };
    if (const auto& head = step.state.selection.head) checkHead(*head, place + ".state.head");
    if (const auto& cell = step.state.selection.locked) checkHead(cell->head, place + ".state.cell");
    QList<std::pair<std::string, LessonText>> texts{{"title", step.title}, {"text", step.text}};
    if (step.task) {
        checkHead(step.task->head, place + ".task.head");
        texts << std::pair("task.question", step.task->question) << std::pair("task.why", step.task->why);
        for (const LessonText& choice : step.task->choices) texts << std::pair("task.choices", choice);
    }
    for (const auto& [key, both] : texts)
        for (const QString& one : {both.en, both.zh_CN}) {
            const auto found = placeholdersOf(one, at(place + "." + key));
            if (!found) return refuse(tl::unexpected(found.error()));
            for (const Placeholder& placeholder : *found)
                if (placeholder.head) checkHead(*placeholder.head, place + "." + key);
        }
}

Result<LessonPtr> LessonReader::read(const json& document) {
    static const QStringList keys{QStringLiteral("format"),  QStringLiteral("version"), QStringLiteral("name"),
                                  QStringLiteral("summary"), QStringLiteral("steps"),   QStringLiteral("$schema")};
    auto lesson = std::make_shared<Lesson>();
    if (!document.is_object() || document.value("format", json()) != "headscope-lesson")
        return fail(ErrorCode::FileContent, "{}: this is not a lesson; a lesson has \"format\": \"headscope-lesson\"",
                    file_);
    if (const json version = document.value("version", json()); version != 1)
        return fail(ErrorCode::FileContent, "{}: version {} of lessons can't be read; this program reads version 1",
                    file_, version.dump());
    isObject(document, "lesson", keys, {QStringLiteral("name"), QStringLiteral("steps")});
    lesson->name = both(document, "name", "lesson");
    lesson->summary = both(document, "summary", "lesson");
    const json steps = document.value("steps", json::array());
    if (!steps.is_array() || steps.empty() || steps.size() > kMostSteps)
        refuse(fail(ErrorCode::FileContent, "{}: it must be a list of 1 to {} steps", at("steps"), kMostSteps));
    else
        for (std::size_t i = 0; i < steps.size() && !error_; ++i)
            lesson->steps << step(steps[i], fmt::format("steps[{}]", i));
    if (error_) return tl::unexpected(*error_);
    return LessonPtr(lesson);
}

}  // namespace

Result<LessonPtr> parseLesson(const QByteArray& text, const QString& name) {
    const std::string file = name.toStdString();
    if (text.size() > kLargestLesson)
        return fail(ErrorCode::FileContent, "{}: the file has {} bytes; a lesson has at most {}", file, text.size(),
                    kLargestLesson);
    const auto document = parse_json({text.data(), static_cast<std::size_t>(text.size())}, file);
    if (!document) return tl::unexpected(document.error());
    try {
        return LessonReader(file).read(*document);
    } catch (const json::exception& error) {
        return fail(ErrorCode::FileContent, "{}: {}", file, error.what());
    }
}

Result<LessonPtr> readLesson(const QString& path) {
    const std::string name = path.toStdString();
    auto file = InputFile::open(name, FileKind::Json);
    if (!file) return tl::unexpected(file.error());
    if (file->size() > static_cast<std::uint64_t>(kLargestLesson))
        return fail(ErrorCode::FileContent, "{}: the file has {} bytes; a lesson has at most {}", name, file->size(),
                    kLargestLesson);
    QByteArray text(static_cast<qsizetype>(file->size()), Qt::Uninitialized);
    if (auto done = file->read(text.data(), file->size()); !done) return tl::unexpected(done.error());
    return parseLesson(text, path);
}

}  // namespace headscope
