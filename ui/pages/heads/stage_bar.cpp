// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/heads/stage_bar.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include "ui/look/elided.h"
#include "ui/look/theme.h"
#include "ui/maps/color_bar.h"
#include "ui/maps/flow_layout.h"
#include "ui/maps/head_card.h"
#include "ui/state/session.h"
#include "ui/state/tokenizer.h"

namespace headscope {

namespace {

constexpr Stage kStages[] = {Stage::Q,      Stage::K,       Stage::V,          Stage::Scores,
                             Stage::Masked, Stage::Weights, Stage::HeadContext};
constexpr Stage kMoreStages[] = {Stage::X, Stage::Qkv, Stage::Heads, Stage::Mask, Stage::Concat, Stage::Output};
constexpr Range kRanges[] = {Range::Unit, Range::Head, Range::Shared, Range::Log};
constexpr Palette kPalettes[] = {Palette::Viridis, Palette::Cividis, Palette::Magma, Palette::Greys,
                                 Palette::Diverging};
constexpr QSize kSwatch(40, 12);
constexpr int kFirstWords = 22;  // letters of a sequence in its chooser

QString word(Stage stage) {
    const std::string_view name = to_string(stage);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

QHBoxLayout* tightRow(QWidget* parent, int spacing) {
    auto* row = new QHBoxLayout(parent);
    row->setContentsMargins({});
    row->setSpacing(spacing);
    return row;
}

/// "0 · the cat sat on…"
QString firstWords(const Batch& batch, std::int64_t sequence) {
    QString words;
    for (std::int64_t i = 0; i < batch.sequence_length(); ++i) {
        if (!batch.is_real(sequence, i)) continue;
        if (words.size() > kFirstWords) break;
        if (!words.isEmpty()) words += QLatin1Char(' ');
        words += tokenInSentence(batch.tokens[static_cast<std::size_t>(sequence)][static_cast<std::size_t>(i)]);
    }
    if (words.isEmpty()) words = QCoreApplication::translate("StageBar", "(padding only)");
    return QString::number(sequence) + QStringLiteral(" · ") + words;
}

}  // namespace

StageBar::StageBar(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
    setObjectName(QStringLiteral("stageBar"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* flow = new FlowLayout(this, 14, 6);
    flow->setContentsMargins(8, 6, 8, 6);
    flow->addWidget(makeStages());
    flow->addWidget(makeRanges());
    flow->addWidget(makePalettes());
    flow->addWidget(makeSequences());
    retranslate();
    connect(&session_, &Session::traceChanged, this, &StageBar::refresh);
    connect(&session_, &Session::selectionChanged, this, &StageBar::refresh);
}

QToolButton* StageBar::makeSegment(const QString& name, const char* place, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setProperty("segment", QLatin1String(place));
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

QWidget* StageBar::makeStages() {
    auto* group = new QWidget(this);
    auto* row = tightRow(group, 0);
    stage_label_ = new QLabel(group);
    row->addWidget(stage_label_);
    row->addSpacing(8);
    auto* exclusive = new QButtonGroup(group);
    for (const Stage stage : kStages) {
        const char* place = stage == kStages[0] ? "first" : "middle";
        QToolButton* button = makeSegment(QStringLiteral("stage_") + word(stage), place, group);
        exclusive->addButton(button);
        stages_[stage] = button;
        row->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, stage] { session_.setStage(stage); });
    }
    for (const Stage stage : {Stage::Q, Stage::K, Stage::V})
        stages_[stage]->setProperty("letter", QString::fromUtf8(to_string(stage).data(), 1));
    more_ = makeSegment(QStringLiteral("stage_more"), "last", group);
    more_->setPopupMode(QToolButton::InstantPopup);
    exclusive->addButton(more_);
    auto* menu = new QMenu(more_);
    for (const Stage stage : kMoreStages) {
        QAction* action = menu->addAction(word(stage), this, [this, stage] { session_.setStage(stage); });
        action->setObjectName(QStringLiteral("stage_") + word(stage));
        action->setData(static_cast<int>(stage));
    }
    more_->setMenu(menu);
    row->addWidget(more_);
    return group;
}

QWidget* StageBar::makeRanges() {
    auto* group = new QWidget(this);
    auto* row = tightRow(group, 0);
    range_label_ = new QLabel(group);
    row->addWidget(range_label_);
    row->addSpacing(8);
    auto* exclusive = new QButtonGroup(group);
    for (const Range range : kRanges) {
        const char* place = range == Range::Unit ? "first" : range == Range::Log ? "last" : "middle";
        QToolButton* button = makeSegment(QStringLiteral("range_") + toWord(range), place, group);
        exclusive->addButton(button);
        ranges_[range] = button;
        row->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, range] { session_.setRange(range); });
    }
    return group;
}

QWidget* StageBar::makePalettes() {
    auto* group = new QWidget(this);
    auto* row = tightRow(group, 10);
    palette_ = new QComboBox(group);
    palette_->setObjectName(QStringLiteral("palette"));
    palette_->setIconSize(kSwatch);
    for (const Palette palette : kPalettes) palette_->addItem(toWord(palette), static_cast<int>(palette));
    makeSwatches();
    row->addWidget(palette_);
    bar_ = new ColorBar(group);
    row->addWidget(bar_);
    connect(palette_, &QComboBox::activated, this,
            [this](int index) { session_.setPalette(kPalettes[static_cast<std::size_t>(index)]); });
    return group;
}

QWidget* StageBar::makeSequences() {
    sequence_group_ = new QWidget(this);
    auto* row = tightRow(sequence_group_, 8);
    sequence_label_ = new QLabel(sequence_group_);
    row->addWidget(sequence_label_);
    sequence_ = new QComboBox(sequence_group_);
    sequence_->setObjectName(QStringLiteral("sequence"));
    sequence_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    sequence_->setMinimumContentsLength(kFirstWords);
    row->addWidget(sequence_, 1);
    connect(sequence_, &QComboBox::activated, this, [this](int index) { session_.setSequence(index); });
    return sequence_group_;
}

void StageBar::makeSwatches() {
    for (int i = 0; i < palette_->count(); ++i)
        palette_->setItemIcon(i, QIcon(paletteSwatch(kPalettes[i], kSwatch, devicePixelRatioF())));
}

void StageBar::retranslate() {
    stage_label_->setText(tr("Show"));
    range_label_->setText(tr("Scale"));
    sequence_label_->setText(tr("Sequence"));
    for (const auto& [stage, button] : stages_) button->setText(stageTitle(stage));
    for (QAction* action : more_->menu()->actions())
        action->setText(stageTitle(static_cast<Stage>(action->data().toInt())));
    const std::map<Range, QString> names{{Range::Unit, tr("0 – 1")},
                                         {Range::Head, tr("per head")},
                                         {Range::Shared, tr("shared")},
                                         {Range::Log, tr("log")}};
    for (const auto& [range, button] : ranges_) button->setText(names.at(range));
    stages_[Stage::Q]->setToolTip(tr("What each token asks for: a row of q per token and head"));
    stages_[Stage::K]->setToolTip(tr("What each token offers to be found by: a row of k per token and head"));
    stages_[Stage::V]->setToolTip(tr("What each token hands over where it is attended to"));
    stages_[Stage::Scores]->setToolTip(tr("q · k, scaled, before the mask"));
    stages_[Stage::Masked]->setToolTip(tr("The scores as the softmax sees them: shut cells are hatched"));
    stages_[Stage::Weights]->setToolTip(tr("softmax of the masked scores: every row sums to 1"));
    stages_[Stage::HeadContext]->setToolTip(tr("weights @ v: what each head hands on"));
    more_->setToolTip(tr("The other steps, from x to output"));
    palette_->setToolTip(tr("Colours of the cells"));
    sequence_->setToolTip(tr("Which sequence of the batch is shown"));
    palette_->setAccessibleName(tr("Palette"));
    sequence_->setAccessibleName(tr("Sequence"));
    refresh();
}

/// A tool bar asks for no height that depends on the width: what wraps takes its second line here.
void StageBar::fitHeight() {
    setFixedHeight(layout()->heightForWidth(width()));
}

/// Controls that come, go or have another type ask for it.
bool StageBar::event(QEvent* event) {
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest) fitHeight();
    return done;
}

void StageBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitHeight();
}

void StageBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

void StageBar::refresh() {
    refreshStages();
    refreshScale();
    refreshSequences();
}

void StageBar::refreshStages() {
    const Stage shown = session_.selection().stage;
    const auto main = stages_.find(shown);
    QToolButton* button = main == stages_.end() ? more_ : main->second;
    button->setChecked(true);
    more_->setText((main == stages_.end() ? stageTitle(shown) : tr("more")) + QStringLiteral(" ▾"));
}

void StageBar::refreshScale() {
    const Selection& selection = session_.selection();
    ranges_[selection.shownRange()]->setChecked(true);
    const bool weights = selection.stage == Stage::Weights, mask = selection.stage == Stage::Mask;
    const QString why = tr("Only weights lie between 0 and 1; this stage is drawn symmetric about 0");
    const auto allow = [](QToolButton* button, bool allowed, const QString& text) {
        button->setEnabled(allowed);
        button->setToolTip(text);
    };
    allow(ranges_[Range::Unit], weights || mask,
          weights || mask ? tr("The same colours always mean the same share") : why);
    allow(ranges_[Range::Log], weights,
          weights ? tr("Logarithmic down to one in a million: small shares become visible")
          : mask  ? tr("A mask is 0 or 1")
                  : why);
    allow(ranges_[Range::Head], !mask,
          mask ? tr("A mask is 0 or 1") : tr("Each head from its least to its largest value"));
    allow(ranges_[Range::Shared], !mask,
          mask ? tr("A mask is 0 or 1") : tr("One scale for all heads, from the least to the largest value"));
    palette_->setCurrentIndex(palette_->findData(static_cast<int>(selection.shownPalette())));

    const TracePtr& trace = session_.trace();
    if (!trace) return;
    const auto key = [](const Trace& of, const Selection& under) {
        return std::tuple(of.identity(under.stage), of.mask.get(), under.stage, under.sequence, under.shownRange(),
                          under.shownPalette());
    };
    const bool same = shown_ && key(*shown_, selection_) == key(*trace, selection);
    shown_ = trace;  // where it is as good as the old one too: a trace can be large
    selection_ = selection;
    if (!same) bar_->setScales(colorScales(*trace, selection));
}

void StageBar::refreshSequences() {
    const TracePtr& trace = session_.trace();
    sequence_group_->setVisible(trace && trace->batch().size() > 1);
    if (!trace) return;
    const auto count = static_cast<int>(trace->batch().size());
    const int room = kFirstWords * sequence_->fontMetrics().averageCharWidth();
    while (sequence_->count() > count) sequence_->removeItem(sequence_->count() - 1);
    for (int i = 0; i < count; ++i) {
        const QString words = elided(firstWords(trace->batch(), i), sequence_->fontMetrics(), room);
        if (i == sequence_->count())
            sequence_->addItem(words);
        else if (sequence_->itemText(i) != words)
            sequence_->setItemText(i, words);
    }
    sequence_->setCurrentIndex(session_.selection().sequence);
}

}  // namespace headscope
