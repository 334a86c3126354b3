// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/story_view.h"

#include <QCheckBox>
#include <QEvent>
#include <QFrame>
#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/controls/index_box.h"
#include "ui/controls/plain_label.h"
#include "ui/controls/text_color.h"
#include "ui/look/theme.h"
#include "ui/pages/steps/cell_panel.h"
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

StoryView::StoryView(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      pages_(new QStackedWidget(this)),
      empty_(plainParagraph(pages_, QStringLiteral("storyEmpty"))),
      scroll_(new QScrollArea(pages_)) {
    setObjectName(QStringLiteral("storyView"));
    empty_->setAlignment(Qt::AlignCenter);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setWidgetResizable(true);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget(scroll_);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(makeHeader());
    columns_ = new QBoxLayout(QBoxLayout::LeftToRight);
    columns_->setSpacing(10);
    cell_panel_ = new CellPanel(content);
    columns_->addWidget(card(cell_panel_, content), 1);
    columns_->addWidget(card(makeRow(), content), 1);
    column->addLayout(columns_, 1);
    scroll_->setWidget(content);
    pages_->addWidget(empty_);
    pages_->addWidget(scroll_);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins({});
    whole->addWidget(pages_);

    for (const auto changed : {&Session::traceChanged, &Session::selectionChanged, &Session::computeFailed})
        connect(&session_, changed, this, &StoryView::refresh);
    setFocusProxy(query_);
    connect(&session_, &Session::hoverChanged, this, &StoryView::refreshHover);
    retranslate();
}

QWidget* StoryView::makeHeader() {
    auto* header = new QWidget(this);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(0, 0, 0, 0);
    head_ = new IndexBox(row, QStringLiteral("storyHead"));
    query_ = new IndexBox(row, QStringLiteral("storyQuery"));
    key_ = new IndexBox(row, QStringLiteral("storyKey"));
    for (IndexBox* box : {head_, query_, key_}) {
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
        session_.setHover(key && told_ ? std::optional(Cell{told_->query, *key, told_->head}) : std::nullopt);
    });
    return panel;
}

void StoryView::retranslate() {
    head_->setTexts(tr("&head"), tr("The head whose cell is told"));
    query_->setTexts(tr("&query"), tr("The row: the token that looks"));
    key_->setTexts(tr("ke&y"), tr("The column: the token that is looked at"));
    row_title_->setText(tr("How its row came to be"));
    wrong_way_->setText(tr("&Wrong: × 0 after the softmax"));
    wrong_way_->setToolTip(
        tr("A common mistake: the softmax runs over every key, and its masked weights are set to 0 "
           "afterwards. Then nothing shares out what they had, and the row no longer sums to 1."));
    setAccessibleName(tr("Story of a cell and of its row"));
    told_.reset();
    refresh();
}

QString StoryView::emptyText() const {
    const TracePtr& trace = session_.trace();
    if (!trace) return session_.computeError() ? sentence(*session_.computeError()) : tr("Nothing is computed yet.");
    const Selection& selection = session_.selection();
    if (!selection.locked)
        return tr(
            "Click a cell in a head: here is told, number by number, how it came to its weight, and what the "
            "mask did to its row.");
    if (!is_square(selection.stage))
        return tr(
            "The locked cell is a number of one token. Choose scores, masked scores or weights, where a cell is "
            "a query and a key, and click one.");
    const auto account = row_account(*trace, selection.sequence, selection.locked->head, selection.locked->query);
    return account ? QString() : sentence(account.error());
}

std::optional<Cell> StoryView::cell() const {
    return is_square(session_.selection().stage) ? session_.selection().locked : std::nullopt;
}

void StoryView::lock(Cell cell) {
    session_.setLocked(cell);
}

/// Accounts cost a look at every number of the row; only what is seen is told.
void StoryView::refresh() {
    if (!isVisible()) return;
    if (session_.isBetween() && told_) {  // stays as it is, but doesn't hold the old scores
        shown_ = session_.trace();
        return bars_->setRow(shown_, row_, wrong_way_->isChecked());
    }
    const QString empty = emptyText();
    empty_->setText(empty);
    pages_->setCurrentIndex(empty.isEmpty() ? 1 : 0);
    const int sequence = session_.selection().sequence;
    if (!empty.isEmpty()) {
        told_.reset();
    } else if (shown_ != session_.trace() || told_ != cell() || told_sequence_ != sequence) {
        shown_ = session_.trace();
        told_ = cell();
        told_sequence_ = sequence;
        showCell(*told_);
    }
    refreshHover();
}

void StoryView::showCell(const Cell& cell) {
    const Trace& trace = *session_.trace();
    const Dims dims = trace.dims();
    head_->display(cell.head, dims.num_heads);
    query_->display(cell.query, dims.sequence_length);
    key_->display(cell.key, dims.sequence_length);
    const auto row = row_account(trace, told_sequence_, cell.head, cell.query);
    const auto account = cell_account(trace, told_sequence_, cell.head, cell.query, cell.key);
    if (!row || !account) return;  // emptyText() has looked for it
    row_ = std::make_shared<const RowAccount>(*row);
    cell_panel_->setCell(trace, *account);
    row_text_->setText(rowSentences(trace, *row_).join(QLatin1Char('\n')));
    bars_->setRow(session_.trace(), row_, wrong_way_->isChecked());
    wrong_text_->setText(multipliedSentence(*row_));
    wrong_text_->setVisible(wrong_way_->isChecked());
    QFont bold = font();
    bold.setBold(true);
    row_title_->setFont(bold);
    setTextColor(wrong_text_, Role::Error);
    setTextColor(row_text_, row_->outcome == RowOutcome::Normal && row_->leaked == 0 ? Role::Text : Role::Warning);
}

void StoryView::refreshHover() {
    if (!told_ || !isVisible()) return;
    const auto& hover = session_.hover();
    const bool here = hover && hover->query == told_->query && is_square(session_.selection().stage);
    bars_->setKeys(here ? std::optional(hover->key) : std::nullopt, told_->key);
}

void StoryView::arrange() {
    const bool wide = width() >= kTwoColumns * fontMetrics().averageCharWidth();
    columns_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void StoryView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    arrange();
    told_.reset();  // the theme may have changed meanwhile
    refresh();
}

/// Traces can be large: nobody holds one who doesn't show it.
void StoryView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    told_.reset();
    shown_.reset();
    bars_->setRow(nullptr, nullptr, false);
}

void StoryView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void StoryView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        told_.reset();
        refresh();
    }
}

}  // namespace headscope
