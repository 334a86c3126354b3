// SPDX-License-Identifier: GPL-3.0-or-later
// The article's table, measured: what is shown, how it is stopped, what is refused. How fast anything is, no test asks.
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QThreadPool>

#include "ui/controls/problem_note.h"
#include "ui/pages/speed/speed_dialog.h"
#include "ui/pages/speed/speed_plot.h"

using namespace headscope;

namespace {

constexpr int kPatienceMs = 120000;

struct Desk {
    SpeedDialog dialog;

    explicit Desk(const char* sizes, const char* embed_dim = "16", const char* num_heads = "2") {
        type("sizes", sizes);
        type("threads", "1");
        type("embedDim", embed_dim);
        type("numHeads", num_heads);
        dialog.show();
    }
    void type(const char* name, const char* text) {
        dialog.findChild<QLineEdit*>(QLatin1String(name))->setText(QLatin1String(text));
    }
    QPushButton* button(const char* name) { return dialog.findChild<QPushButton*>(QLatin1String(name)); }
    QTableWidget* table() { return dialog.findChild<QTableWidget*>(QStringLiteral("table")); }
    QString cell(int row, int column) { return table()->item(row, column)->text(); }
    QString problem() { return dialog.findChild<ProblemNote*>()->sentence(); }
    bool measure() {
        QSignalSpy finished(&dialog, &SpeedDialog::finished);
        QTest::mouseClick(button("start"), Qt::LeftButton);
        return !finished.isEmpty() || finished.wait(kPatienceMs);
    }
};

}  // namespace

