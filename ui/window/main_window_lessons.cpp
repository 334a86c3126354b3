// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons in the window: their menu, their panel, and what a step shows and hides.
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QFormLayout>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>
#include <utility>

#include "ui/export/save_file.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/heads/stage_bar.h"
#include "ui/panels/lesson/lesson_panel.h"
#include "ui/panels/shapes/shape_flow.h"
#include "ui/state/lesson_run.h"
#include "ui/state/session.h"
#include "ui/window/lesson_controls.h"
#include "ui/window/main_window.h"
#include "ui/window/presentation.h"

namespace headscope {

void MainWindow::buildLessons() {
    lessons_ = new LessonRun(session_, this);
    lesson_panel_ = new LessonPanel(session_, *lessons_);
    lesson_dock_ = new QDockWidget(tr("Lesson"), this);
    lesson_dock_->setObjectName(QStringLiteral("lessonDock"));
    lesson_dock_->setFeatures(QDockWidget::NoDockWidgetFeatures);
    lesson_dock_->setTitleBarWidget(new QWidget(lesson_dock_));
    lesson_dock_->setWidget(lesson_panel_);
    addDockWidget(Qt::RightDockWidgetArea, lesson_dock_, Qt::Horizontal);
    lesson_dock_->hide();
    lesson_controls_ = new LessonControls(this);
    lesson_controls_->add(QStringLiteral("tokens"), token_bar_);
    lesson_controls_->add(QStringLiteral("stages"), findChild<QToolBar*>(QStringLiteral("stageToolBar")));
    lesson_controls_->add(QStringLiteral("pages"), pages_->tabBar());
    lesson_controls_->add(QStringLiteral("parameters"), parameters_);
    lesson_controls_->add(QStringLiteral("shapes"), qobject_cast<QDockWidget*>(shapes_->parentWidget()));
    lesson_controls_->add(QStringLiteral("foot"), statusBar());
    lesson_controls_->add(QStringLiteral("maps"), pages_);
    connect(lessons_, &LessonRun::moved, this, &MainWindow::showLesson);
    lessons_->setReaderOfB(
        [this] { return compare_->b() ? std::optional(compare_->b()->draft()) : std::optional<Draft>(); });
    connect(lessons_, &LessonRun::bWanted, compare_, [this](const Draft& b) { compare_->setB(b, {}); });
    connect(lesson_panel_, &LessonPanel::showEverythingChanged, this, &MainWindow::showLesson);
}

void MainWindow::buildLessonMenu() {
    auto* menu = menuBar()->addMenu(tr("Less&on"));
    menu->setObjectName(QStringLiteral("lessonMenu"));
    menu->setToolTipsVisible(true);
    menu->menuAction()->setToolTip(tr("Lessons that explain attention step by step, on the present sentence"));
    auto* first = menu->addSeparator();
    // They are read when the menu is opened for the first time.
    connect(menu, &QMenu::aboutToShow, this, [this, menu, first, listed = false]() mutable {
        if (std::exchange(listed, true)) return;
        for (const ShippedLesson& shipped : shippedLessons()) {
            auto* action = new QAction(shipped.lesson->name.current(), menu);
            action->setObjectName(QStringLiteral("lesson_") + shipped.key);
            action->setToolTip(shipped.lesson->summary.current());
            connect(action, &QAction::triggered, this, [this, lesson = shipped.lesson] { startLesson(lesson); });
            menu->insertAction(first, action);
        }
    });
    menu->addAction(tr("&Open lesson file…"), this, &MainWindow::chooseLesson);
    menu->addSeparator();
    auto* next = menu->addAction(tr("&Next step"), QKeySequence(Qt::ALT | Qt::Key_Right), lessons_, &LessonRun::next);
    auto* previous =
        menu->addAction(tr("&Previous step"), QKeySequence(Qt::ALT | Qt::Key_Left), lessons_, &LessonRun::previous);
    auto* leave = menu->addAction(tr("&Leave the lesson"), lessons_, &LessonRun::leave);
    menu->addSeparator();
    menu->addAction(tr("&Add this view as a step…"), this, &MainWindow::askForStep)
        ->setObjectName(QStringLiteral("addStep"));
    auto* save = menu->addAction(tr("&Save lesson…"), this, &MainWindow::chooseLessonPlace);
    save->setObjectName(QStringLiteral("saveLesson"));
    const auto follow = [=, this] {
        next->setEnabled(lessons_->hasNext());
        previous->setEnabled(lessons_->hasPrevious());
        for (QAction* action : {leave, save}) action->setEnabled(lessons_->lesson() != nullptr);
    };
    connect(lessons_, &LessonRun::moved, menu, follow);
    follow();
    menu->addSeparator();
    menu->addAction(tr("P&resent full screen"), QKeySequence(Qt::Key_F5), this, &MainWindow::present)
        ->setObjectName(QStringLiteral("present"));
    stage_bar_->addCommand(menu->menuAction());
    for (auto* button : stage_bar_->findChildren<QToolButton*>())
        if (button->defaultAction() == menu->menuAction()) button->setPopupMode(QToolButton::InstantPopup);
}

void MainWindow::startLesson(const LessonPtr& lesson) {
    lessons_->start(lesson);
    lesson_panel_->setFocus();
}

void MainWindow::openLesson(const QString& path) {
    const auto lesson = readLesson(path);
    if (lesson) return startLesson(*lesson);
    showError(tr("Lesson"), lesson.error());
}

void MainWindow::chooseLesson() {
    const auto path =
        QFileDialog::getOpenFileName(this, tr("Open lesson file"), {}, tr("Lessons (*.json);;All files (*)"));
    if (!path.isEmpty()) openLesson(path);
}

/// The panel and what the step shows follow the lesson.
void MainWindow::showLesson() {
    const LessonStep* step = lessons_->step();
    const bool opens = step && lesson_dock_->isHidden();
    lesson_dock_->setVisible(step != nullptr);
    if (!step) {
        lesson_controls_->restore();
        return fitPanels();
    }
    lesson_controls_->apply(*step, lesson_panel_->showsEverything());
    if (opens) resizeDocks({lesson_dock_}, {lesson_panel_->sizeHint().width()}, Qt::Horizontal);
}

/// Asks for the title and the sentences of a step that shows the present state.
void MainWindow::askForStep() {
    auto* dialog = new QDialog(this);
    dialog->setObjectName(QStringLiteral("stepDialog"));
    dialog->setWindowTitle(tr("Add this view as a step"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    auto* title = new QLineEdit(dialog);
    title->setObjectName(QStringLiteral("stepTitle"));
    auto* text = new QPlainTextEdit(dialog);
    text->setObjectName(QStringLiteral("stepText"));
    text->setTabChangesFocus(true);
    text->setToolTip(
        tr("Two sentences. {weight} is the weight of the locked cell, {token} its query; docs/lessons.md "
           "lists all of them."));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
    buttons->button(QDialogButtonBox::Ok)->setEnabled(false);
    auto* form = new QFormLayout(dialog);
    form->addRow(tr("&Title"), title);
    form->addRow(tr("&Sentences"), text);
    form->addRow(buttons);
    connect(title, &QLineEdit::textChanged, buttons, [=](const QString& typed) {
        buttons->button(QDialogButtonBox::Ok)->setEnabled(!typed.trimmed().isEmpty());
    });
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
    connect(dialog, &QDialog::accepted, this,
            [=, this] { addStep(title->text().trimmed(), text->toPlainText().trimmed()); });
    dialog->open();
}

void MainWindow::addStep(const QString& title, const QString& text) {
    std::optional<Draft> b;
    if (session_.selection().page == PageName::Compare && compare_->b()) b = compare_->b()->draft();
    LessonStep step;
    step.title = {title, title};
    step.text = {text, text};
    step.state = lessonStateOf(session_.draft(), session_.selection(), b);
    lessons_->addStep(step, tr("My lesson"));
}

/// Shows the presentation full screen, and restores the keyboard focus afterwards.
void MainWindow::present() {
    if (findChild<Presentation*>()) return;
    QPointer<QWidget> focused = focusWidget();
    auto* presentation = new Presentation(session_, *lessons_, *compare_, this);
    connect(presentation, &Presentation::closed, this, [focused] {
        if (focused) focused->setFocus();
    });
    presentation->setGeometry(screen()->geometry());
    presentation->showFullScreen();
}

void MainWindow::chooseLessonPlace() {
    const auto path = QFileDialog::getSaveFileName(this, tr("Save lesson"), QStringLiteral("lesson.json"),
                                                   tr("Lessons (*.json);;All files (*)"));
    if (path.isEmpty() || !lessons_->lesson()) return;
    const auto saved = saveFile(path, lessonJson(*lessons_->lesson()));
    statusBar()->showMessage(saved ? tr("The lesson is saved in %1").arg(path) : sentence(saved.error()), 8000);
}

}  // namespace headscope
