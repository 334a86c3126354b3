// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/heads/heads_page.h"

#include <QPainter>
#include <QVBoxLayout>

#include "ui/controls/tab_hint.h"
#include "ui/look/theme.h"
#include "ui/maps/head_grid.h"
#include "ui/pages/heads/explained_cell.h"
#include "ui/state/session.h"

namespace headscope {

HeadsPage::HeadsPage(Session& session, QWidget* parent)
    : Page(session, QStringLiteral("heads"), parent), hint_(new TabHint(this)) {
    setObjectName(QStringLiteral("headsPage"));
    auto* content = new QWidget(this);
    grid_ = new HeadGrid(session, content);
    explained_ = new ExplainedCell(content);
    setFocusProxy(grid_);
    hint_->label()->setObjectName(QStringLiteral("hint"));
    hint_->label()->setForegroundRole(QPalette::PlaceholderText);
    hint_->label()->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    hint_->label()->setContentsMargins(0, 0, 8, 0);
    auto* margins = new QVBoxLayout;
    margins->setContentsMargins(8, 2, 4, 0);
    margins->addWidget(grid_);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addLayout(margins, 1);
    column->addWidget(explained_);
    setContent(content);
    dimIfOld(content);
    connect(grid_, &HeadGrid::noteChanged, this, &HeadsPage::showHint);
    connect(explained_, &ExplainedCell::moreWanted, this, &HeadsPage::stepsWanted);
    connect(explained_, &ExplainedCell::closed, &session, [&session] { session.setLocked(std::nullopt); });
    showHint();
}

void HeadsPage::refresh() {
    const Selection& selection = session().selection();
    const TracePtr& trace = session().trace();
    const bool explains = is_square(selection.stage) && selection.stage != Stage::Mask &&
                          !(trace && trace->request.recording);  // has nothing that a weight is computed from
    explained_->setCell(trace, selection.sequence, explains ? selection.locked : std::nullopt);
    showHint();
}

void HeadsPage::retranslate() {
    showHint();
}

void HeadsPage::release() {
    explained_->setCell(nullptr, 0, std::nullopt);
}

void HeadsPage::showHint() {
    hint_->label()->setText(hintText());
}

/// What the maps omit comes first, so that it stays visible if the line is shortened.
QString HeadsPage::hintText() const {
    const TracePtr& trace = session().trace();
    if (!trace) return {};
    const Stage stage = session().selection().stage;
    const RowCheck& rows = trace->row_check;
    QStringList parts;
    if (const QString note = grid_->note(); !note.isEmpty()) parts << note;
    if (trace->request.recording)
        parts << (trace->mask.all_allowed() ? tr("recorded weights")
                                            : tr("recorded weights, renormalised under the mask"));
    if (!is_square(stage)) {
        parts << tr("rows are tokens") << tr("columns are dimensions");
        return (parts << gestures()).join(QStringLiteral(" · "));
    }
    const bool sums = stage == Stage::Weights && rows.rows > 0 && rows.sum_to_one == rows.rows;
    const bool sinks = trace->request.mask.has_rule(ScoreRule::Kind::Sink);
    parts << (!sums   ? tr("rows are queries")
              : sinks ? tr("rows are queries and sum to 1 with the sink")
                      : tr("rows are queries and sum to 1"))
          << tr("columns are keys");
    if (stage != Stage::Scores && trace->mask && !trace->mask.all_allowed()) parts << tr("hatched = masked");
    if (rows.fully_masked > 0) parts << tr("◂ fully masked row");
    const bool inf = trace->request.fill == Fill::Inf;
    if (stage == Stage::Weights && (rows.not_finite > 0 || (rows.fully_masked > 0 && inf)))
        parts << tr("crossed = NaN");
    return (parts << gestures()).join(QStringLiteral(" · "));
}

QString HeadsPage::gestures() const {
    const Selection& selection = session().selection();
    if (!session().hasHeads(selection.stage)) return tr("click locks, wheel zooms");
    return selection.head ? tr("click locks, wheel zooms, double click shows all heads")
                          : tr("click locks, double click enlarges");
}

void HeadsPage::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), color(Role::Raised, currentTheme()));
}

}  // namespace headscope
