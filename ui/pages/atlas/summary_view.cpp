// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/atlas/summary_view.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/attention/plan.h"
#include "core/weights/textbook.h"
#include "ui/controls/plain_label.h"
#include "ui/controls/text_color.h"
#include "ui/controls/undo_keys.h"
#include "ui/look/color_scale.h"
#include "ui/look/empty_state.h"
#include "ui/look/plural.h"
#include "ui/look/theme.h"
#include "ui/maps/cell_explanation.h"
#include "ui/maps/flow_layout.h"
#include "ui/maps/head_card.h"
#include "ui/maps/heat_map.h"
#include "ui/pages/atlas/head_table.h"
#include "ui/state/session.h"

namespace headscope {

namespace {

constexpr int kTwoColumns = 76;  // letters; a narrower view has the maps below the table
constexpr QSize kCard(136, 160);

}  // namespace

SummaryView::SummaryView(Session& session, QWidget* parent) : Page(session, QStringLiteral("summary"), parent) {
    QWidget* picture = makePicture();
    setContent(picture);
    dimIfOld(picture);
    setFocusProxy(table_);
    connect(&work_, &Background::failed, this, [this](const Error& error) {
        summary_.reset();
        say(sentence(error));
    });
    retranslate();
}

QWidget* SummaryView::makeHeader() {
    auto* header = new QWidget(this);
    auto* row = new FlowLayout(header);
    back_ = new QToolButton(header);
    back_->setObjectName(QStringLiteral("summaryAllHeads"));
    back_->setProperty("segment", QStringLiteral("only"));
    row->addWidget(back_);
    connect(back_, &QToolButton::clicked, this, [this] { enlarge(std::nullopt); });
    grouped_ = new QCheckBox(header);
    grouped_->setObjectName(QStringLiteral("summaryGrouped"));
    cut_label_ = plainLabel(header, QStringLiteral("summaryCutLabel"));
    cut_ = new QDoubleSpinBox(header);
    cut_->setObjectName(QStringLiteral("summaryCut"));
    cut_->setRange(0, 1);
    cut_->setSingleStep(0.05);
    cut_->setValue(0.25);
    groups_text_ = plainLabel(header, QStringLiteral("summaryGroups"));
    share_label_ = plainLabel(header, QStringLiteral("summaryShareLabel"));
    share_ = new QSlider(Qt::Horizontal, header);
    share_->setObjectName(QStringLiteral("summaryShare"));
    share_->setRange(5, 100);
    share_->setPageStep(10);
    share_->setValue(100);
    share_->setMinimumWidth(100);
    share_text_ = plainLabel(header, QStringLiteral("summaryShareText"));
    for (QWidget* widget :
         {static_cast<QWidget*>(grouped_), static_cast<QWidget*>(cut_label_), static_cast<QWidget*>(cut_),
          static_cast<QWidget*>(groups_text_), static_cast<QWidget*>(share_label_), static_cast<QWidget*>(share_),
          static_cast<QWidget*>(share_text_)})
        row->addWidget(widget);
    (new UndoKeys(session().undoStack(), this))->watch(cut_);
    connect(grouped_, &QCheckBox::toggled, this, &SummaryView::showOrder);
    connect(cut_, &QDoubleSpinBox::valueChanged, this, &SummaryView::showOrder);
    connect(share_, &QSlider::valueChanged, this, &SummaryView::refresh);
    return header;
}

QWidget* SummaryView::makePicture() {
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(6);
    column->addWidget(makeHeader());
    columns_ = new QBoxLayout(QBoxLayout::LeftToRight);
    columns_->setSpacing(8);
    table_ = new HeadTable(page);
    scroll_ = new QScrollArea(page);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setWidgetResizable(true);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->viewport()->installEventFilter(this);
    canvas_ = new QWidget(scroll_);
    auto* flow = new FlowLayout(canvas_, 8, 8);
    flow->setContentsMargins({});
    scroll_->setWidget(canvas_);
    columns_->addWidget(table_, 1);
    columns_->addWidget(scroll_, 1);
    column->addLayout(columns_, 1);
    legend_ = plainLabel(page, QStringLiteral("summaryLegend"));
    legend_->setWordWrap(true);
    column->addWidget(legend_);
    connect(table_->horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int section) {
        if (section == HeadTable::Group) return;
        const auto key = static_cast<HeadKey>(section);
        descending_ = key == key_ && !grouped_->isChecked() ? !descending_ : false;
        key_ = key;
        grouped_->setChecked(false);
        showOrder();
    });
    connect(table_, &QTableWidget::cellActivated, this,
            [this](int row, int) { enlarge(order_[static_cast<std::size_t>(row)]); });
    return page;
}

