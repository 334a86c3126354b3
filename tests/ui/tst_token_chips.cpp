// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tokens/token_chips.h"

#include <QAccessible>
#include <QElapsedTimer>
#include <QHelpEvent>
#include <QScrollBar>
#include <QToolTip>

#include "support.h"
#include "ui/look/theme.h"
#include "ui/panels/tokens/token_strip.h"

using namespace headscope;

namespace {

/// Counts how often a widget is painted, and how large the area was.
class Painted : public QObject {
public:
    explicit Painted(QWidget* widget) : QObject(widget) { widget->installEventFilter(this); }
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint) {
            ++count;
            area = static_cast<QPaintEvent*>(event)->rect();
        }
        return false;
    }
    int count = 0;
    QRect area;
};

/// What a new window has still to paint.
void settle(Painted& painted) {
    do {
        painted.count = 0;
        QTest::qWait(50);
    } while (painted.count > 0);
}

}  // namespace

class TestTokenChips : public QObject {
    Q_OBJECT

    std::unique_ptr<Session> session_;
    std::unique_ptr<TokenStrip> strip_;
    TokenChips* chips_ = nullptr;

    void setText(const QString& text) {
        session_->edit(Field::Text, text);
        QVERIFY(session_->reading().request);
        QVERIFY(QTest::qWaitFor([&] { return session_->trace()->batch() == session_->reading().request->batch; }));
    }

private Q_SLOTS:
    void init() {
        session_ = std::make_unique<Session>();
        Draft small = session_->draft();
        small.set(Field::EmbedDim, QStringLiteral("8"));
        session_->replace(small, {});
        strip_ = std::make_unique<TokenStrip>(*session_);
        chips_ = strip_->chips();
        strip_->resize(800, strip_->sizeHint().height());
        strip_->show();
        QVERIFY(QTest::qWaitForWindowExposed(strip_.get()));
        QVERIFY(waitForTrace(*session_));
    }
    void cleanup() {
        strip_.reset();
        session_.reset();
    }

    /// The dots are radio buttons for assistive technology.
    void theDotsAreRadioButtons() {
        setText(QStringLiteral("a b\nc d\ne f"));
        auto* chips = QAccessible::queryAccessibleInterface(chips_);
        QVERIFY(chips && chips->isValid());
        QCOMPARE(chips->childCount(), 3);
        for (int row = 0; row < 3; ++row) {
            auto* dot = chips->child(row);
            QVERIFY(dot && dot->isValid());
            QCOMPARE(dot->role(), QAccessible::RadioButton);
            QCOMPARE(dot->text(QAccessible::Name), QStringLiteral("Sequence %1").arg(row));
            QCOMPARE(dot->text(QAccessible::Description),
                     (QStringList{QStringLiteral("a b"), QStringLiteral("c d"), QStringLiteral("e f")})[row]);
            QVERIFY(dot->state().checkable);
            QCOMPARE(bool(dot->state().checked), row == 0);
            QCOMPARE(chips->indexOfChild(dot), row);
            QCOMPARE(dot->parent(), chips);
        }
        auto* last = chips->child(2);
        QVERIFY(last->state().offscreen);  // two rows are visible
        last->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(session_->selection().sequence, 2);
        QVERIFY(last->state().checked && !last->state().offscreen);
        QVERIFY(!chips->child(0)->state().checked);
        QCOMPARE(chips->childAt(last->rect().center().x(), last->rect().center().y()), last);
        setText(QStringLiteral("a b"));
        QCOMPARE(chips->childCount(), 1);
        QVERIFY(!last->isValid());
    }

    void showsTheBatch() {
        QCOMPARE(chips_->rowCount(), 2);
        QCOMPARE(chips_->chipCount(), 10);
        QCOMPARE(chips_->chipText(0, 5), QStringLiteral("mat"));
        QCOMPARE(chips_->chipText(1, 2), QStringLiteral("ran"));
        QCOMPARE(chips_->chipText(1, 3), QStringLiteral("[PAD]"));
        QVERIFY(!chips_->isPadding(1, 2));
        QVERIFY(chips_->isPadding(1, 3));
        QVERIFY(chips_->accessibleDescription().contains(QStringLiteral("cat")));
    }

    void paddingIsGreyedAndNotFilled() {
        applyTheme(Theme::Light);
        const QImage picture = chips_->viewport()->grab().toImage();
        const auto ground = [&](int row, int index) {
            const QRect box = chips_->chipRect(row, index);
            return picture.pixelColor(box.left() + 4, box.center().y());
        };
        QCOMPARE(ground(1, 2), color(Role::Raised, Theme::Light));
        QVERIFY(ground(1, 3) != color(Role::Raised, Theme::Light));
    }

