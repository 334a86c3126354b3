// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <random>

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
        selection.page = PageName::Compare;
        selection.steps_part = StepsPart::Chunks;
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

    /// Qt may crash on the bytes of a layout that it didn't write itself.
    void bytesComeBackAsTheyWereOrNotAtAll() {
        const QByteArray layout = QByteArray::fromHex("000000ff00000000fd0000000300000000000000ff");
        const QByteArray geometry("\x01\xd9\xd0\xcb\0\3", 6);
        settings::windowLayout.set(layout);
        settings::windowGeometry.set(geometry);
        settings::addRecentFile(QStringLiteral("/data/a.safetensors"));
        settings::rememberWork(Draft(), Selection());
        const QString path = folder_->path() + QStringLiteral("/headscope/headscope.ini");
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray good = file.readAll();
        file.close();
        std::mt19937 random(8);
        int damaged = 0, said = 0;
        for (int n = 0; n < 500; ++n) {
            QByteArray bytes = good;
            for (unsigned change = 0; change <= random() % 3; ++change) {
                const auto at = qsizetype(random() % bytes.size()), other = qsizetype(random() % bytes.size());
                switch (random() % 4) {
                    case 0:
                        bytes[at] = char(random() % 256);
                        break;
                    case 1:
                        bytes.truncate(std::max<qsizetype>(at, 1));
                        break;
                    case 2:
                        std::swap(bytes[at], bytes[other % bytes.size()]);
                        break;
                    default:
                        bytes.remove(at, qsizetype(1 + random() % 10));
                        if (bytes.isEmpty()) bytes = "x";
                }
            }
            const QString place = folder_->path() + QStringLiteral("/%1").arg(n);
            QDir().mkpath(place + QStringLiteral("/headscope"));
            QFile written(place + QStringLiteral("/headscope/headscope.ini"));
            QVERIFY(written.open(QIODevice::WriteOnly) && written.write(bytes) == bytes.size());
            written.close();
            QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, place);
            const auto copy = settings::putAsideUnusable();
            for (const auto& [setting, value] :
                 {std::pair(&settings::windowLayout, layout), {&settings::windowGeometry, geometry}}) {
                QVERIFY(setting->get() == value || setting->get().isEmpty());
                damaged += setting->get().isEmpty();
            }
            if (copy) {
                ++said;
                QFile kept(*copy);
                QVERIFY(kept.open(QIODevice::ReadOnly));
                QCOMPARE(kept.readAll(), bytes);
                QCOMPARE(settings::putAsideUnusable(), std::nullopt);  // said once
            }
            (void)settings::lastDraft();
            (void)settings::lastSelection();
        }
        QVERIFY2(damaged > 100 && said > 50, qPrintable(QStringLiteral("%1 %2").arg(damaged).arg(said)));
    }

    void whatCanBeUsedIsNotPutAside() {
        QCOMPARE(settings::putAsideUnusable(), std::nullopt);
        settings::windowLayout.set("layout");
        settings::theme.set(Theme::Dark);
        Selection selection;
        selection.locked = Cell{1, 2, 3};
        selection.range = Range::Log;
        settings::rememberWork(Draft(), selection);
        settings::addRecentFile(QStringLiteral("/data/a, b.safetensors"));
        QCOMPARE(settings::putAsideUnusable(), std::nullopt);
        writeRaw("window/font_size", QStringLiteral("large"));
        writeRaw("selection/head", QStringLiteral("first"));
        const auto copy = settings::putAsideUnusable();
        QVERIFY(copy && QFile::exists(*copy));
        QCOMPARE(settings::putAsideUnusable(), std::nullopt);
        QCOMPARE(settings::theme.get(), Theme::Dark);
        QCOMPARE(settings::lastSelection(), selection);
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
