// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/call_out.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/controls/plain_label.h"
#include "ui/look/theme.h"
#include "ui/state/session.h"
#include "ui/state/settings.h"

namespace headscope {

namespace {

const settings::Setting<bool> kDone{"window/first_minute_done", false};

constexpr int kPointer = 8, kRadius = 4;
constexpr int kWidth = 44;  // letters

/// The colours of the other theme, so that it stands out from the window.
Theme opposite() {
    return currentTheme() == Theme::Light ? Theme::Dark : Theme::Light;
}

}  // namespace

bool CallOut::isWanted() {
    return !kDone.get();
}

CallOut::CallOut(Session& session, QWidget* target, QWidget* window)
    : QFrame(window), session_(session), target_(target) {
    setObjectName(QStringLiteral("callOut"));
    title_ = plainParagraph(this, QStringLiteral("callOutTitle"));
    text_ = plainParagraph(this, QStringLiteral("callOutText"));
    show_ = new QToolButton(this);
    show_->setObjectName(QStringLiteral("callOutShow"));
    close_ = new QToolButton(this);
    close_->setObjectName(QStringLiteral("callOutClose"));
    for (QToolButton* button : {show_, close_}) {
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
    }
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(show_);
    buttons->addWidget(close_);
    buttons->addStretch();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kPointer + 12, 10, 12, 8);
    column->setSpacing(4);
    column->addWidget(title_);
    column->addWidget(text_);
    column->addLayout(buttons);
    connect(show_, &QToolButton::clicked, this, &CallOut::showMe);
    connect(close_, &QToolButton::clicked, this, &CallOut::finish);
    connect(&session_, &Session::traceChanged, this, &CallOut::refresh);
    connect(&session_, &Session::selectionChanged, this, [this] {
        if (answered_ && session_.selection().locked) return finish();  // its last sentence was followed
        place();
    });
    window->installEventFilter(this);
    for (QWidget* above = target; above && above != window; above = above->parentWidget())
        above->installEventFilter(this);
    refresh();
}

/// Causal is on, whoever switched it on.
bool CallOut::isAnswered() const {
    if (!session_.trace()) return false;
    const auto is_causal = [](const auto& layer) {
        return layer.size() == 1 && layer.front().kind == MaskPattern::Kind::Causal;
    };
    const auto& parts = session_.trace()->request.mask.parts();
    return std::all_of(parts.begin(), parts.end(), [&](const HeadPart& part) {
        return std::any_of(part.mask.layers.begin(), part.mask.layers.end(), is_causal);
    });
}

void CallOut::showMe() {
    session_.edit(Field::Mask, QStringLiteral("causal"));
}

void CallOut::refresh() {
    answered_ = answered_ || isAnswered();
    title_->setText(answered_ ? tr("Only itself") : tr("Try it: switch Causal on"));
    text_->setText(answered_ ? tr("Row 0 has one allowed key, so its whole weight is there, in every head. Click a "
                                  "cell to see how its weight was computed.")
                             : tr("What can the first word still attend to?"));
    show_->setText(tr("Show me"));
    show_->setVisible(!answered_);
    close_->setText(answered_ ? tr("Close") : tr("Not now"));
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, color(Role::Text, opposite()));
    colors.setColor(QPalette::ButtonText, color(Role::Accent, opposite()));
    for (QWidget* part : std::initializer_list<QWidget*>{title_, text_, show_, close_}) part->setPalette(colors);
    QFont bold = font();
    bold.setBold(true);
    title_->setFont(bold);
    place();
}

/// To the right of the target, its pointer at the target's height; hidden where the target is, and on other pages than
/// Heads.
void CallOut::place() {
    const bool visible = session_.selection().page == PageName::Heads && target_ && target_->isVisible() &&
                         target_->visibleRegion().boundingRect().isValid();
    setVisible(visible);
    if (!visible) return;
    const int width = kWidth * fontMetrics().averageCharWidth();
    resize(width, layout()->heightForWidth(width));
    const QPoint at = target_->mapTo(parentWidget(), QPoint(target_->width() + 2, target_->height() / 2));
    const int lowest = parentWidget()->height() - height() - 8;
    move(std::min(at.x(), parentWidget()->width() - width - 8), std::clamp(at.y() - 24, 0, std::max(0, lowest)));
    raise();
    update();
}

void CallOut::finish() {
    kDone.set(true);
    deleteLater();
    hide();
}

bool CallOut::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::Resize:
        case QEvent::Move:
        case QEvent::Show:
        case QEvent::Hide:
        case QEvent::LayoutRequest:
            QMetaObject::invokeMethod(this, &CallOut::place, Qt::QueuedConnection);  // once the layout is done
            break;
        default:
            break;
    }
    return QFrame::eventFilter(watched, event);
}

void CallOut::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath shape;
    shape.addRoundedRect(QRectF(rect()).adjusted(kPointer, 0, 0, 0), kRadius, kRadius);
    if (target_) {
        const int y = target_->mapTo(parentWidget(), QPoint(0, target_->height() / 2)).y() - this->y();
        QPainterPath pointer({0, static_cast<double>(y)});
        pointer.lineTo(kPointer + 1, y - kPointer);
        pointer.lineTo(kPointer + 1, y + kPointer);
        pointer.closeSubpath();
        shape = shape.united(pointer);
    }
    painter.fillPath(shape, color(Role::Panel, opposite()));
    painter.strokePath(shape, QPen(color(Role::Border, opposite()), 1));
}

void CallOut::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    const bool look = event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange;
    if (look || event->type() == QEvent::LanguageChange)
        QMetaObject::invokeMethod(this, &CallOut::refresh, Qt::QueuedConnection);
}

}  // namespace headscope
