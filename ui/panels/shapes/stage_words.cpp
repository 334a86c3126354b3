// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shapes/stage_words.h"

#include <QCoreApplication>

#include "core/base/memory.h"

namespace headscope {
namespace {

QString words(const char* text) {
    return QCoreApplication::translate("ShapeFlow", text);
}

}  // namespace

QString stageName(Stage stage) {
    switch (stage) {
        case Stage::Q:
            return QStringLiteral("Q");
        case Stage::K:
            return QStringLiteral("K");
        case Stage::V:
            return QStringLiteral("V");
        default:
            return QString::fromStdString(std::string(to_string(stage)));
    }
}

QString stageSentence(Stage stage) {
    switch (stage) {
        case Stage::X:
            return words(QT_TRANSLATE_NOOP("ShapeFlow",
                                           "The input: each token of each sequence as a vector of embed_dim numbers."));
        case Stage::Qkv:
            return words(QT_TRANSLATE_NOOP(
                "ShapeFlow",
                "One linear projection makes query, key and value of each token at once: three times as wide."));
        case Stage::Heads:
            return words(QT_TRANSLATE_NOOP(
                "ShapeFlow", "The same numbers viewed by head: 3·head_dim of them for each head. Nothing is copied."));
        case Stage::Q:
            return words(
                QT_TRANSLATE_NOOP("ShapeFlow",
                                  "Queries: what each token looks for. The head dimension moves in front of the "
                                  "tokens, so that each head is a matrix of its own."));
        case Stage::K:
            return words(QT_TRANSLATE_NOOP("ShapeFlow", "Keys: what each token offers for matching."));
        case Stage::V:
            return words(QT_TRANSLATE_NOOP(
                "ShapeFlow",
                "Values: what each token contributes when it is attended to. They are multiplied by the weights."));
        case Stage::Scores:
            return words(QT_TRANSLATE_NOOP(
                "ShapeFlow",
                "How well each query fits each key: their dot product, scaled so that it doesn't grow with head_dim."));
        case Stage::Mask:
        case Stage::Masked:
            return words(QT_TRANSLATE_NOOP(
                "ShapeFlow", "The scores with the fill value in each masked cell; with −∞ its weight becomes 0."));
        case Stage::Weights:
            return words(
                QT_TRANSLATE_NOOP("ShapeFlow", "Softmax turns each query's scores into weights that sum to 1."));
        case Stage::HeadContext:
            return words(QT_TRANSLATE_NOOP("ShapeFlow", "The mean of the values under each query's weights."));
        case Stage::Concat:
            return words(QT_TRANSLATE_NOOP("ShapeFlow",
                                           "The heads side by side again: head_dim numbers from each make embed_dim."));
        case Stage::Output:
            return words(QT_TRANSLATE_NOOP("ShapeFlow", "A last projection mixes the contexts of the heads."));
    }
    return {};
}

QString stageMemory(Stage stage, const Trace& trace) {
    if (stage == Stage::Heads) return words(QT_TRANSLATE_NOOP("ShapeFlow", "a view"));
    const TensorPtr& tensor = trace.tensor(stage);
    const bool stored = stage != Stage::Masked && trace.keeps(stage);
    if (!stored) return words(QT_TRANSLATE_NOOP("ShapeFlow", "not stored"));
    return QString::fromStdString(format_bytes(static_cast<std::uint64_t>(tensor->bytes())));
}

}  // namespace headscope
