// SPDX-License-Identifier: GPL-3.0-or-later
// What the section of the mask says below its controls.
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <cmath>

#include "core/masks/head_expression.h"
#include "ui/look/plural.h"
#include "ui/maps/cell_explanation.h"
#include "ui/panels/parameters/mask_section.h"

namespace headscope {

/// Where to look if padding masks nothing in the shown sequence.
void MaskSection::showPadding(const MaskText& mask) {
    const std::string_view word = type_of(MaskPattern::Kind::Padding).word;
    const auto& request = session().reading().request;
    setNote(padding_note_, {});
    if (!request || mask.presence({&word, 1}) == MaskText::Presence::Absent) return;
    const Batch& batch = request->batch;
    const auto padded = [&](std::int64_t sequence) {
        for (std::int64_t i = 0; i < batch.sequence_length(); ++i)
            if (!batch.is_real(sequence, i)) return true;
        return false;
    };
    const int shown = session().selection().sequence;
    if (shown >= batch.size() || padded(shown)) return;
    for (int other = 0; other < batch.size(); ++other)
        if (padded(other))
            return setNote(padding_note_,
                           tr("Sequence %1 has no [PAD]; sequence %2 has: click its dot.").arg(shown).arg(other));
}

void MaskSection::showCount() {
    const TracePtr& trace = session().trace();
    const int sequence = session().selection().sequence;
    if (!trace || !trace->mask || sequence >= trace->batch().size()) return titleNote()->clear();
    const auto size = trace->mask.size(), heads = trace->mask.one_for_all() ? 1 : trace->dims().num_heads;
    titleNote()->setText(
        tr("%1 of %2 allowed").arg(trace->mask.allowed_cells(sequence, heads)).arg(heads * size * size));
    std::size_t empty = 0;
    for (std::int64_t head = 0; head < heads; ++head)
        empty = std::max(empty, trace->mask.of(head).fully_masked_rows(sequence).size());
    const QString note = heads == 1 ? tr("%n queries have no key to attend to", nullptr, counted(empty))
                                    : tr("In a head, %n queries have no key to attend to", nullptr, counted(empty));
    setNote(empty_note_, empty ? note : QString());
}

/// The rules of the heads in words. Where heads have masks of their own, the boxes, which act on all of them, rest.
void MaskSection::showHeads() {
    const bool by_head = is_by_head(text());
    for (const Box& box : std::as_const(boxes_)) box.check->setEnabled(!by_head);
    for (const OwnNumbers& own : std::as_const(own_numbers_))
        for (StepEdit* edit : own.edits) edit->setEnabled(!by_head);
    for (QWidget* control : {static_cast<QWidget*>(sparse_), sparse_row_, static_cast<QWidget*>(file_button_)})
        control->setEnabled(!by_head);
    QStringList lines;
    if (by_head) lines << tr("By head: edit the expression, or paint.");
    const auto& expression = session().reading().mask;
    for (const HeadPart& part : expression ? expression->parts() : std::vector<HeadPart>()) {
        QStringList rules;
        for (const ScoreRule& rule : part.rules) rules << sentence(type_of(rule.kind).sentence(rule));
        if (rules.isEmpty()) continue;
        lines << (by_head
                      ? tr("%1: %2").arg(QString::fromStdString(heads_text(part)), rules.join(QStringLiteral(" · ")))
                      : rules.join(QStringLiteral(" · ")));
    }
    setNote(heads_note_, lines.join(u'\n'));
}

void MaskSection::showFill() {
    const auto fill = parse_fill(value(Field::Fill).toStdString());
    const auto precision = parse_precision(value(Field::Precision).toStdString());
    // What the default does is of no interest until it matters.
    const bool matters = fill && precision && (fill != Fill::Safe || !empty_note_->isHidden());
    setNote(fill_note_, matters ? fillText(*fill, *precision) : QString());
}

QString MaskSection::fillText(Fill fill, Precision precision) const {
    if (fill == Fill::Safe) return tr("Masked scores are −∞; a fully masked row becomes zeros.");
    if (fill == Fill::Inf) return tr("Masked scores are −∞; a fully masked row becomes NaN.");
    const double effective = effective_fill(fill, precision);
    if (std::isinf(effective))
        return tr("Masked scores are −∞, for %1 has no −1e9; a fully masked row becomes NaN.")
            .arg(value(Field::Precision));
    return tr("Masked scores are %1; a fully masked row becomes uniform.").arg(numberText(effective, 9));
}

}  // namespace headscope