    void indexesRunFromLeftToRightBesideEveryScript() {
        setText(QStringLiteral("שלום עולם abc مرحبا"));
        QCOMPARE(chips_->chipText(0, 0), QStringLiteral("שלום"));
        for (int i = 0; i + 1 < chips_->chipCount(); ++i)
            QVERIFY(chips_->chipRect(0, i).right() < chips_->chipRect(0, i + 1).left());
    }

    void whatCantBeSeenIsMadeVisible() {
        session_->edit(Field::Tokenizer, QStringLiteral("characters"));
        setText(QStringLiteral("a b\u200b"));
        QCOMPARE(chips_->chipText(0, 1), QStringLiteral("␣"));
    }

    void longTokensAreCutAtAGrapheme() {
        const QString family = QStringLiteral("\U0001F469\u200D\U0001F680");
        setText(family.repeated(40) + QStringLiteral(" <b>x</b>"));
        const QString shown = chips_->chipText(0, 0);
        QVERIFY(shown.endsWith(u'…'));
        QCOMPARE((shown.size() - 1) % family.size(), 0);
        QCOMPARE(chips_->chipText(0, 1), QStringLiteral("<b>x</b>"));
        QVERIFY(chips_->chipRect(0, 0).width() < 600);
    }

    void tooltipsAreWholeAndPlain() {
        setText(QStringLiteral("<b>bold</b> &amp; plain-and-very-long-word-that-is-shortened-on-its-chip"));
        const auto tip = [&](int index) {
            const QPoint at = chips_->chipRect(0, index).center();
            QHelpEvent help(QEvent::ToolTip, at, chips_->viewport()->mapToGlobal(at));
            QCoreApplication::sendEvent(chips_->viewport(), &help);
            return QToolTip::text();
        };
        QVERIFY2(tip(0).contains(QStringLiteral("&lt;b&gt;bold&lt;/b&gt;")), qPrintable(tip(0)));
        QVERIFY(tip(1).contains(QStringLiteral("&amp;amp;")));
        chips_->horizontalScrollBar()->setValue(chips_->horizontalScrollBar()->maximum());
        QVERIFY(tip(2).contains(QStringLiteral("shortened-on-its-chip")));
    }

    void theDotChoosesTheSequence() {
        QTest::mouseClick(chips_->viewport(), Qt::LeftButton, {}, QPoint(4, chips_->rowRect(1).center().y()));
        QCOMPARE(session_->selection().sequence, 1);
        QCOMPARE(chips_->shownRow(), 1);
        QVERIFY(chips_->accessibleDescription().contains(QStringLiteral("dog")));
        QTest::mouseClick(chips_->viewport(), Qt::LeftButton, {}, QPoint(4, chips_->rowRect(0).center().y()));
        QCOMPARE(session_->selection().sequence, 0);
        setText(QStringLiteral("one"));
        QTest::mouseClick(chips_->viewport(), Qt::LeftButton, {}, QPoint(4, chips_->viewport()->height() - 1));
        QCOMPARE(session_->selection().sequence, 0);
    }

    /// The query and the key of the cell that is locked, then of the one under the mouse; in the shown sequence only.
    void queryAndKeyAreMarked() {
        using Mark = TokenChips::Mark;
        const int width = chips_->chipRect(0, 6).width();
        session_->setLocked(Cell{6, 2, 3});
        session_->setHover(Cell{7, 2, 0});
        QCOMPARE(chips_->mark(0, 6), Mark::Locked);
        QCOMPARE(chips_->mark(0, 2), Mark::Locked);
        QCOMPARE(chips_->mark(0, 7), Mark::Hovered);
        QCOMPARE(chips_->mark(0, 3), Mark::None);
        QCOMPARE(chips_->mark(1, 2), Mark::None);
        QCOMPARE(chips_->chipRect(0, 6).width(), width);
        const QImage picture = chips_->viewport()->grab().toImage();
        const QRect box = chips_->chipRect(0, 6);
        QCOMPARE(picture.pixelColor(box.center().x(), box.top()), color(Role::Crosshair, currentTheme()));
        session_->setLocked(std::nullopt);
        session_->setHover(Cell{7, 40, 0});
        session_->setStage(Stage::Q);  // columns are dimensions
        session_->setHover(Cell{7, 2, 0});
        QCOMPARE(chips_->mark(0, 7), Mark::Hovered);
        QCOMPARE(chips_->mark(0, 2), Mark::None);
    }

