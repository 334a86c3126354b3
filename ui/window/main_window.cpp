// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMessageBox>
#include <QMimeData>
#include <QRegularExpression>
#include <QScreen>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolBar>

#include "ui/controls/tab_hint.h"
#include "ui/look/theme.h"
#include "ui/look/type_size.h"
#include "ui/maps/heat_map.h"
#include "ui/pages/atlas/atlas_page.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/heads/heads_page.h"
#include "ui/pages/heads/stage_bar.h"
#include "ui/pages/mask/mask_lab.h"
#include "ui/pages/steps/steps_page.h"
#include "ui/panels/foot/foot.h"
#include "ui/panels/parameters/parameter_panel.h"
#include "ui/panels/shapes/shape_flow.h"
#include "ui/panels/tokens/token_strip.h"
#include "ui/state/lesson_run.h"
#include "ui/state/session.h"
#include "ui/state/session_file.h"
#include "ui/state/settings.h"
#include "ui/window/call_out.h"
#include "ui/window/example_gallery.h"
#include "ui/window/key_list.h"
#include "ui/window/lesson_controls.h"

namespace headscope {

MainWindow::MainWindow(Session& session, QWidget* parent) : QMainWindow(parent), session_(session) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("HeadScope"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/headscope.svg")));
    setAcceptDrops(true);
    setMinimumSize(640, 400);
    auto* bar = addToolBar(tr("What is shown"));
    bar->setObjectName(QStringLiteral("stageToolBar"));
    bar->setMovable(false);
    stage_bar_ = new StageBar(session, bar);
    bar->addWidget(stage_bar_);
    addToolBarBreak();
    token_bar_ = addToolBar(tr("Tokens"));
    token_bar_->setObjectName(QStringLiteral("tokenToolBar"));
    token_bar_->setMovable(false);
    token_bar_->addWidget(new TokenStrip(session, token_bar_));
    buildPages();
    setStatusBar(new Foot(session, this));
    buildDocks();
    buildLessons();
    buildMenus();
    resize(QSize(1440, 900).boundedTo(screen()->availableSize()));
    first_layout_ = saveState(kLayoutVersion);
    restore();
    connect(&session, &Session::draftChanged, this, &MainWindow::rememberFile);
    rememberFile();
}

void MainWindow::showCallOut() {
    auto* causal = findChild<QWidget*>(QStringLiteral("maskCausal"));
    if (causal && CallOut::isWanted()) new CallOut(session_, causal, this);
}

/// The tabs in the order of PageName. A page that comes into sight opens on the cell, head and sequence of the one
/// before, as all of them show the selection of the session.
void MainWindow::buildPages() {
    pages_ = new QTabWidget(this);
    pages_->setObjectName(QStringLiteral("pages"));
    pages_->setDocumentMode(true);
    pages_->setElideMode(Qt::ElideRight);  // before there are arrows to scroll with
    pages_->tabBar()->setFocusPolicy(Qt::StrongFocus);
    auto* heads = new HeadsPage(session_, pages_);
    addPage(heads, tr("Heads"));
    pages_->setCornerWidget(heads->hint());
    connect(pages_, &QTabWidget::currentChanged, heads->hint(),
            [=, this] { heads->hint()->setVisible(pages_->currentWidget() == heads); });
    connect(heads, &HeadsPage::stepsWanted, this, [this] { callPage(PageName::Steps); });
    addPage(new MaskLab(session_, pages_), tr("Mask"));
    compare_ = new CompareView(session_, pages_);
    compare_->carry([this] { return savedSession(); });
    addPage(compare_, tr("Compare"));
    addPage(new StepsPage(session_, pages_), tr("Steps"));
    addPage(new AtlasPage(session_, pages_), tr("Atlas"));
    for (QAction* command : compare_->commands())  // what they do is visible there
        connect(command, &QAction::triggered, this, [this] { session_.setPage(PageName::Compare); });
    setCentralWidget(pages_);
    showPage();
    connect(pages_, &QTabWidget::currentChanged, this,
            [this](int page) { session_.setPage(static_cast<PageName>(page)); });
    connect(&session_, &Session::selectionChanged, this, &MainWindow::showPage);
}

void MainWindow::addPage(QWidget* page, const QString& title) {
    pages_->setTabToolTip(pages_->addTab(page, title), title);
}

void MainWindow::showPage() {
    pages_->setCurrentIndex(static_cast<int>(session_.selection().page));
}

/// Shows a page and gives it the keyboard.
void MainWindow::callPage(PageName page) {
    session_.setPage(page);
    QWidget* shown = pages_->currentWidget();
    if (shown->focusProxy()) return shown->setFocus(Qt::ShortcutFocusReason);
    for (HeatMap* map : shown->findChildren<HeatMap*>())
        if (map->isVisible()) return map->setFocus(Qt::ShortcutFocusReason);
}

QDockWidget* MainWindow::addDock(const QString& title, QWidget* content, Qt::DockWidgetArea area, const QString& name) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(content);
    addDockWidget(area, dock);
    docks_ << dock;
    return dock;
}

