// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/lesson.h"
#include "ui/state/state_json.h"

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
    object["state"] = stateJson(step.state);
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
