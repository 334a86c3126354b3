// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/segments.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace headscope {

Segments::Segments(const QList<Choice>& choices, const QString& accessible_name, QWidget* parent)
    : QWidget(parent), group_(new QButtonGroup(this)) {
    setAccessibleName(accessible_name);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->setSpacing(0);
    for (const Choice& choice : choices) {
        auto* button = new QToolButton(this);
        const bool first = buttons_.isEmpty(), last = buttons_.size() + 1 == choices.size();
        button->setProperty("segment", first && last ? QStringLiteral("only")
                                       : first       ? QStringLiteral("first")
                                       : last        ? QStringLiteral("last")
                                                     : QStringLiteral("middle"));
        button->setObjectName(choice.name);
        button->setText(choice.text);
        button->setToolTip(choice.tip);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        group_->addButton(button, static_cast<int>(buttons_.size()));
        buttons_ << button;
        row->addWidget(button);
    }
    connect(group_, &QButtonGroup::idClicked, this, &Segments::chosen);
}

int Segments::current() const {
    return group_->checkedId();
}

void Segments::setCurrent(int index) {
    if (index == current()) return;
    group_->setExclusive(false);
    for (int i = 0; i < buttons_.size(); ++i) buttons_[i]->setChecked(i == index);
    group_->setExclusive(true);
}

}  // namespace headscope