class TestSpeed : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Each claim stands beside what was measured, with size, threads and a reason.
    void claimsBesideMeasurements() {
        Desk desk("8, 16");
        QVERIFY(!desk.button("copy")->isEnabled());
        QVERIFY(desk.measure());
        QVERIFY2(desk.problem().isEmpty(), qPrintable(desk.problem()));
        QCOMPARE(desk.table()->rowCount(), 6);
        QCOMPARE(desk.dialog.rows().size(), std::size_t{6});
        const QLocale locale;
        const double claims[][2] = {{1.5, 3}, {2, 1.5}, {3, 4}};
        for (int row = 0; row < 6; ++row) {
            const ArticleRow& measured = desk.dialog.rows()[static_cast<std::size_t>(row)];
            const auto ratio = [&](double value) { return QString(locale.toString(value, 'f', 1) + u'×'); };
            QCOMPARE(desk.cell(row, 0), row < 3 ? QStringLiteral("8") : QStringLiteral("16"));
            QCOMPARE(desk.cell(row, 1), QStringLiteral("1"));
            QCOMPARE(desk.cell(row, 3), ratio(claims[row % 3][0]));
            QVERIFY(desk.cell(row, 4).startsWith(ratio(measured.speed())));
            QCOMPARE(desk.cell(row, 5), ratio(claims[row % 3][1]));
            QVERIFY(desk.cell(row, 6).startsWith(ratio(measured.memory())));
            QCOMPARE(desk.cell(row, 7), QString::fromStdString(measured.why.str()));
        }
        QVERIFY(!desk.dialog.isMeasuring());
        QCOMPARE(desk.button("start")->text(), QStringLiteral("&Measure"));
    }

    /// Plain attention and the three ways, a point a size, in milliseconds and in bytes.
    void plot() {
        Desk desk("8,16,32");
        QVERIFY(desk.measure());
        auto* plot = desk.dialog.findChild<SpeedPlot*>();
        QCOMPARE(plot->graphCount(), 8);
        for (int i = 0; i < 8; ++i) {
            QCOMPARE(plot->graph(i)->dataCount(), 3);
            QCOMPARE(plot->graph(i)->keyAxis()->scaleType(), QCPAxis::stLogarithmic);
            QCOMPARE(plot->graph(i)->valueAxis()->scaleType(), QCPAxis::stLogarithmic);
            QVERIFY(plot->graph(i)->keyAxis()->range().lower < 8 && plot->graph(i)->keyAxis()->range().upper > 32);
        }
        QCOMPARE(plot->graph(0)->data()->at(1)->value, desk.dialog.rows()[3].plain.median_ms);
        QCOMPARE(plot->graph(7)->data()->at(2)->value, static_cast<double>(desk.dialog.rows()[8].way.peak_bytes));
        QVERIFY(!plot->grab().isNull());
    }

    /// Says what to do while there is nothing, and fits a small screen with its buttons.
    void emptyState() {
        Desk desk("8");
        auto* empty = desk.dialog.findChild<QLabel*>(QStringLiteral("emptyState"));
        QVERIFY(empty->isVisible() && empty->text().contains(u"Press Measure"));
        QVERIFY(!desk.table()->isVisible());
        QVERIFY(desk.measure());
        QVERIFY(!empty->isVisible() && desk.table()->isVisible());
        const QSize screen = desk.dialog.screen()->availableSize();
        QVERIFY(desk.dialog.width() < screen.width() && desk.dialog.height() < screen.height());
        QVERIFY(desk.dialog.minimumSizeHint().height() < 560);
    }

    void copiesCsv() {
        Desk desk("8");
        QVERIFY(desk.measure());
        QTest::mouseClick(desk.button("copy"), Qt::LeftButton);
        const QString text = QGuiApplication::clipboard()->text();
        QCOMPARE(text.count(u'\n'), 4);
        QVERIFY(text.startsWith(u"case,measured,sequence_length,threads,claimed_speed,speed"));
        QVERIFY(text.contains(u"sparse,local:256:0,8,1,3.0,"));
    }

    /// A size that would take minutes is given up at once; what was measured before it stays, and it can start again.
    void stops() {
        Desk desk("8, 12000", "64", "1");
        QSignalSpy finished(&desk.dialog, &SpeedDialog::finished);
        QTest::mouseClick(desk.button("start"), Qt::LeftButton);
        QVERIFY(desk.dialog.isMeasuring());
        QVERIFY(desk.dialog.findChild<QProgressBar*>()->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(desk.dialog.rows().size(), std::size_t{3}, kPatienceMs);
        QTest::mouseClick(desk.button("start"), Qt::LeftButton);
        QVERIFY(!finished.isEmpty() || finished.wait(kPatienceMs));
        QCOMPARE(desk.dialog.rows().size(), std::size_t{3});
        QVERIFY2(desk.problem().isEmpty(), qPrintable(desk.problem()));
        QVERIFY(desk.button("copy")->isEnabled());
        desk.type("sizes", "4");
        QVERIFY(desk.measure());
        QCOMPARE(desk.cell(0, 0), QStringLiteral("4"));
        QCOMPARE(desk.table()->rowCount(), 3);
    }

    /// Esc stops first and closes next.
    void escapeStopsFirst() {
        Desk desk("12000", "64", "1");
        QTest::mouseClick(desk.button("start"), Qt::LeftButton);
        QTest::keyClick(&desk.dialog, Qt::Key_Escape);
        QVERIFY(desk.dialog.isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(!desk.dialog.isMeasuring(), kPatienceMs);
        QTest::keyClick(&desk.dialog, Qt::Key_Escape);
        QVERIFY(!desk.dialog.isVisible());
    }

    /// Closed and gone while it measures: nothing arrives at what isn't there.
    void deletedWhileMeasuring() {
        {
            Desk desk("64, 128, 3000", "64", "1");
            QTest::mouseClick(desk.button("start"), Qt::LeftButton);
            QVERIFY(desk.dialog.isMeasuring());
        }
        QVERIFY(QThreadPool::globalInstance()->waitForDone(kPatienceMs));
        QCoreApplication::processEvents();
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("value");
        for (const char* field : {"sizes", "threads", "embedDim", "numHeads"})
            for (const char* value : {"", "0", "many", "-1"})
                QTest::addRow("%s '%s'", field, value) << QByteArray(field) << QByteArray(value);
        QTest::newRow("two numbers of threads") << QByteArray("threads") << QByteArray("1,2");
        QTest::newRow("heads that don't divide") << QByteArray("numHeads") << QByteArray("3");
        QTest::newRow("more than there is memory for") << QByteArray("sizes") << QByteArray("99999999999");
    }
    void refuses() {
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, value);
        Desk desk("8");
        desk.type(field.constData(), value.constData());
        QVERIFY(desk.measure());
        QVERIFY(!desk.problem().isEmpty());
        QVERIFY(desk.dialog.rows().empty());
        QVERIFY(!desk.dialog.isMeasuring());
    }
};

QTEST_MAIN(TestSpeed)
#include "tst_speed.moc"
