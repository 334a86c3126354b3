// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/change_panel.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/controls/plain_label.h"
#include "ui/controls/text_color.h"
#include "ui/look/theme.h"
#include "ui/pages/compare/compare_words.h"

namespace headscope {

ChangePanel::ChangePanel(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    const auto add = [&](const QString& name) {
        QLabel* label = plainParagraph(this, name);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(label);
        return label;
    };
    title_ = add(QStringLiteral("compareRowTitle"));
    lines_ = add(QStringLiteral("compareRow"));
    cell_ = add(QStringLiteral("compareCell"));
    applyLook();
}

void ChangePanel::setCell(const Trace& a, const Trace& b, const Selection& selection, const std::optional<Cell>& cell) {
    RowChange row{{}, {tr("Point at a cell to see how its row changes from A to B.")}};
    if (cell) row = {};
    if (cell && is_square(selection.stage) && isInside(*cell, selection.stage, a.dims()))
        row = rowChange(a, b, selection.sequence, cell->head, cell->query);
    title_->setText(row.title);
    title_->setVisible(!row.title.isEmpty());
    told_ = row.lines;
    showLines();
    cell_->setText(cell ? cellChange(a, b, selection, *cell) : QString());
    applyLook();  // the theme may have changed while this was hidden
}

void ChangePanel::setOneParagraph(bool one) {
    one_paragraph_ = one;
    showLines();
}

void ChangePanel::showLines() {
    lines_->setText(told_.join(one_paragraph_ ? QStringLiteral(" · ") : QStringLiteral("\n")));
    lines_->setVisible(!told_.isEmpty());
}

void ChangePanel::applyLook() {
    QFont bold = font();
    bold.setBold(true);
    title_->setFont(bold);
    setTextColor(cell_, Role::Muted);
}

void ChangePanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) applyLook();
}

}  // namespace headscope
