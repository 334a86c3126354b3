// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/mask/mask_picture.h"

#include <algorithm>
#include <numeric>

#include "ui/state/session.h"

namespace headscope {

namespace {

Batch oneSequence(const Batch& batch, std::int64_t sequence) {
    const std::int64_t size = batch.sequence_length();
    const auto first = batch.real.begin() + sequence * size;
    return {{batch.tokens[static_cast<std::size_t>(sequence)]}, {first, first + size}};
}

/// The cells that one layer masks, as its bit. False where its cells don't fit the tokens.
bool addLayer(const MaskLayer& layer, std::uint32_t bit, MaskPicture& picture) {
    const auto mask = layer_mask(layer, picture.batch);
    if (!mask) return false;
    const std::uint8_t* cells = (*mask)->row(0, 0);
    for (std::size_t i = 0; i < picture.masked_by.size(); ++i)
        if (!cells[i]) picture.masked_by[i] |= bit;
    return true;
}

bool addCells(MaskPicture& picture) {
    if (picture.tooLarge()) return true;
    const auto side = static_cast<std::size_t>(picture.size);
    picture.masked_by.assign(side * side, 0);
    for (std::size_t place = 0; place < picture.layers.size(); ++place)
        if (picture.layers[place].on && !addLayer(picture.layers[place], layerBit(place), picture)) return false;
    picture.allowed_in_row.assign(side, 0);
    picture.allowed_in_column.assign(side, 0);
    for (std::size_t i = 0; i < side; ++i)
        for (std::size_t j = 0; j < side; ++j) {
            const bool allowed = picture.masked_by[i * side + j] == 0;
            picture.allowed_in_row[i] += allowed;
            picture.allowed_in_column[j] += allowed;
        }
    return true;
}

std::optional<MaskPicture> pictureOf(const HeadPart& part, const Batch& batch, std::int64_t sequence) {
    MaskPicture picture;
    picture.part = part;
    picture.expression = part.mask;
    picture.batch = oneSequence(batch, sequence);
    picture.size = batch.sequence_length();
    picture.layers = list_layers(picture.expression);
    return addCells(picture) ? std::optional(std::move(picture)) : std::nullopt;
}

}  // namespace

std::vector<std::int64_t> MaskPicture::fullyMaskedRows() const {
    std::vector<std::int64_t> rows;
    for (std::size_t i = 0; i < allowed_in_row.size(); ++i)
        if (allowed_in_row[i] == 0) rows.push_back(static_cast<std::int64_t>(i));
    return rows;
}

std::int64_t MaskPicture::allowedCells() const {
    return std::accumulate(allowed_in_row.begin(), allowed_in_row.end(), std::int64_t{0});
}

bool sameMask(const MaskPicture& a, const MaskPicture& b) {
    return a.expression == b.expression && a.batch == b.batch && a.masked_by == b.masked_by;
}

BitMatrix allowedCells(const MaskPicture& picture) {
    BitMatrix cells(picture.size, picture.size);
    for (std::int64_t i = 0; i < picture.size; ++i)
        for (std::int64_t j = 0; j < picture.size; ++j)
            if (picture.allowed(i, j)) cells.set(i, j, true);
    return cells;
}

std::uint32_t layerBit(std::size_t place) {
    return std::uint32_t{1} << std::min<std::size_t>(place, 31);
}

int presentHead(const Session& session) {
    const Selection& selection = session.wantedSelection();
    const int wanted = selection.head.value_or(selection.locked ? selection.locked->head : 0);
    const auto heads = session.reading().request ? session.reading().request->num_heads
                       : session.trace()         ? session.trace()->request.num_heads
                                                 : 1;
    return std::clamp(wanted, 0, static_cast<int>(heads) - 1);
}

HeadExpression presentHeads(const Session& session) {
    const Reading& reading = session.reading();
    if (reading.request) return reading.request->mask;
    const TracePtr& trace = session.trace();
    const HeadExpression shown = trace ? trace->request.mask : HeadExpression{};
    // Something else is not legal at the moment: what was painted since stands in the draft alone.
    const QString& text = session.draft().value(Field::Mask);
    if (text.trimmed().isEmpty()) return shown;
    return reading.mask.value_or(shown);
}

MaskExpression presentMask(const Session& session) {
    return presentHeads(session).mask(presentHead(session));
}

QString textWithMask(const Session& session, const MaskExpression& mask) {
    HeadExpression heads = presentHeads(session);
    const HeadPart* present = &heads.of(presentHead(session));
    for (HeadPart& part : heads.parts())
        if (&part == present) part.mask = mask;
    return QString::fromStdString(to_string(heads));
}

const Batch* presentBatch(const Session& session) {
    if (session.reading().request) return &session.reading().request->batch;
    return session.trace() ? &session.trace()->batch() : nullptr;
}

std::int64_t presentSequence(const Session& session) {
    const Batch* batch = presentBatch(session);
    return batch ? std::clamp<std::int64_t>(session.wantedSelection().sequence, 0, batch->size() - 1) : 0;
}

std::optional<MaskPicture> maskPicture(const Session& session) {
    const Batch* batch = presentBatch(session);
    if (!batch) return std::nullopt;
    const std::int64_t sequence = presentSequence(session);
    const int head = presentHead(session);
    if (auto picture = pictureOf(presentHeads(session).of(head), *batch, sequence)) return picture;
    // A file of another size beside a text that can't be read: the picture on the screen still fits itself.
    const TracePtr& trace = session.trace();
    return trace
               ? pictureOf(trace->request.mask.of(head), trace->batch(), std::min(sequence, trace->batch().size() - 1))
               : std::nullopt;
}

}  // namespace headscope
