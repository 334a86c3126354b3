// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/story_view.h"

#include <QCheckBox>
#include <QFrame>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/controls/index_box.h"
#include "ui/controls/plain_label.h"
#include "ui/controls/text_color.h"
#include "ui/controls/undo_keys.h"
#include "ui/look/empty_state.h"
#include "ui/look/theme.h"
#include "ui/pages/steps/cell_panel.h"
#include "ui/pages/steps/explained_cell.h"
#include "ui/pages/steps/row_bars.h"
#include "ui/pages/steps/row_words.h"
#include "ui/state/draft.h"
#include "ui/state/session.h"

namespace headscope {

namespace {

constexpr int kTwoColumns = 88;  // letters; a narrower view has the row below the cell

QFrame* card(QWidget* content, QWidget* parent) {
    auto* frame = new QFrame(parent);
    frame->setProperty("card", true);
    auto* inside = new QVBoxLayout(frame);
    inside->setContentsMargins(12, 8, 12, 8);
    inside->addWidget(content);
    return frame;
}

}  // namespace

StoryView::StoryView(Session& session, QWidget* parent) : Page(session, QStringLiteral("story"), parent) {
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget(scroll);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(makeHeader());
    columns_ = new QBoxLayout(QBoxLayout::LeftToRight);
    columns_->setSpacing(10);
    cell_panel_ = new CellPanel(content);
    columns_->addWidget(card(cell_panel_, content), 1);
    columns_->addWidget(card(makeRow(), content), 1);
    column->addLayout(columns_, 1);
    scroll->setWidget(content);
    setContent(scroll);
    dimIfOld(scroll);
    setFocusProxy(query_);
    retranslate();
}

QWidget* StoryView::makeHeader() {
    auto* header = new QWidget(this);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(0, 0, 0, 0);
    head_ = new IndexBox(row, QStringLiteral("storyHead"));
    query_ = new IndexBox(row, QStringLiteral("storyQuery"));
    key_ = new IndexBox(row, QStringLiteral("storyKey"));
    auto* undo = new UndoKeys(session().undoStack(), this);
    for (IndexBox* box : {head_, query_, key_}) {
        undo->watch(box);
        box->setKeyboardTracking(false);
        connect(box, &IndexBox::chosen, this, [this] { lock({query_->value(), key_->value(), head_->value()}); });
    }
    row->addStretch(1);
    wrong_way_ = new QCheckBox(header);
    wrong_way_->setObjectName(QStringLiteral("wrongWay"));
    row->addWidget(wrong_way_);
    connect(wrong_way_, &QCheckBox::toggled, this, [this] {
        told_.reset();
        refresh();
    });
    return header;
}

QWidget* StoryView::makeRow() {
    auto* panel = new QWidget(this);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    row_title_ = plainParagraph(panel, QStringLiteral("rowTitle"));
    row_text_ = plainParagraph(panel, QStringLiteral("rowText"));
    bars_ = new RowBars(panel);
    wrong_text_ = plainParagraph(panel, QStringLiteral("wrongText"));
    wrong_text_->hide();
    for (QLabel* label : {row_title_, row_text_, wrong_text_}) column->addWidget(label);
    column->addWidget(bars_, 1);
    connect(bars_, &RowBars::clicked, this, [this](int key) { lock({query_->value(), key, head_->value()}); });
    connect(bars_, &RowBars::hovered, this, [this](const std::optional<int>& key) {
        session().setHover(key && told_ ? std::optional(Cell{told_->query, *key, told_->head}) : std::nullopt);
    });
    return panel;
}

void StoryView::retranslate() {
    head_->setTexts(tr("&head"), tr("Head of the explained cell"));
    query_->setTexts(tr("&query"), tr("The row: the token that attends"));
    key_->setTexts(tr("ke&y"), tr("The column: the token that is attended to"));
    row_title_->setText(tr("How its row was computed"));
    wrong_way_->setText(tr("&Incorrect: × 0 after the softmax"));
    wrong_way_->setToolTip(
        tr("A common mistake: the softmax runs over every key, and its masked weights are set to 0 "
           "afterwards. Then the row is not renormalised and no longer sums to 1."));
    setAccessibleName(tr("Explanation of a cell and of its row"));
    told_.reset();
    if (isVisible()) refresh();
}

/// Accounts read every number of the row.
void StoryView::refresh() {
    const TracePtr& trace = session().trace();
    if (session().isBetween() && told_) {  // what is shown stays, but the old scores are freed
        shown_ = trace;
        return bars_->setRow(shown_, row_, wrong_way_->isChecked());
    }
    const QString missing = missingPicture(session());
    say(missing);
    if (!missing.isEmpty()) return told_.reset();
    const Cell cell = explainedCell(*trace, session().selection()).cell;
    const int sequence = session().selection().sequence;
    if (shown_ != trace || told_ != cell || told_sequence_ != sequence) {
        shown_ = trace;
        told_ = cell;
        told_sequence_ = sequence;
        showCell(cell);
    }
    refreshHover();
}

void StoryView::showCell(const Cell& cell) {
    const Trace& trace = *session().trace();
    const Dims dims = trace.dims();
    head_->display(cell.head, dims.num_heads);
    query_->display(cell.query, dims.sequence_length);
    key_->display(cell.key, dims.sequence_length);
    const auto row = row_account(trace, told_sequence_, cell.head, cell.query);
    const auto account = cell_account(trace, told_sequence_, cell.head, cell.query, cell.key);
    if (!row || !account) {
        told_.reset();
        return say(sentence(row ? account.error() : row.error()));
    }
    row_ = std::make_shared<const RowAccount>(*row);
    cell_panel_->setCell(trace, *account);
    row_text_->setText(rowSentences(trace, *row_).join(QLatin1Char('\n')));
    bars_->setRow(session().trace(), row_, wrong_way_->isChecked());
    wrong_text_->setText(multipliedSentence(*row_));
    wrong_text_->setVisible(wrong_way_->isChecked());
    applyLook();
}

void StoryView::applyLook() {
    QFont bold = font();
    bold.setBold(true);
    row_title_->setFont(bold);
    setTextColor(wrong_text_, Role::Error);
    const bool normal = !row_ || (row_->outcome == RowOutcome::Normal && row_->leaked == 0);
    setTextColor(row_text_, normal ? Role::Text : Role::Warning);
}

void StoryView::refreshHover() {
    if (!told_) return;
    const auto& hover = session().hover();
    const bool here = hover && hover->query == told_->query && is_square(session().selection().stage);
    bars_->setKeys(here ? std::optional(hover->key) : std::nullopt, told_->key);
}

void StoryView::arrange() {
    const bool wide = width() >= kTwoColumns * fontMetrics().averageCharWidth();
    columns_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

/// Traces can be large: only a visible page keeps one.
void StoryView::release() {
    told_.reset();
    shown_.reset();
    row_.reset();
    bars_->setRow(nullptr, nullptr, false);
}

}  // namespace headscope
