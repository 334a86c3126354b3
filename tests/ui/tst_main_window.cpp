// SPDX-License-Identifier: GPL-3.0-or-later
// A whole lesson in the window: a person types, clicks, hovers and undoes, and reads what the screen says.
#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QInputMethodEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMap>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <functional>
#include <random>

#include "panel_support.h"
#include "support.h"
#include "ui/maps/head_grid.h"
#include "ui/maps/heat_map.h"
#include "ui/panels/shapes/shape_flow.h"
#include "ui/panels/tokens/token_chips.h"
#include "ui/panels/tokens/token_strip.h"
#include "ui/state/settings.h"
#include "ui/window/main_window.h"
#include "window_support.h"

using namespace headscope;

namespace {

/// A window on a session of its own, shown and computed.
struct Desk {
    Session session;
    MainWindow window{session};

    Desk() {
        window.resize(1440, 900);
        window.show();
        (void)QTest::qWaitForWindowExposed(&window);
        (void)waitForTrace(session);
    }
    template <typename T>
    T* find(const char* name) {
        auto* widget = window.findChild<T*>(QLatin1String(name));
        if (!widget) qFatal("there is no %s", name);
        return widget;
    }
    QString foot(const char* name) { return find<QLabel>(name)->text(); }
    ShapeFlow* flow() { return window.findChild<ShapeFlow*>(); }
    HeatMap* map(int head) { return find<HeatMap>(qPrintable(QStringLiteral("heatMap%1").arg(head))); }
    QList<HeatMap*> shownMaps() {
        QList<HeatMap*> shown;
        for (auto* map : window.findChildren<HeatMap*>())
            if (map->isVisible()) shown << map;
        return shown;
    }
    TokenStrip* strip() { return window.findChild<TokenStrip*>(); }
    QLineEdit* line() { return strip()->lineEdit(); }
    /// A click on a chip, which edits its line there.
    void clickChip(int row, int index) {
        auto* chips = strip()->chips();
        QTest::mouseClick(chips->viewport(), Qt::LeftButton, Qt::NoModifier, chips->chipRect(row, index).center());
    }
    void clickDot(int row) {
        auto* chips = strip()->chips();
        QTest::mouseClick(chips->viewport(), Qt::LeftButton, Qt::NoModifier,
                          QPoint(5, chips->rowRect(row).center().y()));
    }
    void type(QWidget* field, const QString& text) {
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        const auto lines = text.split(QLatin1Char('\n'));
        for (int i = 0; i < lines.size(); ++i) {
            if (i > 0) QTest::keyClick(field, Qt::Key_Return);
            QTest::keyClicks(field, lines[i]);
        }
        QVERIFY(waitForTrace(session));
    }
    void typeInto(const char* name, const QString& text) {
        auto* widget = find<QWidget>(name);
        auto* line = widget->findChild<QLineEdit*>();
        type(line ? line : widget, text);
    }
    void click(const char* name) {
        auto* box = find<QCheckBox>(name);
        QTest::mouseClick(box, Qt::LeftButton, Qt::NoModifier, QPoint(8, box->height() / 2));
        QVERIFY(waitForTrace(session));
    }
    double weight(int head, int query, int key) {
        return session.trace()->matrix(Stage::Weights, session.selection().sequence, head).at(query, key);
    }
};

}  // namespace

class TestMainWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(testing::beginAsAtFirstStart(folder_)); }
    void init() { QSettings().clear(); }

    void theFirstStartShowsTheMockUp() {
        Desk desk;
        QCOMPARE(desk.find<TokenChips>("tokenChips")->chipText(0, 9), QStringLiteral("tired"));
        QCOMPARE(desk.find<TokenChips>("tokenChips")->rowCount(), 2);
        QCOMPARE(desk.find<TokenChips>("tokenChips")->chipText(1, 3), QStringLiteral("[PAD]"));
        QCOMPARE(desk.shownMaps().size(), 8);
        QCOMPARE(desk.flow()->shapeText(Stage::X), QStringLiteral("(2, 10, 512)"));
        QCOMPARE(desk.flow()->shapeText(Stage::Scores), QStringLiteral("(2, 8, 10, 10)"));
        QVERIFY(desk.foot("footRows").startsWith(QStringLiteral("rows sum to 1")));
        QVERIFY2(desk.foot("footMemory").contains(QStringLiteral("6.4 KB whole")), qPrintable(desk.foot("footMemory")));
    }

    void theShapesWidenWithTheTextSize() {
        Desk desk;
        desk.window.resize(1920, 1080);
        QCoreApplication::processEvents();
        const int before = QApplication::font().pointSize();
        const auto press = [&](QKeySequence::StandardKey key, int times) {
            const auto actions = desk.window.findChildren<QAction*>();
            const auto action = std::find_if(actions.begin(), actions.end(),
                                             [&](const QAction* a) { return a->shortcut() == QKeySequence(key); });
            QVERIFY(action != actions.end());
            for (int i = 0; i < times; ++i) (*action)->trigger();
            QCoreApplication::processEvents();
        };
        press(QKeySequence::ZoomIn, 8);
        QCOMPARE(QApplication::font().pointSize(), before + 8);
        const int large = desk.flow()->width();
        press(QKeySequence::ZoomOut, 8);
        const int small = desk.flow()->width();
        QCOMPARE(QApplication::font().pointSize(), before);
        QVERIFY2(large > 1.2 * small, qPrintable(QStringLiteral("%1, %2").arg(small).arg(large)));
    }

    void mnemonicsOfMenusAndControlsDontMeet() {
        Desk desk;
        QStringList labels;
        for (const auto* action : desk.window.menuBar()->actions()) labels << action->text();
        for (const auto* label : desk.window.findChildren<QLabel*>())
            if (label->buddy() && label->isVisible()) labels << label->text();
        for (const auto* button : desk.window.findChildren<QAbstractButton*>())
            if (button->isVisible()) labels << button->text();
        QMap<QChar, QString> taken;
        for (const QString& label : labels) {
            const auto at = label.indexOf(u'&');
            if (at < 0 || label.mid(at, 2) == u"&&") continue;
            const QChar key = label[at + 1].toLower();
            QVERIFY2(!taken.contains(key), qPrintable(label + u'/' + taken.value(key)));
            taken[key] = label;
        }
        QVERIFY(taken.size() > 12);
    }

    void panelsAreAsWideAsBeforeOnceTheTextIs() {
        for (int start = 0; start < 2; ++start) {  // the second one restores what the first remembered
            Desk desk;
            desk.window.resize(1440, 900);
            QCoreApplication::processEvents();
            const int parameters = desk.find<QDockWidget>("parameterDock")->width(), shapes = desk.flow()->width();
            for (int i = 0; i < 3; ++i) QTest::keyClick(&desk.window, Qt::Key_Plus, Qt::ControlModifier);
            QCoreApplication::processEvents();
            QVERIFY(desk.find<QDockWidget>("parameterDock")->width() > parameters);
            for (int i = 0; i < 3; ++i) QTest::keyClick(&desk.window, Qt::Key_Minus, Qt::ControlModifier);
            QCoreApplication::processEvents();
            QTRY_COMPARE(desk.find<QDockWidget>("parameterDock")->width(), parameters);
            QTRY_COMPARE(desk.flow()->width(), shapes);
            desk.window.close();
        }
    }

    void panelsGiveWayBeforeTheMaps() {
        const QFont font = QApplication::font();
        Desk desk;
        desk.window.resize(1024, 640);
        QCoreApplication::processEvents();
        QVERIFY(!desk.flow()->isFolded());
        for (int i = 0; i < 9; ++i) QTest::keyClick(&desk.window, Qt::Key_Plus, Qt::ControlModifier);
        QTRY_VERIFY(desk.flow()->isFolded());
        QTRY_VERIFY(desk.find<QTabWidget>("pages")->width() >= 600);
        QVERIFY(!settings::shapesFolded.get());  // it is not the choice of a person
        for (int i = 0; i < 9; ++i) QTest::keyClick(&desk.window, Qt::Key_Minus, Qt::ControlModifier);
        QTRY_VERIFY(!desk.flow()->isFolded());
        QVERIFY(desk.find<QDockWidget>("parameterDock")->isVisible());
        QVERIFY(desk.window.minimumSizeHint().height() <= 512);  // 1366×768 at a scale factor of 1.5
        QApplication::setFont(font);
    }

    void theListOfKeysFitsTheScreen() {
        Desk desk;
        bool seen = false;
        QTimer::singleShot(0, &desk.window, [&] {
            auto* dialog = QApplication::activeModalWidget();
            if (!dialog) return;
            const auto* buttons = dialog->findChild<QDialogButtonBox*>();
            const auto* scroll = dialog->findChild<QScrollArea*>();
            seen = buttons && scroll && dialog->height() <= desk.window.screen()->availableSize().height() &&
                   dialog->rect().contains(buttons->geometry()) &&
                   scroll->widget()->width() <= scroll->viewport()->width();
            dialog->close();
        });
        for (QAction* action : desk.window.findChildren<QAction*>())
            if (action->shortcut() == QKeySequence(QKeySequence::HelpContents)) action->trigger();
        QVERIFY(seen);
    }

    void fiveTabsFitASmallWindow() {
        Desk desk;
        desk.window.resize(1024, 640);
        QCoreApplication::processEvents();
        const auto* bar = desk.find<QTabWidget>("pages")->tabBar();
        QCOMPARE(bar->count(), 5);
        for (const auto* arrow : bar->findChildren<QToolButton*>()) QVERIFY(!arrow->isVisible());
        QVERIFY(bar->tabRect(4).right() <= bar->width());
        for (int i = 0; i < 5; ++i) QCOMPARE(bar->tabToolTip(i), bar->tabText(i));
        QVERIFY(bar->focusPolicy() & Qt::TabFocus);
    }

    void eachPageOpensOnTheCellOfTheOneBefore() {
        Desk desk;
        desk.session.setLocked(Cell{4, 2, 6});
        desk.session.setPage(PageName::Steps);
        QVERIFY(desk.find<QLabel>("cellTitle")->isVisible());
        QVERIFY(desk.find<QLabel>("cellTitle")->text().contains(QStringLiteral("in head 6")));
        QTest::mouseClick(desk.find<QToolButton>("stepsChunks"), Qt::LeftButton);
        QCOMPARE(desk.session.selection().steps_part, StepsPart::Chunks);
        QCOMPARE(desk.find<QAbstractSpinBox>("chunkQuery")->text().left(1), QStringLiteral("4"));
        desk.session.setPage(PageName::Compare);
        QCOMPARE(desk.find<QComboBox>("compareHead")->currentIndex(), 6);
    }

    void noPageIsBlankAtFirstSight() {
        Desk desk;
        const std::pair<PageName, const char*> content[] = {{PageName::Mask, "maskGrid"},
                                                            {PageName::Compare, "mapDifference"},
                                                            {PageName::Steps, "cellTitle"},
                                                            {PageName::Atlas, "headTable"}};
        for (const auto& [page, name] : content) {
            desk.session.setPage(page);
            QTRY_VERIFY2(desk.find<QWidget>(name)->isVisible(), name);
        }
        desk.session.setPage(PageName::Steps);
        QVERIFY(desk.find<QLabel>("stepsNote")->text().contains(QStringLiteral("No cell is locked")));
    }

    void aLesson() {
        Desk desk;
        auto& session = desk.session;
        auto* chips = desk.strip()->chips();
        session.undoStack()->clear();

        // Two sentences of unequal length: the first is typed over the old one, the second pasted below, a word of it
        // comes from an input method.
        desk.clickChip(0, 0);
        QTest::keyClick(desk.line(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(desk.line(), QStringLiteral("we like to look inside"));
        QTest::keyClick(desk.line(), Qt::Key_Down);
        QTest::keyClick(desk.line(), Qt::Key_A, Qt::ControlModifier);
        QGuiApplication::clipboard()->setText(QStringLiteral("so do\nand another"));
        QTest::keyClick(desk.line(), Qt::Key_V, Qt::ControlModifier);
        QVERIFY(waitForTrace(session));
        QCOMPARE(chips->rowCount(), 3);
        for (int i = 0; i < 12; ++i) QTest::keyClick(desk.line(), Qt::Key_Backspace);  // the third, and its line
        QInputMethodEvent composing(QStringLiteral("wo"), {}), committed;
        committed.setCommitString(QStringLiteral(" 我"));
        QCoreApplication::sendEvent(desk.line(), &composing);
        QCoreApplication::sendEvent(desk.line(), &committed);
        QTest::keyClick(desk.line(), Qt::Key_Escape);
        QVERIFY(waitForTrace(session));
        QCOMPARE(session.draft().value(Field::Text), QStringLiteral("we like to look inside\nso do 我"));
        QCOMPARE(chips->rowCount(), 2);
        QCOMPARE(chips->chipText(0, 4), QStringLiteral("inside"));
        QCOMPARE(chips->chipText(1, 2), QStringLiteral("我"));
        QVERIFY(chips->isPadding(1, 3) && chips->isPadding(1, 4) && !chips->isPadding(1, 2));
        desk.clickDot(0);
        QCOMPARE(desk.flow()->shapeText(Stage::X), QStringLiteral("(2, 5, 512)"));

        // Causal and padding.
        desk.click("maskCausal");
        QCOMPARE(session.draft().value(Field::Mask), QStringLiteral("causal"));
        QCOMPARE(desk.weight(1, 0, 1), 0.0);
        QVERIFY(desk.find<QLabel>("allowedCells")->text().contains(QStringLiteral("15 of 25")));
        desk.click("maskPadding");
        desk.clickDot(1);
        QCOMPARE(session.selection().sequence, 1);
        QVERIFY2(desk.find<QLabel>("allowedCells")->text().contains(QStringLiteral("12 of 25")),
                 qPrintable(desk.find<QLabel>("allowedCells")->text()));
        desk.clickDot(0);

        // num_heads 16, then embed_dim 96. On the way "9" is illegal: the last good picture stays.
        desk.typeInto("numHeads", QStringLiteral("16"));
        QCOMPARE(desk.shownMaps().size(), 16);
        desk.typeInto("embedDim", QStringLiteral("9"));
        QCOMPARE(desk.shownMaps().size(), 16);
        QCOMPARE(session.reading().problems.size(), 1);
        QVERIFY(!session.reading().request);
        QCOMPARE(desk.flow()->shapeText(Stage::X), QStringLiteral("(2, 5, 512)"));
        desk.typeInto("embedDim", QStringLiteral("96"));
        QVERIFY(session.reading().problems.isEmpty());
        QCOMPARE(desk.flow()->shapeText(Stage::Q), QStringLiteral("(2, 16, 5, 6)"));

        // A chunk size.
        desk.typeInto("chunkSize", QStringLiteral("2"));
        QVERIFY2(desk.foot("footMemory").contains(QStringLiteral("chunks of 2")), qPrintable(desk.foot("footMemory")));

        // Hover, lock, enlarge.
        auto* map = desk.map(2);
        const auto cell = map->cellRect(3, 1).center().toPoint();
        QTest::mouseMove(map, cell);
        QTRY_COMPARE(session.hover(), std::optional(Cell{3, 1, 2}));
        QVERIFY2(desk.foot("footCell").contains(QStringLiteral("'look' (query 3)")), qPrintable(desk.foot("footCell")));
        QVERIFY(desk.foot("footCell").contains(QStringLiteral("'like' (key 1) in head 2")));
        QTest::mouseClick(map, Qt::LeftButton, Qt::NoModifier, cell);
        QTRY_COMPARE(session.selection().locked, std::optional(Cell{3, 1, 2}));
        QTest::mouseDClick(desk.map(2), Qt::LeftButton, Qt::NoModifier, desk.map(2)->cellRect(3, 1).center().toPoint());
        QTRY_COMPARE(session.selection().head, std::optional(2));
        QTRY_COMPARE(desk.shownMaps().size(), 1);

        // All edits undone, key by key, from wherever the focus is; looking around was no step.
        desk.clickChip(0, 0);
        for (int steps = 0; session.undoStack()->canUndo() && steps < 100; ++steps)
            QTest::keyClick(desk.line(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!session.undoStack()->canUndo());
        QVERIFY(waitForTrace(session));
        QCOMPARE(session.draft(), Draft());
        QCOMPARE(session.selection().head, std::nullopt);
        QCOMPARE(session.selection().locked, std::nullopt);
        QVERIFY(Draft().value(Field::Text).split(u'\n').contains(desk.line()->text()));
        QTest::keyClick(desk.line(), Qt::Key_Escape);
        QCOMPARE(chips->chipText(1, 1), QStringLiteral("dog"));
        QVERIFY(!desk.find<QCheckBox>("maskCausal")->isChecked());
        QTRY_COMPARE(desk.shownMaps().size(), 8);
        QCOMPARE(desk.flow()->shapeText(Stage::X), QStringLiteral("(2, 10, 512)"));
    }

    void aHeldKeyEndsOnTheLastEdit() {
        Desk desk;
        QStringList words;
        for (int i = 0; i < 64; ++i) words << QStringLiteral("w%1").arg(i);
        desk.session.edit(Field::Text, words.join(QLatin1Char(' ')));
        QVERIFY(waitForTrace(desk.session));

        desk.strip()->editLine(0, desk.session.draft().value(Field::Text).size());
        // No picture may be older than the one before it: its last token only grows.
        int longest = 0, pictures = 0, beats = 0;
        connect(&desk.session, &Session::traceChanged, this, [&] {
            const int length = int(desk.session.trace()->batch().tokens[0].back().size());
            QVERIFY(length >= longest);
            longest = length;
            ++pictures;
        });
        QTimer heart;
        connect(&heart, &QTimer::timeout, this, [&] { ++beats; });
        heart.start(0);
        for (int i = 0; i < 200; ++i) {
            QTest::keyClick(desk.line(), Qt::Key_A);
            QCoreApplication::processEvents();
        }
        QTRY_COMPARE(desk.session.trace()->batch().tokens[0].back(), "w63" + std::string(200, 'a'));
        QVERIFY(waitForTrace(desk.session));
        QVERIFY(pictures >= 1 && beats >= 200);
        QCOMPARE(desk.find<TokenChips>("tokenChips")->chipCount(), 64);
        QVERIFY(desk.find<TokenChips>("tokenChips")->chipText(0, 63).startsWith(QStringLiteral("w63aaa")));
    }

    void noTextSaysWhatToType() {
        Desk desk;
        desk.session.edit(Field::Text, QStringLiteral("one"));
        desk.clickChip(0, 0);
        QTest::keyClick(desk.line(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(desk.line(), Qt::Key_Delete);
        QCOMPARE(desk.session.reading().problems.size(), 1);
        QCOMPARE(desk.session.reading().problems[0].error.code, ErrorCode::NoTokens);
        QVERIFY(!desk.line()->placeholderText().isEmpty());
        QVERIFY(desk.find<QLabel>("tokenNote")->isVisible());
    }

    void aWeightsFileThatIsMissingIsAnsweredBesideTheControl() {
        Desk desk;
        desk.session.openFile(QStringLiteral("/nowhere/layer.safetensors"));
        QCOMPARE(desk.session.reading().problems.size(), 1);
        const auto notes = desk.window.findChildren<QLabel*>();
        const bool said = std::any_of(notes.begin(), notes.end(), [](const QLabel* note) {
            return note->isVisible() && note->text().contains(QStringLiteral("/nowhere/layer.safetensors"));
        });
        QVERIFY(said);
        QCOMPARE(desk.shownMaps().size(), 8);
    }

    /// The menu, a drop, the panel and the command line give the same: the layer's own numbers, the mask that was
    /// given, one step of undo, and a recent file.
    void everyDoorOpensAWeightsFileAlike() {
        const QString path = folder_.filePath(QStringLiteral("door.safetensors"));
        TensorFile file = layerFile(false);
        file.metadata = {{"num_heads", "2"}, {"mask", "local:1:0"}};
        writeFile(path, encode_safetensors(file));
        QMimeData dropped;
        dropped.setUrls({QUrl::fromLocalFile(path)});
        const std::vector<std::function<void(Desk&)>> doors = {
            [&](Desk& desk) { desk.session.openFile(path); },
            [&](Desk& desk) {
                QDragEnterEvent enter({10, 10}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
                QCoreApplication::sendEvent(&desk.window, &enter);
                QVERIFY(enter.isAccepted());
                QDropEvent event({10, 10}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
                QCoreApplication::sendEvent(&desk.window, &event);
            },
            [&](Desk& desk) {
                auto* browse = desk.window.findChild<QPushButton*>(QStringLiteral("weightsBrowse"));
                browse->click();
                auto* dialog = desk.window.findChild<QFileDialog*>();
                Q_EMIT dialog->fileSelected(path);
            },
        };
        for (const QString& mask : {QString(), QStringLiteral("causal")}) {
            for (const auto& door : doors) {
                QSettings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("headscope"),
                          QStringLiteral("headscope"))
                    .clear();
                Desk desk;
                desk.session.edit(Field::Mask, mask);
                QVERIFY(waitForTrace(desk.session));
                const Draft before = desk.session.draft();
                const int steps = desk.session.undoStack()->count();
                door(desk);
                QVERIFY(waitForTrace(desk.session));
                QCOMPARE(desk.session.draft().value(Field::Weights), path);
                QCOMPARE(desk.session.draft().value(Field::NumHeads), QString());
                QCOMPARE(desk.session.draft().value(Field::Mask), mask);
                QCOMPARE(desk.session.trace()->request.num_heads, 2);
                QCOMPARE(to_string(desk.session.trace()->request.mask), mask.isEmpty() ? "local:1:0" : "causal");
                QCOMPARE(settings::recentFiles.get(), QStringList{path});
                QCOMPARE(desk.session.undoStack()->count(), steps + 1);
                desk.session.undoStack()->undo();
                QCOMPARE(desk.session.draft(), before);
            }
        }
        // A recent file that is gone leaves the list when it is opened.
        Desk desk;
        QVERIFY(QFile::remove(path));
        QCOMPARE(settings::recentFiles.get(), QStringList{path});
        desk.session.openFile(path);
        QVERIFY(waitForTrace(desk.session));
        QCOMPARE(desk.session.reading().problems.size(), 1);
        QCOMPARE(settings::recentFiles.get(), QStringList());
    }

    /// A folder and an index open by a drop and the menu as a file does.
    void aModelsFolderOpensByEveryDoor() {
        const QString folder = writeModel(folder_, QStringLiteral("gpt"));
        writeFile(folder + QStringLiteral("/model.safetensors.index.json"), [] {
            std::string map;
            for (const auto& tensor : modelFile().tensors)
                map += (map.empty() ? "\"" : ", \"") + tensor.first + "\": \"model.safetensors\"";
            map = "{\"weight_map\": {" + map + "}}";
            return std::vector<std::uint8_t>(map.begin(), map.end());
        }());
        const QString index = folder + QStringLiteral("/model.safetensors.index.json");
        for (const QString& path : {folder, index}) {
            Desk desk;
            QMimeData dropped;
            dropped.setUrls({QUrl::fromLocalFile(path)});
            QDragEnterEvent enter({10, 10}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(&desk.window, &enter);
            QDropEvent event({10, 10}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(&desk.window, &event);
            QVERIFY(waitForTrace(desk.session));
            QCOMPARE(desk.session.draft().value(Field::Weights), path);
            QCOMPARE(desk.session.trace()->request.file->title, "h.0.attn");
            QCOMPARE(settings::recentFiles.get().value(0), path);
            desk.session.undoStack()->undo();
            QCOMPARE(desk.session.draft(), Draft());
        }
        Desk desk;
        const auto actions = desk.window.findChildren<QAction*>();
        QVERIFY(std::any_of(actions.begin(), actions.end(), [](const QAction* action) {
            return action->text() == QStringLiteral("Open &model folder…") && !action->toolTip().isEmpty();
        }));
        desk.session.openFile(folder, QStringLiteral("h.2.attn"));
        QVERIFY(waitForTrace(desk.session));
        QCOMPARE(desk.session.trace()->request.file->number, std::size_t(2));
    }

    /// Qt restores a layout without checking its bytes: a corrupted one must not get that far.
    void corruptedSettingsAreInNobodysWay() {
        {
            Desk desk;
            desk.window.close();
        }
        QSettings store(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("headscope"),
                        QStringLiteral("headscope"));
        const QString good = store.value(QStringLiteral("window/layout")).toString();
        QVERIFY(good.size() > 100);
        std::mt19937 random(3);
        for (int n = 0; n < 5; ++n) {
            QString bad = good;
            for (int change = 0; change < 20; ++change)
                bad[qsizetype(random() % bad.size())] = QChar(u'A' + char(random() % 26));
            store.setValue(QStringLiteral("window/layout"), bad);
            store.sync();
            Desk desk;
            QVERIFY(desk.window.findChild<QStatusBar*>()->currentMessage().contains(QStringLiteral("defaults again")));
            QCOMPARE(desk.shownMaps().size(), 8);
            QCOMPARE(settings::windowLayout.get(), QByteArray());
        }
    }

    void workIsRemembered() {
        {
            Desk desk;
            desk.session.edit(Field::Mask, QStringLiteral("causal"));
            desk.session.setStage(Stage::Scores);
            QVERIFY(waitForTrace(desk.session));
            desk.window.close();
        }
        QCOMPARE(settings::lastDraft().value(Field::Mask), QStringLiteral("causal"));
        QCOMPARE(settings::lastSelection().stage, Stage::Scores);
    }

    void aNewThemeReachesTheHeadings() {
        Desk desk;
        const auto labels = desk.window.findChildren<QLabel*>();
        const auto heading = std::find_if(labels.begin(), labels.end(),
                                          [](const QLabel* label) { return label->text() == QStringLiteral("LAYER"); });
        QVERIFY(heading != labels.end());
        for (const auto theme : {Theme::Dark, Theme::Light, Theme::Dark, Theme::Light}) {
            applyTheme(theme);
            QCoreApplication::processEvents();
            QCOMPARE((*heading)->palette().color(QPalette::WindowText), color(Role::Accent, theme));
        }
    }

    void everyShortcutIsUnique() {
        Desk desk;
        QMap<QString, QString> seen;
        for (const auto* action : desk.window.findChildren<QAction*>()) {
            for (const auto& keys : action->shortcuts()) {
                const auto name = keys.toString();
                QVERIFY2(!seen.contains(name), qPrintable(name + QStringLiteral(": ") + seen.value(name) +
                                                          QStringLiteral(" and ") + action->text()));
                seen[name] = action->text();
            }
        }
        QVERIFY(seen.size() > 10);
    }

    void everyPageIsCalledByItsKey() {
        Desk desk;
        auto* pages = desk.find<QTabWidget>("pages");
        QVERIFY(pages->count() > 1);
        for (int page = pages->count() - 1; page >= 0; --page) {
            QTest::keyClick(&desk.window, static_cast<Qt::Key>(Qt::Key_1 + page), Qt::AltModifier);
            QCOMPARE(pages->currentIndex(), page);
            QCOMPARE(static_cast<int>(desk.session.selection().page), page);
            QVERIFY(pages->currentWidget()->isAncestorOf(QApplication::focusWidget()));
            for (const auto* action : desk.window.findChildren<QAction*>())
                if (action->text() == pages->tabText(page)) QVERIFY(action->isChecked());
        }
    }

    void largerTypeIsSeenAtOnce() {
        Desk desk;
        const QFont font = QApplication::font();
        auto* label = desk.find<QLabel>("footRows");
        const int height = label->fontMetrics().height();
        for (int i = 0; i < 6; ++i) QTest::keyClick(&desk.window, Qt::Key_Plus, Qt::ControlModifier);
        QVERIFY(label->fontMetrics().height() > height);
        for (int i = 0; i < 6; ++i) QTest::keyClick(&desk.window, Qt::Key_Minus, Qt::ControlModifier);
        QCOMPARE(label->fontMetrics().height(), height);
        QApplication::setFont(font);
    }

private:
    QTemporaryDir folder_;
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
