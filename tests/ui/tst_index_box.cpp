// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/index_box.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

using namespace headscope;

class TestIndexBox : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsWithoutAWordAndTellsWhatAPersonChooses() {
        QWidget window;
        IndexBox box(new QHBoxLayout(&window), QStringLiteral("query"));
        QSignalSpy chosen(&box, &IndexBox::chosen);
        box.display(5, 6);
        QCOMPARE(box.value(), 5);
        box.display(2, 3);
        QCOMPARE(box.value(), 2);
        QCOMPARE(box.maximum(), 2);
        box.display(0, 0);  // nothing to choose from
        QCOMPARE(box.maximum(), 0);
        QVERIFY(chosen.isEmpty());

        box.display(1, 3);
        QTest::keyClick(&box, Qt::Key_Up);
        QCOMPARE(chosen.takeFirst().value(0).toInt(), 2);
        QTest::keyClick(&box, Qt::Key_Up);  // beyond the last is the first
        QCOMPARE(chosen.takeFirst().value(0).toInt(), 0);
        QTest::keyClick(&box, Qt::Key_Down);
        QCOMPARE(chosen.takeFirst().value(0).toInt(), 2);
        QVERIFY(chosen.isEmpty());
    }

    void standsBehindTheLabelThatNamesIt() {
        QWidget window;
        auto* row = new QHBoxLayout(&window);
        IndexBox box(row, QStringLiteral("query"));
        box.setTexts(QStringLiteral("&query"), QStringLiteral("The token that looks"));
        auto* label = qobject_cast<QLabel*>(row->itemAt(0)->widget());
        QVERIFY(label);
        QCOMPARE(label->buddy(), &box);
        QCOMPARE(row->itemAt(1)->widget(), &box);
        QCOMPARE(box.objectName(), QStringLiteral("query"));
        QCOMPARE(box.toolTip(), QStringLiteral("The token that looks"));
        QCOMPARE(QAccessible::queryAccessibleInterface(&box)->text(QAccessible::Name), QStringLiteral("query"));
    }
};

QTEST_MAIN(TestIndexBox)
#include "tst_index_box.moc"
