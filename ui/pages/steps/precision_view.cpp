// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/precision_view.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>

#include "ui/controls/index_box.h"
#include "ui/controls/plain_label.h"
#include "ui/controls/text_color.h"
#include "ui/controls/undo_keys.h"
#include "ui/look/empty_state.h"
#include "ui/look/theme.h"
#include "ui/maps/cell_explanation.h"
#include "ui/maps/flow_layout.h"
#include "ui/maps/head_card.h"
#include "ui/maps/heat_map.h"
#include "ui/pages/steps/explained_cell.h"
#include "ui/pages/steps/fault_overlay.h"
#include "ui/pages/steps/precision_table.h"
#include "ui/state/session.h"

namespace headscope {

namespace {

/// The precision of a map: all but the reference, in their order.
Precision measured(std::size_t map) {
    return kPrecisions[map + 1];
}

}  // namespace

PrecisionView::PrecisionView(Session& session, QWidget* parent) : Page(session, QStringLiteral("precision"), parent) {
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(makePicture());
    setContent(scroll);
    dimIfOld(scroll);
    setFocusProxy(maps_[0].card->map());
    connect(&work_, &Background::busyChanged, this, &PrecisionView::refreshHeader);
    connect(&work_, &Background::failed, this, [this](const Error& error) { received(tl::unexpected(error)); });
    retranslate();
}

/// Only a stage whose columns are keys has these cells.
void PrecisionView::refreshHover() {
    if (!is_square(session().selection().stage)) return;
    hover_ = session().hover();
    showCell();
}

QWidget* PrecisionView::makeHeader() {
    auto* header = new QWidget(this);
    auto* row = new FlowLayout(header);
    head_ = new IndexBox(row, QStringLiteral("precisionHead"));
    auto* stages = new QWidget(header);
    auto* stage_row = new QHBoxLayout(stages);
    stage_row->setContentsMargins({});
    stage_row->setSpacing(0);
    auto* group = new QButtonGroup(this);
    const auto button = [&](const QString& name, const QString& segment, Stage stage) {
        auto* made = new QToolButton(stages);
        made->setObjectName(name);
        made->setProperty("segment", segment);
        made->setCheckable(true);
        made->setChecked(stage == stage_);
        made->setFocusPolicy(Qt::StrongFocus);
        group->addButton(made);
        stage_row->addWidget(made);
        connect(made, &QToolButton::clicked, this, [this, stage] {
            stage_ = stage;
            refresh();
        });
        return made;
    };
    scores_ = button(QStringLiteral("precisionScores"), QStringLiteral("first"), Stage::Scores);
    weights_ = button(QStringLiteral("precisionWeights"), QStringLiteral("last"), Stage::Weights);
    busy_ = new QLabel(header);
    busy_->setObjectName(QStringLiteral("precisionBusy"));
    row->addWidget(stages);
    row->addWidget(busy_);
    (new UndoKeys(session().undoStack(), this))->watch(head_);
    connect(head_, &IndexBox::chosen, this, [this](int head) {
        Cell cell = explainedCell(*question_.trace, session().selection()).cell;
        cell.head = head;
        lock(cell);
    });
    return header;
}

QWidget* PrecisionView::makePicture() {
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(6);
    column->addWidget(makeHeader());
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    for (int i = 0; i < static_cast<int>(maps_.size()); ++i) {
        auto* card = new HeadCard(page);
        card->setMinimumSize(120, 150);
        card->map()->setObjectName(QStringLiteral("precisionMap%1").arg(i));
        QLabel* refusal = plainParagraph(card->map(), QStringLiteral("precisionRefusal%1").arg(i));
        refusal->setAlignment(Qt::AlignCenter);
        refusal->setMargin(8);
        auto* over = new QVBoxLayout(card->map());  // in the place of the map
        over->setContentsMargins({});
        over->addWidget(refusal);
        maps_[static_cast<std::size_t>(i)] = {card, new FaultOverlay(card->map()), refusal};
        connectMap(i);
        row->addWidget(card, 1);
    }
    column->addLayout(row, 1);
    legend_ = plainParagraph(page, QStringLiteral("precisionLegend"));
    column->addWidget(legend_);
    table_ = new PrecisionTable(page);
    column->addWidget(table_);
    connect(table_, &QTableWidget::cellClicked, this, [this](int line, int at) {
        const Precision precision = kPrecisions[static_cast<std::size_t>(line)];
        if (at != PrecisionTable::Largest || precision == Precision::Float64) return;
        if (!lens_ || lens_->refusal(precision)) return;
        const PrecisionError& error = lens_->error(precision);
        lock({static_cast<int>(error.largest_query), static_cast<int>(error.largest_key), lens_->head});
    });
    return page;
}

void PrecisionView::connectMap(int index) {
    HeatMap* map = maps_[static_cast<std::size_t>(index)].card->map();
    connect(map, &HeatMap::hovered, this, [this](const std::optional<Cell>& cell) {
        hover_ = cell;
        if (is_square(session().selection().stage)) session().setHover(cell);
        showCell();
    });
    connect(map, &HeatMap::clicked, this, &PrecisionView::toggleLock);
}

void PrecisionView::retranslate() {
    head_->setTexts(tr("head"), tr("The head whose numbers are compared"));
    scores_->setText(tr("scores"));
    scores_->setToolTip(tr("Compare the scaled scores, before the mask"));
    weights_->setText(tr("weights"));
    weights_->setToolTip(tr("Compare the weights, after the softmax"));
    legend_->setText(
        tr("each map: its precision minus float64, from minus to plus its own largest error · ▲ overflow · ▼ "
           "underflow · ✕ NaN · hatched cells are masked and not counted"));
    setAccessibleName(tr("Precisions compared"));
    if (isVisible()) refresh();
}

void PrecisionView::refreshHeader() {
    if (question_.trace) head_->display(question_.head, question_.trace->dims().num_heads);
    busy_->setText(isBusy() ? tr("computing in four precisions …") : QString());
}

void PrecisionView::refresh() {
    if (session().isBetween() && lens_) return;
    const QString missing = missingPicture(session());
    if (!missing.isEmpty()) {
        release();
        return say(missing);
    }
    const TracePtr& trace = session().trace();
    const Question question{trace, stage_, session().selection().sequence,
                            explainedCell(*trace, session().selection()).cell.head};
    if (question != question_) {
        question_ = question;
        look();
    }
    refreshHeader();
    if (!lens_ && !error_) say(tr("Computing in float64, float32, bfloat16 and float16 …"));
    refreshHover();
}

void PrecisionView::look() {
    PrecisionTraces previous = lens_ ? lens_->traces : PrecisionTraces();
    previous.set(question_.trace);  // the one in use is there already
    work_.run([this, question = question_, previous](const std::atomic<bool>& cancel) -> Background::Finish {
        const auto lens = lookThroughLens(question.trace->request, previous, question.stage, question.sequence,
                                          question.head, cancel);
        return [this, lens] { received(lens); };
    });
}

void PrecisionView::received(const Result<LensPtr>& lens) {
    error_ = lens ? std::nullopt : std::optional(lens.error());
    lens_ = lens ? *lens : nullptr;
    say(error_ ? sentence(*error_) : QString());
    showLens();
}

void PrecisionView::showLens() {
    for (std::size_t i = 0; i < maps_.size(); ++i) {
        const Precision precision = measured(i);
        HeatMap* map = maps_[i].card->map();
        const auto refusal = lens_ ? lens_->refusal(precision) : std::nullopt;
        maps_[i].refusal->setText(refusal ? sentence(*refusal) : QString());
        maps_[i].refusal->setVisible(refusal.has_value());
        maps_[i].faults->setLens(refusal ? nullptr : lens_, precision);
        if (!lens_ || refusal) {
            map->setContent({});
            continue;
        }
        Selection selection;
        selection.sequence = lens_->sequence;
        selection.stage = lens_->stage;
        map->setContent({lens_->traces.of(Precision::Float64), selection, lens_->head, lens_->scale(precision),
                         lens_->map(precision)});
    }
    table_->setLens(lens_, question_.trace ? question_.trace->request.precision : Precision::Float32);
    showCell();
}

/// The cell under the hand, or else the locked one, in the table and in the titles of the maps.
void PrecisionView::showCell() {
    if (!lens_) return;
    const Selection& selection = session().selection();
    const auto locked = is_square(selection.stage) ? selection.locked : std::nullopt;
    const auto cell = hover_ ? hover_ : locked;
    table_->setCell(cell);
    const std::int64_t size = lens_->error(Precision::Float64).size;
    for (std::size_t i = 0; i < maps_.size(); ++i) {
        const PrecisionError& error = lens_->error(measured(i));
        const QString name = QString::fromLatin1(to_string(measured(i)).data());
        const bool refused = lens_->refusal(measured(i)).has_value();
        const bool there = !refused && cell && cell->query < size && cell->key < size;
        const QString subtitle = refused ? tr("not computed")
                                 : there
                                     ? tr("here %1").arg(numberText(
                                           error.error[static_cast<std::size_t>(cell->query * size + cell->key)], 3))
                                     : tr("± %1").arg(numberText(error.largest, 3));
        maps_[i].card->setTitles(name, subtitle);
        maps_[i].card->map()->setCrosshair(hover_, locked);
    }
}

void PrecisionView::applyLook() {
    setTextColor(legend_, Role::Muted);
    setTextColor(busy_, Role::Muted);
}

void PrecisionView::release() {
    work_.cancel();
    question_ = {};
    error_.reset();
    lens_.reset();
    hover_.reset();
    showLens();
}

}  // namespace headscope