HeadCard* SummaryView::makeCard() {
    auto* card = new HeadCard(canvas_);
    const std::size_t place = cards_.size();
    card->setFixedSize(kCard);
    card->map()->setObjectName(QStringLiteral("summaryMap%1").arg(place));
    card->map()->setNoteDrawn(false);  // the legend says it once for all
    card->map()->installEventFilter(this);
    connect(card->map(), &HeatMap::doubleClicked, this, [this, place] { enlarge(headOf(place)); });
    connect(card->map(), &HeatMap::noteChanged, this, &SummaryView::showLegend);
    connect(card->map(), &HeatMap::hovered, this, [this](const std::optional<Cell>& cell) {
        if (is_square(session().selection().stage)) session().setHover(cell);
    });
    connect(card->map(), &HeatMap::clicked, this, &SummaryView::toggleLock);
    canvas_->layout()->addWidget(card);
    card->show();
    return card;
}

void SummaryView::retranslate() {
    grouped_->setText(tr("group by likeness"));
    grouped_->setToolTip(
        tr("Puts similar heads next to each other: by the Jensen-Shannon divergence of their rows, in bits, joined "
           "from the closest pair on"));
    back_->setText(tr("‹ All heads"));
    cut_label_->setText(tr("group threshold"));
    cut_->setToolTip(tr("Groups that are further apart than this stay apart: 0 = alike, 1 bit = never the same key"));
    cut_->setSuffix(tr(" bits"));
    share_label_->setText(tr("top weight"));
    share_->setToolTip(tr("Fades all but the fewest cells that hold this part of each row's weight"));
    share_->setAccessibleName(tr("Part of each row's weight that is not faded"));
    setAccessibleName(tr("Atlas of the heads"));
    if (isVisible()) refresh();
}

double SummaryView::share() const {
    return share_->value() / 100.0;
}

void SummaryView::refresh() {
    const QString missing = missingPicture(session());
    if (!missing.isEmpty()) {
        work_.cancel();
        question_ = {};
        return say(missing);
    }
    const TracePtr trace = session().trace();
    if (trace->request.recording) return;                                          // RecordedView shows it
    const TensorPtr& numbers = trace->weights ? trace->weights : trace->row_sums;  // tell computations apart
    const Question question{numbers, trace->mask.pointer(0), session().selection().sequence, share()};
    if (question == question_) return showOrder();
    question_ = question;
    work_.run([this, trace, question, previous = summary_](const std::atomic<bool>& cancel) -> Background::Finish {
        const auto summary = summarise(trace, question.sequence, question.share, previous, cancel);
        return [this, summary] { received(summary); };
    });
    if (!summary_) say(tr("Reading the weights of every head …"));
}

void SummaryView::received(const SummaryPtr& summary) {
    const bool kept = !summary->heads.empty();
    summary_ = kept ? summary : nullptr;
    say(kept ? QString() : tr("The weights of this sequence are being computed."));
    showOrder();
}

/// Sorts what is known; computes nothing.
void SummaryView::showOrder() {
    if (!isVisible()) return;
    std::vector<int> groups;
    order_.clear();
    if (summary_) {
        const bool grouped = grouped_->isChecked() && summary_->likeness;
        if (grouped) {
            order_.assign(summary_->order.heads.begin(), summary_->order.heads.end());
            groups = groupsAt(summary_->order, cut_->value());
        } else {
            order_ = sortedHeads(*summary_, key_, descending_);
        }
        table_->horizontalHeader()->setSortIndicatorShown(!grouped);
        table_->horizontalHeader()->setSortIndicator(static_cast<int>(key_),
                                                     descending_ ? Qt::DescendingOrder : Qt::AscendingOrder);
    }
    table_->setHeads(summary_, order_, groups);
    showCards();
    for (std::size_t i = 0; i < groups.size(); ++i)
        cards_[i + 1]->setTitles(cards_[i + 1]->title(), tr("group %1").arg(groupName(groups[i])));
    showWords(groups);
    refreshHover();
}

void SummaryView::showWords(const std::vector<int>& groups) {
    for (QWidget* widget : {static_cast<QWidget*>(cut_label_), static_cast<QWidget*>(cut_)})
        widget->setVisible(grouped_->isChecked());
    groups_text_->setVisible(grouped_->isChecked());
    if (!summary_) return;
    groups_text_->setText(summary_->likeness ? tr("%n groups", nullptr, groups.empty() ? 0 : groups.back() + 1)
                                             : sentence(summary_->likeness.error()));
    const double part =
        summary_->allowed > 0 ? static_cast<double>(summary_->kept) / static_cast<double>(summary_->allowed) : 0;
    share_text_->setText(tr("%1% of the weight: %2 of %3 cells (%4)", nullptr, counted(summary_->allowed))
                             .arg(qRound(summary_->share * 100))
                             .arg(summary_->kept)
                             .arg(summary_->allowed)
                             .arg(percentText(part)));
}

