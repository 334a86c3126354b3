// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/transport.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>

namespace headscope {

namespace {

constexpr int kPace = 800;        // milliseconds a step, time to read its sentence
constexpr int kLongest = 30'000;  // of a whole run: many steps are taken faster

}  // namespace

Transport::Transport(QWidget* parent)
    : QWidget(parent), slider_(new QSlider(Qt::Horizontal, this)), place_(new QLabel(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->setSpacing(0);
    first_ = addButton(row, QStringLiteral("chunkFirst"), QStringLiteral("first"));
    previous_ = addButton(row, QStringLiteral("chunkPrevious"), QStringLiteral("middle"));
    play_ = addButton(row, QStringLiteral("chunkPlay"), QStringLiteral("middle"));
    next_ = addButton(row, QStringLiteral("chunkNext"), QStringLiteral("middle"));
    last_ = addButton(row, QStringLiteral("chunkLast"), QStringLiteral("last"));
    slider_->setObjectName(QStringLiteral("chunkSlider"));
    slider_->setMinimumWidth(40);
    place_->setObjectName(QStringLiteral("chunkPlace"));
    place_->setTextFormat(Qt::PlainText);
    row->addSpacing(8);
    row->addWidget(slider_, 1);
    row->addSpacing(8);
    row->addWidget(place_);

    connect(first_, &QToolButton::clicked, this, [this] { handleKey(Qt::Key_Home); });
    connect(previous_, &QToolButton::clicked, this, [this] { handleKey(Qt::Key_Left); });
    connect(play_, &QToolButton::clicked, this, [this] { handleKey(Qt::Key_Space); });
    connect(next_, &QToolButton::clicked, this, [this] { handleKey(Qt::Key_Right); });
    connect(last_, &QToolButton::clicked, this, [this] { handleKey(Qt::Key_End); });
    connect(slider_, &QSlider::valueChanged, this, [this](int step) {
        stop();
        go(step);
    });
    connect(&timer_, &QTimer::timeout, this, &Transport::advance);
    refresh();
}

QToolButton* Transport::addButton(QHBoxLayout* row, const QString& name, const QString& segment) {
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setProperty("segment", segment);
    button->setFocusPolicy(Qt::StrongFocus);
    button->installEventFilter(this);
    row->addWidget(button);
    return button;
}

/// On a button the arrows move the step, not the focus; its Space is its own.
bool Transport::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key != Qt::Key_Space && handleKey(key)) return true;
    }
    return QWidget::eventFilter(watched, event);
}

void Transport::display(int step, int count) {
    step_ = step;
    count_ = count;
    if (step_ >= count_ - 1) stop();
    refresh();
}

void Transport::stop() {
    timer_.stop();
    refresh();
}

void Transport::go(int step) {
    const int next = std::clamp(step, 0, std::max(0, count_ - 1));
    if (next == step_) return;
    display(next, count_);
    Q_EMIT moved(step_);
}

bool Transport::handleKey(int key) {
    switch (key) {
        case Qt::Key_Left:
            stop();
            go(step_ - 1);
            return true;
        case Qt::Key_Right:
            stop();
            go(step_ + 1);
            return true;
        case Qt::Key_Home:
            stop();
            go(0);
            return true;
        case Qt::Key_End:
            stop();
            go(count_ - 1);
            return true;
        case Qt::Key_Space:
            playOrPause();
            return true;
        default:
            return false;
    }
}

/// At the end it begins anew.
void Transport::playOrPause() {
    if (isPlaying() || count_ < 2) return stop();
    if (step_ >= count_ - 1) go(0);
    timer_.start(std::min(kPace, std::max(1, kLongest / count_)));
    refresh();
}

/// A run of very many steps skips some, so that it ends.
void Transport::advance() {
    go(step_ + std::max(1, count_ / kLongest));
}

void Transport::refresh() {
    const QSignalBlocker quiet(slider_);
    slider_->setRange(0, std::max(0, count_ - 1));
    slider_->setValue(step_);
    place_->setText(tr("tile %1 of %2").arg(step_ + 1).arg(count_));
    const auto label = [](QToolButton* button, const QString& text, const QString& tip, bool enabled = true) {
        button->setText(text);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setEnabled(enabled);
    };
    const bool before = step_ > 0, behind = step_ < count_ - 1;
    label(first_, QStringLiteral("|◀"), tr("First tile (Home)"), before);
    label(previous_, QStringLiteral("◀"), tr("Previous tile (Left)"), before);
    label(play_, isPlaying() ? tr("Pause") : tr("Play"),
          isPlaying() ? tr("Stop here (Space)") : tr("Go through the tiles one by one (Space)"));
    label(next_, QStringLiteral("▶"), tr("Next tile (Right)"), behind);
    label(last_, QStringLiteral("▶|"), tr("Last tile (End)"), behind);
    slider_->setToolTip(tr("The tile that is shown"));
    slider_->setAccessibleName(slider_->toolTip());
}

void Transport::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) refresh();
}

}  // namespace headscope
