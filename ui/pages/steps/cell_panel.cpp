// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/cell_panel.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/controls/plain_label.h"
#include "ui/controls/text_color.h"
#include "ui/controls/tool_tip.h"
#include "ui/maps/cell_steps.h"
#include "ui/maps/strip_table.h"

namespace headscope {

namespace {

QLabel* selectableLabel(QWidget* parent, const QString& name) {
    QLabel* label = plainLabel(parent, name);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

CellPanel::CellPanel(QWidget* parent)
    : QWidget(parent),
      title_(selectableLabel(this, QStringLiteral("cellTitle"))),
      adds_(selectableLabel(this, QStringLiteral("cellAdds"))),
      score_strips_(new StripTable(this)),
      context_strips_(new StripTable(this)),
      grid_(new QGridLayout) {
    score_strips_->setObjectName(QStringLiteral("scoreStrips"));
    context_strips_->setObjectName(QStringLiteral("contextStrips"));
    title_->setWordWrap(true);
    adds_->setWordWrap(true);
    grid_->setColumnStretch(1, 1);
    grid_->setHorizontalSpacing(12);
    grid_->setVerticalSpacing(3);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(title_);
    column->addWidget(score_strips_);
    column->addLayout(grid_);
    column->addWidget(adds_);
    column->addWidget(context_strips_);
    column->addStretch(1);
}

void CellPanel::showSteps(const Trace& trace, const CellAccount& cell) {
    const QList<CellStep> steps = cellSteps(trace, cell);
    while (lines_.size() < steps.size()) {
        const auto row = static_cast<int>(lines_.size());
        const QString name = QStringLiteral("step%1").arg(row);
        const Line line{selectableLabel(this, name + QStringLiteral("Name")),
                        selectableLabel(this, name + QStringLiteral("How")), selectableLabel(this, name)};
        line.formula->setWordWrap(true);
        grid_->addWidget(line.name, row, 0, Qt::AlignTop);
        grid_->addWidget(line.formula, row, 1);
        grid_->addWidget(line.value, row, 2, Qt::AlignTop | Qt::AlignRight);
        lines_ << line;
    }
    for (qsizetype i = 0; i < lines_.size(); ++i)
        for (QLabel* label : {lines_[i].name, lines_[i].formula, lines_[i].value}) label->setVisible(i < steps.size());
    warned_.clear();
    for (qsizetype i = 0; i < steps.size(); ++i) {
        const CellStep& step = steps[i];
        lines_[i].name->setText(step.name);
        lines_[i].formula->setText(step.formula);
        lines_[i].value->setText(step.text);
        lines_[i].value->setToolTip(plainToolTip(step.exact));
        lines_[i].value->setAccessibleName(tr("%1: %2").arg(step.name, step.exact));
        warned_ << step.warn;
    }
}

void CellPanel::setCell(const Trace& trace, const CellAccount& cell) {
    title_->setText(cellTitle(trace, cell));
    const Tensor::Type type = storage_type(trace.request.precision);
    score_strips_->setStrips(scoreStrips(cell), type);
    context_strips_->setStrips(contextStrips(cell), type, 2);
    showSteps(trace, cell);
    const QString moved = cellMoved(trace, cell);
    adds_->setText(moved.isEmpty() ? cellContribution(trace, cell) : cellContribution(trace, cell) + u'\n' + moved);
    applyLook();
}

void CellPanel::applyLook() {
    QFont bold = font();
    bold.setBold(true);
    title_->setFont(bold);
    for (qsizetype i = 0; i < lines_.size(); ++i) {
        setTextColor(lines_[i].name, Role::Muted);
        setTextColor(lines_[i].value, i < warned_.size() && warned_[i] ? Role::Warning : Role::Text);
        lines_[i].value->setFont(bold);
    }
}

void CellPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyLook();
}

}  // namespace headscope
