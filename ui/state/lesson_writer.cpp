// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>

#include "ui/state/lesson.h"

namespace headscope {
namespace {

using Json = nlohmann::ordered_json;

Json textOf(const LessonText& text) {
    if (text.en == text.zh_CN) return text.en.toStdString();
    return {{"en", text.en.toStdString()}, {"zh_CN", text.zh_CN.toStdString()}};
}

Json wordsOf(const QStringList& words) {
    Json list = Json::array();
    for (const QString& word : words) list.push_back(word.toStdString());
    return list;
}

Json fieldsOf(const std::map<Field, QString>& fields) {
    Json object = Json::object();
    for (const auto& [field, value] : fields) object[optionName(field).mid(2).toStdString()] = value.toStdString();
    return object;
}

Json stateOf(const LessonState& state) {
    const Selection& look = state.selection;
    Json object{{"page", toWord(look.page).toStdString()},
                {"part", toWord(look.steps_part).toStdString()},
                {"stage", std::string(to_string(look.stage))},
                {"sequence", look.sequence}};
    if (look.head) object["head"] = *look.head;
    if (look.range) object["range"] = toWord(*look.range).toStdString();
    if (look.palette) object["palette"] = toWord(*look.palette).toStdString();
    if (look.locked)
        object["cell"] = {{"head", look.locked->head}, {"query", look.locked->query}, {"key", look.locked->key}};
    object["draft"] = fieldsOf(state.draft);
    if (state.b) object["b"] = fieldsOf(*state.b);
    return object;
}

Json taskOf(const LessonTask& task) {
    static constexpr const char* kinds[] = {"paint", "weights", "choose"};
    Json object{{"kind", kinds[static_cast<int>(task.kind)]}, {"question", textOf(task.question)}};
    switch (task.kind) {
        case LessonTask::Kind::Paint:
            object["mask"] = task.mask.toStdString();
            break;
        case LessonTask::Kind::Weights:
            object["head"] = task.head;
            object["query"] = task.query;
            break;
        case LessonTask::Kind::Choose:
            for (const LessonText& choice : task.choices) object["choices"].push_back(textOf(choice));
            object["right"] = task.right;
            break;
    }
    if (task.why != LessonText()) object["why"] = textOf(task.why);
    return object;
}

Json stepOf(const LessonStep& step) {
    Json object{{"title", textOf(step.title)}, {"text", textOf(step.text)}};
    if (!step.formula.isEmpty()) object["formula"] = step.formula.toStdString();
    if (!step.pytorch.isEmpty()) object["pytorch"] = step.pytorch.toStdString();
    object["state"] = stateOf(step.state);
    if (!step.highlight.isEmpty()) object["highlight"] = wordsOf(step.highlight);
    if (step.controls) object["show"] = wordsOf(*step.controls);
    if (step.task) object["task"] = taskOf(*step.task);
    return object;
}

}  // namespace

QByteArray lessonJson(const Lesson& lesson) {
    Json document{{"format", "headscope-lesson"}, {"version", 1}, {"name", textOf(lesson.name)}};
    if (lesson.summary != LessonText()) document["summary"] = textOf(lesson.summary);
    for (const LessonStep& step : lesson.steps) document["steps"].push_back(stepOf(step));
    return QByteArray::fromStdString(document.dump(2) + "\n");
}

}  // namespace headscope
