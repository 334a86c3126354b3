// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/head_grid.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <algorithm>

#include "ui/controls/plain_label.h"
#include "ui/look/empty_state.h"
#include "ui/maps/cell_explanation.h"
#include "ui/maps/grid_keys.h"
#include "ui/maps/head_card.h"
#include "ui/maps/heat_map.h"
#include "ui/maps/label_strip.h"
#include "ui/maps/multiples_layout.h"
#include "ui/maps/tile_store.h"
#include "ui/state/phrase.h"
#include "ui/state/session.h"

namespace headscope {

HeadGrid::HeadGrid(Session& session, QWidget* parent, const QString& map_names)
    : QWidget(parent), session_(session), map_names_(map_names), tiles_(TileStore::shared()) {
    setObjectName(QStringLiteral("headGrid"));
    setMinimumSize(kLeastMap, kLeastMap);
    makeParts();
    connect(&session_, &Session::traceChanged, this, &HeadGrid::refresh);
    connect(&session_, &Session::selectionChanged, this, &HeadGrid::refresh);
    connect(&session_, &Session::draftChanged, this, [this] {
        if (missingPicture(session_) != empty_->text()) refresh();  // the maps themselves show the trace
    });
    connect(&session_, &Session::computeFailed, this, &HeadGrid::refresh);
    connect(&session_, &Session::hoverChanged, this, &HeadGrid::refreshCrosshair);
    connect(&session_, &Session::computingChanged, this, [this] { tiles_->setComputing(session_.isComputing()); });
    refresh();
}

void HeadGrid::makeParts() {
    empty_ = plainParagraph(this, QStringLiteral("emptyState"));
    empty_->setAlignment(Qt::AlignCenter);
    back_ = new QToolButton(this);
    back_->setObjectName(QStringLiteral("allHeads"));
    back_->setProperty("segment", QStringLiteral("only"));
    back_->hide();
    connect(back_, &QToolButton::clicked, this, [this] { session_.setHead(std::nullopt); });
    keys_ = new LabelStrip(this);
    keys_->setObjectName(QStringLiteral("keyLabels"));
    scroll_ = new QScrollArea(this);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    canvas_ = new QWidget;
    scroll_->setWidget(canvas_);
    scroll_->viewport()->setAutoFillBackground(false);
    canvas_->setAutoFillBackground(false);
    queries_ = new LabelStrip(canvas_);
    queries_->setObjectName(QStringLiteral("queryLabels"));
}

std::vector<HeatMap*> HeadGrid::maps() const {
    std::vector<HeatMap*> maps;
    for (std::size_t i = 0; i < heads_.size(); ++i) maps.push_back(cards_[i]->map());
    return maps;
}

/// A grid on a hidden page shows nothing, so that it keeps no trace and costs no time.
void HeadGrid::refresh() {
    if (window()->isVisible() && !isVisible()) return useCards({});
    back_->setText(tr("‹ All heads"));
    const QString empty = missingPicture(session_);
    empty_->setText(empty);
    empty_->setVisible(!empty.isEmpty());
    scroll_->setVisible(empty.isEmpty());
    if (!session_.trace()) return;
    refreshCards();
    refreshCrosshair();
}

std::vector<int> HeadGrid::wantedHeads() const {
    const Selection& selection = session_.selection();
    if (!session_.hasHeads(selection.stage)) return {0};
    if (selection.head) return {*selection.head};
    std::vector<int> heads(static_cast<std::size_t>(session_.trace()->dims().num_heads));
    for (std::size_t head = 0; head < heads.size(); ++head) heads[head] = static_cast<int>(head);
    return heads;
}

/// Computes the scales again only if the numbers or the way to colour them changed.
const std::vector<ColorScale>& HeadGrid::scales() {
    const TracePtr& trace = session_.trace();
    const auto key = [](const Trace& of, const Selection& under) {
        return std::tuple(of.identity(under.stage), of.q.get(), of.row_sums.get(), of.mask.pointer(0).get(),
                          of.dims().num_heads, under.stage, under.sequence, under.shownRange(), under.shownPalette());
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
    for (std::size_t i = 0; i < heads_.size(); ++i) {
        const int head = heads_[i];
        setTitles(cards_[i], head);
        cards_[i]->map()->setBare(!isAlone());
        cards_[i]->map()->setDetailed(isAlone());
        const std::size_t scale = session_.hasHeads(selection.stage) ? static_cast<std::size_t>(head) : 0;
        cards_[i]->map()->setContent({trace, selection, head, all[scale]});
        if (focused && (*focused == head || isAlone())) cards_[i]->map()->setFocus();
    }
    place();
}

HeadCard* HeadGrid::makeCard(std::size_t index) {
    auto* card = new HeadCard(canvas_);
    card->setFrameless(true);
    HeatMap* map = card->map();
    map->setObjectName(map_names_ + QString::number(index));
    map->setNoteDrawn(false);
    map->installEventFilter(this);
    connect(map, &HeatMap::hovered, this, [this](const std::optional<Cell>& cell) { session_.setHover(cell); });
    connect(map, &HeatMap::clicked, this, &HeadGrid::toggleLock);
    connect(map, &HeatMap::doubleClicked, this, [this, index] {
        if (index < heads_.size()) toggleEnlarged(session_, heads_[index]);
    });
    connect(card, &HeadCard::titleClicked, this, [this, index] {
        if (index < heads_.size()) toggleEnlarged(session_, heads_[index]);
    });
    connect(map, &HeatMap::noteChanged, this, &HeadGrid::announceNote);
    if (index == 0) setFocusProxy(map);
    // Maps are created with the first trace, after all other widgets of the window; Tab reaches them at this widget's
    // position.
    setTabOrder(index == 0 ? static_cast<QWidget*>(back_) : cards_.back()->map(), map);
    return card;
}

/// The head whose map has keyboard focus.
std::optional<int> HeadGrid::focusedHead() const {
    for (std::size_t i = 0; i < heads_.size(); ++i)
        if (cards_[i]->map()->hasFocus()) return heads_[i];
    return std::nullopt;
}

/// Keeps hidden cards for reuse, but clears their content: traces are large.
void HeadGrid::useCards(const std::vector<int>& heads) {
    while (cards_.size() < heads.size()) cards_.push_back(makeCard(cards_.size()));
    for (std::size_t i = 0; i < cards_.size(); ++i) {
        if (i >= heads.size()) cards_[i]->map()->setContent({});
        cards_[i]->setVisible(i < heads.size());
    }
    heads_ = heads;
}

/// The geometry depends only on the size of this widget, even before it is shown.
void HeadGrid::place() {
    empty_->setGeometry(rect());
    if (!session_.trace() || heads_.empty()) return;
    const Selection& selection = session_.selection();
    QRect room = rect();
    const bool shown = empty_->text().isEmpty();
    const bool enlarged =
        shown && session_.hasHeads(selection.stage) && selection.head && session_.trace()->dims().num_heads > 1;
    back_->setVisible(enlarged);
    if (enlarged) {
        back_->setGeometry(QRect(QPoint(), back_->sizeHint()));
        room.setTop(back_->height() + 4);
    }
    keys_->setVisible(shown && !isAlone());
    queries_->setVisible(!isAlone());
    if (isAlone())
        placeOne(room);
    else
        placeMany(room);
    announceNote();
}

void HeadGrid::placeOne(const QRect& room) {
    step_ = 1;
    HeadCard* card = cards_.front();
    const int height = std::clamp(card->neededHeight(room.width()), kLeastMap, std::max(kLeastMap, room.height()));
    scroll_->setGeometry(room);
    canvas_->resize(room.width(), height);
    card->setGeometry(0, 0, room.width(), height);
    card->update(0, 0, room.width(), card->map()->y());  // the title starts at the left edge of the cells
}

void HeadGrid::placeMany(const QRect& room) {
    const Stage stage = session_.selection().stage;
    const Trace& trace = *session_.trace();
    Multiples maps;
    maps.count = static_cast<int>(heads_.size());
    maps.rows = MapLabels::ofTokens(trace.batch(), session_.selection().sequence);
    maps.square = is_square(stage);
    maps.columns = maps.square ? maps.rows : MapLabels::ofNumbers(stage_shape(stage, trace.dims()).back());
    maps.title = HeadCard::headerHeight(font(), true);
    maps.pixel_ratio = devicePixelRatioF();
    maps.scroll_bar = scroll_->verticalScrollBar()->sizeHint().width();
    const MultiplesLayout layout = layoutMultiples(maps, room.size(), QFontMetricsF(labelFont(font(), true)));

    const bool scrolls = layout.top + layout.height > room.height();
    scroll_->setGeometry(room.adjusted(0, layout.top, 0, 0));
    canvas_->resize(room.width() - (scrolls ? maps.scroll_bar : 0),
                    std::max(layout.height, room.height() - layout.top));
    for (int i = 0; i < maps.count; ++i)
        cards_[static_cast<std::size_t>(i)]->setGeometry(QRect(layout.place(i) + QPoint(layout.left, 0), layout.card));
    keys_->setGeometry(room.x(), room.y(), room.width(), layout.top);
    queries_->setGeometry(0, 0, layout.left, canvas_->height());
    placeLabels(maps, layout);
}

void HeadGrid::placeLabels(const Multiples& maps, const MultiplesLayout& layout) {
    const QFontMetricsF metrics(labelFont(font()));
    const auto band_of = [&](bool rows) {
        LabelBand band{.labels = rows ? maps.rows : maps.columns,
                       .room = rows ? layout.row_room : layout.column_room,
                       .rows = rows,
                       .turned = !rows && layout.turned};
        const int pixels = rows ? layout.cells.height() : layout.cells.width();
        const auto count = static_cast<double>(band.labels.count);
        band.spans = spansOf(-0.5, count - 0.5, pixels, band.labels.count);
        band.step = labelStep(band, metrics, pixels / maps.pixel_ratio / count);
        return band;
    };
    LabelBand queries = band_of(true), keys = band_of(false);
    if (maps.square) queries.step = keys.step = std::max(queries.step, keys.step);
    step_ = queries.room > 0 ? queries.step : 0;
    const auto edge = static_cast<int>(kEdgeRoom);
    std::vector<int> left, top;
    for (int i = 0; i < layout.columns; ++i) left.push_back(layout.left + layout.place(i).x() + edge);
    for (int i = 0; i < layout.rows; ++i) top.push_back(layout.place(i * layout.columns).y() + maps.title + edge);
    keys_->setBand(keys, left, layout.top);
    queries_->setBand(queries, top, layout.left);
}

QString HeadGrid::note() const {
    if (heads_.empty()) return {};
    const HeatMap* map = cards_.front()->map();
    QStringList parts;
    if (isAlone()) {
        parts << map->note() << scaleNote();
        parts.removeAll(QString());
        return parts.join(QStringLiteral(" · "));
    }
    if (step_ == 0)
        parts.append(tr("labels: enlarge a head"));
    else if (step_ > 1)
        parts.append(tr("labels: 1 in %1").arg(step_));
    if (const QString cells = map->cellNote(); !cells.isEmpty()) parts.append(cells);
    parts.append(scaleNote());
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString HeadGrid::scaleNote() const {
    const TracePtr& trace = session_.trace();
    return trace && scaleIsSampled(*trace, session_.selection()) ? tr("colours: range of a sample of the cells")
                                                                 : QString();
}

void HeadGrid::announceNote() {
    const QString now = note();
    if (std::exchange(shown_note_, now) != now) Q_EMIT noteChanged();
}

void HeadGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

void HeadGrid::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) refresh();
    if (event->type() == QEvent::FontChange) place();
}

void HeadGrid::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void HeadGrid::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), color(Role::Raised, currentTheme()));
}

