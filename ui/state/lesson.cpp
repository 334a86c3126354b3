// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/lesson.h"

#include <QFile>
#include <algorithm>

#include "ui/state/session_file.h"
#include "ui/state/tokenizer.h"

// The resources are in a static library: without this call the linker would omit them. Not allowed in a namespace.
static void initialiseResources() {
    Q_INIT_RESOURCE(resources);
}

namespace headscope {
namespace {

const QString kPadWord = QString::fromLatin1(kPad);

/// A [PAD] at the start is that of a step, which would otherwise be repeated.
QString filledText(QString text, const Draft& own) {
    QString sentence = own.value(Field::Text).section(u'\n', 0, 0);
    while (sentence.startsWith(kPadWord)) sentence = sentence.mid(kPadWord.size()).trimmed();
    const QStringList words = sentence.split(u' ', Qt::SkipEmptyParts);
    const QString half = words.mid(0, std::max<qsizetype>(1, words.size() / 2)).join(u' ');
    return text.replace(QStringLiteral("{text}"), own.value(Field::Text))
        .replace(QStringLiteral("{sentence}"), sentence)
        .replace(QStringLiteral("{half}"), half);
}

/// The weights first: with a file they empty the fields that the file provides.
void setFields(Draft& draft, const std::map<Field, QString>& fields, const Draft& own) {
    if (const auto weights = fields.find(Field::Weights); weights != fields.end())
        draft = withWeights(draft, weights->second);
    for (const auto& [field, value] : fields) draft.set(field, field == Field::Text ? filledText(value, own) : value);
}

}  // namespace

bool isLessonName(const QString& path) {
    return path.endsWith(u".json", Qt::CaseInsensitive) && !path.endsWith(u".index.json", Qt::CaseInsensitive);
}

QString LessonText::current() const {
    return interfaceLanguage() == u"zh_CN" ? zh_CN : en;
}

const QStringList& lessonControls() {
    static const QStringList controls{QStringLiteral("tokens"),     QStringLiteral("stages"), QStringLiteral("pages"),
                                      QStringLiteral("parameters"), QStringLiteral("shapes"), QStringLiteral("foot"),
                                      QStringLiteral("maps")};
    return controls;
}

const QList<ShippedLesson>& shippedLessons() {
    static const QList<ShippedLesson> lessons = [] {
        initialiseResources();
        QList<ShippedLesson> read;
        for (const char* key : {"layer", "qkv", "heads", "padding", "causal", "fill", "chunks", "precision"}) {
            const QString name = QString::fromLatin1(key);
            QFile file(QStringLiteral(":/lessons/") + name + QStringLiteral(".json"));
            if (!file.open(QIODevice::ReadOnly)) qFatal("there is no lesson %s", key);
            const auto lesson = parseLesson(file.readAll(), name);
            if (!lesson) qFatal("%s", lesson.error().message().c_str());
            read << ShippedLesson{name, *lesson};
        }
        return read;
    }();
    return lessons;
}

Draft lessonDraft(const LessonStep& step, const Draft& own) {
    Draft draft;
    draft.set(Field::Text, own.value(Field::Text));
    draft.set(Field::Tokenizer, own.value(Field::Tokenizer));
    setFields(draft, step.state.draft, own);
    return draft;
}

std::optional<Draft> lessonDraftB(const LessonStep& step, const Draft& own) {
    if (!step.state.b) return std::nullopt;
    Draft draft = lessonDraft(step, own);
    setFields(draft, *step.state.b, own);
    return draft;
}

int resolvedIndex(int index, std::int64_t count) {
    const std::int64_t from_start = index < 0 ? index + count : index;
    return static_cast<int>(std::clamp<std::int64_t>(from_start, 0, std::max<std::int64_t>(count - 1, 0)));
}

Selection resolvedSelection(Selection selection, std::int64_t sequences, std::int64_t tokens, std::int64_t heads) {
    selection.sequence = resolvedIndex(selection.sequence, sequences);
    if (selection.head) selection.head = resolvedIndex(*selection.head, heads);
    if (selection.locked && is_square(selection.stage)) {
        selection.locked->query = resolvedIndex(selection.locked->query, tokens);
        selection.locked->key = resolvedIndex(selection.locked->key, tokens);
        selection.locked->head = resolvedIndex(selection.locked->head, heads);
    }
    return selection;
}

Selection lessonSelection(const LessonStep& step, const Draft& draft) {
    const auto tokenizer = parseTokenizer(draft.value(Field::Tokenizer));
    const auto lines = tokenize(draft.value(Field::Text), tokenizer.value_or(Tokenizer::Space));
    std::size_t longest = 0;
    for (const auto& line : lines) longest = std::max(longest, line.size());
    const qlonglong heads = draft.value(Field::NumHeads).toLongLong();
    return resolvedSelection(step.state.selection, static_cast<std::int64_t>(lines.size()),
                             static_cast<std::int64_t>(longest), heads > 0 ? heads : 1 << 20);
}

LessonState lessonStateOf(const Draft& draft, const Selection& selection, const std::optional<Draft>& b) {
    const auto differing = [](const Draft& of, const Draft& from) {
        std::map<Field, QString> fields;
        for (int i = 0; i < static_cast<int>(Field::Count); ++i) {
            const auto field = static_cast<Field>(i);
            if (of.value(field) != from.value(field)) fields[field] = of.value(field);
        }
        return fields;
    };
    LessonState state{differing(draft, withWeights(Draft(), draft.value(Field::Weights))), std::nullopt, selection};
    state.selection.locked_stage = selection.stage;
    state.draft[Field::Text] = draft.value(Field::Text);
    state.draft[Field::Tokenizer] = draft.value(Field::Tokenizer);
    if (draft.value(Field::Weights) != Draft().value(Field::Weights))
        state.draft[Field::Weights] = draft.value(Field::Weights);
    if (b) state.b = differing(*b, draft);
    return state;
}

}  // namespace headscope
