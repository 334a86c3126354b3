// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/compare_view.h"

#include <QAction>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/attention/plan.h"
#include "core/attention/row_reader.h"
#include "core/masks/mask.h"
#include "ui/controls/out_of_date.h"
#include "ui/controls/plain_label.h"
#include "ui/controls/text_color.h"
#include "ui/look/empty_state.h"
#include "ui/look/theme.h"
#include "ui/maps/flow_layout.h"
#include "ui/maps/head_card.h"
#include "ui/pages/compare/b_settings.h"
#include "ui/pages/compare/change_panel.h"
#include "ui/pages/compare/compare_words.h"
#include "ui/state/session.h"

namespace headscope {

namespace {

/// So many cells are compared while the hand waits (a few milliseconds); more on another thread.
constexpr std::int64_t kQuick = 512 * 512;
constexpr int kWide = 140;  // letters

/// "±28", "0 – 1": the ends of a scale that isn't the usual one.
QString scaleText(const ColorScale& scale) {
    if (scale.low == -scale.high) return QStringLiteral("±%1").arg(scaleLabel(scale.high));
    return QStringLiteral("%1 – %2").arg(scaleLabel(scale.low), scaleLabel(scale.high));
}

/// Leaves arrow keys to the page.
class Scroll : public QScrollArea {
public:
    using QScrollArea::QScrollArea;

protected:
    void keyPressEvent(QKeyEvent* event) override { event->ignore(); }
};

}  // namespace

CompareView::CompareView(Session& a, QWidget* parent) : Page(a, QStringLiteral("compare"), parent), a_(a) {
    makeCommands();
    auto* content = new QWidget(this);
    column_ = new QVBoxLayout(content);
    column_->setContentsMargins(8, 6, 8, 6);
    column_->setSpacing(4);
    column_->addWidget(makeHeader());
    settings_text_ = plainParagraph(this, QStringLiteral("compareSettings"));
    difference_text_ = plainParagraph(this, QStringLiteral("compareDifference"));
    column_->addWidget(settings_text_);
    column_->addWidget(difference_text_);
    maps_ = new LinkedMaps(this);
    change_ = new ChangePanel(this);
    side_ = makeSide();
    setFocusProxy(maps_->map(LinkedMaps::A));
    auto* body = new QHBoxLayout;
    body->setSpacing(8);
    body->addWidget(maps_, 1);
    body->addWidget(side_);
    column_->addLayout(body, 1);
    auto* scroll = new Scroll(this);  // large type on a small screen
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(content);

    setContent(scroll);
    dimIfOld(maps_);
    connect(maps_, &LinkedMaps::hovered, this, [this](const std::optional<Cell>& cell) {
        hover_ = cell;
        const bool in_a = cell && a_.trace() && isInside(*cell, a_.selection().stage, a_.trace()->dims());
        a_.setHover(in_a ? cell : std::nullopt);
        refreshCrosshair();
    });
    connect(maps_, &LinkedMaps::clicked, this, [this](const Cell& cell) {
        if (!a_.trace() || !isInside(cell, a_.selection().stage, a_.trace()->dims())) return;
        a_.setLocked(a_.selection().locked == cell ? std::nullopt : std::optional(cell));
    });
    connect(&work_, &Background::failed, this,
            [this](const Error& error) { difference_text_->setText(sentence(error)); });
    retranslate();
}

void CompareView::refreshHover() {
    hover_ = a_.hover();
    refreshCrosshair();
}

QWidget* CompareView::makeHeader() {
    auto* header = new QWidget(this);
    auto* row = new FlowLayout(header, 6, 4);
    row->setContentsMargins(0, 0, 0, 0);
    head_label_ = new QLabel(header);
    head_box_ = new QComboBox(header);
    head_box_->setObjectName(QStringLiteral("compareHead"));
    head_box_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    head_label_->setBuddy(head_box_);
    connect(head_box_, &QComboBox::activated, this, &CompareView::chooseHead);
    row->addWidget(head_label_);
    row->addWidget(head_box_);
    for (QAction* action : {show_settings_, copy_, swap_}) {
        auto* button = new QToolButton(header);
        button->setDefaultAction(action);
        button->setProperty("segment", QStringLiteral("only"));
        row->addWidget(button);
    }
    export_button_ = new QToolButton(header);
    export_button_->setObjectName(QStringLiteral("compareExport"));
    export_button_->setProperty("segment", QStringLiteral("only"));
    export_button_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(export_button_);
    menu->addActions({export_a_, export_b_, export_all_});
    export_button_->setMenu(menu);
    row->addWidget(export_button_);
    return header;
}

/// The settings of B, once there is one; above them what becomes of a row, where the view is wide.
QScrollArea* CompareView::makeSide() {
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget(scroll);
    side_column_ = new QVBoxLayout(content);
    side_column_->setContentsMargins(0, 0, 4, 0);
    side_column_->addStretch(1);
    scroll->setWidget(content);
    connect(show_settings_, &QAction::toggled, this, &CompareView::arrange);
    return scroll;
}

/// In a wide view the row stands beside the maps, in a narrow one below them, so that they keep its width.
void CompareView::arrange() {
    const bool wide = width() >= kWide * fontMetrics().averageCharWidth();
    change_->setOneParagraph(!wide);
    if (!arranged_) show_settings_->setChecked(wide);  // else the maps need the room; a person decides from here on
    arranged_ = true;
    if (wide)
        side_column_->insertWidget(0, change_);
    else
        column_->addWidget(change_);
    if (settings_) settings_->setVisible(show_settings_->isChecked());
    side_->setVisible(wide || show_settings_->isChecked());
    const int bar = side_->verticalScrollBar()->sizeHint().width();
    side_->setFixedWidth(std::max(side_->widget()->minimumSizeHint().width(), 24 * fontMetrics().averageCharWidth()) +
                         bar);
}

Draft CompareView::firstB(const Draft& draft) {
    const QString text = draft.value(Field::Mask).trimmed();
    auto heads = text.isEmpty() ? Result<HeadExpression>(HeadExpression{}) : parse_heads(text.toStdString());
    if (!heads) return draft;
    const auto causal = [](const MaskPattern& pattern) { return pattern.kind == MaskPattern::Kind::Causal; };
    const auto is_causal = [&](const auto& layer) { return std::any_of(layer.begin(), layer.end(), causal); };
    const bool any = std::any_of(heads->parts().begin(), heads->parts().end(), [&](const HeadPart& part) {
        return std::any_of(part.mask.layers.begin(), part.mask.layers.end(), is_causal);
    });
    for (HeadPart& part : heads->parts()) {
        std::erase_if(part.mask.layers, is_causal);
        if (!any) part.mask.layers.push_back({MaskPattern{MaskPattern::Kind::Causal}});
        part.mask.off.clear();
    }
    Draft next = draft;
    next.set(Field::Mask, QString::fromStdString(to_string(*heads)));
    return next;
}

void CompareView::beginB() {
    if (b_) return;
    b_ = new Session(a_, this);
    b_->replace(firstB(a_.draft()), a_.wantedSelection());
    began_ = choosing_head_ = true;
    connect(b_, &Session::draftChanged, this, [this] {
        began_ = false;
        followText();  // a step of B may bring back an old text
    });
    for (const auto changed : {&Session::traceChanged, &Session::draftChanged, &Session::computeFailed})
        connect(b_, changed, this, [this] {
            if (isVisible()) refresh();
        });
    settings_ = new BSettings(*b_, this);
    new OutOfDate(*b_, maps_);
    side_column_->insertWidget(side_column_->count() - 1, settings_);
    arrange();
}

/// B has A's text, always; that is no step.
void CompareView::followText() {
    if (!isVisible()) return;
    Draft next = b_->draft();
    for (const Field field : {Field::Text, Field::Tokenizer}) next.set(field, a_.draft().value(field));
    const bool began = began_;
    b_->adopt(next);
    began_ = began;
}

void CompareView::followSelection() {
    const Selection& selection = a_.selection();
    if (selection.head) head_ = *selection.head;
    if (selection.locked && selection.locked != locked_before_) head_ = selection.locked->head;
    locked_before_ = selection.locked;
}

Selection CompareView::selection() const {
    Selection selection = a_.selection();
    selection.head = head_;
    selection.locked.reset();  // the maps are told by themselves
    return selection;
}

void CompareView::chooseHead(int head) {
    head_ = head;
    choosing_head_ = false;
    if (a_.selection().head) a_.setHead(head);
    if (auto locked = a_.selection().locked) {
        locked->head = head;
        a_.setLocked(locked);
    }
    refresh();
}

void CompareView::refreshHeads() {
    const Dims dims = a_.trace()->dims();
    const bool textbook = a_.trace()->request.source == WeightSource::Textbook;
    head_ = std::clamp(head_, 0, static_cast<int>(dims.num_heads) - 1);
    QStringList names;
    for (int head = 0; head < dims.num_heads; ++head)
        names << (textbook ? tr("%1, %2").arg(QString::number(head), roleName(textbook_role(head)))
                           : QString::number(head));
    QStringList present;
    for (int i = 0; i < head_box_->count(); ++i) present << head_box_->itemText(i);
    if (present != names) {
        head_box_->clear();
        head_box_->addItems(names);
    }
    head_box_->setCurrentIndex(head_);
    head_box_->setEnabled(a_.hasHeads(a_.selection().stage));
}

/// While a text is typed one of the two is always behind: the last pair stays until both have arrived.
bool CompareView::waits() const {
    const bool same_text = a_.trace()->batch() == b_->trace()->batch();
    return !same_text && shown_.a && (a_.isComputing() || b_->isComputing());
}

QString CompareView::whyNoB() const {
    if (b_->trace()) return {};
    if (b_->computeError()) return sentence(*b_->computeError());
    const auto& problems = b_->reading().problems;
    return problems.isEmpty() ? tr("B is being computed.") : sentence(problems.front().error);
}

void CompareView::refresh() {
    beginB();
    followText();
    followSelection();
    const QString missing = missingPicture(a_);
    say(missing);
    if (!missing.isEmpty()) return;
    refreshHeads();
    if (const QString why = whyNoB(); !why.isEmpty()) {
        shown_ = {};
        for (const auto side : {LinkedMaps::B, LinkedMaps::Difference}) maps_->showWhy(side, QStringLiteral("B"), why);
        return difference_text_->setText(why);
    }
    const bool between = (a_.isBetween() || b_->isBetween()) && shown_.a;
    if (!waits() && !between) compare({a_.trace(), b_->trace(), selection(), head_});
    refreshCrosshair();
}

void CompareView::compare(const Shown& wanted) {
    if (wanted == (work_.isBusy() ? wanted_ : shown_)) return;
    wanted_ = wanted;
    // B computes the sequence that is shown where all would be too large, and frees what is not shown.
    b_->setSequence(wanted.selection.sequence);
    b_->setStage(wanted.selection.stage);
    const auto& dims = wanted.a->dims();
    const bool quick = dims.sequence_length * stage_shape(wanted.selection.stage, dims).back() <= kQuick;
    work_.run(
        [this, wanted](const std::atomic<bool>& cancel) -> Background::Finish {
            const auto maps = compareMaps(*wanted.a, *wanted.b, wanted.selection, wanted.head, &cancel);
            return [this, wanted, maps] { showPair(wanted, maps); };
        },
        quick);
}

void CompareView::showPair(const Shown& what, const ComparedMaps& maps) {
    if (std::exchange(choosing_head_, false) && !a_.selection().head && !a_.selection().locked)
        if (const int head = mostChangedHead(*what.a, *what.b, what.selection.sequence); head != head_) {
            head_ = head;
            return refresh();
        }
    shown_ = what;
    compared_ = maps;
    refreshMaps();
    refreshCrosshair();
}

void CompareView::refreshMaps() {
    const auto& [a, b, selection, head] = shown_;
    const auto settings = differing_settings(a->request, b->request);
    const QString chosen =
        began_ && !settings.empty() ? tr(" · B was chosen for a start: change it under “Settings of B”") : QString();
    settings_text_->setText(settingsSentence(settings) + chosen);
    difference_text_->setText(largestSentence(compared_, *a, *b, selection));
    const QString ends = scaleText(compared_.scale);
    maps_->showMap(LinkedMaps::A, {a, selection, head, compared_.scale}, sideName(true, a->request, settings), ends);
    const QString b_name = sideName(false, b->request, settings);
    if (has_rows(*b, selection.stage, selection.sequence, head))
        maps_->showMap(LinkedMaps::B, {b, selection, head, compared_.scale}, b_name, ends);
    else
        maps_->showWhy(LinkedMaps::B, b_name, difference_text_->text());
    const QString name = tr("A − B");
    if (compared_.difference || (compared_.tiled && compared_.facts))
        maps_->showMap(
            LinkedMaps::Difference,
            {a, selection, head, compared_.difference_scale, compared_.difference, compared_.tiled ? b : nullptr}, name,
            compared_.facts->equal()             ? tr("no difference")
            : compared_.facts->within_rounding() ? tr("equal within rounding")
                                                 : scaleText(compared_.difference_scale));
    else
        maps_->showWhy(LinkedMaps::Difference, name, difference_text_->text());
}

void CompareView::refreshCrosshair() {
    if (!shown_.a || !isVisible()) return;
    const auto& locked = a_.selection().locked;
    maps_->setCrosshair(hover_, locked);
    std::optional<Cell> cell = hover_ ? hover_ : locked;
    if (!cell && compared_.facts && compared_.facts->largest > 0)  // the row of the largest difference
        cell = Cell{static_cast<int>(compared_.facts->row), static_cast<int>(compared_.facts->column), head_};
    if (cell) cell->head = head_;
    change_->setCell(*shown_.a, *shown_.b, shown_.selection, cell);
}

void CompareView::moveBy(int queries, int keys) {
    a_.setLocked(steppedCell(a_.selection(), a_.trace()->dims(), queries, keys, head_));
}

void CompareView::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if (!a_.trace()) return Page::keyPressEvent(event);
    if (key == Qt::Key_Left || key == Qt::Key_Right) return moveBy(0, key == Qt::Key_Left ? -1 : 1);
    if (key == Qt::Key_Up || key == Qt::Key_Down) return moveBy(key == Qt::Key_Up ? -1 : 1, 0);
    if (key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
        const int last = static_cast<int>(a_.trace()->dims().num_heads) - 1;
        return chooseHead(std::clamp(head_ + (key == Qt::Key_PageUp ? -1 : 1), 0, last));
    }
    Page::keyPressEvent(event);
}

