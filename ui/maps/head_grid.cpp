// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/head_grid.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "ui/controls/plain_label.h"
#include "ui/look/empty_state.h"
#include "ui/maps/card_layout.h"
#include "ui/maps/cell_story.h"
#include "ui/maps/grid_keys.h"
#include "ui/maps/head_card.h"
#include "ui/maps/heat_map.h"
#include "ui/maps/weight_story.h"
#include "ui/state/session.h"

namespace headscope {

namespace {

constexpr int kEdge = 8;
constexpr QSize kLeastBriefCard(44, 56);
constexpr std::size_t kMany = 16;  // cards that stay comfortable; more of them are drawn compactly

int gapOf(std::size_t cards) {
    return cards <= 16 ? 10 : cards <= 48 ? 6 : 4;
}

}  // namespace

HeadGrid::HeadGrid(Session& session, QWidget* parent, Place place)
    : QWidget(parent), session_(session), brief_(place == Place::Beside) {
    setObjectName(QStringLiteral("headGrid"));
    pages_ = new QStackedWidget(this);
    empty_ = plainParagraph(pages_, QStringLiteral("emptyState"));
    empty_->setAlignment(Qt::AlignCenter);
    makePicture();
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins({});
    whole->addWidget(pages_);
    pages_->addWidget(empty_);
    pages_->addWidget(picture_);

    connect(&session_, &Session::traceChanged, this, &HeadGrid::refresh);
    connect(&session_, &Session::selectionChanged, this, &HeadGrid::refresh);
    connect(&session_, &Session::draftChanged, this, &HeadGrid::refresh);
    connect(&session_, &Session::computeFailed, this, &HeadGrid::refresh);
    connect(&session_, &Session::hoverChanged, this, &HeadGrid::refreshCrosshair);
    refresh();
}

void HeadGrid::makePicture() {
    picture_ = new QWidget(pages_);
    bar_ = new QWidget(picture_);
    back_ = new QToolButton(bar_);
    back_->setObjectName(QStringLiteral("allHeads"));
    back_->setProperty("segment", QStringLiteral("only"));
    connect(back_, &QToolButton::clicked, this, [this] { session_.setHead(std::nullopt); });
    auto* bar_row = new QHBoxLayout(bar_);
    bar_row->setContentsMargins({});
    bar_row->addWidget(back_);
    bar_row->addStretch();

    scroll_ = new QScrollArea(picture_);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setMinimumHeight(kLeastCard.height());
    canvas_ = new QWidget;
    scroll_->setWidget(canvas_);
    scroll_->viewport()->setAutoFillBackground(false);
    canvas_->setAutoFillBackground(false);
    story_ = new WeightStory(picture_);

    auto* column = new QVBoxLayout(picture_);
    column->setContentsMargins(brief_ ? QMargins() : QMargins(kEdge, kEdge, kEdge, 4));
    column->setSpacing(6);
    column->addWidget(bar_);
    column->addWidget(scroll_, 1);
    column->addWidget(story_);
    column->addLayout(makeHints());
    column->addItem(new QSpacerItem(0, 0, QSizePolicy::Minimum, QSizePolicy::Expanding));
}

QLayout* HeadGrid::makeHints() {
    auto* hints = new QHBoxLayout;
    hint_ = plainParagraph(picture_, QStringLiteral("hint"));
    gesture_hint_ = plainParagraph(picture_, QStringLiteral("gestureHint"));
    for (QLabel* label : {hint_, gesture_hint_}) {
        label->setForegroundRole(QPalette::PlaceholderText);
        label->setVisible(!brief_);
    }
    gesture_hint_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    hints->addWidget(hint_, 3);
    hints->addWidget(gesture_hint_, 2);
    return hints;
}

std::vector<HeatMap*> HeadGrid::maps() const {
    std::vector<HeatMap*> maps;
    for (std::size_t i = 0; i < heads_.size(); ++i) maps.push_back(cards_[i]->map());
    return maps;
}

void HeadGrid::refresh() {
    back_->setText(tr("‹ All heads"));
    const QString empty = missingPicture(session_);
    empty_->setText(empty);
    pages_->setCurrentIndex(empty.isEmpty() ? 1 : 0);
    if (!session_.trace()) return;
    refreshCards();
    refreshCrosshair();
}

std::vector<int> HeadGrid::wantedHeads() const {
    const Selection& selection = session_.selection();
    if (!has_heads(selection.stage)) return {0};
    if (selection.head) return {*selection.head};
    std::vector<int> heads(static_cast<std::size_t>(session_.trace()->dims().num_heads));
    for (std::size_t head = 0; head < heads.size(); ++head) heads[head] = static_cast<int>(head);
    return heads;
}

/// Looks at the numbers again only where the numbers, or the way to colour them, are others.
const std::vector<ColorScale>& HeadGrid::scales() {
    const TracePtr& trace = session_.trace();
    const auto key = [](const Trace& of, const Selection& under) {
        return std::tuple(of.identity(under.stage), of.mask.get(), of.dims().num_heads, under.stage, under.sequence,
                          under.shownRange(), under.shownPalette());
    };
    if (!scaled_ || key(*scaled_, scaled_selection_) != key(*trace, session_.selection()))
        scales_ = colorScales(*trace, session_.selection());
    scaled_ = trace;
    scaled_selection_ = session_.selection();
    return scales_;
}

void HeadGrid::refreshCards() {
    const TracePtr& trace = session_.trace();
    const Selection& selection = session_.selection();
    const std::vector<ColorScale>& all = scales();
    const std::optional<int> focused = focusedHead();
    useCards(wantedHeads());
    bar_->setVisible(has_heads(selection.stage) && selection.head && trace->dims().num_heads > 1);
    story_->setVisible(hasRoomForStory());
    for (std::size_t i = 0; i < heads_.size(); ++i) {
        const int head = heads_[i];
        cards_[i]->setCompact(isCompact());
        cards_[i]->setTitles(cardTitle(head), cardSubtitle(head));
        cards_[i]->map()->setDetailed(heads_.size() == 1);
        const std::size_t scale = has_heads(selection.stage) ? static_cast<std::size_t>(head) : 0;
        cards_[i]->map()->setContent({trace, selection, head, all[scale]});
        if (focused && (*focused == head || heads_.size() == 1)) cards_[i]->map()->setFocus();
    }
    refreshHints();
    placeCards();
}

HeadCard* HeadGrid::makeCard(std::size_t index) {
    auto* card = new HeadCard(canvas_);
    HeatMap* map = card->map();
    map->setObjectName((brief_ ? QStringLiteral("briefMap%1") : QStringLiteral("heatMap%1")).arg(index));
    map->setNoteDrawn(brief_);  // else the hint below says it once for all
    map->installEventFilter(this);
    connect(map, &HeatMap::hovered, this, [this](const std::optional<Cell>& cell) { session_.setHover(cell); });
    connect(map, &HeatMap::clicked, this, &HeadGrid::toggleLock);
    connect(map, &HeatMap::doubleClicked, this, [this, index] {
        if (index < heads_.size()) toggleEnlarged(session_, heads_[index]);
    });
    connect(map, &HeatMap::noteChanged, this, &HeadGrid::refreshHints);
    return card;
}

/// The head whose map has the keyboard.
std::optional<int> HeadGrid::focusedHead() const {
    for (std::size_t i = 0; i < heads_.size(); ++i)
        if (cards_[i]->map()->hasFocus()) return heads_[i];
    return std::nullopt;
}

/// Cards are kept for another time, but not what they showed: traces are large.
void HeadGrid::useCards(const std::vector<int>& heads) {
    while (cards_.size() < heads.size()) cards_.push_back(makeCard(cards_.size()));
    for (std::size_t i = 0; i < cards_.size(); ++i) {
        if (i >= heads.size()) cards_[i]->map()->setContent({});
        cards_[i]->setVisible(i < heads.size());
    }
    heads_ = heads;
}

/// What is left for the cards when everything else has what it needs.
QSize HeadGrid::cardRoom() const {
    const QLayout* column = picture_->layout();
    const QMargins margins = column->contentsMargins();
    const int width = this->width() - margins.left() - margins.right();
    int height = this->height() - margins.top() - margins.bottom();
    for (int i = 0; i < column->count(); ++i) {
        const QLayoutItem* item = column->itemAt(i);
        if (item->widget() == scroll_ || item->isEmpty()) continue;
        height -=
            column->spacing() + (item->hasHeightForWidth() ? item->heightForWidth(width) : item->sizeHint().height());
    }
    return {width, std::max(height, kLeastCard.height())};
}

bool HeadGrid::isCompact() const {
    return brief_ || heads_.size() > kMany;
}

/// A story is about a key and a query; in a low window, or beside many heads, the maps need its room more.
bool HeadGrid::hasRoomForStory() const {
    const Stage stage = session_.selection().stage;
    return !brief_ && is_square(stage) && stage != Stage::Mask && height() >= (isCompact() ? 900 : 520);
}

/// Cards that move may change the hint, and a longer hint may take a line from the cards.
void HeadGrid::placeCards() {
    if (placing_ || !session_.trace() || heads_.empty()) return;
    placing_ = true;
    QString hint;
    for (int pass = 0; pass < 3 && (pass == 0 || hint != hint_->text()); ++pass) {
        hint = hint_->text();
        placeCardsOnce();
    }
    placing_ = false;
}

void HeadGrid::placeCardsOnce() {
    const Stage stage = session_.selection().stage;
    const Dims dims = session_.trace()->dims();
    const double columns = static_cast<double>(stage_shape(stage, dims).back());
    const double aspect =
        std::clamp(columns / static_cast<double>(std::max<std::int64_t>(dims.sequence_length, 1)), 0.5, 2.0);
    const int gap = brief_ ? 4 : gapOf(heads_.size()), header = HeadCard::headerHeight(font(), isCompact());
    QSize room = cardRoom();
    const auto count = static_cast<int>(heads_.size());
    const auto height = [&](const CardLayout& of) { return of.rows * (of.card.height() + gap) - gap; };
    CardLayout cards = layoutCards(count, room, gap, aspect, header, brief_ ? kLeastBriefCard : kLeastCard);
    if (height(cards) > room.height()) {
        room.rwidth() -= scroll_->verticalScrollBar()->sizeHint().width();
        cards = layoutCards(count, room, gap, aspect, header, brief_ ? kLeastBriefCard : kLeastCard);
    }
    cards.card.rheight() = std::min(cards.card.height(), cards_.front()->neededHeight(cards.card.width()));
    canvas_->resize(room.width(), height(cards));
    scroll_->setMaximumHeight(std::min(height(cards), room.height()));
    for (int i = 0; i < count; ++i)
        cards_[static_cast<std::size_t>(i)]->setGeometry(QRect(
            QPoint(i % cards.columns * (cards.card.width() + gap), i / cards.columns * (cards.card.height() + gap)),
            cards.card));
}

void HeadGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (!session_.trace()) return;
    story_->setVisible(hasRoomForStory());
    placeCards();
}

