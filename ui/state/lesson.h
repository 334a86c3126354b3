// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>
#include <map>
#include <memory>
#include <optional>

#include "core/base/result.h"
#include "ui/state/draft.h"
#include "ui/state/selection.h"

namespace headscope {

/// A text of a lesson in both languages.
struct LessonText {
    QString en, zh_CN;
    /// In the language of the interface.
    QString current() const;
    bool operator==(const LessonText&) const = default;
};

/// What a step sets. All other fields have the defaults, except the text and the tokenizer, which are the class's own.
struct LessonState {
    std::map<Field, QString> draft{};
    std::optional<std::map<Field, QString>> b{};  ///< of B on page Compare, on top of `draft`
    Selection selection{};  ///< sequence, head and locked cell are counted from the end where negative
    bool operator==(const LessonState&) const = default;
};

/// A question to the class.
struct LessonTask {
    enum class Kind {
        Paint,    ///< the mask that `mask` describes
        Weights,  ///< the weights of one row of a head
        Choose,   ///< one of up to four choices
    };
    Kind kind = Kind::Choose;
    LessonText question;
    QString mask{};               ///< of Paint: a mask expression
    int head = 0, query = 0;      ///< of Weights; counted from the end where negative
    QList<LessonText> choices{};  ///< of Choose
    int right = 0;                ///< the index of the right choice
    LessonText why{};             ///< shown with the answer
    bool operator==(const LessonTask&) const = default;
};

struct LessonStep {
    LessonText title, text;
    QString formula{}, pytorch{};
    LessonState state{};
    QStringList highlight{};                ///< of lessonControls()
    std::optional<QStringList> controls{};  ///< of lessonControls(): those that are shown; nothing = all
    std::optional<LessonTask> task{};
    bool operator==(const LessonStep&) const = default;
};

/// A lesson: data, from a file that docs/lesson.schema.json describes.
struct Lesson {
    LessonText name, summary;
    QList<LessonStep> steps;
    bool operator==(const Lesson&) const = default;
};
using LessonPtr = std::shared_ptr<const Lesson>;

/// The parts of the window that a lesson can hide: "tokens", "stages", "pages", "parameters", "shapes", "foot"; and the
/// one that it can only highlight, "maps".
const QStringList& lessonControls();

/// A lesson file is at most this large.
inline constexpr qint64 kLargestLesson = 1000000;

/// True if a file's name is that of a lesson: .json, but not the .index.json of a model.
bool isLessonName(const QString& path);
/// Reads a lesson strictly. Each error names the file, the place in it and what would be right: FileFormat if it is not
/// JSON, FileContent for another version, unknown keys, a state that is not legal, or a placeholder that can't be read.
Result<LessonPtr> parseLesson(const QByteArray& json, const QString& name);
Result<LessonPtr> readLesson(const QString& path);
/// The content of a lesson file, from which parseLesson() reads the same lesson.
QByteArray lessonJson(const Lesson& lesson);

/// The lessons that come with the program, by name, in their order.
struct ShippedLesson {
    QString key;  ///< "causal", as in --lesson causal
    LessonPtr lesson;
};
const QList<ShippedLesson>& shippedLessons();

/// The draft of a step. In its text {text} is the class's own, {sentence} the first line of that, and {half} the first
/// half of the tokens of that line.
Draft lessonDraft(const LessonStep& step, const Draft& own);
/// The same with B's fields; nothing if the step has no B.
std::optional<Draft> lessonDraftB(const LessonStep& step, const Draft& own);
/// An index, counted from the end where negative, that is legal among `count`.
int resolvedIndex(int index, std::int64_t count);
/// The selection of a step for a draft: with indices of its tokens, heads and sequences.
Selection lessonSelection(const LessonStep& step, const Draft& draft);
/// The same for a batch.
Selection resolvedSelection(Selection selection, std::int64_t sequences, std::int64_t tokens, std::int64_t heads);

/// The present state as a step, which sets all of it.
LessonState lessonStateOf(const Draft& draft, const Selection& selection, const std::optional<Draft>& b);

}  // namespace headscope
