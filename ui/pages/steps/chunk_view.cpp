// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/chunk_view.h"

#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

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
#include "ui/pages/steps/explained_cell.h"
#include "ui/pages/steps/row_progress.h"
#include "ui/pages/steps/tile_overlay.h"
#include "ui/pages/steps/transport.h"
#include "ui/state/session.h"
#include "ui/state/tokenizer.h"

namespace headscope {

namespace {

constexpr int kTwoColumns = 50;  // letters; a narrower view has the row below the tiles
constexpr int kTokenLetters = 12;
constexpr std::int64_t kQuick = 512 * 512;  // cells that are stepped through without another thread

QString token(const Trace& trace, int sequence, int position) {
    const auto& tokens = trace.batch().tokens[static_cast<std::size_t>(sequence)];
    return tokenInSentence(tokens[static_cast<std::size_t>(position)], kTokenLetters);
}

}  // namespace

ChunkView::ChunkView(Session& session, QWidget* parent) : Page(session, QStringLiteral("chunk"), parent) {
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget(scroll);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(6);
    column->addWidget(makeHeader());
    problem_ = new ProblemNote(content);
    problem_->setObjectName(QStringLiteral("chunkProblem"));
    preview_note_ = plainParagraph(content, QStringLiteral("chunkPreview"));
    column->addWidget(problem_);
    column->addWidget(preview_note_);
    column->addWidget(makePicture(), 1);
    scroll->setWidget(content);
    setContent(scroll);
    dimIfOld(scroll);
    setFocusProxy(card_->map());
    connect(&work_, &Background::failed, this, [this](const Error& error) { received(tl::unexpected(error)); });
    retranslate();
}

ChoiceEdit* ChunkView::addSize(QLayout* row, QLabel* label, Field field, const QString& name) {
    auto* edit = new ChoiceEdit(this);
    edit->setObjectName(name);
    edit->setMinimumContentsLength(4);
    row->addWidget(label);
    row->addWidget(edit);
    connect(edit, &ChoiceEdit::edited, this, [this, field](const QString& typed) { session().edit(field, typed); });
    return edit;
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
    suggest_ = new QPushButton(header);
    suggest_->setObjectName(QStringLiteral("chunkSuggest"));
    connect(suggest_, &QPushButton::clicked, this, &ChunkView::suggest);
    row->addWidget(suggest_);
    auto* undo = new UndoKeys(session().undoStack(), this);
    for (QWidget* editor : std::initializer_list<QWidget*>{size_, key_size_, head_, query_}) undo->watch(editor);
    for (IndexBox* box : {head_, query_})
        connect(box, &IndexBox::chosen, this, [this] { lock({query_->value(), question_.cell.key, head_->value()}); });
    return header;
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
        transport_->display(static_cast<int>(step), static_cast<int>(account_->steps.size()));
        showStep();
    });
    connectMap();
    return page;
}

/// The map answers as in the grid of heads, but a click goes to a tile.
void ChunkView::connectMap() {
    card_->map()->installEventFilter(this);
    connect(card_->map(), &HeatMap::hovered, this, [this](const std::optional<Cell>& cell) {
        if (is_square(session().selection().stage)) session().setHover(cell);
    });
    connect(card_->map(), &HeatMap::clicked, this, [this](const Cell& cell) {
        const auto tile = overlay_->tileOf(cell);
        if (!tile) return;
        transport_->stop();
        transport_->display(static_cast<int>(*tile), static_cast<int>(account_->steps.size()));
        showStep();
    });
}

void ChunkView::refreshHover() {
    const bool square = is_square(session().selection().stage);
    card_->map()->setCrosshair(square ? session().hover() : std::nullopt, std::nullopt);
}

void ChunkView::retranslate() {
    head_->setTexts(tr("head"), tr("The head whose tiles are shown"));
    query_->setTexts(tr("query"),
                     tr("The row whose running maximum, sum and context are shown: that of the locked cell"));
    size_label_->setText(tr("chunks"));
    key_size_label_->setText(tr("queries ×"));
    keys_label_->setText(tr("keys"));
    size_->setToolTip(tr("Queries processed at a time; the same as “chunk size” among the parameters"));
    key_size_->setToolTip(tr("Keys processed at a time; the same as “key chunk” among the parameters"));
    size_->setAccessibleName(tr("Queries at a time"));
    key_size_->setAccessibleName(tr("Keys at a time"));
    legend_->setText(
        tr("coloured: computed · hatched and crossed out: skipped · blank: not yet computed · framed: the row that is "
           "explained"));
    setAccessibleName(tr("Chunks, tile by tile"));
    if (isVisible()) refresh();
}

std::size_t ChunkView::step() const {
    return static_cast<std::size_t>(transport_->step());
}

void ChunkView::refresh() {
    if (session().isBetween() && account_) return;
    const QString missing = missingPicture(session());
    if (!missing.isEmpty()) {
        release();
        return say(missing);
    }
    const Question question{session().trace(), session().selection().sequence,
                            explainedCell(*session().trace(), session().selection()).cell};
    const bool same = question == question_;
    question_ = question;
    refreshHeader();
    if (!same) return look();
    if (account_) showMap();
    refreshHover();
}

