// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures that carry a session: they open, are written again as the same bytes, and damaged or hostile ones are one
// sentence and nothing else.
#include "ui/export/picture_state.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QSettings>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "support.h"
#include "ui/export/export_dialog.h"
#include "ui/export/export_format.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/window/main_window.h"
#include "window_support.h"

using namespace headscope;

namespace {

const QStringList kEndings{QStringLiteral(".png"), QStringLiteral(".svg"), QStringLiteral(".pdf")};

struct Desk {
    Session session;
    MainWindow window{session};

    Desk() {
        window.resize(1440, 900);
        window.show();
        (void)QTest::qWaitForWindowExposed(&window);
        (void)waitForTrace(session);
    }
    QString error() {
        auto* box = window.findChild<QMessageBox*>(QStringLiteral("fileError"));
        const QString text = box ? box->text() : QString();
        delete box;
        return text;
    }
    /// Exports as the menu does, where `change` has set the controls.
    bool save(const QString& path, const std::function<void(ExportDialog&)>& change = {},
              const std::optional<SavedFigure>& figure = {}) {
        ExportDialog dialog(session);
        dialog.carry([this] { return window.savedSession(); });
        if (figure) dialog.begin(*figure);
        if (change) change(dialog);
        QSignalSpy saved(&dialog, &ExportDialog::saved), failed(&dialog, &ExportDialog::failed);
        dialog.save(path);
        return QTest::qWaitFor([&] { return saved.count() + failed.count() > 0; }, 30000) && saved.count() == 1;
    }
};

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool writeBytes(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

SavedSession someSession() {
    Draft draft;
    draft.set(Field::Text, utf8("a  b \"]]>\" <session> &amp; 猫😀\n\t\x01 -->"));
    draft.set(Field::Mask, QStringLiteral("causal"));
    SavedSession session;
    session.state = savedState(draft, {}, draft);
    session.figure = SavedFigure{.title = utf8("Füße 猫")};
    return session;
}

/// A small picture of each kind with a state.
QByteArray picture(const QString& ending, const QByteArray& state) {
    FigureStyle style;
    style.size = {100, 80};
    style.state = state;
    const auto draw = [](QPainter& painter) { painter.drawText(10, 20, QStringLiteral("text")); };
    return formatOf(QStringLiteral("a") + ending)->picture(draw, style).value();
}

}  // namespace

class TestPictureState : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString path(const QString& name) const { return folder_.filePath(name); }
    QString errorOf(const QString& name, const QByteArray& bytes) {
        if (!writeBytes(path(name), bytes)) return QStringLiteral("not written");
        const auto read = readAnySession(path(name));
        return read ? QString() : QString::fromStdString(read.error().message());
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(testing::beginAsAtFirstStart(folder_)); }
    void init() { QSettings().clear(); }

    void whatIsCarriedIsReadAgain() {
        const SavedSession session = someSession();
        for (const QString& ending : kEndings) {
            const QString file = path(QStringLiteral("some") + ending);
            QVERIFY(writeBytes(file, picture(ending, sessionJson(session))));
            const auto read = readAnySession(file);
            QVERIFY2(read, read ? "" : read.error().message().c_str());
            QVERIFY(*read == session);
        }
    }