void SummaryView::showCards() {
    const std::size_t count = summary_ ? order_.size() + 1 : 0;
    while (cards_.size() < count) cards_.push_back(makeCard());
    for (std::size_t i = 0; i < cards_.size(); ++i) {
        cards_[i]->setVisible(i < count);
        if (i >= count) cards_[i]->map()->setContent({});
    }
    if (!summary_) return;
    const TracePtr& trace = summary_->trace;
    Selection selection = session().selection();
    selection.stage = Stage::Weights;
    selection.sequence = summary_->sequence;
    const bool textbook = trace->request.source == WeightSource::Textbook;
    cards_[0]->setTitles(tr("Mean"), tr("derived"));
    const QString gesture = tr("Double-click or Enter enlarges the map, and makes it small again.");
    cards_[0]->setToolTip(gesture);
    const std::vector<ColorScale> scales = colorScales(*trace, selection);
    // Without the mean of all cells there is nothing to show: the trace does not keep so many.
    cards_[0]->map()->setContent(summary_->mean_map
                                     ? HeatMap::Content{trace, selection, 0, scales.front(), summary_->mean_map}
                                     : HeatMap::Content{});
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const auto head = static_cast<std::size_t>(order_[i]);
        cards_[i + 1]->setToolTip(gesture);
        cards_[i + 1]->setTitles(tr("Head %1").arg(order_[i]),
                                 textbook ? roleName(textbook_role(order_[i])) : QString());
        cards_[i + 1]->map()->setContent({trace, selection, order_[i], scales[head], summary_->maps[head]});
    }
    sizeCards();
    showLegend();
}

/// The head whose map a card holds.
int SummaryView::headOf(std::size_t card) const {
    return card == 0 || card > order_.size() ? kMean : order_[card - 1];
}

/// Nothing: all heads again.
void SummaryView::enlarge(std::optional<int> head) {
    const std::optional<int> before = std::exchange(enlarged_, enlarged_ == head ? std::nullopt : head);
    showCards();
    for (std::size_t i = 0; i <= order_.size() && i < cards_.size(); ++i)
        if (headOf(i) == enlarged_.value_or(before.value_or(kMean))) cards_[i]->map()->setFocus();
}

/// One map takes the room of the table and of all others.
void SummaryView::sizeCards() {
    if (enlarged_ && *enlarged_ != kMean && std::find(order_.begin(), order_.end(), *enlarged_) == order_.end())
        enlarged_.reset();  // the heads are others now
    const std::size_t count = summary_ ? order_.size() + 1 : 0;
    back_->setVisible(enlarged_.has_value());
    table_->setVisible(!enlarged_);
    for (std::size_t i = 0; i < cards_.size(); ++i) {
        const bool large = enlarged_ == headOf(i);
        cards_[i]->setVisible(i < count && (large || !enlarged_));
        cards_[i]->setFixedSize(large ? scroll_->viewport()->size() : kCard);
        cards_[i]->map()->setDetailed(large);
    }
}

/// What is said once for all maps.
void SummaryView::showLegend() {
    if (!summary_ || cards_.empty()) return;
    QStringList parts{tr("Mean of %n heads: derived, nn.MultiheadAttention returns this by default", nullptr,
                         counted(order_.size()))};
    for (std::size_t i = 0; i < cards_.size(); ++i)
        if (enlarged_.value_or(kMean) == headOf(i)) parts << cards_[i]->map()->note();
    if (!summary_->trace->keeps(Stage::Weights))
        parts << tr("numbers from a sample of %1 rows").arg(summary_->heads.front().rows);
    parts << (enlarged_ ? tr("wheel to zoom · double-click for all heads") : tr("double-click to enlarge"));
    parts.removeAll(QString());
    legend_->setText(parts.join(QStringLiteral(" · ")));
}

void SummaryView::refreshHover() {
    if (!is_square(session().selection().stage)) return;
    for (HeadCard* card : cards_) card->map()->setCrosshair(session().hover(), session().selection().locked);
}

void SummaryView::arrange() {
    const bool wide = width() >= kTwoColumns * fontMetrics().averageCharWidth();
    columns_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void SummaryView::applyLook() {
    setTextColor(share_text_, Role::Muted);
    setTextColor(groups_text_, Role::Muted);
    setTextColor(legend_, Role::Muted);
}

bool SummaryView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == scroll_->viewport() && event->type() == QEvent::Resize && enlarged_) sizeCards();
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        for (std::size_t i = 0; i < cards_.size(); ++i)
            if (watched == cards_[i]->map() && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
                enlarge(headOf(i));
                return true;
            }
    }
    return Page::eventFilter(watched, event);
}

void SummaryView::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape || !enlarged_) return Page::keyPressEvent(event);
    enlarge(std::nullopt);
}

void SummaryView::release() {
    work_.cancel();
    question_ = {};
    if (!summary_ || !is_large(*summary_->trace)) return;
    summary_.reset();
    order_.clear();
    showCards();
}

}  // namespace headscope
