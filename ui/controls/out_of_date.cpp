// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/out_of_date.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>

#include "ui/controls/plain_label.h"
#include "ui/look/empty_state.h"
#include "ui/look/theme.h"
#include "ui/state/session.h"

namespace headscope {
namespace {

constexpr double kVeil = 0.6;  // opacity over the picture

}  // namespace

OutOfDate::OutOfDate(Session& session, QWidget* view)
    : QWidget(view), session_(session), sentence_(plainParagraph(this, QStringLiteral("outOfDateSentence"))) {
    setObjectName(QStringLiteral("outOfDate"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    sentence_->setMargin(8);
    sentence_->setAutoFillBackground(true);
    hide();
    view->installEventFilter(this);
    for (const auto changed : {&Session::draftChanged, &Session::traceChanged, &Session::computeFailed})
        connect(&session_, changed, this, &OutOfDate::refresh);
    applyLook();
    refresh();
}

QString OutOfDate::sentence() const {
    return sentence_->text();
}

/// Empty if the picture is that of the settings, or will be soon.
QString OutOfDate::why() const {
    const Reading& reading = session_.reading();
    if (!session_.trace() || !missingPicture(session_).isEmpty()) return {};
    if (!reading.problems.isEmpty()) return headscope::sentence(reading.problems.front().error);
    if (session_.computeError() && !session_.isComputing()) return headscope::sentence(*session_.computeError());
    return {};
}

void OutOfDate::refresh() {
    const QString reason = why();
    if (reason.isEmpty()) return hide();
    sentence_->setText(tr("Not computed: %1. The picture shows the last legal settings.").arg(reason));
    place();
    show();
    raise();
}

void OutOfDate::place() {
    setGeometry(parentWidget()->rect());
    const int height = std::min(sentence_->heightForWidth(width()), this->height());
    sentence_->setGeometry(0, this->height() - height, width(), height);
}

bool OutOfDate::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parent() && event->type() == QEvent::Resize) place();
    return QWidget::eventFilter(watched, event);
}

void OutOfDate::paintEvent(QPaintEvent*) {
    QColor veil = color(Role::Window, currentTheme());
    veil.setAlphaF(kVeil);
    QPainter(this).fillRect(rect(), veil);
}

void OutOfDate::applyLook() {
    QPalette palette = sentence_->palette();
    palette.setColor(QPalette::Window, tint(Role::Error, currentTheme()));
    palette.setColor(QPalette::WindowText, color(Role::Error, currentTheme()));
    if (palette != sentence_->palette()) sentence_->setPalette(palette);
}

void OutOfDate::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) applyLook();
    if (event->type() == QEvent::LanguageChange) refresh();
    if (event->type() == QEvent::FontChange) place();
}

}  // namespace headscope
