// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/mask/mask_painter.h"

#include <QFileInfo>
#include <algorithm>

#include "core/base/memory.h"
#include "core/files/mask_file.h"
#include "ui/export/save_file.h"
#include "ui/pages/mask/mask_picture.h"

namespace headscope {

namespace {

/// No file of a mask that can be painted takes so much, however it is written.
constexpr qint64 kLargestFile = 64 << 20;

bool isPainted(const std::vector<MaskPattern>& layer) {
    return layer.size() == 1 && layer.front().kind == MaskPattern::Kind::Painted && layer.front().painted;
}

/// Where the painted layer is switched off, painting switches it on again: nobody paints what can't be seen.
MaskExpression withPaintedOn(const MaskExpression& expression) {
    if (paint::painted_layer(expression)) return expression;
    const auto layers = list_layers(expression);
    const auto off = std::find_if(layers.begin(), layers.end(), [](const auto& l) { return isPainted(l.patterns); });
    return off == layers.end() ? expression
                               : switched(expression, static_cast<std::size_t>(off - layers.begin()), true);
}

/// The cells of `part` in the upper left corner of a mask that may be larger.
PaintedMask withPart(PaintedMask mask, const PaintedMask& part) {
    if (mask.size <= part.size) return part;
    for (std::int64_t i = 0; i < part.size; ++i)
        std::copy_n(part.cells.begin() + i * part.size, part.size, mask.cells.begin() + i * mask.size);
    return mask;
}

bool staysALayer(const std::vector<MaskPattern>& layer, const Batch& batch) {
    return padding_matters(MaskExpression{{layer}}, batch);
}

}  // namespace

MaskPainter::MaskPainter(Session& session, QObject* parent) : QObject(parent), session_(session) {
    connect(&session, &Session::draftChanged, this, &MaskPainter::draftChanged);
    connect(&files_, &FileStore::arrived, this, &MaskPainter::continueLoading);
}

std::optional<MaskPainter::Canvas> MaskPainter::canvas() const {
    const Batch* batch = presentBatch(session_);
    if (!batch || batch->sequence_length() > kMostPaintedTokens) return std::nullopt;
    Canvas canvas{withPaintedOn(presentMask(session_)), {}, batch->sequence_length()};
    const auto painted = paint::painted_layer(canvas.expression);
    canvas.mask = !painted                        ? paint::uniform(canvas.tokens, true)
                  : painted->size < canvas.tokens ? paint::fitted(*painted, canvas.tokens)
                                                  : *painted;
    return canvas;
}

void MaskPainter::put(const QString& text, const Session::Gesture& gesture) {
    text_painted_ = text;
    session_.edit(Field::Mask, text, gesture);
}

void MaskPainter::draftChanged() {
    if (stroke_ && session_.draft().value(Field::Mask) != text_painted_) release();
}

/// A stroke that begins on an allowed cell masks, on a masked cell it allows. A row or column counts as allowed if one
/// of its cells is.
bool MaskPainter::wouldOpen(paint::Cell at, PaintTool tool) const {
    if (ink_ != Ink::Opposite) return ink_ == Ink::Allow;
    const auto picture = maskPicture(session_);
    if (!picture || picture->tooLarge()) return true;
    const auto in = [&](std::int64_t n) {
        return static_cast<std::size_t>(std::clamp<std::int64_t>(n, 0, picture->size - 1));
    };
    if (tool == PaintTool::Rows) return picture->allowed_in_row[in(at.query)] == 0;
    if (tool == PaintTool::Columns) return picture->allowed_in_column[in(at.key)] == 0;
    return !picture->inside(at.query, at.key) || !picture->allowed(at.query, at.key);
}

void MaskPainter::press(paint::Cell at, PaintTool tool) {
    release();
    auto begun = canvas();
    if (!begun) return;
    stroke_canvas_ = std::move(*begun);
    stroke_.emplace(paint::fitted(stroke_canvas_.mask, stroke_canvas_.tokens), tool, wouldOpen(at, tool), at);
    gesture_ = session_.beginGesture(tr("stroke on the mask"));
    text_before_ = session_.draft().value(Field::Mask);
    paintStroke();
}

void MaskPainter::drag(paint::Cell at) {
    if (!stroke_ || (at.query == stroke_->at().query && at.key == stroke_->at().key)) return;
    stroke_->moveTo(at);
    paintStroke();
}

void MaskPainter::paintStroke() {
    const PaintedMask mask = withPart(stroke_canvas_.mask, stroke_->mask());
    const bool adds = !paint::painted_layer(stroke_canvas_.expression);
    if (adds && mask == stroke_canvas_.mask)  // nothing was masked: no layer is added
        put(text_before_, gesture_);
    else
        put(textWithMask(session_, paint::with_painted_layer(stroke_canvas_.expression, mask)), gesture_);
}

void MaskPainter::release() {
    if (!stroke_) return;
    stroke_.reset();
    Q_EMIT strokeEnded();
}

void MaskPainter::cancel() {
    if (!stroke_) return;
    stroke_.reset();
    session_.edit(Field::Mask, text_before_, gesture_);
    Q_EMIT strokeEnded();
}

void MaskPainter::change(const QString& what, const std::function<PaintedMask(PaintedMask)>& with) {
    release();
    auto present = canvas();
    if (!present) return;
    const PaintedMask part = with(paint::fitted(present->mask, present->tokens));
    put(textWithMask(session_,
                     paint::with_painted_layer(present->expression, withPart(std::move(present->mask), part))),
        session_.beginGesture(what));
}

void MaskPainter::invert() {
    change(tr("invert the mask"), [](PaintedMask mask) { return paint::inverted(std::move(mask)); });
}

void MaskPainter::transpose() {
    change(tr("transpose the mask"), [](const PaintedMask& mask) { return paint::transposed(mask); });
}

void MaskPainter::fill(bool allowed) {
    change(allowed ? tr("allow all cells") : tr("mask all cells"),
           [allowed](const PaintedMask& mask) { return paint::uniform(mask.size, allowed); });
}

void MaskPainter::fillDiagonal(bool allowed) {
    change(allowed ? tr("allow the diagonal") : tr("mask the diagonal"),
           [allowed](PaintedMask mask) { return paint::diagonal(std::move(mask), 0, allowed); });
}

void MaskPainter::startFromPresent() {
    release();
    auto present = canvas();
    if (!present) return;
    const Batch& batch = *presentBatch(session_);
    auto layers = list_layers(presentMask(session_));
    MaskExpression taken;
    for (MaskLayer& layer : layers) {
        if (!layer.on || staysALayer(layer.patterns, batch)) continue;
        taken.layers.push_back(layer.patterns);
        if (!isPainted(layer.patterns)) layer.on = false;
    }
    const auto cells = paint::from_expression(taken, batch, presentSequence(session_));
    if (!cells) return;
    put(textWithMask(session_,
                     paint::with_painted_layer(from_layers(layers), withPart(std::move(present->mask), *cells))),
        session_.beginGesture(tr("paint on the present mask")));
}

void MaskPainter::startFrom(const QString& expression, const QString& name) {
    const Batch* batch = presentBatch(session_);
    const auto mask = parse_mask(expression.toStdString());
    if (!batch || !mask) return;
    const auto cells = paint::from_expression(*mask, *batch, presentSequence(session_));
    if (cells) change(tr("paint on %1").arg(name), [&](const PaintedMask&) { return *cells; });
}

void MaskPainter::switchLayer(std::size_t place, bool on) {
    release();
    put(textWithMask(session_, switched(presentMask(session_), place, on)),
        session_.beginGesture(on ? tr("switch a layer on") : tr("switch a layer off")));
}

void MaskPainter::load(const QString& path) {
    loading_ = path;
    continueLoading();
}

void MaskPainter::continueLoading() {
    if (loading_.isEmpty()) return;
    const auto result = tryLoad(loading_);
    if (!result) return;
    loading_.clear();
    Q_EMIT loaded(*result ? std::nullopt : std::optional(result->error()));
}

/// Nothing while the file is being read.
std::optional<Result<void>> MaskPainter::tryLoad(const QString& path) {
    const Batch* batch = presentBatch(session_);
    const std::int64_t tokens = batch ? batch->sequence_length() : 0;
    const std::string name = path.toStdString();
    if (const qint64 bytes = QFileInfo(path).size(); bytes > kLargestFile)
        return fail(ErrorCode::FileContent,
                    QT_TRANSLATE_NOOP("Error", "{}: {}; no mask of {}x{} cells is as large as that"), name,
                    format_bytes(static_cast<std::uint64_t>(bytes)), tokens, tokens);
    const auto mask = files_.mask(path);
    if (!mask) return std::nullopt;
    if (!*mask) return tl::unexpected(mask->error());
    const PaintedMask& cells = ***mask;
    if (cells.size != tokens)
        return fail(ErrorCode::InvalidMask,
                    QT_TRANSLATE_NOOP("Error",
                                      "{0}: a mask of {1}x{1} cells, but the sequences have the length {2}; it must be "
                                      "{2}x{2}"),
                    name, cells.size, tokens);
    if (tokens > kMostPaintedTokens)
        return fail(ErrorCode::Unsupported,
                    QT_TRANSLATE_NOOP("Error",
                                      "a mask can be painted for {} tokens at most, but there are {}; write file:{} as "
                                      "the expression of the mask"),
                    kMostPaintedTokens, tokens, name);
    change(tr("load a mask"), [&](const PaintedMask&) { return cells; });
    return Result<void>();
}

Result<void> MaskPainter::save(const QString& path) const {
    const Batch* batch = presentBatch(session_);
    if (!batch)
        return fail(ErrorCode::NoTokens, QT_TRANSLATE_NOOP("Error", "there is no token, and so no mask to save"));
    return paint::from_expression(presentMask(session_), *batch, presentSequence(session_))
        .and_then([&](const PaintedMask& mask) { return encode_mask_file(mask, path.toStdString()); })
        .and_then([&](const std::vector<std::uint8_t>& bytes) {
            return saveFile(
                path, QByteArray(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())));
        });
}

}  // namespace headscope