void MainWindow::buildDocks() {
    auto* parameters = new ParameterPanel(session_);
    connect(parameters, &ParameterPanel::paintWanted, this, [this] { callPage(PageName::Mask); });
    connect(parameters, &ParameterPanel::startOverWanted, &session_, &Session::startOver);
    // The headings of these two say what they are; a title bar of the dock's would only repeat it.
    shapes_ = new ShapeFlow(session_);
    shapes_->setFolded(settings::shapesFolded.get());
    connect(shapes_, &ShapeFlow::foldedChanged, this, [](bool folded) { settings::shapesFolded.set(folded); });
    parameters_ = addDock(tr("Parameters"), parameters, Qt::LeftDockWidgetArea, QStringLiteral("parameterDock"));
    auto* shapes = addDock(tr("Shapes"), shapes_, Qt::RightDockWidgetArea, QStringLiteral("shapeDock"));
    for (auto* dock : {parameters_, shapes}) {
        dock->setFeatures(QDockWidget::DockWidgetClosable);
        dock->setTitleBarWidget(new QWidget(dock));
    }
}

/// Where the text is too large for the window the panels give way before the maps do: first the shapes fold to their
/// rail, then the parameters hide. Both come back with the room; what a person opens meanwhile stays.
void MainWindow::fitPanels() {
    constexpr int kLeastPage = 64;        // letters
    const QSignalBlocker quiet(shapes_);  // this is not the choice of a person
    const bool folded = settings::shapesFolded.get(), before = shapes_->isFolded();
    if (lesson_controls_ && lesson_controls_->isActive()) return;  // a lesson chooses what is shown
    const int least = kLeastPage * fontMetrics().averageCharWidth();
    const int parameters = parameters_->isHidden() && !made_way_ ? 0 : parameters_->widget()->sizeHint().width();
    const auto page = [&](bool fold) {
        shapes_->setFolded(fold);
        return width() - parameters - shapes_->sizeHint().width();
    };
    const bool narrow = page(true) < least;
    if (folded || page(false) < least) shapes_->setFolded(true);
    if (shapes_->isFolded() != before) QTimer::singleShot(0, this, &MainWindow::resizePanels);
    if (narrow ? made_way_ || parameters_->isHidden() : !made_way_) return;
    parameters_->setVisible(!narrow);
    made_way_ = narrow;
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) fitPanels();
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() != QEvent::FontChange || !shapes_) return;
    QMetaObject::invokeMethod(this, &MainWindow::fitPanels, Qt::QueuedConnection);  // once the panels have it too
    QTimer::singleShot(30, this, &MainWindow::resizePanels);                        // and their layouts follow it
}

/// As wide as their texts need: docks widen with the text by themselves, but never shrink again.
void MainWindow::resizePanels() {
    for (int pass = 0; pass < 3; ++pass)  // a layout asks its parent's layout; then a scroll bar may come or go
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    auto* shapes = qobject_cast<QDockWidget*>(shapes_->parentWidget());
    resizeDocks({parameters_, shapes}, {parameters_->widget()->sizeHint().width(), shapes_->sizeHint().width()},
                Qt::Horizontal);
}

/// Gives the page the whole window; what was open then is open again afterwards.
void MainWindow::togglePanels() {
    QList<QDockWidget*> open;
    for (auto* dock : docks_)
        if (!dock->isHidden()) open << dock;
    const auto again = hidden_.isEmpty() ? docks_ : hidden_;
    hidden_ = open;
    for (auto* dock : open.isEmpty() ? again : open) dock->setVisible(open.isEmpty());
    token_bar_->setVisible(open.isEmpty());
}

