// SPDX-License-Identifier: GPL-3.0-or-later
// The window at the sizes of common screens, at four type sizes, in both languages: no text is cut, no text lies over
// another, the bar is one row and cells keep 8 pixels.
#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

#include "support.h"
#include "ui/controls/elided_label.h"
#include "ui/look/theme.h"
#include "ui/look/type_size.h"
#include "ui/maps/head_grid.h"
#include "ui/maps/heat_map.h"
#include "ui/pages/heads/heads_page.h"
#include "ui/pages/heads/stage_bar.h"
#include "ui/window/main_window.h"
#include "window_support.h"

using namespace headscope;

namespace {

/// The part of a widget that its ancestors leave, in coordinates of the window.
QRect seenPart(const QWidget& widget) {
    QRect seen(widget.mapTo(widget.window(), QPoint()), widget.size());
    for (const QWidget* at = widget.parentWidget(); at; at = at->isWindow() ? nullptr : at->parentWidget())
        seen &= QRect(at->mapTo(at->window(), QPoint()), at->size());
    return seen;
}

bool isScrolled(const QWidget& widget) {
    for (const QWidget* at = &widget; at; at = at->parentWidget())
        if (at->inherits("QAbstractScrollArea")) return true;
    return false;
}

QString textOf(const QWidget& widget) {
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) return label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) return button->text();
    if (const auto* box = qobject_cast<const QComboBox*>(&widget)) return box->currentText();
    return {};
}

/// Whether the widget is too small for its text. A label that may end in an ellipsis shows the rest as its tooltip.
bool isTooSmall(const QWidget& widget) {
    if (qobject_cast<const ElidedLabel*>(&widget)) return false;
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        if (label->wordWrap()) return label->heightForWidth(label->width()) > label->height() + 1;
        return label->sizeHint().width() > label->width() + 1;
    }
    if (const auto* box = qobject_cast<const QComboBox*>(&widget)) {
        QStyleOptionComboBox option;
        option.initFrom(box);
        const QRect edit = box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField);
        return box->fontMetrics().horizontalAdvance(box->currentText()) > edit.width() + 2;
    }
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return button->minimumSizeHint().width() > button->width() + 1;
    return false;
}

QString named(const QWidget& widget) {
    const int height = widget.hasHeightForWidth() ? widget.heightForWidth(widget.width()) : widget.sizeHint().height();
    return QStringLiteral("%1 %2 \"%3\" has %4×%5 and needs %6×%7")
        .arg(QLatin1String(widget.metaObject()->className()), widget.objectName(), textOf(widget).left(60))
        .arg(widget.width())
        .arg(widget.height())
        .arg(widget.sizeHint().width())
        .arg(height);
}

/// What is wrong with the texts in sight, a line each.
QStringList faults(const QWidget& window) {
    QStringList faults;
    QList<const QWidget*> texts;
    for (const QWidget* widget : window.findChildren<QWidget*>())
        if (widget->isVisible() && widget->window() == &window && !textOf(*widget).isEmpty() &&
            !seenPart(*widget).isEmpty())
            texts << widget;
    for (const QWidget* widget : texts) {
        if (isTooSmall(*widget)) faults << QStringLiteral("cut: ") + named(*widget);
        if (!isScrolled(*widget) && seenPart(*widget).size() != widget->size())
            faults << QStringLiteral("partly hidden: ") + named(*widget);
    }
    for (qsizetype a = 0; a < texts.size(); ++a)
        for (qsizetype b = a + 1; b < texts.size(); ++b)
            if (!texts[a]->isAncestorOf(texts[b]) && !texts[b]->isAncestorOf(texts[a]) &&
                seenPart(*texts[a]).intersects(seenPart(*texts[b])))
                faults << QStringLiteral("overlap: %1 and %2").arg(named(*texts[a]), named(*texts[b]));
    return faults;
}

/// Not while a page shows a sentence in the place of its numbers.
bool isComplete(const QWidget& page) {
    for (const QLabel* label : page.findChildren<QLabel*>())
        if (label->isVisible() && label->objectName().endsWith(u"Empty")) return false;
    return true;
}

}  // namespace

class TestWindowSizes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        Q_INIT_RESOURCE(translations);
        QVERIFY(testing::beginAsAtFirstStart(folder_));
    }
    void cleanup() { applyTypeSize(10); }

    void everythingCanBeRead_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("points");
        QTest::addColumn<QString>("language");
        for (const QSize& size : {QSize(911, 512), QSize(1024, 640), QSize(1024, 768), QSize(1280, 720),
                                  QSize(1366, 768), QSize(1440, 900), QSize(1920, 1080)})
            for (const int points : {10, 12, 14, 18})
                for (const char* language : {"en", "zh_CN"}) {
                    if (size.width() < 1024 && points > 10) continue;  // is 1366×768 with a scale factor of 1.5
                    QTest::addRow("%dx%d %d %s", size.width(), size.height(), points, language)
                        << size << points << QString::fromLatin1(language);
                }
    }
    void everythingCanBeRead() {
        QFETCH(QSize, size);
        QFETCH(int, points);
        QFETCH(QString, language);
        QTranslator translator;
        QVERIFY(translator.load(u"headscope_" + language, QStringLiteral(":/translations")));
        QCoreApplication::installTranslator(&translator);
        applyTypeSize(points);
        Session session;
        MainWindow window(session);
        window.resize(size);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(waitForTrace(session));
        session.edit(Field::Mask, QStringLiteral("causal"));
        QVERIFY(waitForTrace(session));
        session.setLocked(Cell{6, 2, 6});
        QCOMPARE(window.size(), size);

        QStringList wrong;
        auto* pages = window.findChild<QTabWidget*>(QStringLiteral("pages"));
        for (int page = 0; page < pages->count(); ++page) {
            pages->setCurrentIndex(page);
            QVERIFY(waitForTrace(session));
            (void)QTest::qWaitFor([&] { return isComplete(*pages->widget(page)) && faults(window).isEmpty(); }, 3000);
            for (const QString& fault : faults(window)) wrong << pages->tabText(page) + u": " + fault;
            if (window.size() != size) wrong << pages->tabText(page) + u": makes the window larger";
        }
        wrong.removeDuplicates();
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));

        pages->setCurrentIndex(0);
        session.setHead(6);
        (void)QTest::qWaitFor([&] { return faults(window).isEmpty(); }, 2000);
        QCOMPARE(faults(window).join(u'\n'), QString());
        QCOMPARE(window.size(), size);
        session.setHead(std::nullopt);
        QCoreApplication::processEvents();
        const auto* bar = window.findChild<StageBar*>();
        for (const QAbstractButton* button : bar->findChildren<QAbstractButton*>())
            if (button->isVisible()) QVERIFY(bar->rect().contains(button->geometry()));
        const double least = size.width() < 1024 ? 80 / 1.5 : 80;  // of 10 tokens
        for (const HeatMap* map : window.findChild<HeadsPage*>()->grid()->maps())
            QVERIFY(map->mapRect().width() >= least && map->mapRect().height() >= least);
        QCoreApplication::removeTranslator(&translator);
    }

private:
    QTemporaryDir folder_;
};

QTEST_MAIN(TestWindowSizes)
#include "tst_window_sizes.moc"
