// SPDX-License-Identifier: GPL-3.0-or-later
// Reads lesson files strictly: docs/lesson.schema.json is what it accepts.
#include <algorithm>

#include "core/files/json.h"
#include "ui/state/lesson.h"
#include "ui/state/placeholder.h"
#include "ui/state/state_json.h"

namespace headscope {
namespace {

using nlohmann::json;

constexpr std::int64_t kMostSteps = 200, kLongestText = 2000;
constexpr int kMostChoices = 4;

class LessonReader : public StateReader {
public:
    explicit LessonReader(std::string file) : StateReader(std::move(file), kLongestText) {}
    Result<LessonPtr> read(const json& document);

private:
    LessonText both(const json& object, const std::string& key, const std::string& place);
    LessonTask task(const json& value, const std::string& place);
    LessonStep step(const json& value, const std::string& place);
    void checkState(const LessonStep& step, const std::string& place);
    void checkTexts(const LessonStep& step, const std::string& place, std::int64_t heads);
};

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
                    "en, zh_CN"));
        return {};
    }
    if (!isObject(*found, inside, languages, languages)) return {};
    return {text(*found, "en", inside), text(*found, "zh_CN", inside)};
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
    if (value.contains("highlight")) read.highlight = list(value["highlight"], place + ".highlight", lessonControls());
    if (value.contains("show")) read.controls = list(value["show"], place + ".show", lessonControls());
    if (value.contains("task")) read.task = task(value["task"], place + ".task");
    if (!error()) checkState(read, place);
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
    if (const auto& cell = step.state.selection.locked) {
        checkHead(cell->head, place + ".state.cell");
        if (const auto& head = step.state.selection.head; head && cell->head != *head)
            refuse(fail(ErrorCode::FileContent,
                        "{}: the cell is of head {}, but head {} is enlarged; give the same head",
                        at(place + ".state.cell"), cell->head, *head));
    }
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
                    file());
    if (const json version = document.value("version", json()); version != 1)
        return fail(ErrorCode::FileContent, "{}: version {} of lessons can't be read; this program reads version 1",
                    file(), version.dump());
    isObject(document, "lesson", keys, {QStringLiteral("name"), QStringLiteral("steps")});
    lesson->name = both(document, "name", "lesson");
    lesson->summary = both(document, "summary", "lesson");
    const json steps = document.value("steps", json::array());
    if (!steps.is_array() || steps.empty() || steps.size() > kMostSteps)
        refuse(fail(ErrorCode::FileContent, "{}: it must be a list of 1 to {} steps", at("steps"), kMostSteps));
    else
        for (std::size_t i = 0; i < steps.size() && !error(); ++i)
            lesson->steps << step(steps[i], fmt::format("steps[{}]", i));
    if (error()) return tl::unexpected(*error());
    return LessonPtr(lesson);
}

}  // namespace

Result<LessonPtr> parseLesson(const QByteArray& text, const QString& name) {
    const std::string file = name.toStdString();
    if (text.size() > kLargestLesson)
        return fail(ErrorCode::FileContent, "{}: the file has {} bytes; at most {} are read", file, text.size(),
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
    const auto text = readJsonFile(path, kLargestLesson);
    if (!text) return tl::unexpected(text.error());
    return parseLesson(*text, path);
}

}  // namespace headscope