    /// The picture itself is the same with and without.
    void pictureIsNotChanged() {
        const QByteArray state = sessionJson(someSession());
        const auto png = [](const QByteArray& bytes) { return QImage::fromData(bytes, "PNG"); };
        QVERIFY(!png(picture(kEndings[0], state)).isNull());
        QCOMPARE(png(picture(kEndings[0], state)), png(picture(kEndings[0], {})));
        const auto svg = [](const QByteArray& bytes) {
            QImage image(100, 80, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            QSvgRenderer renderer(bytes);
            renderer.render(&painter);
            return renderer.isValid() ? image : QImage();
        };
        QVERIFY(!svg(picture(kEndings[1], state)).isNull());
        QCOMPARE(svg(picture(kEndings[1], state)), svg(picture(kEndings[1], {})));
    }

    void pictureWithoutStateIsSaid() {
        for (const QString& ending : kEndings) {
            const QString name = QStringLiteral("bare") + ending;
            QVERIFY(errorOf(name, picture(ending, {})).contains(QStringLiteral("carries no state")));
            QVERIFY(errorOf(name, {}).contains(name));
            QVERIFY(errorOf(name, "GIF89a").contains(QStringLiteral("carries no state")));
        }
        const auto missing = readAnySession(path(QStringLiteral("missing.png")));
        QCOMPARE(missing.error().code, ErrorCode::FileMissing);
        const auto folder = readAnySession(QDir::tempPath() + QStringLiteral("/../tmp/.svg"));
        QVERIFY(!folder);
    }

    /// A state that is no session, in a right picture.
    void wrongStateIsSaidWithItsPlace() {
        for (const QString& ending : kEndings) {
            const QString name = QStringLiteral("wrong") + ending;
            for (const char* state : {"{}", "[1]", "text", R"({"format": "headscope-session", "version": 2})"})
                QVERIFY2(errorOf(name, picture(ending, state)).contains(name), state);
        }
    }

    /// Any damage: the session, or one sentence.
    void damageIsOneSentence() {
        const SavedSession session = someSession();
        std::mt19937 random(3);
        for (const QString& ending : kEndings) {
            const QByteArray whole = picture(ending, sessionJson(session));
            const QString name = QStringLiteral("damaged") + ending;
            for (int round = 0; round < 300; ++round) {
                QByteArray bytes = whole;
                if (round % 3 == 0)
                    bytes.truncate(static_cast<qsizetype>(random() % static_cast<unsigned>(bytes.size())));
                for (int change = 0; change < round % 5; ++change)
                    if (!bytes.isEmpty())
                        bytes[static_cast<qsizetype>(random() % static_cast<unsigned>(bytes.size()))] =
                            static_cast<char>(random());
                const QString error = errorOf(name, bytes);
                QVERIFY2(error.isEmpty() || (error.contains(name) && !error.contains(u'\n')), qPrintable(error));
            }
        }
    }

    /// Lengths beyond the file, entities that grow, and streams that unpack to far more than a session.
    void hostilePicturesAreRefused() {
        QByteArray png = picture(kEndings[0], "{}");
        png[33] = png[34] = '\x7f';  // the length of the chunk
        QVERIFY(errorOf(QStringLiteral("long.png"), png).contains(QStringLiteral("carries no state")));

        QByteArray svg = "<!DOCTYPE svg [<!ENTITY a \"" + QByteArray(1000, 'x') + "\">";
        char last = 'a';
        for (char entity = 'b'; entity < 'k'; last = entity++)
            svg += QByteArray("<!ENTITY ") + entity + " \"" + QByteArray(QByteArray("&") + last + ";").repeated(20) +
                   "\">";
        svg += "]><svg><session xmlns=\"urn:headscope:session\">&j;</session></svg>";
        QVERIFY(!errorOf(QStringLiteral("entities.svg"), svg).isEmpty());

        const QByteArray zeros = qCompress(QByteArray(200'000'000, ' '), 9).mid(4);
        const QByteArray pdf =
            "%PDF-1.4\n7 0 obj\n<<\n>>\nstream\n" + zeros +
            "\nendstream\nendobj\n8 0 obj\n<<\n/F (session.headscope)\n/EF <</F 7 0 R>>\n>>\nendobj\n";
        QVERIFY(errorOf(QStringLiteral("large.pdf"), pdf).contains(QStringLiteral("carries no state")));
    }

    /// Exported in the window, dropped on another, exported again from there.
    void exportedOpenedAndExportedIsTheSame_data() {
        QTest::addColumn<int>("change");
        for (int change = 0; change < 5; ++change) QTest::addRow("%d", change) << change;
    }
    void exportedOpenedAndExportedIsTheSame() {
        QFETCH(int, change);
        const auto set = [change](ExportDialog& dialog) {
            const auto check = [&](const char* name, bool on) {
                dialog.findChild<QCheckBox*>(QLatin1String(name))->setChecked(on);
            };
            check("trim", change != 1);
            check("numbers", change == 2);
            check("caption", change != 3);
            dialog.findChild<QComboBox*>(QStringLiteral("theme"))->setCurrentIndex(change == 3);
            if (change == 2) dialog.findChild<QComboBox*>(QStringLiteral("head"))->setCurrentIndex(4);
            if (change == 4) dialog.findChild<QComboBox*>(QStringLiteral("sequence"))->setCurrentIndex(0);
            if (change == 4) dialog.findChild<QLineEdit*>(QStringLiteral("title"))->setText(utf8("Täler <b>"));
        };
        Desk desk;
        desk.session.edit(Field::Mask, QStringLiteral("padding,causal"));
        desk.session.setLocked(Cell{3, 1, 2});
        if (change == 1) {
            desk.session.setPage(PageName::Compare);
            handleEvents();
            desk.window.findChild<CompareView*>()->b()->edit(Field::Mask, QStringLiteral("local:2:0"));
        }
        QVERIFY(waitForTrace(desk.session));
        for (const QString& ending : kEndings) {
            const QString first = path(QStringLiteral("first") + ending),
                          again = path(QStringLiteral("again") + ending);
            QVERIFY(desk.save(first, set));
            QSettings().clear();  // another person's window
            Desk other;
            other.window.openPath(first);
            QCOMPARE(other.error(), QString());
            QVERIFY(waitForTrace(other.session));
            QCOMPARE(other.session.draft().value(Field::Mask), QStringLiteral("padding,causal"));
            QVERIFY(other.save(again, {}, readAnySession(first)->figure));
            QCOMPARE(contents(again), contents(first));
        }
    }

    void comparisonIsExportedOpenedAndExported() {
        Desk desk;
        desk.session.setPage(PageName::Compare);
        desk.session.setHead(3);
        handleEvents();
        const auto compare = [](Desk& of) { return of.window.findChild<CompareView*>(); };
        compare(desk)->b()->edit(Field::Mask, QStringLiteral("local:2:0"));
        const auto save = [&](Desk& of, const QString& file) {
            return waitForTrace(of.session) && waitForTrace(*compare(of)->b()) &&
                   QTest::qWaitFor([&] { return compare(of)->exportTo(file, CompareView::Part::All).has_value(); },
                                   30000);
        };
        for (const QString& ending : kEndings) {
            const QString first = path(QStringLiteral("pair") + ending), again = path(QStringLiteral("pair2") + ending);
            handleEvents();
            QVERIFY(save(desk, first));
            Desk other;
            other.window.openPath(first);
            QCOMPARE(other.error(), QString());
            handleEvents();
            QVERIFY(save(other, again));
            QCOMPARE(contents(again), contents(first));
        }
    }

    void theSwitchLeavesTheStateOut() {
        Desk desk;
        const QString file = path(QStringLiteral("off.png"));
        QVERIFY(desk.save(file, [](ExportDialog& dialog) {
            dialog.findChild<QCheckBox*>(QStringLiteral("state"))->setChecked(false);
        }));
        desk.window.openPath(file);
        QVERIFY(desk.error().contains(QStringLiteral("carries no state")));
    }
};

QTEST_MAIN(TestPictureState)
#include "tst_picture_state.moc"
