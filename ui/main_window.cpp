// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QScreen>
#include <QTabWidget>
#include <QToolBar>

#include "ui/chunks/chunk_view.h"
#include "ui/compare/compare_view.h"
#include "ui/export/export_dialog.h"
#include "ui/foot.h"
#include "ui/heads/head_grid.h"
#include "ui/heads/stage_bar.h"
#include "ui/mask_lab/mask_lab.h"
#include "ui/mask_presets.h"
#include "ui/parameters/parameter_panel.h"
#include "ui/precision/precision_view.h"
#include "ui/session.h"
#include "ui/settings.h"
#include "ui/shape_flow/shape_flow.h"
#include "ui/speed/speed_dialog.h"
#include "ui/story/story_view.h"
#include "ui/summary/summary_view.h"
#include "ui/theme.h"
#include "ui/tokens/token_editor.h"

namespace headscope {
namespace {

/// One choice of a menu: what is said and what it means.
template <typename T>
struct Choice {
    QString text;
    T value;
    QKeySequence keys{};
};

/// A group of checkable actions of which one holds, kept in step with `current` by the session's signals.
template <typename T, typename Current, typename Choose>
void addChoices(QMenu* menu, Session& session, const QList<Choice<T>>& choices, Current current, Choose choose) {
    auto* group = new QActionGroup(menu);
    group->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
    for (const auto& choice : choices) {
        auto* action = menu->addAction(choice.text);
        action->setCheckable(true);
        action->setShortcut(choice.keys);
        group->addAction(action);
        const auto follow = [action, current, value = choice.value] { action->setChecked(current() == value); };
        QObject::connect(action, &QAction::triggered, &session, [choose, value = choice.value, follow] {
            choose(value);
            follow();  // the click has taken the mark off what was chosen already
        });
        QObject::connect(&session, &Session::draftChanged, action, follow);
        QObject::connect(&session, &Session::selectionChanged, action, follow);
        follow();
    }
}

/// A path as a menu shows it: an ampersand is an ampersand, not a key.
QString plainMenuText(QString path) {
    return path.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

}  // namespace

MainWindow::MainWindow(Session& session, QWidget* parent) : QMainWindow(parent), session_(session) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("HeadScope"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/headscope.svg")));
    setAcceptDrops(true);
    setMinimumSize(800, 520);
    auto* bar = addToolBar(tr("What is shown"));
    bar->setObjectName(QStringLiteral("stageToolBar"));
    bar->setMovable(false);
    bar->addWidget(new StageBar(session, bar));
    buildPages();
    setStatusBar(new Foot(session, this));
    buildDocks();
    buildMenus();
    resize(QSize(1440, 900).boundedTo(screen()->availableSize()));
    first_layout_ = saveState();
    restore();
}

/// The views that share the middle of the window, one a tab; a new view is one more line.
void MainWindow::buildPages() {
    pages_ = new QTabWidget(this);
    pages_->setObjectName(QStringLiteral("pages"));
    pages_->setDocumentMode(true);
    pages_->setTabBarAutoHide(true);
    pages_->addTab(new HeadGrid(session_, pages_), tr("Heads"));
    compare_ = new CompareView(session_, pages_);
    pages_->addTab(compare_, tr("Compare"));
    for (QAction* command : compare_->commands())  // what they do is to be seen
        connect(command, &QAction::triggered, pages_, [this] { pages_->setCurrentWidget(compare_); });
    pages_->addTab(new StoryView(session_, pages_), tr("Story"));
    mask_lab_ = new MaskLab(session_, pages_);
    pages_->addTab(mask_lab_, tr("Mask"));
    pages_->addTab(new ChunkView(session_, pages_), tr("Chunks"));
    pages_->addTab(new PrecisionView(session_, pages_), tr("Precision"));
    pages_->addTab(new SummaryView(session_, pages_), tr("Summary"));
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
    setCorner(Qt::TopLeftCorner, Qt::TopDockWidgetArea);
    setCorner(Qt::TopRightCorner, Qt::TopDockWidgetArea);
    // A title beside the tokens, not above them: on a low screen each line counts.
    auto* tokens = addDock(tr("Tokens"), new TokenEditor(session_), Qt::TopDockWidgetArea, QStringLiteral("tokenDock"));
    tokens->setFeatures(tokens->features() | QDockWidget::DockWidgetVerticalTitleBar);
    auto* parameters = new ParameterPanel(session_);
    connect(parameters, &ParameterPanel::paintWanted, this, &MainWindow::paintMask);
    addDock(tr("Parameters"), parameters, Qt::LeftDockWidgetArea, QStringLiteral("parameterDock"));
    addDock(tr("Shapes"), new ShapeFlow(session_), Qt::RightDockWidgetArea, QStringLiteral("shapeDock"));
}

void MainWindow::buildMenus() {
    buildFileMenu();
    buildEditMenu();
    buildViewMenu();
    buildMaskMenu();
    buildHelpMenu();
}

void MainWindow::buildFileMenu() {
    auto* menu = menuBar()->addMenu(tr("&File"));
    menu->addAction(tr("&Open weights file…"), QKeySequence::Open, this, &MainWindow::chooseFile);
    auto* recent = menu->addMenu(tr("Open &recent"));
    connect(menu, &QMenu::aboutToShow, recent, [this, recent] {
        recent->clear();
        const auto paths = settings::recentFiles.get();
        recent->setEnabled(!paths.isEmpty());
        for (const auto& path : paths) recent->addAction(plainMenuText(path), this, [this, path] { openFile(path); });
    });
    menu->addSeparator();
    menu->addAction(tr("&Export…"), QKeySequence(Qt::CTRL | Qt::Key_E), this, [this] {
        if (session_.trace()) ExportDialog(session_, this).exec();
    });
    menu->addAction(tr("&Copy picture"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this, [this] {
        const auto copied = copyPictureToClipboard(session_);
        statusBar()->showMessage(copied ? tr("The picture is on the clipboard.") : sentence(copied.error()), 5000);
    });
    menu->addAction(tr("&Print…"), QKeySequence::Print, this, [this] { printPicture(session_, this); });
    menu->addSeparator();
    menu->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
}

void MainWindow::buildEditMenu() {
    auto* menu = menuBar()->addMenu(tr("&Edit"));
    auto* undo = session_.undoStack()->createUndoAction(this, tr("&Undo"));
    undo->setShortcut(QKeySequence::Undo);
    auto* redo = session_.undoStack()->createRedoAction(this, tr("&Redo"));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    menu->addActions({undo, redo});
    menu->addSeparator();
    menu->addAction(tr("&Start over"), this, [this] { session_.edit(Draft(), tr("start over")); })
        ->setToolTip(tr("The two sentences and the settings of the first start"));
}

/// One action a page, Alt+1 and so on; a page has the keyboard once it is called.
void MainWindow::addPageActions(QMenu* menu) {
    auto* group = new QActionGroup(menu);
    for (int page = 0; page < pages_->count(); ++page) {
        auto* action = menu->addAction(pages_->tabText(page), this, [this, page] {
            pages_->setCurrentIndex(page);
            pages_->widget(page)->setFocus();
        });
        action->setCheckable(true);
        action->setChecked(page == pages_->currentIndex());
        if (page < 9)
            action->setShortcut(QKeySequence(QKeyCombination(Qt::ALT, static_cast<Qt::Key>(Qt::Key_1 + page))));
        group->addAction(action);
        connect(pages_, &QTabWidget::currentChanged, action,
                [action, page](int now) { action->setChecked(now == page); });
    }
    menu->addSeparator();
}

void MainWindow::buildViewMenu() {
    auto* menu = menuBar()->addMenu(tr("&View"));
    if (pages_->count() > 1) addPageActions(menu);
    menu->addMenu(tr("Compare A and &B"))->addActions(compare_->commands());
    const auto key = [](int digit) {
        return QKeySequence(QKeyCombination(Qt::CTRL, static_cast<Qt::Key>(Qt::Key_0 + digit)));
    };
    addChoices<Stage>(
        menu->addMenu(tr("&Stage")), session_,
        {{tr("x, the token vectors"), Stage::X},
         {tr("qkv, the fused projection"), Stage::Qkv},
         {tr("&Q"), Stage::Q, key(1)},
         {tr("&K"), Stage::K, key(2)},
         {tr("&V"), Stage::V, key(3)},
         {tr("&Scores"), Stage::Scores, key(4)},
         {tr("&Mask"), Stage::Mask},
         {tr("M&asked scores"), Stage::Masked, key(5)},
         {tr("&Weights"), Stage::Weights, key(6)},
         {tr("&Context by head"), Stage::HeadContext, key(7)},
         {tr("Concatenated context"), Stage::Concat},
         {tr("&Output"), Stage::Output, key(8)}},
        [this] { return session_.selection().stage; }, [this](Stage stage) { session_.setStage(stage); });
    addChoices<Range>(
        menu->addMenu(tr("Colour s&cale")), session_,
        {{tr("&0 to 1"), Range::Unit},
         {tr("Per &head"), Range::Head},
         {tr("&Shared"), Range::Shared},
         {tr("&Logarithmic"), Range::Log}},
        [this] { return session_.selection().shownRange(); }, [this](Range range) { session_.setRange(range); });
    addChoices<Palette>(
        menu->addMenu(tr("&Palette")), session_,
        {{tr("&Viridis"), Palette::Viridis},
         {tr("&Cividis"), Palette::Cividis},
         {tr("&Magma"), Palette::Magma},
         {tr("&Greys"), Palette::Greys},
         {tr("&Diverging"), Palette::Diverging}},
        [this] { return session_.selection().shownPalette(); },
        [this](Palette palette) { session_.setPalette(palette); });
    menu->addAction(tr("&All heads"), QKeySequence(Qt::CTRL | Qt::Key_0), this,
                    [this] { session_.setHead(std::nullopt); });
    menu->addSeparator();
    auto* dark = menu->addAction(tr("&Dark"), QKeySequence(Qt::CTRL | Qt::Key_D), this, [](bool on) {
        applyTheme(on ? Theme::Dark : Theme::Light);
        settings::theme.set(currentTheme());
    });
    dark->setCheckable(true);
    dark->setChecked(currentTheme() == Theme::Dark);
    menu->addAction(tr("&Larger type"), QKeySequence::ZoomIn, this, [this] { scaleType(+1); });
    menu->addAction(tr("S&maller type"), QKeySequence::ZoomOut, this, [this] { scaleType(-1); });
    addChoices<QString>(
        menu->addMenu(tr("La&nguage (from the next start)")), session_,
        {{tr("&The system's"), {}},
         {QStringLiteral("English"), QStringLiteral("en")},
         {QStringLiteral("简体中文"), QStringLiteral("zh_CN")}},
        [] { return settings::language.get(); }, [](const QString& language) { settings::language.set(language); });
    menu->addSeparator();
    menu->addAction(tr("Sp&eed and memory…"), this, [this] {
        auto* dialog = new SpeedDialog(this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    });
    menu->addSeparator();
    for (auto* dock : docks_) menu->addAction(dock->toggleViewAction());
    menu->addAction(tr("&Hide or show all panels"), QKeySequence(Qt::Key_F9), this, &MainWindow::togglePanels);
    menu->addAction(tr("&Reset layout"), this, [this] { restoreState(first_layout_); });
}

/// Gives the page the whole window; what was open then is open again afterwards.
void MainWindow::togglePanels() {
    QList<QDockWidget*> open;
    for (auto* dock : docks_)
        if (!dock->isHidden()) open << dock;
    const auto again = hidden_.isEmpty() ? docks_ : hidden_;
    hidden_ = open;
    for (auto* dock : open.isEmpty() ? again : open) dock->setVisible(open.isEmpty());
}

void MainWindow::buildMaskMenu() {
    auto* menu = menuBar()->addMenu(tr("&Mask"));
    QList<Choice<QString>> masks;
    for (const MaskPreset& preset : maskPresets()) masks << Choice<QString>{preset.name, preset.expression};
    addChoices<QString>(
        menu, session_, masks, [this] { return session_.draft().value(Field::Mask); },
        [this](const QString& mask) { session_.edit(Field::Mask, mask); });
    menu->addSeparator();
    menu->addAction(tr("Pain&t…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M), this, &MainWindow::paintMask);
    addChoices<QString>(
        menu->addMenu(tr("&Fill of masked cells")), session_,
        {{tr("&Safe: −inf, and empty rows get zeros"), QStringLiteral("safe")},
         {tr("&Raw −inf: empty rows become NaN"), QStringLiteral("inf")},
         {tr("The article's −1e9: empty rows become &uniform"), QStringLiteral("1e9")}},
        [this] { return session_.draft().value(Field::Fill); },
        [this](const QString& fill) { session_.edit(Field::Fill, fill); });
}

void MainWindow::buildHelpMenu() {
    auto* menu = menuBar()->addMenu(tr("&Help"));
    menu->addAction(tr("&Keyboard"), QKeySequence::HelpContents, this, &MainWindow::showKeys);
    menu->addAction(tr("&About HeadScope"), this, &MainWindow::showAbout);
}

void MainWindow::restore() {
    restoreGeometry(settings::windowGeometry.get());
    restoreState(settings::windowLayout.get());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    settings::windowGeometry.set(saveGeometry());
    settings::windowLayout.set(saveState());
    settings::rememberWork(session_.draft(), session_.wantedSelection());
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const auto urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    openFile(event->mimeData()->urls().front().toLocalFile());
}

void MainWindow::chooseFile() {
    const auto path = QFileDialog::getOpenFileName(this, tr("Open weights file"),
                                                   QFileInfo(settings::recentFiles.get().value(0)).path(),
                                                   tr("Weights (*.safetensors);;All files (*)"));
    if (!path.isEmpty()) openFile(path);
}

void MainWindow::openFile(const QString& path) {
    auto draft = session_.draft();
    draft.set(Field::Weights, path);
    for (const auto field : {Field::EmbedDim, Field::NumHeads, Field::Layout, Field::Mask}) draft.set(field, {});
    session_.edit(draft, tr("open %1").arg(QFileInfo(path).fileName()));
    settings::addRecentFile(QFileInfo(path).absoluteFilePath());
}

void MainWindow::paintMask() {
    pages_->setCurrentWidget(mask_lab_);
    mask_lab_->setFocus();
}

void MainWindow::scaleType(int steps) {
    auto font = QApplication::font();
    font.setPointSize(qBound(7, font.pointSize() + steps, 28));
    QApplication::setFont(font);
    applyTheme(currentTheme());  // under a style sheet, widgets take the application's font when they are polished anew
    settings::fontSize.set(font.pointSize());
}

void MainWindow::showKeys() {
    QStringList lines;
    for (const auto* action : findChildren<QAction*>())
        if (!action->shortcut().isEmpty())
            lines << action->shortcut().toString(QKeySequence::NativeText) + QLatin1Char('\t') +
                         action->text().remove(QLatin1Char('&'));
    lines << QString() << tr("In the grid of heads:") << tr("arrows\tmove the locked cell")
          << tr("Enter\tenlarge the head, Esc: all heads") << tr("Space\tlock or let go") << QString()
          << tr("In the mask:") << tr("arrows\tmove the cell cursor, with Shift they paint")
          << tr("Space\tpaint here, with the chosen tool") << tr("Enter\tlock the cell, Esc: take the stroke back");
    QMessageBox box(QMessageBox::NoIcon, tr("Keyboard"), lines.join(QLatin1Char('\n')), QMessageBox::Close, this);
    box.setTextFormat(Qt::PlainText);
    box.exec();
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