void HeadGrid::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) refresh();
    if (event->type() == QEvent::FontChange) placeCards();
}

void HeadGrid::refreshCrosshair() {
    const TracePtr& trace = session_.trace();
    if (!trace) return;
    const Selection& selection = session_.selection();
    for (std::size_t i = 0; i < heads_.size(); ++i) {
        HeatMap* map = cards_[i]->map();
        map->setCrosshair(session_.hover(), selection.locked);
        map->setAccessibleDescription(selection.locked ? cellSentence(*trace, selection, *selection.locked)
                                                       : QString());
    }
    story_->setCell(trace, selection.sequence, selection.locked);
}

void HeadGrid::refreshHints() {
    const Stage stage = session_.selection().stage;
    QString hint = stage == Stage::Weights
                       ? tr("rows are queries, each sums to 1 · columns are keys · hatched cells are masked")
                   : stage == Stage::Scores ? tr("rows are queries · columns are keys")
                   : is_square(stage)       ? tr("rows are queries · columns are keys · hatched cells are masked")
                                            : tr("rows are tokens · columns are dimensions");
    const TracePtr& trace = session_.trace();
    if (trace && trace->row_check.fully_masked > 0 && stage >= Stage::Scores) hint += tr(" · ◂ may attend to nothing");
    const QString note = !heads_.empty() ? cards_[0]->map()->note() : QString();
    if (!note.isEmpty()) hint += QStringLiteral(" · ") + note;
    const bool same = hint_->text() == hint;
    hint_->setText(hint);
    const bool one = session_.selection().head.has_value();
    gesture_hint_->setText(!has_heads(stage) ? tr("click to lock · wheel to zoom")
                           : one             ? tr("click to lock · wheel to zoom · double-click for all heads")
                                             : tr("click to lock · double-click to enlarge"));
    if (!same) placeCards();
}

