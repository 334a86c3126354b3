// SPDX-License-Identifier: GPL-3.0-or-later
// The menus of the window: intents to the session, marks that follow it, and the shortcuts.
#include <QActionGroup>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolBar>
#include <memory>

#include "ui/export/export_dialog.h"
#include "ui/look/empty_state.h"
#include "ui/look/theme.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/heads/stage_bar.h"
#include "ui/pages/speed/speed_dialog.h"
#include "ui/state/mask_presets.h"
#include "ui/state/phrase.h"
#include "ui/state/session.h"
#include "ui/state/settings.h"
#include "ui/window/go_to_token.h"
#include "ui/window/main_window.h"

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

void MainWindow::buildMenus() {
    buildFileMenu();
    buildEditMenu();
    buildViewMenu();
    buildMaskMenu();
    buildLessonMenu();
    buildHelpMenu();
}

void MainWindow::buildFileMenu() {
    auto* menu = menuBar()->addMenu(tr("&File"));
    menu->addAction(tr("&Open…"), QKeySequence::Open, this, &MainWindow::chooseFile)
        ->setToolTip(tr("A weights file, recorded attention, a session, or a picture that carries one"));
    auto* folder = menu->addAction(tr("Open &model folder…"), this, &MainWindow::chooseFolder);
    folder->setToolTip(tr("A folder with config.json and the safetensors files of a model, whose layers are listed"));
    auto* recent = menu->addMenu(tr("Open &recent"));
    connect(menu, &QMenu::aboutToShow, recent, [this, recent] {
        recent->clear();
        const auto paths = settings::recentFiles.get();
        recent->setEnabled(!paths.isEmpty());
        for (const auto& path : paths) recent->addAction(plainMenuText(path), this, [this, path] { openPath(path); });
    });
    auto* examples = menu->addAction(tr("E&xamples…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), this,
                                     &MainWindow::showExamples);
    examples->setObjectName(QStringLiteral("examples"));
    stage_bar_->addCommand(examples);
    menu->addSeparator();
    menu->addAction(tr("&Save session"), QKeySequence::Save, this, &MainWindow::saveSession)
        ->setObjectName(QStringLiteral("saveSession"));
    menu->addAction(tr("Save session &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), this,
                    &MainWindow::saveSessionAs);
    menu->addSeparator();
    auto* exporting =
        menu->addAction(tr("&Export…"), QKeySequence(Qt::CTRL | Qt::Key_E), this, &MainWindow::exportFigure);
    exporting->setObjectName(QStringLiteral("export"));
    stage_bar_->addCommand(exporting);
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
    menu->addAction(tr("&Start over"), &session_, &Session::startOver)
        ->setToolTip(tr("The two sentences, the settings and the page of the first start"));
}

/// One action a page, Alt+1 and so on; a page has the keyboard once it is called.
void MainWindow::addPageActions(QMenu* menu) {
    QList<Choice<PageName>> pages;
    for (int page = 0; page < pages_->count(); ++page)
        pages << Choice<PageName>{pages_->tabText(page), static_cast<PageName>(page),
                                  QKeySequence(QKeyCombination(Qt::ALT, static_cast<Qt::Key>(Qt::Key_1 + page)))};
    addChoices<PageName>(
        menu, session_, pages, [this] { return session_.selection().page; }, [this](PageName page) { callPage(page); });
    menu->addSeparator();
}

void MainWindow::buildViewMenu() {
    auto* menu = menuBar()->addMenu(tr("&View"));
    addPageActions(menu);
    menu->addMenu(tr("Compare A and &B"))->addActions(compare_->commands());
    addMapChoices(menu);
    menu->addSeparator();
    addLookChoices(menu);
    menu->addSeparator();
    menu->addAction(tr("Sp&eed and memory…"), this, [this] {
        auto* dialog = new SpeedDialog(this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    });
    menu->addSeparator();
    menu->addAction(token_bar_->toggleViewAction());
    for (auto* dock : docks_) menu->addAction(dock->toggleViewAction());
    menu->addAction(tr("&Hide or show all panels"), QKeySequence(Qt::Key_F9), this, &MainWindow::togglePanels);
    menu->addAction(tr("&Reset layout"), this, [this] {
        restoreState(first_layout_, kLayoutVersion);
        resizePanels();
        showLesson();
    });
}

/// What the maps show, and in which colours.
void MainWindow::addMapChoices(QMenu* menu) {
    const auto key = [](int digit) {
        return QKeySequence(QKeyCombination(Qt::CTRL, static_cast<Qt::Key>(Qt::Key_0 + digit)));
    };
    QList<Choice<Stage>> stages;
    for (const StageType& type : stage_types())
        stages << Choice<Stage>{translated(type.menu), type.stage, type.key ? key(type.key - '0') : QKeySequence()};
    auto* stage_menu = menu->addMenu(tr("&Stage"));
    stage_menu->setToolTipsVisible(true);
    addChoices<Stage>(
        stage_menu, session_, stages, [this] { return session_.selection().stage; },
        [this](Stage stage) { session_.setStage(stage); });
    connect(&session_, &Session::traceChanged, stage_menu, [this, stage_menu, stages] {
        for (qsizetype i = 0; i < stages.size(); ++i) {
            const bool there = has_stage(session_.trace()->request, stages[i].value);
            stage_menu->actions()[i]->setEnabled(there);
            stage_menu->actions()[i]->setToolTip(there ? QString() : missingStage());
        }
    });
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
    menu->addAction(tr("&Go to token…"), QKeySequence(Qt::CTRL | Qt::Key_G), this,
                    [this] { goToToken(session_, this); });
    menu->addAction(tr("&All heads"), QKeySequence(Qt::CTRL | Qt::Key_0), this,
                    [this] { session_.setHead(std::nullopt); });
}

/// How the whole window looks.
void MainWindow::addLookChoices(QMenu* menu) {
    auto* dark = menu->addAction(tr("&Dark"), QKeySequence(Qt::CTRL | Qt::Key_D), this, [](bool on) {
        applyTheme(on ? Theme::Dark : Theme::Light);
        settings::theme.set(currentTheme());
    });
    dark->setCheckable(true);
    dark->setChecked(currentTheme() == Theme::Dark);
    menu->addAction(tr("&Larger text"), QKeySequence::ZoomIn, this, [this] { scaleType(+1); });
    menu->addAction(tr("S&maller text"), QKeySequence::ZoomOut, this, [this] { scaleType(-1); });
    const auto chosen = std::make_shared<QString>(settings::language.get());
    addChoices<QString>(
        menu->addMenu(tr("La&nguage (after restart)")), session_,
        {{tr("&The system's"), {}},
         {QStringLiteral("English"), QStringLiteral("en")},
         {QStringLiteral("简体中文"), QStringLiteral("zh_CN")}},
        [chosen] { return *chosen; },
        [chosen](const QString& language) {
            *chosen = language;
            settings::language.set(language);
        });
}

void MainWindow::buildMaskMenu() {
    auto* menu = menuBar()->addMenu(tr("&Mask"));
    QList<Choice<QString>> masks;
    for (const NamedMask& preset : maskPresets() + rulePresets())
        masks << Choice<QString>{preset.name, preset.expression};
    addChoices<QString>(
        menu, session_, masks, [this] { return session_.draft().value(Field::Mask); },
        [this](const QString& mask) { session_.edit(Field::Mask, mask); });
    menu->addSeparator();
    menu->addAction(tr("Pain&t…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M), this,
                    [this] { callPage(PageName::Mask); });
    addChoices<QString>(
        menu->addMenu(tr("&Fill of masked cells")), session_,
        {{tr("&Safe: −inf, fully masked rows get zeros"), QStringLiteral("safe")},
         {tr("&Raw −inf: fully masked rows become NaN"), QStringLiteral("inf")},
         {tr("−1e9: fully masked rows become &uniform"), QStringLiteral("1e9")}},
        [this] { return session_.draft().value(Field::Fill); },
        [this](const QString& fill) { session_.edit(Field::Fill, fill); });
}

void MainWindow::buildHelpMenu() {
    auto* menu = menuBar()->addMenu(tr("&Help"));
    menu->addAction(findChild<QMenu*>(QStringLiteral("lessonMenu"))->menuAction());
    menu->addAction(tr("&Keyboard"), QKeySequence::HelpContents, this, &MainWindow::showKeys);
    menu->addAction(tr("&About HeadScope"), this, &MainWindow::showAbout);
}

}  // namespace headscope
