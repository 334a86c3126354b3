// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/mask/mask_notes.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "core/explain/row_account.h"
#include "ui/controls/plain_label.h"
#include "ui/controls/segments.h"
#include "ui/controls/text_color.h"
#include "ui/controls/tool_tip.h"
#include "ui/look/theme.h"
#include "ui/pages/mask/layer_words.h"
#include "ui/state/session.h"

namespace headscope {

namespace {

constexpr Fill kFills[] = {Fill::Safe, Fill::Inf, Fill::MinusBillion};

QString word(Fill fill) {
    return QString::fromLatin1(to_string(fill).data(), static_cast<qsizetype>(to_string(fill).size()));
}

void say(QLabel* label, const QString& text) {
    label->setText(text);
    label->setVisible(!text.isEmpty());
}

}  // namespace

MaskNotes::MaskNotes(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      cell_note_(plainParagraph(this, QStringLiteral("maskCell"))),
      size_note_(plainParagraph(this, QStringLiteral("maskSize"))),
      empty_(new QWidget(this)) {
    cell_note_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    empty_note_ = plainParagraph(empty_, QStringLiteral("maskFullyMaskedRows"));
    fills_ = new Segments({{tr("safe"), tr("−∞; a fully masked row becomes zeros"), QStringLiteral("fillSafe")},
                           {tr("raw −∞"), tr("A fully masked row becomes NaN"), QStringLiteral("fillInf")},
                           {tr("−1e9"), tr("A fully masked row becomes uniform"), QStringLiteral("fill1e9")}},
                          tr("Fill of masked cells"), empty_);
    auto* row = new QHBoxLayout(empty_);
    row->setContentsMargins({});
    row->addWidget(empty_note_, 1);
    row->addWidget(fills_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(4);
    column->addWidget(cell_note_);
    column->addWidget(size_note_);
    column->addWidget(empty_);
    connect(fills_, &Segments::chosen, this, [this](int i) { session_.edit(Field::Fill, word(kFills[i])); });
    refresh();
}

void MaskNotes::setPicture(std::shared_ptr<const MaskPicture> picture) {
    picture_ = std::move(picture);
    refresh();
}

void MaskNotes::setCell(const std::optional<paint::Cell>& cell) {
    cell_ = cell;
    cell_note_->setText(cellText());
}

void MaskNotes::setPainting(std::optional<bool> allowed) {
    painting_ = allowed;
    cell_note_->setText(cellText());
}

void MaskNotes::setPaintable(bool paintable) {
    paintable_ = paintable;
    cell_note_->setText(cellText());
}

QString MaskNotes::cellText() const {
    if (!picture_ || picture_->tooLarge()) return {};
    const QString words = cell_ ? cellWords(*picture_, cell_->query, cell_->key) : QString();
    if (words.isEmpty() && !paintable_)
        return tr(
            "While the reach is shown, a click locks a pair; the mask is painted beside Heads, PyTorch and Check.");
    if (words.isEmpty())
        return tr(
            "Drag over cells to toggle them; Shift and drag for a rectangle; drag along the labels for rows and "
            "columns.");
    if (painting_ != std::optional(true) || picture_->allowed(cell_->query, cell_->key)) return words;
    return words + QStringLiteral(". ") +
           tr("Painting can't allow it: switch that layer off, or start from the present mask.");
}

QString MaskNotes::sizeText() const {
    if (!picture_) return {};
    if (picture_->tooLarge())
        return tr("A mask can be painted for %1 tokens at most, but there are %2. Write its expression in the "
                  "parameters.")
            .arg(kMostPaintedTokens)
            .arg(picture_->size);
    if (session_.reading().problem(Field::Mask))
        return tr(
            "The expression in the parameters is not legal. This is the mask of the picture; painting continues from "
            "it.");
    const auto note = painted_size_note(picture_->expression, picture_->size);
    if (note) return sentence(*note);
    const HeadExpression heads = presentHeads(session_);
    if (heads.has_one_mask()) return {};
    return tr("This is the mask of head %1 (%2), also for painting. Enlarge another head to see its mask.")
        .arg(presentHead(session_))
        .arg(QString::fromStdString(heads_text(picture_->part)));
}

QString MaskNotes::emptyText() const {
    if (!picture_ || picture_->fullyMaskedRows().empty()) return {};
    const Draft& draft = session_.draft();
    const auto fill = parse_fill(draft.value(Field::Fill).toStdString());
    const auto precision = parse_precision(draft.value(Field::Precision).toStdString());
    const QString words = fullyMaskedRowWords(*picture_);
    if (!fill || !precision) return words;
    switch (effective_mode(*fill, *precision)) {
        case Fill::Safe:
            return words + tr(". Their weights are 0.");
        case Fill::Inf:
            return words + tr(". Their weights are NaN.");
        case Fill::MinusBillion:
            break;
    }
    return words + tr(". They give each key 1/%1.").arg(picture_->size);
}

/// Why it is so, in full.
QString MaskNotes::emptyTip() const {
    const Draft& draft = session_.draft();
    const auto fill = parse_fill(draft.value(Field::Fill).toStdString());
    const auto precision = parse_precision(draft.value(Field::Precision).toStdString());
    if (!picture_ || !fill || !precision) return {};
    return plainToolTip(sentence(fully_masked_row_sentence(*fill, *precision, picture_->size)));
}

/// The room of the longest sentence, else the grid moved with the hand.
void MaskNotes::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const QFontMetrics metrics = cell_note_->fontMetrics();
    const int lines = width() < 75 * metrics.averageCharWidth() ? 2 : 1;
    cell_note_->setMinimumHeight(lines * metrics.lineSpacing());
}

void MaskNotes::refresh() {
    cell_note_->setText(cellText());
    say(size_note_, sizeText());
    const bool of_a_head = picture_ && !presentHeads(session_).has_one_mask();
    setTextColor(size_note_, of_a_head ? Role::Muted : Role::Warning);
    const QString empty = emptyText();
    say(empty_note_, empty);
    setTextColor(empty_note_, Role::Warning);
    empty_note_->setToolTip(emptyTip());
    empty_->setVisible(!empty.isEmpty());
    const auto fill = parse_fill(session_.draft().value(Field::Fill).toStdString());
    int shown = -1;
    for (int i = 0; i < 3; ++i)
        if (fill && *fill == kFills[i]) shown = i;
    fills_->setCurrent(shown);
}

void MaskNotes::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

}  // namespace headscope
