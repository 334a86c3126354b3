// SPDX-License-Identifier: GPL-3.0-or-later
// Files in the window: what is opened by its name, sessions, and the state that a killed program left.
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>
#include <QToolBar>
#include <utility>

#include "ui/export/export_dialog.h"
#include "ui/export/picture_state.h"
#include "ui/export/save_file.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/panels/shapes/shape_flow.h"
#include "ui/state/lesson_run.h"
#include "ui/state/session.h"
#include "ui/state/settings.h"
#include "ui/window/autosave.h"
#include "ui/window/lesson_controls.h"
#include "ui/window/main_window.h"

namespace headscope {

MainWindow::~MainWindow() = default;

/// By its name: a lesson, a session or a picture that carries one, or weights.
void MainWindow::openPath(const QString& path) {
    if (isLessonName(path)) return openLesson(path);
    const bool is_session = isSessionName(path);
    if (!is_session && !isPictureName(path)) return session_.openFile(path);
    const auto saved = readAnySession(path);
    if (!saved) return showError(is_session ? tr("Session") : tr("Picture"), saved.error());
    showSession(*saved, tr("open %1").arg(QFileInfo(path).fileName()));
    figure_ = saved->figure ? std::make_unique<SavedFigure>(*saved->figure) : nullptr;
    is_session ? useSessionPath(path) : settings::addRecentFile(path);
}

void MainWindow::showError(const QString& title, const Error& error) {
    auto* box = new QMessageBox(QMessageBox::Warning, title, {}, QMessageBox::Ok, this);
    box->setObjectName(QStringLiteral("fileError"));
    box->setTextFormat(Qt::PlainText);
    box->setText(sentence(error));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

/// B is saved where it differs from what page Compare begins with, and has A's text, as there.
std::optional<Draft> MainWindow::savedB() const {
    if (!compare_->b()) return std::nullopt;
    Draft b = compare_->b()->draft();
    for (const Field field : {Field::Text, Field::Tokenizer}) b.set(field, session_.draft().value(field));
    return b == CompareView::firstB(session_.draft()) ? std::nullopt : std::optional(b);
}

SavedSession MainWindow::savedSession() const {
    SavedSession saved;
    saved.state = savedState(session_.draft(), session_.wantedSelection(), savedB());
    saved.shapes_folded = settings::shapesFolded.get();
    if (lesson_controls_->isActive()) return saved;  // the lesson chooses what is shown
    saved.panels.clear();
    const QWidget* shapes = shapes_->parentWidget();
    if (!token_bar_->isHidden()) saved.panels << QStringLiteral("tokens");
    if (!parameters_->isHidden() || made_way_) saved.panels << QStringLiteral("parameters");
    if (!shapes->isHidden()) saved.panels << QStringLiteral("shapes");
    return saved;
}

/// One undo step for A, B and what is looked at. The panels are no part of it.
void MainWindow::showSession(const SavedSession& saved, const QString& what) {
    lessons_->leave();
    const Draft draft = savedDraft(saved.state.draft);
    session_.undoStack()->beginMacro(what);
    session_.open(draft, saved.state.selection, {});
    if (saved.state.b)
        compare_->setB(savedDraft(*saved.state.b), {});
    else if (compare_->b())
        compare_->setB(CompareView::firstB(draft), {});
    session_.undoStack()->endMacro();
    settings::shapesFolded.set(saved.shapes_folded);
    shapes_->setFolded(saved.shapes_folded);
    token_bar_->setVisible(saved.panels.contains(QStringLiteral("tokens")));
    parameters_->setVisible(saved.panels.contains(QStringLiteral("parameters")));
    shapes_->parentWidget()->setVisible(saved.panels.contains(QStringLiteral("shapes")));
    made_way_ = false;
    hidden_.clear();
    fitPanels();
    resizePanels();
}

void MainWindow::useSessionPath(const QString& path) {
    session_path_ = QFileInfo(path).absoluteFilePath();
    settings::addRecentFile(session_path_);
    setWindowTitle(QFileInfo(path).fileName() + QStringLiteral(" – HeadScope"));
}

void MainWindow::saveSession() {
    if (session_path_.isEmpty()) return saveSessionAs();
    saveSessionTo(session_path_);
}

void MainWindow::saveSessionAs() {
    QFileDialog dialog(this, tr("Save session"), QFileInfo(session_path_).path());
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QStringLiteral("headscope"));
    dialog.setNameFilter(tr("Sessions (*.headscope)"));
    dialog.selectFile(session_path_.isEmpty() ? QStringLiteral("session.headscope") : session_path_);
    if (dialog.exec() == QDialog::Accepted) saveSessionTo(dialog.selectedFiles().first());
}

void MainWindow::saveSessionTo(const QString& path) {
    const auto written = saveFile(path, sessionJson(savedSession()));
    if (!written) return showError(tr("Session"), written.error());
    useSessionPath(path);
    statusBar()->showMessage(tr("The session is saved in %1").arg(QDir::toNativeSeparators(path)), 8000);
}

void MainWindow::exportFigure() {
    if (!session_.trace()) return;
    ExportDialog dialog(session_, this);
    dialog.carry([this] { return savedSession(); });
    if (const auto figure = std::exchange(figure_, nullptr)) dialog.begin(*figure);
    dialog.exec();
}

void MainWindow::keepAutosave(const QString& folder) {
    autosave_ = new Autosave(
        folder, [this] { return savedSession(); }, this);
    for (const auto changed : {&Session::draftChanged, &Session::selectionChanged})
        connect(&session_, changed, autosave_, &Autosave::touch);
}

void MainWindow::offerLastState() {
    const auto left = autosave_->left();
    if (!left) return;
    auto* box = new QMessageBox(QMessageBox::Question, QStringLiteral("HeadScope"), {}, QMessageBox::NoButton, this);
    box->setObjectName(QStringLiteral("recovery"));
    box->setTextFormat(Qt::PlainText);
    box->setText(tr("HeadScope ended unexpectedly. Its last state, of %1, was saved; restore it?")
                     .arg(QLocale().toString(left->when, QLocale::ShortFormat)));
    auto* restore = box->addButton(tr("&Restore"), QMessageBox::AcceptRole);
    auto* discard = box->addButton(tr("&Discard"), QMessageBox::DestructiveRole);  // which Esc is not
    box->setDefaultButton(restore);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(box, &QMessageBox::finished, this, [this, box, restore, discard, saved = left->session] {
        if (box->clickedButton() == restore) {
            showSession(saved, tr("restore the last state"));
            autosave_->save();  // before the old file goes
        }
        if (box->clickedButton() == restore || box->clickedButton() == discard) autosave_->forgetLeft();
    });
    box->open();
}

}  // namespace headscope
