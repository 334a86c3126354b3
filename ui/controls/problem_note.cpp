// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/problem_note.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/controls/text_color.h"
#include "ui/look/theme.h"

namespace headscope {

ProblemNote::ProblemNote(QWidget* parent) : QWidget(parent), label_(new QLabel(this)), offers_layout_(new QGridLayout) {
    label_->setTextFormat(Qt::PlainText);
    label_->setWordWrap(true);
    label_->setObjectName(QStringLiteral("sentence"));
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 4);
    layout->setSpacing(2);
    layout->addWidget(label_);
    offers_layout_->setHorizontalSpacing(4);
    offers_layout_->setVerticalSpacing(2);
    layout->addLayout(offers_layout_);
    applyColors();
    hide();
}

QString ProblemNote::sentence() const {
    return label_->text();
}

void ProblemNote::showProblem(const QString& sentence, const QList<Offer>& offers) {
    label_->setText(sentence);
    if (offers != offers_) {
        offers_ = offers;
        showOffers();
    }
    setVisible(!sentence.isEmpty());
}

void ProblemNote::showOffers() {
    while (QLayoutItem* item = offers_layout_->takeAt(0)) {
        if (item->widget()) item->widget()->deleteLater();
        delete item;
    }
    bool first = true;
    for (int row = 0; row < offers_.size(); ++row) {
        const Offer& offer = offers_[row];
        const QString name = fieldLabel(offer.field);
        offers_layout_->addWidget(new QLabel(name, this), row, 0);
        int column = 1;
        for (const QString& value : offer.values) {
            auto* button = new QToolButton(this);
            button->setText(first ? value + QStringLiteral(" ⏎") : value);
            button->setAutoRaise(true);
            button->setCursor(Qt::PointingHandCursor);
            button->setFocusPolicy(Qt::StrongFocus);
            button->setObjectName(name + u'=' + value);
            button->setAccessibleName(tr("Set %1 to %2").arg(name, value));
            button->setToolTip(first ? tr("Set %1 to %2 (Enter in its field does the same)").arg(name, value)
                                     : tr("Set %1 to %2").arg(name, value));
            // Queued: accepting the offer ends the problem and deletes this button.
            connect(
                button, &QToolButton::clicked, this, [this, field = offer.field, value] { Q_EMIT taken(field, value); },
                Qt::QueuedConnection);
            offers_layout_->addWidget(button, row, column++);
            first = false;
        }
    }
    offers_layout_->setColumnStretch(8, 1);
    applyColors();
}

bool ProblemNote::takeFirst(std::optional<Field> field) {
    if (isHidden()) return false;
    for (const Offer& offer : std::as_const(offers_)) {
        if (field && offer.field != *field) continue;
        const Offer taken_offer = offer;  // a copy: accepting the offer ends the problem and clears the list
        Q_EMIT taken(taken_offer.field, taken_offer.values.value(0));
        return true;
    }
    return false;
}

void ProblemNote::applyColors() {
    setTextColor(label_, Role::Error);
    for (auto* button : findChildren<QToolButton*>()) {
        setTextColor(button, Role::Accent);
        QFont font = button->font();
        font.setUnderline(true);
        button->setFont(font);
    }
}

void ProblemNote::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) applyColors();
}

}  // namespace headscope