QString HeadGrid::cardTitle(int head) const {
    const Stage stage = session_.selection().stage;
    return has_heads(stage) ? tr("Head %1").arg(head) : stageTitle(stage);
}

QString HeadGrid::cardSubtitle(int head) const {
    const Stage stage = session_.selection().stage;
    const Trace& trace = *session_.trace();
    if (has_heads(stage))
        return trace.request.source == WeightSource::Textbook ? roleName(textbook_role(head)) : QString();
    const Shape shape = stage_shape(stage, trace.dims());
    return QString::fromStdString(to_string(Shape{shape[shape.size() - 2], shape.back()}));
}

void HeadGrid::toggleLock(const Cell& cell) {
    const auto& locked = session_.selection().locked;
    session_.setLocked(locked && *locked == cell ? std::nullopt : std::optional(cell));
}

bool HeadGrid::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        for (std::size_t i = 0; i < heads_.size(); ++i)
            if (watched == cards_[i]->map() &&
                handleGridKey(session_, static_cast<QKeyEvent*>(event)->key(), heads_[i]))
                return true;
    }
    return QWidget::eventFilter(watched, event);
}

void HeadGrid::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape || !session_.selection().head) return QWidget::keyPressEvent(event);
    session_.setHead(std::nullopt);
}

}  // namespace headscope
