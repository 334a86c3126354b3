// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/parameters/parameter_panel.h"

#include <QApplication>
#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/controls/fold.h"
#include "ui/controls/problem_note.h"
#include "ui/panels/parameters/compute_section.h"
#include "ui/panels/parameters/layer_section.h"
#include "ui/panels/parameters/mask_section.h"
#include "ui/panels/parameters/weights_section.h"

namespace headscope {
namespace {

constexpr int kLeft = 2;
constexpr int kGap = 2;        // before the scroll bar
constexpr int kScrollBar = 6;  // its width

}  // namespace

ParameterPanel::ParameterPanel(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), compute_error_(new ProblemNote(this)), scroll_(new QScrollArea(this)) {
    auto* sections = new QWidget(scroll_);
    auto* column = new QVBoxLayout(sections);
    column->setSpacing(4);
    column->addWidget(new LayerSection(session, sections));
    column->addWidget(new WeightsSection(session, sections));
    column->addSpacing(8);
    auto* mask = new MaskSection(session, sections);
    connect(mask, &MaskSection::paintWanted, this, &ParameterPanel::paintWanted);
    column->addWidget(mask);
    column->addSpacing(8);
    compute_ = new ComputeSection(session, sections);
    more_ = new Fold(tr("MORE"), compute_, sections);
    more_->setObjectName(QStringLiteral("more"));
    column->addWidget(more_);
    column->addStretch(1);

    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setWidgetResizable(true);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setWidget(sections);
    for (QWidget* ground : {static_cast<QWidget*>(this), scroll_->viewport(), sections}) {
        ground->setAutoFillBackground(true);
        ground->setBackgroundRole(QPalette::Base);
    }
    sections->installEventFilter(this);
    // A narrow scroll bar in the margin: controls keep their place when it comes.
    scroll_->verticalScrollBar()->setProperty("extent", kScrollBar);
    scroll_->verticalScrollBar()->installEventFilter(this);
    makeWay(false);
    // Above the sections, so that it is visible at every scroll position.
    compute_error_->setObjectName(QStringLiteral("computeError"));
    compute_error_->setContentsMargins(4, 8, 8, 0);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(0);
    layout->addWidget(compute_error_);
    layout->addWidget(scroll_, 1);
    auto* start_over = new QToolButton(this);
    start_over->setObjectName(QStringLiteral("startOver"));
    start_over->setText(QStringLiteral("↺ ") + tr("Start over"));
    start_over->setToolTip(tr("Restores the sentences and the settings of the first start. It can be undone."));
    start_over->setAutoRaise(true);
    layout->addWidget(start_over, 0, Qt::AlignLeft);
    layout->setContentsMargins(8, 0, 0, 4);
    connect(start_over, &QToolButton::clicked, this, &ParameterPanel::startOverWanted);

    connect(&session, &Session::computeFailed, this, &ParameterPanel::showComputeError);
    connect(&session, &Session::traceChanged, this, &ParameterPanel::showComputeError);
    connect(&session, &Session::draftChanged, this, &ParameterPanel::showComputeError);
    connect(&session, &Session::draftChanged, this, &ParameterPanel::showMore);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* focused) { scrollTo(focused); });
    showComputeError();
    showMore();
}

void ParameterPanel::showMore() {
    const bool recorded = session_.reading().recording != nullptr;
    compute_->setEnabled(!recorded);
    more_->setSummary(recorded ? tr("not used: the weights are recorded") : compute_->summary());
    if (compute_->hasProblem()) more_->setOpen(true);
}

/// Scrolls to a control that a shortcut focused.
void ParameterPanel::scrollTo(QWidget* focused) {
    if (focused && scroll_->widget()->isAncestorOf(focused)) scroll_->ensureWidgetVisible(focused, 0, 8);
}

bool ParameterPanel::eventFilter(QObject* watched, QEvent* event) {
    // Rows are shown and hidden according to the choices, which changes the width that the panel needs.
    if (event->type() == QEvent::LayoutRequest) updateGeometry();
    const bool comes = event->type() == QEvent::Show, goes = event->type() == QEvent::Hide;
    if (watched == scroll_->verticalScrollBar() && (comes || goes)) makeWay(comes);
    return QWidget::eventFilter(watched, event);
}

/// The right margin of the controls is as wide as the scroll bar, and less while it is shown.
void ParameterPanel::makeWay(bool scrolls) {
    const int bar = scrolls ? 0 : scroll_->verticalScrollBar()->sizeHint().width();
    scroll_->widget()->layout()->setContentsMargins(kLeft, 8, kGap + bar, 8);
}

void ParameterPanel::showComputeError() {
    const auto error = session_.computeError();
    compute_error_->showProblem(error ? sentence(*error) : QString());
}

QSize ParameterPanel::minimumSizeHint() const {
    const QMargins margins = layout()->contentsMargins();
    const auto* bar = scroll_->verticalScrollBar();
    const int width = scroll_->widget()->minimumSizeHint().width() + margins.left() + margins.right() +
                      (bar->isVisible() ? bar->sizeHint().width() : 0);
    return {width, fontMetrics().height() * 8};
}

QSize ParameterPanel::sizeHint() const {
    return {minimumSizeHint().width(), scroll_->widget()->sizeHint().height()};
}

}  // namespace headscope