void MainWindow::restore() {
    if (const auto copy = settings::putAsideUnusable())
        statusBar()->showMessage(
            tr("Some settings can't be used and are the defaults again. The old ones are in %1").arg(*copy), 20000);
    restoreGeometry(settings::windowGeometry.get());
    restoreState(settings::windowLayout.get(), kLayoutVersion);
    lesson_dock_->hide();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    lessons_->leave();                   // the next start shows the work before it
    if (made_way_) parameters_->show();  // the next start decides anew
    settings::windowGeometry.set(saveGeometry());
    settings::windowLayout.set(saveState(kLayoutVersion));
    settings::rememberWork(session_.draft(), session_.wantedSelection());
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const auto urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    openPath(event->mimeData()->urls().front().toLocalFile());
}

void MainWindow::chooseFile() {
    const auto path =
        QFileDialog::getOpenFileName(this, tr("Open file"), QFileInfo(settings::recentFiles.get().value(0)).path(),
                                     tr("Weights, sessions and pictures (*.safetensors *.npz *.index.json *.headscope "
                                        "*.png *.svg *.pdf);;All files (*)"));
    if (!path.isEmpty()) openPath(path);
}

void MainWindow::chooseFolder() {
    const auto path = QFileDialog::getExistingDirectory(this, tr("Open model folder"),
                                                        QFileInfo(settings::recentFiles.get().value(0)).path());
    if (!path.isEmpty()) session_.openFile(path);
}

/// A file that was read is a recent one, however it was opened; one that is gone is none any more.
void MainWindow::rememberFile() {
    const QString path = session_.draft().value(Field::Weights);
    const Problem* problem = session_.reading().problem(Field::Weights);
    if (problem && problem->error.code == ErrorCode::FileMissing) settings::removeRecentFile(path);
    const Reading& reading = session_.reading();
    const std::shared_ptr<const void> file =
        reading.recording ? std::shared_ptr<const void>(reading.recording) : std::shared_ptr<const void>(reading.file);
    if (file == remembered_file_.lock()) return;
    remembered_file_ = file;
    if (file) settings::addRecentFile(path);
}

void MainWindow::showExamples() {
    auto* gallery = new ExampleGallery(this);
    gallery->setAttribute(Qt::WA_DeleteOnClose);
    connect(gallery, &ExampleGallery::chosen, this, &MainWindow::openExample);
    gallery->open();
}

/// One undo step for A, B and what is looked at.
void MainWindow::openExample(const Example& example) {
    const bool same_b = !example.b || (compare_->b() && compare_->b()->draft() == *example.b);
    if (session_.draft() == example.draft && session_.wantedSelection() == example.selection && same_b) return;
    session_.undoStack()->beginMacro(tr("example “%1”").arg(example.name));
    session_.open(example.draft, example.selection, {});
    if (example.b) compare_->setB(*example.b, {});
    session_.undoStack()->endMacro();
}

void MainWindow::scaleType(int steps) {
    applyTypeSize(qBound(7, QApplication::font().pointSize() + steps, 28));
    settings::fontSize.set(QApplication::font().pointSize());
}

void MainWindow::showKeys() {
    static const QRegularExpression mnemonic(QStringLiteral("\\(&.\\)|&"));  // "(&X)" is how Chinese menus have it
    QStringList lines;
    for (const auto* action : findChildren<QAction*>())
        if (!action->shortcut().isEmpty())
            lines << action->shortcut().toString(QKeySequence::NativeText) + QLatin1Char('\t') +
                         action->text().remove(mnemonic);
    lines << QString() << tr("In a map of a head:") << tr("arrows\tmove the locked cell")
          << tr("Enter\tenlarge the head, Esc: all heads") << tr("Space\tlock or unlock") << QString()
          << tr("On page Mask:") << tr("arrows\tmove the cell cursor, with Shift they paint")
          << tr("Space\tpaint here with the chosen brush") << tr("Enter\tlock the cell, Esc: undo the stroke");
    showKeyList(tr("Keyboard"), lines, this);
}

void MainWindow::showAbout() {
    QMessageBox::about(this, tr("About HeadScope"),
                       tr("<h3>HeadScope %1</h3><p>See what each head of a multi-head attention layer attends to, "
                          "computed exactly as PyTorch does.</p><p>Built with Qt %2, QCustomPlot, Eigen, oneDNN, "
                          "Highway, fmt, nlohmann-json and libzip.</p><p>Free software under the GNU General Public "
                          "License, version 3 or later, without any warranty.</p>")
                           .arg(QApplication::applicationVersion(), QLatin1String(qVersion())));
}

}  // namespace headscope
