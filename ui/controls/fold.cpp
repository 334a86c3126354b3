// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/fold.h"

#include <QEvent>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/controls/plain_label.h"
#include "ui/controls/text_color.h"
#include "ui/look/theme.h"

namespace headscope {

Fold::Fold(const QString& title, QWidget* content, QWidget* parent)
    : QWidget(parent),
      heading_(new QToolButton(this)),
      summary_(plainParagraph(this, QStringLiteral("foldSummary"))),
      content_(content) {
    heading_->setObjectName(QStringLiteral("foldHeading"));
    heading_->setText(title);
    heading_->setAutoRaise(true);
    heading_->setCheckable(true);
    heading_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(heading_, 0, Qt::AlignLeft);
    column->addWidget(summary_);
    column->addWidget(content_);
    connect(heading_, &QToolButton::toggled, this, &Fold::setOpen);
    applyLook();
    setOpen(false);
}

void Fold::setSummary(const QString& summary) {
    summary_->setText(summary);
}

QString Fold::summary() const {
    return summary_->text();
}

bool Fold::isOpen() const {
    return heading_->isChecked();
}

void Fold::setOpen(bool open) {
    heading_->setChecked(open);
    heading_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    heading_->setToolTip(open ? tr("Collapse") : tr("Expand"));
    content_->setVisible(open);
    summary_->setVisible(!open);
}

void Fold::applyLook() {
    QFont bold = font();
    bold.setBold(true);
    heading_->setFont(bold);
    setTextColor(heading_, Role::Accent);
    setTextColor(summary_, Role::Muted);
}

void Fold::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyLook();
}

}  // namespace headscope
