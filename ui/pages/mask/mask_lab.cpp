// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/mask/mask_lab.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/controls/problem_note.h"
#include "ui/controls/segments.h"
#include "ui/maps/head_grid.h"
#include "ui/pages/mask/check_panel.h"
#include "ui/pages/mask/code_page.h"
#include "ui/pages/mask/layer_list.h"
#include "ui/pages/mask/mask_grid.h"
#include "ui/pages/mask/mask_notes.h"
#include "ui/pages/mask/mask_painter.h"
#include "ui/pages/mask/mask_picture.h"
#include "ui/pages/mask/paint_bar.h"
#include "ui/pages/mask/reach_panel.h"
#include "ui/state/mask_presets.h"
#include "ui/state/session.h"

namespace headscope {

namespace {

constexpr int kEdge = 8;

}  // namespace

MaskLab::MaskLab(Session& session, QWidget* parent)
    : Page(session, QStringLiteral("mask"), parent), painter_(new MaskPainter(session, this)) {
    setObjectName(QStringLiteral("maskLab"));
    auto* content = new QWidget(this);
    bar_ = new PaintBar(*painter_, content);
    problem_ = new ProblemNote(content);
    problem_->setObjectName(QStringLiteral("maskProblem"));
    notes_ = new MaskNotes(session, content);
    auto* halves = new QSplitter(content);
    halves->setChildrenCollapsible(false);
    halves->addWidget(makeEditor());
    halves->addWidget(makeSide());
    halves->setStretchFactor(0, 5);
    halves->setStretchFactor(1, 4);
    halves->setSizes({500, 400});
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(kEdge, kEdge, kEdge, 4);
    column->setSpacing(6);
    column->addWidget(bar_);
    column->addWidget(problem_);
    column->addWidget(halves, 1);
    column->addWidget(notes_);
    setContent(content);
    dimIfOld(heads_);  // the editor follows the draft
    connectGrid();
    connect(&session, &Session::draftChanged, this, [this] { problem_->showProblem({}); });
    connect(painter_, &MaskPainter::loaded, this,
            [this](const std::optional<Error>& error) { problem_->showProblem(error ? sentence(*error) : QString()); });
}

QWidget* MaskLab::makeEditor() {
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidgetResizable(true);
    grid_ = new MaskGrid;
    scroll->setWidget(grid_);
    setFocusProxy(grid_);
    scroll->setMinimumSize(grid_->minimumSize());
    connect(grid_, &MaskGrid::cursorMoved, scroll, [this, scroll](const paint::Cell& cell) {
        const QRect place = grid_->cellRect(cell.query, cell.key).toRect();
        scroll->ensureVisible(place.center().x(), place.center().y());
    });
    return scroll;
}

QWidget* MaskLab::makeSide() {
    auto* side = new QWidget(this);
    layers_ = new LayerList(side);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins({});
    column->setSpacing(6);
    column->addWidget(layers_);
    column->addWidget(makeSidePages(side), 1);
    return side;
}

QWidget* MaskLab::makeSidePages(QWidget* parent) {
    auto* whole = new QWidget(parent);
    heads_ = new HeadGrid(session(), whole, QStringLiteral("briefMap"));
    code_ = new CodePage(session(), whole);
    check_ = new CheckPanel(whole);
    reach_ = new ReachPanel(whole);
    side_pages_ = new QStackedWidget(whole);
    for (QWidget* page : {static_cast<QWidget*>(heads_), static_cast<QWidget*>(code_), static_cast<QWidget*>(check_),
                          static_cast<QWidget*>(reach_)})
        side_pages_->addWidget(page);
    auto* which = new Segments(
        {{tr("Heads"), tr("What each head makes of the mask"), QStringLiteral("sideHeads")},
         {tr("PyTorch"), tr("The mask in the three conventions, as code"), QStringLiteral("sideCode")},
         {tr("Check"), tr("What is wrong with the mask, or which expression it is"), QStringLiteral("sideCheck")},
         {tr("Reach"), tr("What a query depends on after several layers with this mask"), QStringLiteral("sideReach")}},
        tr("Beside the mask"), whole);
    which->setCurrent(0);
    auto* column = new QVBoxLayout(whole);
    column->setContentsMargins({});
    column->setSpacing(6);
    column->addWidget(which);
    column->addWidget(side_pages_, 1);
    connect(which, &Segments::chosen, side_pages_, &QStackedWidget::setCurrentIndex);
    connect(side_pages_, &QStackedWidget::currentChanged, this, &MaskLab::showOverlay);
    connect(check_, &CheckPanel::cellWanted, this, &MaskLab::lockCell);
    connect(check_, &CheckPanel::diagnosed, this, [this] {
        reach_->setMeant(check_->meant());
        showOverlay();
    });
    connect(reach_, &ReachPanel::changed, this, &MaskLab::showOverlay);
    return whole;
}

void MaskLab::connectGrid() {
    connect(bar_, &PaintBar::toolChosen, this, [this] { grid_->setTool(painter_->tool()); });
    connect(bar_, &PaintBar::loadWanted, this, &MaskLab::chooseLoad);
    connect(bar_, &PaintBar::saveWanted, this, &MaskLab::chooseSave);
    connect(grid_, &MaskGrid::pressed, this, [this](const paint::Cell& at, PaintTool tool) {
        painter_->press(at, tool);
        notes_->setPainting(painter_->strokeAllows());
    });
    connect(grid_, &MaskGrid::dragged, painter_, &MaskPainter::drag);
    connect(grid_, &MaskGrid::released, painter_, &MaskPainter::release);
    connect(grid_, &MaskGrid::cancelled, painter_, &MaskPainter::cancel);
    connect(grid_, &MaskGrid::hovered, this, &MaskLab::hover);
    connect(grid_, &MaskGrid::cursorMoved, this, &MaskLab::hover);
    connect(grid_, &MaskGrid::lockWanted, this, &MaskLab::toggleLock);
    connect(layers_, &LayerList::switched, this,
            [this](int place, bool on) { painter_->switchLayer(static_cast<std::size_t>(place), on); });
    connect(code_, &CodePage::conventionChanged, grid_, &MaskGrid::setConvention);
}

/// The editor follows the draft, so that a cell changes under the hand before anything is computed.
void MaskLab::refresh() {
    auto picture = maskPicture(session());
    picture_ = picture ? std::make_shared<const MaskPicture>(std::move(*picture)) : nullptr;
    grid_->setPicture(picture_);
    layers_->setPicture(picture_);
    notes_->setPicture(picture_);
    check_->setPicture(picture_);
    reach_->setPicture(picture_);
    refreshHover();
}

void MaskLab::refreshHover() {
    const Selection& selection = session().selection();
    const bool keys = is_square(selection.stage);  // else a column of the heads is a dimension
    std::optional<Cell> hovered = keys ? session().hover() : std::nullopt;
    if (!keys && pointed_) hovered = Cell{static_cast<int>(pointed_->query), static_cast<int>(pointed_->key), 0};
    const std::optional<Cell> locked = keys ? selection.locked : std::nullopt;
    grid_->setCrosshair(hovered, locked);
    const std::optional<Cell>& shown = hovered ? hovered : locked;
    const bool inside = shown && picture_ && !picture_->tooLarge() && picture_->inside(shown->query, shown->key);
    notes_->setCell(inside ? std::optional(paint::Cell{shown->query, shown->key}) : std::nullopt);
    layers_->setMasking(inside ? picture_->maskedBy(shown->query, shown->key) : 0);
    reach_->setCell(inside ? std::optional(paint::Cell{shown->query, shown->key}) : std::nullopt);
}

/// Wrong cells while the mask is checked, the reach while that is looked at.
void MaskLab::showOverlay() {
    MaskOverlay overlay;
    if (side_pages_->currentWidget() == check_) overlay.diagnosis = check_->diagnosis();
    if (side_pages_->currentWidget() == reach_) overlay = reach_->overlay();
    grid_->setOverlay(overlay);
    notes_->setPaintable(!overlay.showsReach());
}

void MaskLab::hover(const std::optional<paint::Cell>& cell) {
    if (!painter_->isPainting()) notes_->setPainting(std::nullopt);
    pointed_ = cell;
    if (!is_square(session().selection().stage)) return refreshHover();
    const int head = session().selection().head.value_or(0);
    session().setHover(cell ? std::optional(Cell{static_cast<int>(cell->query), static_cast<int>(cell->key), head})
                            : std::nullopt);
}

void MaskLab::toggleLock(const paint::Cell& cell) {
    if (!is_square(session().selection().stage)) return;
    Page::toggleLock(
        {static_cast<int>(cell.query), static_cast<int>(cell.key), session().selection().head.value_or(0)});
}

void MaskLab::lockCell(const paint::Cell& cell) {
    grid_->setCursorCell(cell);
    Page::lock({static_cast<int>(cell.query), static_cast<int>(cell.key), session().selection().head.value_or(0)});
}

void MaskLab::loadMask(const QString& path) {
    painter_->load(path);
}

void MaskLab::saveMask(const QString& path) {
    const auto saved = painter_->save(path);
    problem_->showProblem(saved ? QString() : sentence(saved.error()));
}

void MaskLab::chooseLoad() {
    auto* dialog = new QFileDialog(this, tr("Load a mask"), folder_, maskFileFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        folder_ = QFileInfo(path).path();
        loadMask(path);
    });
    dialog->open();
}

void MaskLab::chooseSave() {
    auto* dialog = new QFileDialog(this, tr("Save the mask"), folder_, tr("JSON (*.json);;CSV (*.csv);;NumPy (*.npy)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section(QStringLiteral("*."), 1).section(u')', 0, 0));
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        folder_ = QFileInfo(path).path();
        saveMask(path);
    });
    dialog->open();
}

}  // namespace headscope
