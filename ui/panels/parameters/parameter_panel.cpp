// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/parameters/parameter_panel.h"

#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include "ui/controls/problem_note.h"
#include "ui/panels/parameters/compute_section.h"
#include "ui/panels/parameters/layer_section.h"
#include "ui/panels/parameters/mask_section.h"
#include "ui/panels/parameters/weights_section.h"

namespace headscope {

ParameterPanel::ParameterPanel(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), compute_error_(new ProblemNote(this)), scroll_(new QScrollArea(this)) {
    auto* sections = new QWidget(scroll_);
    auto* column = new QVBoxLayout(sections);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(12);
    column->addWidget(new LayerSection(session, sections));
    column->addWidget(new WeightsSection(session, sections));
    auto* mask = new MaskSection(session, sections);
    connect(mask, &MaskSection::paintWanted, this, &ParameterPanel::paintWanted);
    column->addWidget(mask);
    column->addWidget(new ComputeSection(session, sections));
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
    // Above the sections, so that it is in sight wherever they are scrolled to.
    compute_error_->setObjectName(QStringLiteral("computeError"));
    compute_error_->setContentsMargins(12, 8, 12, 0);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(compute_error_);
    layout->addWidget(scroll_, 1);

    connect(&session, &Session::computeFailed, this, &ParameterPanel::showComputeError);
    connect(&session, &Session::traceChanged, this, &ParameterPanel::showComputeError);
    connect(&session, &Session::draftChanged, this, &ParameterPanel::showComputeError);
    showComputeError();
}

bool ParameterPanel::eventFilter(QObject* watched, QEvent* event) {
    // Rows come and go with what is chosen: the width that they need is told on.
    if (event->type() == QEvent::LayoutRequest) updateGeometry();
    return QWidget::eventFilter(watched, event);
}

void ParameterPanel::showComputeError() {
    const auto error = session_.computeError();
    compute_error_->showProblem(error ? sentence(*error) : QString());
}

QSize ParameterPanel::minimumSizeHint() const {
    const int width = scroll_->widget()->minimumSizeHint().width() + scroll_->verticalScrollBar()->sizeHint().width();
    return {width, fontMetrics().height() * 8};
}

QSize ParameterPanel::sizeHint() const {
    return {minimumSizeHint().width(), scroll_->widget()->sizeHint().height()};
}

}  // namespace headscope
