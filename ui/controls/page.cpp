// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/page.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QStackedLayout>

#include "ui/controls/out_of_date.h"
#include "ui/controls/plain_label.h"
#include "ui/state/session.h"

namespace headscope {

Page::Page(Session& session, const QString& name, QWidget* parent)
    : QWidget(parent), session_(session), layers_(new QStackedLayout(this)) {
    setObjectName(name + QStringLiteral("View"));
    empty_ = plainParagraph(this, name + QStringLiteral("Empty"));
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setMargin(16);
    layers_->addWidget(empty_);
    for (const auto changed :
         {&Session::traceChanged, &Session::selectionChanged, &Session::draftChanged, &Session::computeFailed})
        connect(&session_, changed, this, [this] {
            if (isVisible()) refresh();
        });
    connect(&session_, &Session::hoverChanged, this, [this] {
        if (isVisible()) refreshHover();
    });
}

void Page::setContent(QWidget* content) {
    layers_->addWidget(content);
    layers_->setCurrentWidget(content);
}

void Page::dimIfOld(QWidget* part) {
    new OutOfDate(session_, part);
}

void Page::say(const QString& instead) {
    empty_->setText(instead);
    layers_->setCurrentIndex(instead.isEmpty() ? 1 : 0);
}

void Page::lock(const Cell& cell) {
    if (!is_square(session_.selection().stage)) session_.setStage(Stage::Weights);
    const auto& enlarged = session_.selection().head;
    if (enlarged && *enlarged != cell.head) session_.setHead(cell.head);
    session_.setLocked(cell);
}

void Page::toggleLock(const Cell& cell) {
    if (session_.selection().locked == cell)
        session_.setLocked(std::nullopt);
    else
        lock(cell);
}

void Page::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    applyLook();
    arrange();
    refresh();
}

void Page::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    release();
}

void Page::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (isVisible()) arrange();
}

void Page::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
    if ((event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange) || !isVisible()) return;
    applyLook();
    arrange();
}

void Page::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && session_.selection().locked) return session_.setLocked(std::nullopt);
    QWidget::keyPressEvent(event);
}

}  // namespace headscope
