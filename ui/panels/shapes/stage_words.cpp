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
                "ShapeFlow",
                "The same numbers seen by head: each head has its own 3·head_dim of them. Nothing is copied."));
        case Stage::Q:
            return words(QT_TRANSLATE_NOOP("ShapeFlow",
                                           "Queries: what each token looks for. Heads move in front of the tokens, so "
                                           "that each head works alone."));
        case Stage::K:
            return words(QT_TRANSLATE_NOOP("ShapeFlow", "Keys: what each token offers to be found by."));
        case Stage::V:
            return words(QT_TRANSLATE_NOOP(
                "ShapeFlow",
                "Values: what each token hands on to those that attend to it. They meet the weights further down."));
        case Stage::Scores:
            return words(QT_TRANSLATE_NOOP(
                "ShapeFlow",
                "How well each query fits each key: their dot product, scaled so that it doesn't grow with head_dim."));
        case Stage::Mask:
        case Stage::Masked:
            return words(QT_TRANSLATE_NOOP(
                "ShapeFlow",
                "The scores with the fill where the mask shuts a cell, so that the softmax gives nothing to it."));
        case Stage::Weights:
            return words(
                QT_TRANSLATE_NOOP("ShapeFlow", "Softmax makes each query's scores into shares that add up to 1."));
        case Stage::HeadContext:
            return words(QT_TRANSLATE_NOOP("ShapeFlow", "Each query's mean of the values, weighted by its shares."));
        case Stage::Concat:
            return words(QT_TRANSLATE_NOOP("ShapeFlow",
                                           "The heads side by side again: head_dim numbers from each make embed_dim."));
        case Stage::Output:
            return words(QT_TRANSLATE_NOOP("ShapeFlow", "A last projection mixes what the heads have found."));
    }
    return {};
}

QString stageMemory(Stage stage, const Trace& trace) {
    if (stage == Stage::Heads) return words(QT_TRANSLATE_NOOP("ShapeFlow", "a view"));
    const TensorPtr& tensor = trace.tensor(stage);
    const bool stored = stage != Stage::Masked && stage != Stage::Mask && !(tensor && tensor->size() == 0);
    if (!stored) return words(QT_TRANSLATE_NOOP("ShapeFlow", "not stored"));
    return tensor ? QString::fromStdString(format_bytes(static_cast<std::uint64_t>(tensor->bytes()))) : QString();
}

}  // namespace headscope