void CompareView::retranslate() {
    head_label_->setText(tr("&head"));
    head_box_->setToolTip(tr("The head that is compared; Page Up and Page Down step through them"));
    copy_->setText(tr("&Copy A to B"));
    copy_->setIconText(tr("A → B"));
    copy_->setToolTip(tr("Copies all settings of A to B, so that one can be changed and its effect seen"));
    swap_->setText(tr("&Swap A and B"));
    swap_->setIconText(tr("A ⇄ B"));
    swap_->setToolTip(tr("Exchanges the settings of A and B"));
    show_settings_->setText(tr("Settings of &B"));
    show_settings_->setToolTip(tr("Show or hide the settings of B beside the maps"));
    export_button_->setText(tr("Export"));
    export_button_->setToolTip(tr("Write A, B, or both with their difference, as a picture"));
    export_a_->setText(tr("Export &A…"));
    export_b_->setText(tr("Export &B…"));
    export_all_->setText(tr("Export A, B and the &difference…"));
    setAccessibleName(tr("Compare two configurations"));
    shown_ = {};
    if (isVisible()) refresh();
}

void CompareView::applyLook() {
    setTextColor(settings_text_, Role::Muted);
}

void CompareView::release() {
    work_.cancel();
    if (!shown_.a || (!is_large(*shown_.a) && !is_large(*shown_.b))) return;
    wanted_ = shown_ = {};
    compared_ = {};
    for (const auto side : {LinkedMaps::A, LinkedMaps::B, LinkedMaps::Difference}) maps_->showWhy(side, {}, {});
}

}  // namespace headscope
