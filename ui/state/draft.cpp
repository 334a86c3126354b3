// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/draft.h"

#include <QCoreApplication>
#include <algorithm>
#include <iterator>

#include "core/files/recording.h"
#include "ui/state/tokenizer.h"

namespace headscope {
namespace {

/// How much of the typed text an error message quotes.
constexpr int kMaxArgument = 200;

}  // namespace

QString optionName(Field field) {
    static constexpr const char* names[] = {"--tokens", "--tokenizer", "--embed-dim",  "--num-heads",     "--weights",
                                            "--layer",  "--layout",    "--seed",       "--mask",          "--fill",
                                            "--scale",  "--precision", "--chunk-size", "--key-chunk-size"};
    static_assert(std::size(names) == static_cast<std::size_t>(Field::Count));
    return QString::fromLatin1(names[static_cast<std::size_t>(field)]);
}

QString fieldLabel(Field field) {
    static constexpr const char* names[] = {
        QT_TRANSLATE_NOOP("Field", "text"),       QT_TRANSLATE_NOOP("Field", "tokenizer"),
        QT_TRANSLATE_NOOP("Field", "embed_dim"),  QT_TRANSLATE_NOOP("Field", "num_heads"),
        QT_TRANSLATE_NOOP("Field", "weights"),    QT_TRANSLATE_NOOP("Field", "layer"),
        QT_TRANSLATE_NOOP("Field", "layout"),     QT_TRANSLATE_NOOP("Field", "seed"),
        QT_TRANSLATE_NOOP("Field", "mask"),       QT_TRANSLATE_NOOP("Field", "fill"),
        QT_TRANSLATE_NOOP("Field", "scale"),      QT_TRANSLATE_NOOP("Field", "precision"),
        QT_TRANSLATE_NOOP("Field", "chunk size"), QT_TRANSLATE_NOOP("Field", "key chunk size")};
    static_assert(std::size(names) == static_cast<std::size_t>(Field::Count));
    return QCoreApplication::translate("Field", names[static_cast<std::size_t>(field)]);
}

Draft::Draft() {
    set(Field::Text, QStringLiteral("the cat sat on the mat because it was tired\na dog ran"));
    set(Field::Tokenizer, QStringLiteral("space"));
    set(Field::EmbedDim, QStringLiteral("512"));
    set(Field::NumHeads, QStringLiteral("8"));
    set(Field::Weights, QStringLiteral("textbook"));
    set(Field::Seed, QStringLiteral("0"));
    set(Field::Fill, QStringLiteral("safe"));
    set(Field::Scale, QStringLiteral("auto"));
    set(Field::Precision, QStringLiteral("float32"));
    set(Field::ChunkSize, QStringLiteral("256"));
    set(Field::KeyChunkSize, QStringLiteral("whole"));
}

bool usesWeightsFile(const Draft& draft) {
    const QString& weights = draft.value(Field::Weights);
    return !weights.isEmpty() && weights != u"textbook" && weights != u"seed";
}

Draft withWeights(const Draft& draft, const QString& weights) {
    Draft next = draft;
    next.set(Field::Weights, weights);
    if (next == draft) return next;
    const bool file = usesWeightsFile(next);
    if (file || usesWeightsFile(draft)) {
        for (const Field field : {Field::EmbedDim, Field::NumHeads, Field::Layer, Field::Layout})
            next.set(field, file ? QString() : Draft().value(field));
    }
    return next;
}

const Batch* fileBatch(const Reading& reading) {
    if (reading.recording) return &reading.recording->batch();
    return reading.file && reading.file->x ? &reading.file->batch : nullptr;
}

const Problem* Reading::problem(Field field) const {
    const auto found = std::find_if(problems.begin(), problems.end(), [=](const auto& p) { return p.field == field; });
    return found == problems.end() ? nullptr : &*found;
}

QString sentence(const Error& error) {
    Error shown = error;
    shown.text = QCoreApplication::translate("Error", error.text.c_str()).toStdString();
    for (std::string& arg : shown.args) {
        const QString text = QString::fromStdString(arg);
        const QString translated = QCoreApplication::translate("Error", arg.c_str());
        if (translated != QString::fromUtf8(arg.c_str())) {  // the argument is a phrase()
            arg = translated.toStdString();
            continue;
        }
        const bool plain =
            std::all_of(text.begin(), text.end(), [](QChar c) { return c.category() != QChar::Other_Control; });
        if (!plain || text.size() > kMaxArgument) arg = displayToken(arg, kMaxArgument).toStdString();
    }
    try {
        return QString::fromStdString(shown.message());
    } catch (const fmt::format_error&) {  // a translation with an unmatched brace
        return QString::fromStdString(error.message());
    }
}

QString sentence(const Sentence& said) {
    return sentence(Error{ErrorCode::InvalidValue, said.text, said.args});
}

QString sentence(const std::vector<Sentence>& alternatives) {
    QStringList texts;
    for (const Sentence& said : alternatives) texts << sentence(said);
    return texts.join(QCoreApplication::translate("headscope", ", or "));
}

}  // namespace headscope
