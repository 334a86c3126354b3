// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/heads/stage_bar.h"

#include <QActionGroup>
#include <QButtonGroup>
#include <QEvent>
#include <QMenu>
#include <QToolButton>
#include <algorithm>

#include "ui/look/empty_state.h"
#include "ui/look/theme.h"
#include "ui/maps/color_bar.h"
#include "ui/state/phrase.h"
#include "ui/state/session.h"

namespace headscope {

namespace {

constexpr Range kRanges[] = {Range::Unit, Range::Head, Range::Shared, Range::Log};
constexpr Palette kPalettes[] = {Palette::Viridis, Palette::Cividis, Palette::Magma, Palette::Greys,
                                 Palette::Diverging};
constexpr QSize kSwatch(60, 12);
constexpr int kEdge = 8, kMargin = 2, kGap = 10, kCommandGap = 6;
const QString kOpens = QStringLiteral(" ▾");

/// The stages that have a button, or those that are always in the menu.
std::vector<Stage> stages(bool in_bar) {
    std::vector<Stage> found;
    for (const StageType& type : stage_types())
        if ((type.rank > 0) == in_bar) found.push_back(type.stage);
    return found;
}

/// The stages that may move into the menu, in this order: all that have a button but one.
std::vector<Stage> folding() {
    std::vector<Stage> found = stages(true);
    std::sort(found.begin(), found.end(), [](Stage a, Stage b) { return type_of(a).rank < type_of(b).rank; });
    found.pop_back();
    return found;
}

QString word(Stage stage) {
    const std::string_view name = to_string(stage);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

/// A drop-down button that shows the colour bar.
class PaletteButton : public QToolButton {
public:
    explicit PaletteButton(QWidget* parent) : QToolButton(parent), bar_(new ColorBar(this)) {
        bar_->setAttribute(Qt::WA_TransparentForMouseEvents);
    }
    ColorBar* bar() const { return bar_; }
    QSize sizeHint() const override { return bar_->sizeHint() + QSize(2 * kInside, 2); }
    QSize minimumSizeHint() const override { return bar_->minimumSizeHint() + QSize(2 * kInside, 2); }

protected:
    void resizeEvent(QResizeEvent*) override { bar_->setGeometry(rect().adjusted(kInside, 1, -kInside, -1)); }

private:
    static constexpr int kInside = 8;
    ColorBar* bar_;
};

}  // namespace

StageBar::StageBar(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
    setObjectName(QStringLiteral("stageBar"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    makeStages();
    makeRanges();
    makePalettes();
    commands_menu_ = makeButton(QStringLiteral("commands"), "only");
    commands_menu_->setText(QStringLiteral("≡"));
    commands_menu_->setPopupMode(QToolButton::InstantPopup);
    commands_menu_->setMenu(new QMenu(commands_menu_));
    commands_menu_->hide();
    retranslate();
    connect(&session_, &Session::traceChanged, this, &StageBar::refresh);
    connect(&session_, &Session::selectionChanged, this, &StageBar::refresh);
}

QToolButton* StageBar::makeButton(const QString& name, const char* place) {
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setProperty("segment", QLatin1String(place));
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

void StageBar::makeStages() {
    stage_group_ = new QButtonGroup(this);
    for (const Stage stage : stages(true)) {
        QToolButton* button = makeButton(QStringLiteral("stage_") + word(stage), stages_.empty() ? "first" : "middle");
        button->setCheckable(true);
        stage_group_->addButton(button);
        if (type_of(stage).part != StagePart::Other && type_of(stage).word[1] == 0)
            button->setProperty("letter", word(stage));
        stages_[stage] = button;
        connect(button, &QToolButton::clicked, this, [this, stage] { session_.setStage(stage); });
    }
    more_ = makeButton(QStringLiteral("stage_more"), "last");
    more_->setCheckable(true);
    more_->setPopupMode(QToolButton::InstantPopup);
    stage_group_->addButton(more_);
    auto* menu = new QMenu(more_);
    menu->setToolTipsVisible(true);
    const auto add = [&](Stage stage) {
        QAction* action = menu->addAction(word(stage), this, [this, stage] { session_.setStage(stage); });
        action->setObjectName(QStringLiteral("stage_") + word(stage));
        action->setData(static_cast<int>(stage));
        stage_actions_[stage] = action;
    };
    for (const bool in_bar : {true, false})
        for (const Stage stage : stages(in_bar)) add(stage);
    more_->setMenu(menu);
}

void StageBar::makeRanges() {
    range_ = makeButton(QStringLiteral("range"), "only");
    range_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(range_);
    menu->setToolTipsVisible(true);
    auto* group = new QActionGroup(menu);
    for (const Range range : kRanges) {
        QAction* action = menu->addAction(toWord(range), this, [this, range] { session_.setRange(range); });
        action->setObjectName(QStringLiteral("range_") + toWord(range));
        action->setCheckable(true);
        group->addAction(action);
        ranges_[range] = action;
    }
    range_->setMenu(menu);
}

void StageBar::makePalettes() {
    auto* button = new PaletteButton(this);
    palette_ = button;
    palette_->setObjectName(QStringLiteral("palette"));
    palette_->setProperty("segment", QStringLiteral("only"));
    palette_->setFocusPolicy(Qt::StrongFocus);
    palette_->setPopupMode(QToolButton::InstantPopup);
    bar_ = button->bar();
    auto* menu = new QMenu(palette_);
    auto* group = new QActionGroup(menu);
    for (const Palette palette : kPalettes) {
        QAction* action = menu->addAction(QIcon(paletteSwatch(palette, kSwatch, devicePixelRatioF())), toWord(palette),
                                          this, [this, palette] { session_.setPalette(palette); });
        action->setObjectName(QStringLiteral("palette_") + toWord(palette));
        action->setCheckable(true);
        group->addAction(action);
        palettes_.push_back(action);
    }
    palette_->setMenu(menu);
}

void StageBar::addCommand(QAction* command) {
    QToolButton* button = makeButton(QStringLiteral("command%1").arg(commands_.size()), "only");
    button->setPopupMode(QToolButton::InstantPopup);
    button->setDefaultAction(command);
    setTabOrder(commands_.empty() ? palette_ : commands_.back(), button);
    commands_.push_back(button);
    commands_menu_->menu()->addAction(command);
    connect(command, &QAction::changed, this, &StageBar::place);
    updateGeometry();
    place();
}

void StageBar::retranslate() {
    for (const auto& [stage, button] : stages_) button->setText(stageTitle(stage));
    for (const auto& [stage, action] : stage_actions_) action->setText(stageTitle(stage));
    const std::map<Range, QString> names{{Range::Unit, tr("0 – 1")},
                                         {Range::Head, tr("per head")},
                                         {Range::Shared, tr("shared")},
                                         {Range::Log, tr("log")}};
    for (const auto& [range, action] : ranges_) action->setText(names.at(range));
    more_->setToolTip(tr("The other stages, from x to output"));
    more_->setAccessibleName(tr("More stages"));
    range_->setToolTip(tr("Which numbers the ends of the colours stand for"));
    commands_menu_->setToolTip(tr("More commands"));
    commands_menu_->setAccessibleName(tr("More commands"));
    palette_->setAccessibleName(tr("Palette"));
    refresh();
}

void StageBar::refresh() {
    refreshStages();
    refreshRanges();
    refreshColors();
    place();
}

void StageBar::refreshStages() {
    const TracePtr& trace = session_.trace();
    for (const auto& [stage, action] : stage_actions_) {
        const bool there = !trace || has_stage(trace->request, stage);
        const char* own = type_of(stage).tip;
        const QString tip = !there ? missingStage() : own ? translated(own) : QString();
        action->setEnabled(there);
        action->setToolTip(tip);
        const auto button = stages_.find(stage);
        if (button == stages_.end()) continue;
        button->second->setEnabled(there);
        button->second->setToolTip(tip);
    }
    const Stage shown = session_.selection().stage;
    const auto button = stages_.find(shown);
    (button == stages_.end() ? more_ : button->second)->setChecked(true);
    more_->setText(button == stages_.end() ? stageTitle(shown) + kOpens : QStringLiteral("…"));
}

void StageBar::refreshRanges() {
    const Selection& selection = session_.selection();
    const bool weights = selection.stage == Stage::Weights, mask = selection.stage == Stage::Mask;
    const bool has_signs = isSigned(selection.stage);
    const auto allow = [this](Range range, bool allowed, const QString& text) {
        ranges_[range]->setEnabled(allowed);
        ranges_[range]->setToolTip(text);
    };
    const QString binary = tr("A mask is 0 or 1");
    const QString why = tr("Only weights lie between 0 and 1; the colours of this stage are symmetric about 0");
    allow(Range::Unit, !has_signs, has_signs ? why : tr("The same colour always means the same weight"));
    allow(Range::Log, weights,
          weights ? tr("Logarithmic down to one in a million: small weights become visible")
          : mask  ? binary
                  : why);
    allow(Range::Head, !mask,
          mask        ? binary
          : has_signs ? tr("Each head symmetric about 0, up to its own largest magnitude")
                      : tr("Each head from its least to its largest value"));
    allow(Range::Shared, !mask,
          mask        ? binary
          : has_signs ? tr("All heads symmetric about 0, up to the largest magnitude of any")
                      : tr("One scale for all heads, from the least to the largest value"));
    QAction* chosen = ranges_[selection.shownRange()];
    chosen->setChecked(true);
    range_->setText((has_signs ? QStringLiteral("± ") : QString()) + chosen->text() + kOpens);
    range_->setAccessibleName(tr("Colour scale: %1").arg(chosen->text()));
}

void StageBar::refreshColors() {
    const Selection& selection = session_.selection();
    palettes_[static_cast<std::size_t>(std::find(std::begin(kPalettes), std::end(kPalettes), selection.shownPalette()) -
                                       std::begin(kPalettes))]
        ->setChecked(true);
    const TracePtr& trace = session_.trace();
    if (!trace) return;
    const auto key = [](const Trace& of, const Selection& under) {
        return std::tuple(of.identity(under.stage), of.q.get(), of.row_sums.get(), of.mask.pointer(0).get(),
                          under.stage, under.sequence, under.shownRange(), under.shownPalette());
    };
    const bool same = shown_ && key(*shown_, selection_) == key(*trace, selection);
    shown_ = trace;  // also if its numbers are the same: keeping the old trace would use much memory
    selection_ = selection;
    if (same) return;
    bar_->setScales(colorScales(*trace, selection));
    const QString sampled = tr("The range is that of a sample of the cells.");
    palette_->setToolTip(scaleIsSampled(*trace, selection) ? bar_->accessibleName() + QLatin1Char('\n') + sampled
                                                           : bar_->accessibleName());
}

std::vector<StageBar::Fold> StageBar::folds() const {
    std::vector<Fold> folds{{}, {true}, {true, true}};
    while (folds.back().stages < folding().size()) {
        folds.push_back(folds.back());
        ++folds.back().stages;
    }
    return folds;
}

std::vector<Stage> StageBar::foldedStages(const Fold& fold) const {
    std::vector<Stage> folded = folding();
    folded.resize(fold.stages);
    std::erase(folded, session_.selection().stage);
    return folded;
}

int StageBar::widthOf(const Fold& fold) const {
    int width = 2 * kEdge + more_->sizeHint().width() + kGap + range_->sizeHint().width() + kGap;
    const std::vector<Stage> folded = foldedStages(fold);
    for (const auto& [stage, button] : stages_)
        if (std::find(folded.begin(), folded.end(), stage) == folded.end()) width += button->sizeHint().width();
    width += (fold.short_bar ? palette_->minimumSizeHint() : palette_->sizeHint()).width() + kGap;
    if (fold.commands && !commands_.empty()) return width + commands_menu_->sizeHint().width();
    for (const QToolButton* button : commands_) width += button->sizeHint().width() + kCommandGap;
    return width;
}

QSize StageBar::sizeHint() const {
    return {widthOf({}), minimumSizeHint().height()};
}

QSize StageBar::minimumSizeHint() const {
    int height = std::max(palette_->sizeHint().height(), range_->sizeHint().height());
    for (const auto& [stage, button] : stages_) height = std::max(height, button->sizeHint().height());
    return {widthOf(folds().back()), height + 2 * kMargin};
}

void StageBar::place() {
    const std::vector<Fold> all = folds();
    const auto found =
        std::find_if(all.begin(), all.end(), [this](const Fold& fold) { return widthOf(fold) <= width(); });
    const Fold fold = found == all.end() ? all.back() : *found;
    const std::vector<Stage> folded = foldedStages(fold);
    const int height = this->height() - 2 * kMargin;
    int left = kEdge;
    const auto put = [&](QToolButton* button, int width) {
        button->setGeometry(left, kMargin, width, height);
        button->show();
        left += width;
    };
    for (const Stage stage : stages(true)) {
        const bool hidden = std::find(folded.begin(), folded.end(), stage) != folded.end();
        stage_actions_[stage]->setVisible(hidden);
        if (hidden)
            stages_[stage]->hide();
        else
            put(stages_[stage], stages_[stage]->sizeHint().width());
    }
    put(more_, more_->sizeHint().width());
    left += kGap;
    put(range_, range_->sizeHint().width());
    left += kGap;
    put(palette_, (fold.short_bar ? palette_->minimumSizeHint() : palette_->sizeHint()).width());

    left = width() - kEdge;
    commands_menu_->setVisible(fold.commands && !commands_.empty());
    if (commands_menu_->isVisibleTo(this)) {
        left -= commands_menu_->sizeHint().width();
        put(commands_menu_, commands_menu_->sizeHint().width());
    }
    for (auto button = commands_.rbegin(); button != commands_.rend(); ++button) {
        (*button)->setVisible(!fold.commands);
        if (fold.commands) continue;
        const int width = (*button)->sizeHint().width();
        left -= width;
        put(*button, width);
        left -= width + kCommandGap;
    }
}

/// The texts and the font of the buttons determine how much fits.
bool StageBar::event(QEvent* event) {
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest) {
        updateGeometry();
        place();
    }
    return done;
}

void StageBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

void StageBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) updateGeometry();
}

}  // namespace headscope