void ChunkView::refreshHeader() {
    const Draft& draft = session().draft();
    size_->display(draft.value(Field::ChunkSize));
    key_size_->display(draft.value(Field::KeyChunkSize));
    const Problem* problem = session().reading().problem(Field::ChunkSize);
    if (!problem) problem = session().reading().problem(Field::KeyChunkSize);
    problem_->showProblem(problem ? sentence(problem->error) : QString());

    const Dims dims = question_.trace->dims();
    const std::int64_t tokens = dims.sequence_length;
    QStringList sizes;
    for (std::int64_t size = 1; size < std::max<std::int64_t>(tokens, 2); size *= 2) sizes << QString::number(size);
    sizes << QStringLiteral("whole");
    size_->setChoices(sizes);
    key_size_->setChoices(sizes);
    head_->display(question_.cell.head, dims.num_heads);
    query_->display(question_.cell.query, tokens);
    query_->setSuffix(tr(" “%1”").arg(token(*question_.trace, question_.sequence, question_.cell.query)));

    const std::int64_t telling = tellingChunkSize(tokens);
    suggest_->setText(tr("Tiles of %1 × %1").arg(telling));
    suggest_->setToolTip(
        tr("Set both chunk sizes to %1, which cuts %2 tokens into a few tiles a side").arg(telling).arg(tokens));
    suggest_->setVisible(telling > 0);
    const QString wanted = QString::number(telling);
    suggest_->setEnabled(draft.value(Field::ChunkSize) != wanted || draft.value(Field::KeyChunkSize) != wanted);
}

/// Steps through the tiles of the present request; where they would be one, through those of smaller chunks.
void ChunkView::look() {
    const std::int64_t tokens = question_.trace->dims().sequence_length, telling = tellingChunkSize(tokens);
    const Request& request = question_.trace->request;
    const auto size = [&](std::optional<std::int64_t> chunk) { return std::min(chunk.value_or(tokens), tokens); };
    const bool one_tile = size(request.chunk_size) == tokens && size(request.key_chunk_size) == tokens;
    preview_note_->setText(telling == 0
                               ? tr("One token makes one cell, which cannot be cut into tiles. Type more tokens.")
                           : one_tile ? oneTileSentence(request, telling)
                                      : QString());
    preview_note_->setVisible(!preview_note_->text().isEmpty());
    stepped_ = question_.trace;
    if (one_tile && telling > 0) {
        auto smaller = std::make_shared<Trace>(*stepped_);
        smaller->request.chunk_size = smaller->request.key_chunk_size = telling;
        stepped_ = smaller;
    }
    const bool quick = tokens * tokens <= kQuick;
    work_.run(
        [this, trace = stepped_, question = question_](const std::atomic<bool>&) -> Background::Finish {
            const auto steps = chunk_steps(*trace, question.sequence, question.cell.head, question.cell.query);
            return [this, steps] { received(steps); };
        },
        quick);
}

void ChunkView::received(const Result<ChunkAccount>& steps) {
    if (!steps) {
        account_.reset();
        transport_->stop();
        card_->map()->setContent({});
        return say(sentence(steps.error()));
    }
    const auto old = std::exchange(account_, std::make_shared<const ChunkAccount>(*steps));
    const bool same_tiles = old && old->steps.size() == account_->steps.size() &&
                            old->chunk_size == account_->chunk_size && old->key_chunk_size == account_->key_chunk_size;
    if (!same_tiles) transport_->stop();
    transport_->display(same_tiles ? transport_->step() : 0, static_cast<int>(account_->steps.size()));
    transport_->setEnabled(account_->steps.size() > 1);
    say({});
    showMap();
    showStep();
    refreshHover();
}

void ChunkView::showMap() {
    Selection selection = session().selection();
    selection.stage = Stage::Weights;
    const auto head = static_cast<int>(account_->head);
    card_->setTitles(tr("Head %1").arg(head),
                     tr("tiles of %1 × %2").arg(account_->chunk_size).arg(account_->key_chunk_size));
    card_->map()->setContent({stepped_, selection, head, colorScale(*stepped_, selection, head)});
}

void ChunkView::showStep() {
    if (!account_) return;
    const Trace& trace = *stepped_;
    const std::size_t now = step();
    overlay_->setAccount(account_, now);
    row_->setAccount(account_, now,
                     row_values(trace.matrix(Stage::HeadContext, account_->sequence, account_->head), account_->query));
    tile_text_->setText(tileSentence(*account_, now));
    row_text_->setText(rowSentence(*account_, now));
    const bool end = now + 1 == account_->steps.size();
    closing_->setText(end ? closingSentence(*question_.trace, *account_, stepped_ == question_.trace) : QString());
    closing_->setVisible(end);
    card_->map()->setAccessibleDescription(tile_text_->text() + QLatin1Char(' ') + row_text_->text());
}

void ChunkView::suggest() {
    const QString size = QString::number(tellingChunkSize(question_.trace->dims().sequence_length));
    Draft draft = session().draft();
    draft.set(Field::ChunkSize, size);
    draft.set(Field::KeyChunkSize, size);
    session().edit(draft, tr("chunk sizes"));
}

void ChunkView::arrange() {
    const bool wide = width() >= kTwoColumns * fontMetrics().averageCharWidth();
    columns_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void ChunkView::applyLook() {
    setTextColor(legend_, Role::Muted);
    setTextColor(preview_note_, Role::Muted);
}

/// Traces can be large: only a visible page keeps one.
void ChunkView::release() {
    work_.cancel();
    transport_->stop();
    question_ = {};
    stepped_.reset();
    account_.reset();
    overlay_->setAccount(nullptr, 0);
    card_->map()->setContent({});
}

/// The map would leave its keys to the area that scrolls.
bool ChunkView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == card_->map() && event->type() == QEvent::KeyPress && account_ &&
        transport_->handleKey(static_cast<QKeyEvent*>(event)->key()))
        return true;
    return Page::eventFilter(watched, event);
}

}  // namespace headscope
