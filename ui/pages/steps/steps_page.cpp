// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/steps_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/controls/plain_label.h"
#include "ui/controls/segments.h"
#include "ui/controls/text_color.h"
#include "ui/look/empty_state.h"
#include "ui/look/theme.h"
#include "ui/maps/cell_explanation.h"
#include "ui/pages/steps/chunk_view.h"
#include "ui/pages/steps/explained_cell.h"
#include "ui/pages/steps/precision_view.h"
#include "ui/pages/steps/story_view.h"
#include "ui/state/session.h"

namespace headscope {

StepsPage::StepsPage(Session& session, QWidget* parent) : Page(session, QStringLiteral("steps"), parent) {
    auto* content = new QWidget(this);
    parts_ = new Segments({{{}, {}, QStringLiteral("stepsCell")},
                           {{}, {}, QStringLiteral("stepsChunks")},
                           {{}, {}, QStringLiteral("stepsPrecision")}},
                          {}, content);
    note_ = plainParagraph(content, QStringLiteral("stepsNote"));
    views_ = new QStackedWidget(content);
    views_->addWidget(new StoryView(session, views_));
    views_->addWidget(new ChunkView(session, views_));
    views_->addWidget(new PrecisionView(session, views_));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 6, 8, 0);
    top->setSpacing(12);
    top->addWidget(parts_, 0, Qt::AlignTop);
    top->addWidget(note_, 1);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(views_, 1);
    setContent(content);
    setFocusProxy(parts_->button(0));
    connect(parts_, &Segments::chosen, this,
            [this](int part) { this->session().setStepsPart(static_cast<StepsPart>(part)); });
    retranslate();
}

void StepsPage::refresh() {
    const TracePtr& shown = session().trace();
    const bool recorded = shown && shown->request.recording;
    say(recorded ? tr("A recording has only weights. Explaining one requires the layer that computed it.") : QString());
    if (recorded) return;
    const int part = static_cast<int>(session().selection().steps_part);
    parts_->setCurrent(part);
    setFocusProxy(parts_->button(part));
    views_->setCurrentIndex(part);
    if (!missingPicture(session()).isEmpty() || !session().trace()) return note_->clear();
    const Trace& trace = *session().trace();
    const int sequence = session().selection().sequence;
    const ExplainedCell explained = explainedCell(trace, session().selection());
    const Cell& cell = explained.cell;
    note_->setText(explained.locked
                       ? QString()
                       : tr("No cell is locked. Shown: %1 (query %2), %3 (key %4), head %5, the weight nearest to one "
                            "half. Click a cell in a map to choose another.")
                             .arg(quotedToken(trace, sequence, cell.query), QString::number(cell.query),
                                  quotedToken(trace, sequence, cell.key), QString::number(cell.key),
                                  QString::number(cell.head)));
}

void StepsPage::retranslate() {
    const std::pair<QString, QString> texts[] = {
        {tr("Cell and row"), tr("How the weight of the locked cell was computed, and how the mask changed its row")},
        {tr("Chunks"), tr("The same row computed chunk by chunk, with a running maximum and sum")},
        {tr("Precision"), tr("The same head in float32, bfloat16, float16 and float64")}};
    for (int part = 0; part < 3; ++part) {
        parts_->button(part)->setText(texts[part].first);
        parts_->button(part)->setToolTip(texts[part].second);
    }
    parts_->setAccessibleName(tr("Steps shown"));
    setAccessibleName(tr("Steps of one weight"));
    if (isVisible()) refresh();
}

void StepsPage::applyLook() {
    setTextColor(note_, Role::Muted);
}

}  // namespace headscope