void HeadGrid::refreshCrosshair() {
    const TracePtr& trace = session_.trace();
    if (!trace) return;
    const Selection& selection = session_.selection();
    const auto& hover = session_.hover();
    for (std::size_t i = 0; i < heads_.size(); ++i) {
        HeatMap* map = cards_[i]->map();
        map->setCrosshair(hover, selection.locked);
        if (isAlone() && selection.locked && selection.locked != revealed_) map->reveal(*selection.locked);
        map->setAccessibleDescription(selection.locked ? cellSentence(*trace, selection, *selection.locked)
                                                       : QString());
    }
    revealed_ = selection.locked;
    Emphasis queries, keys;
    for (const std::size_t i : {0, 1})
        if (const auto& cell = i == 0 ? selection.locked : hover) {
            queries[i] = cell->query;
            keys[i] = cell->key;
        }
    queries_->setEmphasis(queries);
    keys_->setEmphasis(keys);
}

void HeadGrid::setTitles(HeadCard* card, int head) const {
    const Stage stage = session_.selection().stage;
    const Trace& trace = *session_.trace();
    if (session_.hasHeads(stage)) {
        card->setTitles(QString::number(head),
                        trace.request.source == WeightSource::Textbook ? roleName(textbook_role(head)) : QString());
        const QString name = tr("Head %1").arg(head);
        card->map()->setAccessibleName(card->subtitle().isEmpty() ? name : tr("%1, %2").arg(name, card->subtitle()));
    } else {
        const Shape shape = stage_shape(stage, trace.dims());
        card->setTitles(stageTitle(stage),
                        QString::fromStdString(to_string(Shape{shape[shape.size() - 2], shape.back()})));
    }
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
