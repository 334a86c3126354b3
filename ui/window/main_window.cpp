// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMessageBox>
#include <QMimeData>
#include <QScreen>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolBar>

#include "ui/controls/elided_label.h"
#include "ui/look/theme.h"
#include "ui/look/type_size.h"
#include "ui/pages/atlas/summary_view.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/heads/heads_page.h"
#include "ui/pages/heads/stage_bar.h"
#include "ui/pages/mask/mask_lab.h"
#include "ui/pages/steps/chunk_view.h"
#include "ui/pages/steps/precision_view.h"
#include "ui/pages/steps/story_view.h"
#include "ui/panels/foot/foot.h"
#include "ui/panels/parameters/parameter_panel.h"
#include "ui/panels/shapes/shape_flow.h"
#include "ui/panels/tokens/token_strip.h"
#include "ui/state/session.h"
#include "ui/state/settings.h"
#include "ui/window/key_list.h"

namespace headscope {

MainWindow::MainWindow(Session& session, QWidget* parent) : QMainWindow(parent), session_(session) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("HeadScope"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/headscope.svg")));
    setAcceptDrops(true);
    setMinimumSize(800, 520);
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
    buildMenus();
    resize(QSize(1440, 900).boundedTo(screen()->availableSize()));
    first_layout_ = saveState(kLayoutVersion);
    restore();
    connect(&session, &Session::draftChanged, this, &MainWindow::rememberFile);
    rememberFile();
}

/// The views that share the middle of the window, one a tab; a new view is one more line.
void MainWindow::buildPages() {
    pages_ = new QTabWidget(this);
    pages_->setObjectName(QStringLiteral("pages"));
    pages_->setDocumentMode(true);
    pages_->setTabBarAutoHide(true);
    pages_->setElideMode(Qt::ElideRight);  // before there are arrows to scroll with
    auto* heads = new HeadsPage(session_, pages_);
    pages_->addTab(heads, tr("Heads"));
    pages_->setCornerWidget(heads->hint());
    connect(pages_, &QTabWidget::currentChanged, heads->hint(),
            [=, this] { heads->hint()->setVisible(pages_->currentWidget() == heads); });
    compare_ = new CompareView(session_, pages_);
    pages_->addTab(compare_, tr("Compare"));
    for (QAction* command : compare_->commands())  // what they do is to be seen
        connect(command, &QAction::triggered, pages_, [this] { pages_->setCurrentWidget(compare_); });
    auto* story = new StoryView(session_, pages_);
    pages_->addTab(story, tr("Story"));
    connect(heads, &HeadsPage::stepsWanted, pages_, [this, story] { pages_->setCurrentWidget(story); });
    mask_lab_ = new MaskLab(session_, pages_);
    pages_->addTab(mask_lab_, tr("Mask"));
    pages_->addTab(new ChunkView(session_, pages_), tr("Chunks"));
    pages_->addTab(new PrecisionView(session_, pages_), tr("Precision"));
    pages_->addTab(new SummaryView(session_, pages_), tr("Summary"));
    for (int page = 0; page < pages_->count(); ++page) pages_->setTabToolTip(page, pages_->tabText(page));
    setCentralWidget(pages_);
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
    connect(parameters, &ParameterPanel::paintWanted, this, &MainWindow::paintMask);
    connect(parameters, &ParameterPanel::startOverWanted, this, &MainWindow::startOver);
    // The headings of these two say what they are; a title bar of the dock's would only repeat it.
    auto* shapes = new ShapeFlow(session_);
    shapes->setFolded(settings::shapesFolded.get());
    connect(shapes, &ShapeFlow::foldedChanged, this, [](bool folded) { settings::shapesFolded.set(folded); });
    for (auto* dock : {addDock(tr("Parameters"), parameters, Qt::LeftDockWidgetArea, QStringLiteral("parameterDock")),
                       addDock(tr("Shapes"), shapes, Qt::RightDockWidgetArea, QStringLiteral("shapeDock"))}) {
        dock->setFeatures(QDockWidget::DockWidgetClosable);
        dock->setTitleBarWidget(new QWidget(dock));
    }
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
}

void MainWindow::closeEvent(QCloseEvent* event) {
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
    session_.openFile(event->mimeData()->urls().front().toLocalFile());
}

void MainWindow::chooseFile() {
    const auto path = QFileDialog::getOpenFileName(this, tr("Open weights file"),
                                                   QFileInfo(settings::recentFiles.get().value(0)).path(),
                                                   tr("Weights (*.safetensors);;All files (*)"));
    if (!path.isEmpty()) session_.openFile(path);
}

/// A file that was read is a recent one, however it was opened; one that is gone is none any more.
void MainWindow::rememberFile() {
    const QString path = session_.draft().value(Field::Weights);
    const Problem* problem = session_.reading().problem(Field::Weights);
    if (problem && problem->error.code == ErrorCode::FileMissing) settings::removeRecentFile(path);
    const LayerFilePtr& file = session_.reading().file;
    if (file == remembered_file_.lock()) return;
    remembered_file_ = file;
    if (file) settings::addRecentFile(path);
}

void MainWindow::startOver() {
    session_.edit(Draft(), tr("start over"));
}

void MainWindow::paintMask() {
    pages_->setCurrentWidget(mask_lab_);
    mask_lab_->setFocus();
}

void MainWindow::scaleType(int steps) {
    applyTypeSize(qBound(7, QApplication::font().pointSize() + steps, 28));
    settings::fontSize.set(QApplication::font().pointSize());
}

void MainWindow::showKeys() {
    QStringList lines;
    for (const auto* action : findChildren<QAction*>())
        if (!action->shortcut().isEmpty())
            lines << action->shortcut().toString(QKeySequence::NativeText) + QLatin1Char('\t') +
                         action->text().remove(QLatin1Char('&'));
    lines << QString() << tr("In the grid of heads:") << tr("arrows\tmove the locked cell")
          << tr("Enter\tenlarge the head, Esc: all heads (in the summary too)") << tr("Space\tlock or let go")
          << QString() << tr("In the mask:") << tr("arrows\tmove the cell cursor, with Shift they paint")
          << tr("Space\tpaint here, with the chosen tool") << tr("Enter\tlock the cell, Esc: take the stroke back");
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
