// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/chunk_view.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "core/attention/plan.h"
#include "core/explain/row_account.h"
#include "ui/controls/index_box.h"
#include "ui/controls/plain_label.h"
#include "ui/controls/problem_note.h"
#include "ui/controls/step_edit.h"
#include "ui/controls/text_color.h"
#include "ui/controls/undo_keys.h"
#include "ui/look/color_scale.h"
#include "ui/look/empty_state.h"
#include "ui/maps/flow_layout.h"
#include "ui/maps/head_card.h"
#include "ui/maps/heat_map.h"
#include "ui/pages/steps/chunk_words.h"
#include "ui/pages/steps/row_progress.h"
#include "ui/pages/steps/tile_overlay.h"
#include "ui/pages/steps/transport.h"
#include "ui/state/session.h"
#include "ui/state/tokenizer.h"

namespace headscope {

namespace {

constexpr int kTwoColumns = 50;  // letters; a narrower view has the row below the tiles
constexpr int kTokenLetters = 12;

QString token(const Trace& trace, int sequence, int position) {
    const auto& tokens = trace.batch().tokens[static_cast<std::size_t>(sequence)];
    return tokenInSentence(tokens[static_cast<std::size_t>(position)], kTokenLetters);
}

}  // namespace

ChunkView::ChunkView(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), pages_(new QStackedWidget(this)), scroll_(new QScrollArea(this)) {
    setObjectName(QStringLiteral("chunkView"));
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setWidgetResizable(true);
    scroll_->setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget(scroll_);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(6);
    column->addWidget(makeHeader());
    problem_ = new ProblemNote(content);
    problem_->setObjectName(QStringLiteral("chunkProblem"));
    column->addWidget(problem_);
    column->addWidget(pages_, 1);
    pages_->addWidget(makeEmpty());
    pages_->addWidget(makePicture());
    scroll_->setWidget(content);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins({});
    whole->addWidget(scroll_);
    setFocusProxy(card_->map());

    for (const auto changed :
         {&Session::traceChanged, &Session::selectionChanged, &Session::draftChanged, &Session::computeFailed})
        connect(&session_, changed, this, &ChunkView::refresh);
    retranslate();
}

ChoiceEdit* ChunkView::addSize(QLayout* row, QLabel* label, Field field, const QString& name) {
    auto* edit = new ChoiceEdit(this);
    edit->setObjectName(name);
    edit->setMinimumContentsLength(4);
    row->addWidget(label);
    row->addWidget(edit);
    connect(edit, &ChoiceEdit::edited, this, [this, field](const QString& typed) { session_.edit(field, typed); });
    return edit;
}

QPushButton* ChunkView::suggestion(QWidget* parent, const QString& name) {
    auto* button = new QPushButton(parent);
    button->setObjectName(name);
    connect(button, &QPushButton::clicked, this, &ChunkView::suggest);
    return button;
}

QWidget* ChunkView::makeHeader() {
    auto* header = new QWidget(this);
    auto* row = new FlowLayout(header);
    head_ = new IndexBox(row, QStringLiteral("chunkHead"));
    query_ = new IndexBox(row, QStringLiteral("chunkQuery"));
    size_label_ = new QLabel(header);
    key_size_label_ = new QLabel(header);
    size_ = addSize(row, size_label_, Field::ChunkSize, QStringLiteral("chunkViewSize"));
    key_size_ = addSize(row, key_size_label_, Field::KeyChunkSize, QStringLiteral("chunkViewKeySize"));
    keys_label_ = new QLabel(header);
    row->addWidget(keys_label_);
    suggest_ = suggestion(header, QStringLiteral("chunkSuggest"));
    row->addWidget(suggest_);
    auto* undo = new UndoKeys(session_.undoStack(), this);
    undo->watch(size_);
    undo->watch(key_size_);
    connect(head_, &IndexBox::chosen, this, [this](int head) {
        place_.setHead(head);
        refresh();
    });
    connect(query_, &IndexBox::chosen, this, [this](int query) {
        place_.setQuery(query);
        refresh();
    });
    return header;
}

QWidget* ChunkView::makeEmpty() {
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    empty_ = plainParagraph(page, QStringLiteral("chunkEmpty"));
    empty_->setAlignment(Qt::AlignCenter);
    suggest_empty_ = suggestion(page, QStringLiteral("chunkSuggestEmpty"));
    column->addStretch(1);
    column->addWidget(empty_);
    column->addWidget(suggest_empty_, 0, Qt::AlignCenter);
    column->addStretch(1);
    return page;
}

QWidget* ChunkView::makePicture() {
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins({});
    transport_ = new Transport(page);
    tile_text_ = plainParagraph(page, QStringLiteral("chunkTileText"));
    tile_text_->setStyleSheet(QStringLiteral("font-weight: bold"));
    row_text_ = plainParagraph(page, QStringLiteral("chunkRowText"));
    row_ = new RowProgress(page);
    row_->setObjectName(QStringLiteral("chunkRow"));
    closing_ = plainParagraph(page, QStringLiteral("chunkClosing"));
    legend_ = plainParagraph(page, QStringLiteral("chunkLegend"));
    card_ = new HeadCard(page);
    card_->setMinimumSize(200, 200);
    card_->map()->setObjectName(QStringLiteral("chunkMap"));
    overlay_ = new TileOverlay(card_->map());
    auto* told = new QVBoxLayout;
    for (QWidget* widget : {static_cast<QWidget*>(tile_text_), static_cast<QWidget*>(row_text_),
                            static_cast<QWidget*>(row_), static_cast<QWidget*>(closing_)})
        told->addWidget(widget);
    told->addStretch(1);
    told->addWidget(legend_);
    columns_ = new QBoxLayout(QBoxLayout::LeftToRight);
    columns_->setSpacing(10);
    columns_->addWidget(card_, 1);
    columns_->addLayout(told, 1);
    column->addWidget(transport_);
    column->addLayout(columns_, 1);
    connect(transport_, &Transport::moved, this, &ChunkView::showStep);
    connect(row_, &RowProgress::clicked, this, [this](std::size_t step) {
        transport_->stop();
        transport_->display(static_cast<int>(step), static_cast<int>(story_->steps.size()));
        showStep();
    });
    connectMap();
    return page;
}

/// The map answers as in the grid of heads, but a click goes to a tile.
void ChunkView::connectMap() {
    card_->map()->installEventFilter(this);
    connect(card_->map(), &HeatMap::hovered, this, [this](const std::optional<Cell>& cell) {
        if (is_square(session_.selection().stage)) session_.setHover(cell);
    });
    connect(card_->map(), &HeatMap::clicked, this, [this](const Cell& cell) {
        const auto tile = overlay_->tileOf(cell);
        if (!tile) return;
        transport_->stop();
        transport_->display(static_cast<int>(*tile), static_cast<int>(story_->steps.size()));
        showStep();
    });
    connect(&session_, &Session::hoverChanged, this, [this] {
        const bool square = is_square(session_.selection().stage);
        if (isVisible()) card_->map()->setCrosshair(square ? session_.hover() : std::nullopt, std::nullopt);
    });
}

void ChunkView::retranslate() {
    head_->setTexts(tr("head"), tr("The head whose tiles are shown"));
    query_->setTexts(
        tr("query"),
        tr("The row whose running maximum, sum and context are followed; at first that of the locked cell"));
    size_label_->setText(tr("chunks"));
    key_size_label_->setText(tr("queries ×"));
    keys_label_->setText(tr("keys"));
    size_->setToolTip(tr("How many queries are computed at a time; the same as “chunk size” among the parameters"));
    key_size_->setToolTip(tr("How many keys are looked at a time; the same as “key chunk” among the parameters"));
    size_->setAccessibleName(tr("Queries at a time"));
    key_size_->setAccessibleName(tr("Keys at a time"));
    legend_->setText(
        tr("coloured: computed · hatched and struck out: skipped · blank: still to come · framed row: the one "
           "that is followed"));
    setAccessibleName(tr("Chunks, tile by tile"));
    refresh();
}

std::size_t ChunkView::step() const {
    return static_cast<std::size_t>(transport_->step());
}

void ChunkView::refresh() {
    if (!isVisible() || (session_.isBetween() && story_)) return;
    refreshHeader();
    const QString empty = tell();
    empty_->setText(empty);
    pages_->setCurrentIndex(empty.isEmpty() ? 1 : 0);
    if (!story_) suggest_->hide();  // it stands below the sentence
    if (!empty.isEmpty()) {
        transport_->stop();
        card_->map()->setContent({});
        return;
    }
    showMap();
    showStep();
}

void ChunkView::refreshHeader() {
    const Draft& draft = session_.draft();
    size_->display(draft.value(Field::ChunkSize));
    key_size_->display(draft.value(Field::KeyChunkSize));
    const Problem* problem = session_.reading().problem(Field::ChunkSize);
    if (!problem) problem = session_.reading().problem(Field::KeyChunkSize);
    problem_->showProblem(problem ? sentence(problem->error) : QString());

    const TracePtr& trace = session_.trace();
    const Dims dims = trace ? trace->dims() : Dims{};
    place_.follow(session_.selection(), dims);
    QStringList sizes;
    for (std::int64_t size = 1; size < std::max<std::int64_t>(dims.sequence_length, 2); size *= 2)
        sizes << QString::number(size);
    sizes << QStringLiteral("whole");
    size_->setChoices(sizes);
    key_size_->setChoices(sizes);
    head_->display(place_.head(), dims.num_heads);
    query_->display(place_.query(), dims.sequence_length);
    query_->setSuffix(trace ? tr(" “%1”").arg(token(*trace, session_.selection().sequence, place_.query()))
                            : QString());

    const std::int64_t telling = tellingChunkSize(dims.sequence_length);
    for (QPushButton* button : {suggest_, suggest_empty_}) {
        button->setText(tr("%1 × %1 tiles").arg(telling));
        button->setToolTip(tr("Set both chunk sizes to %1, which cuts %2 tokens into a few tiles a side")
                               .arg(telling)
                               .arg(dims.sequence_length));
        button->setVisible(telling > 0);
    }
    const QString wanted = QString::number(telling);
    suggest_->setEnabled(draft.value(Field::ChunkSize) != wanted || draft.value(Field::KeyChunkSize) != wanted);
}

/// Works out the story; what to say in its place where there is none.
QString ChunkView::tell() {
    const auto old = std::exchange(story_, nullptr);
    const QString missing = missingPicture(session_);
    suggest_empty_->setEnabled(missing.isEmpty());
    if (!missing.isEmpty()) return missing;
    const Trace& trace = *session_.trace();
    auto story = chunk_steps(trace, session_.selection().sequence, place_.head(), place_.query());
    if (!story) return sentence(story.error());
    if (story->steps.size() == 1) return oneTileSentence(trace.request);
    story_ = std::make_shared<const ChunkStory>(std::move(*story));
    const bool same_tiles = old && old->steps.size() == story_->steps.size() && old->chunk_size == story_->chunk_size &&
                            old->key_chunk_size == story_->key_chunk_size;
    if (!same_tiles) transport_->stop();
    transport_->display(same_tiles ? transport_->step() : 0, static_cast<int>(story_->steps.size()));
    return {};
}

void ChunkView::showMap() {
    const TracePtr& trace = session_.trace();
    Selection selection = session_.selection();
    selection.stage = Stage::Weights;
    card_->setTitles(tr("Head %1").arg(place_.head()),
                     tr("tiles of %1 × %2").arg(story_->chunk_size).arg(story_->key_chunk_size));
    card_->map()->setContent({trace, selection, place_.head(), colorScale(*trace, selection, place_.head())});
}

void ChunkView::showStep() {
    if (!story_) return;
    const Trace& trace = *session_.trace();
    const std::size_t now = step();
    overlay_->setStory(story_, now);
    row_->setStory(story_, now,
                   row_values(trace.matrix(Stage::HeadContext, story_->sequence, story_->head), story_->query));
    tile_text_->setText(tileSentence(*story_, now));
    row_text_->setText(rowSentence(*story_, now));
    const bool end = now + 1 == story_->steps.size();
    closing_->setText(end ? closingSentence(trace, *story_) : QString());
    closing_->setVisible(end);
    card_->map()->setAccessibleDescription(tile_text_->text() + QLatin1Char(' ') + row_text_->text());
}

void ChunkView::suggest() {
    if (!session_.trace()) return;
    const QString size = QString::number(tellingChunkSize(session_.trace()->dims().sequence_length));
    Draft draft = session_.draft();
    draft.set(Field::ChunkSize, size);
    draft.set(Field::KeyChunkSize, size);
    session_.edit(draft, tr("chunk sizes"));
}

void ChunkView::arrange() {
    const bool wide = width() >= kTwoColumns * fontMetrics().averageCharWidth();
    columns_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void ChunkView::applyLook() {
    setTextColor(legend_, Role::Muted);
}

void ChunkView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    applyLook();
    arrange();
    refresh();
}

void ChunkView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    transport_->stop();
    if (session_.trace() && is_large(*session_.trace())) card_->map()->setContent({});
}

void ChunkView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void ChunkView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyLook();
        arrange();
    }
}

/// The map would leave its keys to the area that scrolls.
bool ChunkView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == card_->map() && event->type() == QEvent::KeyPress && story_ &&
        transport_->handleKey(static_cast<QKeyEvent*>(event)->key()))
        return true;
    return QWidget::eventFilter(watched, event);
}

}  // namespace headscope
