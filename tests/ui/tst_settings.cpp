// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "ui/state/settings.h"

using namespace headscope;

namespace {

/// Writes as a hand in an editor would.
void writeRaw(const char* key, const QVariant& value) {
    QSettings file(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("headscope"),
                   QStringLiteral("headscope"));
    file.setValue(QLatin1String(key), value);
}

}  // namespace

class TestSettings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_->path());
    }

    void nothingRememberedIsTheFirstStart() {
        QCOMPARE(settings::lastDraft(), Draft());
        QCOMPARE(settings::lastSelection(), Selection());
        QCOMPARE(settings::theme.get(), Theme::Light);
        QCOMPARE(settings::fontSize.get(), 10);
        QVERIFY(settings::windowGeometry.get().isEmpty());
        QVERIFY(settings::recentFiles.get().isEmpty());
    }

    void everyFieldComesBack_data() {
        QTest::addColumn<QString>("value");
        QTest::newRow("plain") << QStringLiteral("42");
        QTest::newRow("empty") << QString();
        QTest::newRow("lines") << QStringLiteral("a b\n\nc\r\nd\te\n");
        QTest::newRow("what INI files use") << QStringLiteral("a, b; [c]=\"d\" @Variant(e) %f \\n #");
        QTest::newRow("Unicode") << QStringLiteral("猫が 👩‍👩‍👧‍👦 שלום é\u200B");
        QTest::newRow("null character") << QString(QChar(u'\0')) + QStringLiteral("a");
        QTest::newRow("long") << QString(100000, u'x');
    }
    void everyFieldComesBack() {
        QFETCH(QString, value);
        Draft draft;
        for (int i = 0; i < static_cast<int>(Field::Count); ++i)
            draft.set(static_cast<Field>(i), value.isEmpty() ? value : value + QString::number(i));
        settings::rememberWork(draft, {});
        QCOMPARE(settings::lastDraft(), draft);
    }

    void selectionComesBackAndIsForgotten() {
        Selection selection;
        selection.sequence = 3;
        selection.head = 7;
        selection.stage = Stage::Q;
        selection.range = Range::Head;
        selection.palette = Palette::Diverging;
        selection.locked = Cell{1, 63, 7};
        selection.locked_stage = Stage::K;
        settings::rememberWork({}, selection);
        QCOMPARE(settings::lastSelection(), selection);
        settings::rememberWork({}, {});
        QCOMPARE(settings::lastSelection(), Selection());
    }

    void whatCannotBeMeantIsNotThere() {
        writeRaw("selection/sequence", -1);
        writeRaw("selection/head", QStringLiteral("first"));
        writeRaw("selection/stage", QStringLiteral("attention"));
        writeRaw("selection/range", QStringLiteral("percent"));
        writeRaw("selection/palette", 5);
        writeRaw("selection/locked", QStringList{QStringLiteral("1"), QStringLiteral("2")});
        QCOMPARE(settings::lastSelection(), Selection());
        writeRaw("selection/locked", QStringList{QStringLiteral("1"), QStringLiteral("-2"), QStringLiteral("3")});
        QCOMPARE(settings::lastSelection(), Selection());
        writeRaw("draft/text", QStringList{QStringLiteral("a"), QStringLiteral("b")});
        QCOMPARE(settings::lastDraft(), Draft());
        writeRaw("window/theme", QStringLiteral("pink"));
        QCOMPARE(settings::theme.get(), Theme::Light);
        for (const char* size : {"0", "-3", "4000", "large", ""}) {
            writeRaw("window/font_size", QLatin1String(size));
            QCOMPARE(settings::fontSize.get(), 10);
        }
    }

    void singleSettings() {
        settings::language.set(QStringLiteral("zh_CN"));
        QCOMPARE(settings::language.get(), QStringLiteral("zh_CN"));
        settings::language.set(QStringLiteral("tlh"));  // none that there is
        QCOMPARE(settings::language.get(), QString());
        settings::theme.set(Theme::Dark);
        QCOMPARE(settings::theme.get(), Theme::Dark);
        settings::fontSize.set(14);
        QCOMPARE(settings::fontSize.get(), 14);
        const QByteArray layout("\x00\xff,;\"layout", 11);
        settings::windowLayout.set(layout);
        QCOMPARE(settings::windowLayout.get(), layout);
        QVERIFY(settings::windowGeometry.get().isEmpty());
    }

    void recentFilesAreTenNewestFirst() {
        for (int i = 0; i < 12; ++i) settings::addRecentFile(QStringLiteral("/data/%1, a.safetensors").arg(i));
        settings::addRecentFile(QStringLiteral("/data/5, a.safetensors"));
        const QStringList files = settings::recentFiles.get();
        QCOMPARE(files.size(), 10);
        QCOMPARE(files[0], QStringLiteral("/data/5, a.safetensors"));
        QCOMPARE(files[1], QStringLiteral("/data/11, a.safetensors"));
        QCOMPARE(files[9], QStringLiteral("/data/2, a.safetensors"));
        for (const QString& file : files) settings::removeRecentFile(file);
        QVERIFY(settings::recentFiles.get().isEmpty());
        settings::addRecentFile(QStringLiteral("relative.safetensors"));
        QVERIFY(settings::recentFiles.get().first().endsWith(QStringLiteral("/relative.safetensors")));
        QVERIFY(settings::recentFiles.get().first().startsWith(u'/'));
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_GUILESS_MAIN(TestSettings)
#include "tst_settings.moc"
