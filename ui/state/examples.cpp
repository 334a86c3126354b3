// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/examples.h"

#include <QCoreApplication>
#include <initializer_list>
#include <utility>

namespace headscope {

namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(Examples)
};

QString latin(const char* text) {
    return QString::fromLatin1(text);
}

/// The first start with other values in some fields.
Draft with(std::initializer_list<std::pair<Field, const char*>> values) {
    Draft draft;
    for (const auto& [field, value] : values) draft.set(field, latin(value));
    return draft;
}

Selection on(PageName page, std::optional<int> head = {}, int sequence = 0) {
    Selection selection;
    selection.page = page;
    selection.head = head;
    selection.sequence = sequence;
    return selection;
}

constexpr const char* kLeftPadded = "the cat sat on the mat\n[PAD] [PAD] [PAD] a dog ran";
constexpr const char* kPadFirst = "[PAD] the cat sat on the mat";
constexpr const char* kTwoDocuments = "the cat saw the cat the dog saw the dog";

Draft fullyMasked(const char* fill) {
    return with({{Field::Text, kPadFirst}, {Field::Mask, "padding,causal"}, {Field::Fill, fill}});
}

Selection chunks() {
    Selection selection = on(PageName::Steps);
    selection.steps_part = StepsPart::Chunks;
    selection.locked = Cell{9, 8, 6};
    return selection;
}

}  // namespace

QList<Example> examples() {
    return {
        {latin("causal"),
         Tr::tr("Causal mask"),
         Tr::tr("Each query attends to itself and to the keys before it."),
         with({{Field::Mask, "causal"}}),
         {},
         on(PageName::Heads)},
        {latin("padding"),
         Tr::tr("Padding mask"),
         Tr::tr("The shorter sequence is filled up with [PAD], which no query attends to."),
         with({{Field::Mask, "padding"}}),
         {},
         on(PageName::Heads, {}, 1)},
        {latin("left-padding"),
         Tr::tr("Left padding"),
         Tr::tr("With [PAD] on the left and a causal mask, the first rows are fully masked."),
         with({{Field::Text, kLeftPadded}, {Field::Mask, "padding,causal"}}),
         {},
         on(PageName::Heads, {}, 1)},
        {latin("local-window"),
         Tr::tr("Local window"),
         Tr::tr("Each query attends to two keys on either side."),
         with({{Field::Mask, "local:2:2"}}),
         {},
         on(PageName::Heads)},
        {latin("sink-and-window"),
         Tr::tr("Sink and window"),
         Tr::tr("A causal window of the last three keys, and the first key, which every query keeps."),
         with({{Field::Mask, "causal,local:2:0+global:1"}}),
         {},
         on(PageName::Heads)},
        {latin("packed-documents"),
         Tr::tr("Packed documents"),
         Tr::tr("Two documents in one sequence: no query attends to the other document."),
         with({{Field::Text, kTwoDocuments}, {Field::Mask, "documents:5:5"}}),
         {},
         on(PageName::Heads)},
        {latin("fully-masked-safe"),
         Tr::tr("Fully masked row, safe"),
         Tr::tr("The first query has no allowed key. With the fill “safe” its weights are 0."),
         fullyMasked("safe"),
         {},
         on(PageName::Heads)},
        {latin("fully-masked-inf"),
         Tr::tr("Fully masked row, raw −inf"),
         Tr::tr("The first query has no allowed key. With raw −inf its weights are NaN."),
         fullyMasked("inf"),
         {},
         on(PageName::Heads)},
        {latin("fully-masked-1e9"),
         Tr::tr("Fully masked row, −1e9"),
         Tr::tr("The first query has no allowed key. With −1e9 its weights are uniform over all keys, masked or not."),
         fullyMasked("1e9"),
         {},
         on(PageName::Heads)},
        {latin("one-head"), Tr::tr("One head against eight"),
         Tr::tr("A has eight heads of 64 dimensions, B one of 512: one pattern in place of eight."), Draft(),
         with({{Field::NumHeads, "1"}}), on(PageName::Compare, 0)},
        {latin("precision"), Tr::tr("Precision loss"),
         Tr::tr("A is float32, B is bfloat16: A − B is what rounding to 8 bits changes in the weights."), Draft(),
         with({{Field::Precision, "bfloat16"}}), on(PageName::Compare, 6)},
        {latin("chunks"),
         Tr::tr("Chunks"),
         Tr::tr("The same weights tile by tile: the fully masked tiles of a causal mask are skipped."),
         with({{Field::Mask, "causal"}, {Field::ChunkSize, "4"}, {Field::KeyChunkSize, "4"}}),
         {},
         chunks()},
    };
}

}  // namespace headscope
