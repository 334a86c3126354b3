// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <memory>
#include <optional>

class QTabWidget;
class QToolBar;

namespace headscope {

class Autosave;
class CompareView;
class Draft;
class LessonControls;
class LessonPanel;
class LessonRun;
class Session;
class ShapeFlow;
class StageBar;
enum class PageName;
struct Error;
struct Example;
struct Lesson;
struct SavedFigure;
struct SavedSession;

/// The window wires and does nothing else: the tokens above, docks for parameters and shapes around the five pages,
/// menus that send intents to the session, and what is remembered between starts.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(Session& session, QWidget* parent = nullptr);

    /// The hint of the first start, unless it was closed before.
    void showCallOut();

    void startLesson(const std::shared_ptr<const Lesson>& lesson);
    /// A lesson file; if it can't be read, says why, and everything stays as it is.
    void openLesson(const QString& path);

    ~MainWindow() override;

    /// A lesson, a session or a picture that carries one, weights or a recording, by the name of the file. If it can't
    /// be read, says why, and everything stays as it is.
    void openPath(const QString& path);
    /// All that is shown, as a session file holds it.
    SavedSession savedSession() const;
    /// Saves the state in this folder while the window is open.
    void keepAutosave(const QString& folder);
    /// Offers the state that a killed program left there.
    void offerLastState();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildPages();
    void addPage(QWidget* page, const QString& title);
    void showPage();
    void callPage(PageName page);
    void buildDocks();
    QDockWidget* addDock(const QString& title, QWidget* content, Qt::DockWidgetArea area, const QString& name);
    void restore();
    void chooseFile();
    void chooseFolder();
    void rememberFile();
    void fitPanels();
    void resizePanels();
    void togglePanels();
    void showExamples();
    void openExample(const Example& example);
    void scaleType(int steps);
    void showKeys();
    void showAbout();

    // main_window_menus.cpp
    void buildMenus();
    void buildFileMenu();
    void buildEditMenu();
    void buildViewMenu();
    void addPageActions(QMenu* menu);
    void addMapChoices(QMenu* menu);
    void addLookChoices(QMenu* menu);
    void buildMaskMenu();
    void buildHelpMenu();

    // main_window_lessons.cpp
    void buildLessons();
    void buildLessonMenu();
    void chooseLesson();
    void showLesson();
    void askForStep();
    void addStep(const QString& title, const QString& text);
    void chooseLessonPlace();
    void present();

    // main_window_sessions.cpp
    void showError(const QString& title, const Error& error);
    void showSession(const SavedSession& saved, const QString& what);
    std::optional<Draft> savedB() const;
    void useSessionPath(const QString& path);
    void saveSession();
    void saveSessionAs();
    void saveSessionTo(const QString& path);
    void exportFigure();

    /// Of what is remembered of the window; a layout of another version is not restored.
    static constexpr int kLayoutVersion = 2;

    Session& session_;
    QToolBar* token_bar_ = nullptr;
    StageBar* stage_bar_ = nullptr;
    QTabWidget* pages_ = nullptr;
    CompareView* compare_ = nullptr;
    ShapeFlow* shapes_ = nullptr;
    QDockWidget* parameters_ = nullptr;
    LessonRun* lessons_ = nullptr;
    LessonPanel* lesson_panel_ = nullptr;
    QDockWidget* lesson_dock_ = nullptr;
    LessonControls* lesson_controls_ = nullptr;
    bool made_way_ = false;  ///< fitPanels() has hidden the parameters
    QList<QDockWidget*> docks_;
    QList<QDockWidget*> hidden_;  ///< by togglePanels()
    QByteArray first_layout_;
    Autosave* autosave_ = nullptr;
    std::unique_ptr<SavedFigure> figure_;        ///< of a picture that was opened, until it is exported again
    QString session_path_;                       ///< where Save writes; empty before the first
    std::weak_ptr<const void> remembered_file_;  ///< a layer or a recording
};

}  // namespace headscope