    void aMarkPaintsOnlyItsChips() {
        Painted painted(chips_->viewport());
        settle(painted);
        session_->setHover(Cell{1, 1, 0});
        QTRY_VERIFY(painted.count > 0);
        QVERIFY2(painted.area.width() < chips_->chipRect(0, 1).width() + 6,
                 qPrintable(QString::number(painted.area.width())));
        session_->setHover(std::nullopt);
        QTRY_VERIFY(painted.count > 1);
        QVERIFY(painted.area.width() < chips_->chipRect(0, 1).width() + 6);
    }

    void arrowKeysChooseTheSequence() {
        QTest::keyClick(chips_, Qt::Key_Down);
        QCOMPARE(session_->selection().sequence, 1);
        QTest::keyClick(chips_, Qt::Key_Down);
        QCOMPARE(session_->selection().sequence, 1);
        QTest::keyClick(chips_, Qt::Key_Up);
        QTest::keyClick(chips_, Qt::Key_Up);
        QCOMPARE(session_->selection().sequence, 0);
    }

    void longRowsScrollAndTheNumbersStay() {
        setText(QStringLiteral("word ").repeated(300));
        auto* bar = chips_->horizontalScrollBar();
        QVERIFY(bar->maximum() > 1000);
        QTest::keyClick(chips_, Qt::Key_End);
        QCOMPARE(bar->value(), bar->maximum());
        QVERIFY(chips_->viewport()->rect().contains(chips_->chipRect(0, 299)));
        const QImage picture = chips_->viewport()->grab().toImage();
        bool dot = false;
        for (int x = 0; x < 14; ++x)
            dot = dot || picture.pixelColor(x, chips_->rowRect(0).center().y()) == color(Role::Accent, currentTheme());
        QVERIFY(dot);
    }

    void aBatchOf512ShowsTheRowThatIsChosen() {
        setText(QStringLiteral("one two three four\n").repeated(511) + QStringLiteral("last of all here"));
        QCOMPARE(chips_->rowCount(), 512);
        QVERIFY(chips_->verticalScrollBar()->maximum() > 1000);
        session_->setSequence(511);
        QVERIFY(chips_->viewport()->rect().contains(chips_->rowRect(511).center()));
        QCOMPARE(chips_->chipText(511, 0), QStringLiteral("last"));
        QTest::mouseClick(chips_->viewport(), Qt::LeftButton, {}, QPoint(4, chips_->rowRect(510).center().y()));
        QCOMPARE(session_->selection().sequence, 510);
        setText(QStringLiteral("short"));
        QCOMPARE(chips_->rowCount(), 1);
        QCOMPARE(chips_->shownRow(), 0);
    }

    void wideRowsBelowWidenTheScrollBar() {
        setText(QStringLiteral("a\nb\nc\nd\ne\nf\ng\nh\ni\n") + QStringLiteral("wideword ").repeated(30));
        const int before = chips_->horizontalScrollBar()->maximum();
        session_->setSequence(9);
        QVERIFY(chips_->horizontalScrollBar()->maximum() > before);
    }

    void nothingIsPaintedThatDidntChange() {
        Painted painted(chips_->viewport());
        settle(painted);
        const TracePtr before = session_->trace();
        session_->edit(Field::Mask, QStringLiteral("causal"));
        QTRY_VERIFY(session_->trace() != before);
        QTest::qWait(20);
        QCOMPARE(painted.count, 0);
        QTest::mouseMove(chips_->viewport(), chips_->chipRect(0, 1).center());
        QTRY_VERIFY(painted.count > 0);
        QVERIFY(painted.area.width() < chips_->viewport()->width() / 2);
    }

    /// 100,000 tokens in a line, of which thirty are in sight.
    void onlyWhatIsInSightIsMeasured() {
        QString text;
        for (int i = 0; i < 100'000; ++i) text += QStringLiteral("%1 ").arg(i % 9000);
        session_->edit(Field::EmbedDim, QStringLiteral("7"));  // illegal: nothing is computed
        session_->edit(Field::Text, text);
        QCOMPARE(chips_->chipCount(), 100'000);
        const auto milliseconds = [&](auto&& what) {
            QElapsedTimer timer;
            timer.start();
            what();
            return double(timer.nsecsElapsed()) / 1e6;
        };
        const double all = milliseconds([&] { (void)chips_->chipRect(0, 99'999); });
        const double sight = milliseconds([&] {
            chips_->showLines(std::nullopt);
            (void)chips_->viewport()->grab();
        });
        QVERIFY2(sight < all, qPrintable(QStringLiteral("%1 ms of %2 ms").arg(sight).arg(all)));
        QTest::keyClick(chips_, Qt::Key_End);
        QVERIFY(chips_->viewport()->rect().contains(chips_->chipRect(0, 99'999)));
        QCOMPARE(chips_->chipText(0, 99'999), QStringLiteral("999"));
    }
};

QTEST_MAIN(TestTokenChips)
#include "tst_token_chips.moc"
