// SPDX-License-Identifier: GPL-3.0-or-later
// The summary of the heads as a person sorts, groups and thins it, against core's numbers.
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QSlider>
#include <QTest>
#include <QToolButton>
#include <cmath>
#include <set>

#include "panel_support.h"
#include "ui/look/theme.h"
#include "ui/maps/cell_explanation.h"
#include "ui/maps/head_card.h"
#include "ui/maps/heat_map.h"
#include "ui/pages/atlas/head_table.h"
#include "ui/pages/atlas/summary_view.h"

using namespace headscope;

namespace {

struct Desk {
    Session session;
    SummaryView view{session};

    explicit Desk(const char* mask = "causal") {
        Draft draft;
        draft.set(Field::EmbedDim, utf8("128"));
        draft.set(Field::Mask, utf8(mask));
        session.replace(draft, {});
        view.resize(800, 500);
    }
    bool show() {
        view.show();
        return QTest::qWaitForWindowExposed(&view) && settle();
    }
    bool settle() {
        return waitForTrace(session) && QTest::qWaitFor([&] { return !view.isBusy(); }, 30000);
    }
    bool set(Field field, const QString& value) {
        session.edit(field, value);
        return settle();
    }
    HeadTable* table() const { return control<HeadTable>(view, "headTable"); }
    QString cell(int row, HeadTable::Column column) const { return table()->item(row, column)->text(); }
    HeatMap* map(int index) const {
        return control<HeatMap>(view, qPrintable(QStringLiteral("summaryMap%1").arg(index)));
    }
    HeadCard* card(int index) const { return qobject_cast<HeadCard*>(map(index)->parentWidget()); }
    QString text(const char* name) const { return control<QLabel>(view, name)->text(); }
    void sortBy(HeadTable::Column column) {
        const QHeaderView* header = table()->horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, Qt::NoModifier,
                          QPoint(header->sectionViewportPosition(column) + 6, header->height() / 2));
    }
    bool keep(int percent) {
        control<QSlider>(view, "summaryShare")->setValue(percent);
        return settle();
    }
};

}  // namespace

class TestSummaryView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { applyTheme(Theme::Light); }

    void nothingIsWorkedOutWhileItIsHidden() {
        Desk desk;
        QVERIFY(desk.settle());
        QVERIFY(!desk.view.summary());
        QVERIFY(desk.show());
        const auto first = desk.view.summary();
        QVERIFY(first != nullptr);
        desk.view.hide();
        QVERIFY(desk.set(Field::Mask, utf8("none")));
        QCOMPARE(desk.view.summary(), first);
        QVERIFY(desk.show());
        QVERIFY(desk.view.summary() != first);
    }

    void theTableSaysWhatCoreSays() {
        Desk desk;
        QVERIFY(desk.show());
        const auto heads = head_summaries(*desk.session.trace(), 0);
        QCOMPARE(desk.table()->rowCount(), 8);
        for (int row = 0; row < 8; ++row) {
            const auto& head = heads[static_cast<std::size_t>(row)];
            QCOMPARE(desk.cell(row, HeadTable::Head), QString::number(row));
            QCOMPARE(desk.cell(row, HeadTable::Entropy), numberText(head.entropy_bits, 3));
            QCOMPARE(desk.cell(row, HeadTable::Distance), numberText(head.mean_distance, 3));
        }
        QCOMPARE(desk.cell(0, HeadTable::Role), utf8("previous token"));
        desk.session.setSequence(1);
        QVERIFY(desk.settle());
        QCOMPARE(desk.cell(3, HeadTable::Entropy),
                 numberText(head_summaries(*desk.session.trace(), 1)[3].entropy_bits, 3));
        QVERIFY(desk.set(Field::Weights, utf8("seed")));
        QVERIFY(desk.table()->isColumnHidden(HeadTable::Role));
    }

    void aClickOnATitleSortsTableAndMaps() {
        Desk desk;
        QVERIFY(desk.show());
        const auto heads = head_summaries(*desk.session.trace(), 0);
        for (const bool descending : {false, true}) {
            desk.sortBy(HeadTable::Entropy);
            for (std::size_t i = 1; i < 8; ++i) {
                const double before = heads[static_cast<std::size_t>(desk.view.order()[i - 1])].entropy_bits;
                const double here = heads[static_cast<std::size_t>(desk.view.order()[i])].entropy_bits;
                QVERIFY(descending ? before >= here : before <= here);
            }
            for (int row = 0; row < 8; ++row) {
                const int head = desk.view.order()[static_cast<std::size_t>(row)];
                QCOMPARE(desk.cell(row, HeadTable::Head), QString::number(head));
                QCOMPARE(desk.card(row + 1)->title(), QStringLiteral("Head %1").arg(head));
            }
        }
        desk.sortBy(HeadTable::Head);
        QCOMPARE(desk.view.order(), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
        desk.sortBy(HeadTable::Head);
        QCOMPARE(desk.view.order(), (std::vector<int>{7, 6, 5, 4, 3, 2, 1, 0}));
    }

    /// Of an all-padding sequence nothing can be said.
    void whatIsNoNumberComesLast() {
        Summary summary;
        Desk desk;
        QVERIFY(desk.show());
        summary.trace = desk.session.trace();
        summary.heads = {{0, std::nan(""), 1}, {4, 2, 1}, {4, 1, 1}};
        QCOMPARE(sortedHeads(summary, HeadKey::Entropy, false), (std::vector<int>{2, 1, 0}));
        QCOMPARE(sortedHeads(summary, HeadKey::Entropy, true), (std::vector<int>{1, 2, 0}));
        QCOMPARE(sortedHeads(summary, HeadKey::Distance, true), (std::vector<int>{0, 1, 2}));
    }

    void headsAreGroupedByLikeness() {
        Desk desk;
        QVERIFY(desk.show());
        QVERIFY(!control<QDoubleSpinBox>(desk.view, "summaryCut")->isVisible());
        control<QCheckBox>(desk.view, "summaryGrouped")->click();
        const auto order = order_by_likeness(head_likeness(*desk.session.trace(), 0).value());
        for (int row = 0; row < 8; ++row) {
            const auto place = static_cast<std::size_t>(row);
            QCOMPARE(desk.cell(row, HeadTable::Head), QString::number(order.heads[place]));
            if (row > 0) QVERIFY(desk.cell(row, HeadTable::Group).endsWith(numberText(order.joined_at[place], 2)));
        }
        auto* cut = control<QDoubleSpinBox>(desk.view, "summaryCut");
        for (const double at : {0.0, 0.2, 0.5, 1.0}) {
            cut->setValue(at);
            std::set<QString> groups;
            int joins = 0;
            for (int row = 0; row < 8; ++row) {
                groups.insert(desk.card(row + 1)->subtitle());
                joins += row > 0 && order.joined_at[static_cast<std::size_t>(row)] <= at;
            }
            QCOMPARE(static_cast<int>(groups.size()), 8 - joins);
            QVERIFY(desk.text("summaryGroups").startsWith(QString::number(8 - joins)));
        }
        QCOMPARE(desk.card(1)->subtitle(), utf8("group A"));
        desk.sortBy(HeadTable::Head);  // another order is no longer by likeness
        QVERIFY(!control<QCheckBox>(desk.view, "summaryGrouped")->isChecked());
        QVERIFY(desk.table()->isColumnHidden(HeadTable::Group));
    }

    void tooManyHeadsToCompareAreStillSummed() {
        Desk desk;
        QVERIFY(desk.show());
        desk.session.edit(Field::EmbedDim, utf8("260"));
        QVERIFY(desk.set(Field::NumHeads, utf8("130")));
        QCOMPARE(desk.table()->rowCount(), 130);
        control<QCheckBox>(desk.view, "summaryGrouped")->click();
        QVERIFY2(desk.text("summaryGroups").contains(utf8("130 heads")), qPrintable(desk.text("summaryGroups")));
        QCOMPARE(desk.view.order().size(), 130u);
    }

    /// By hand, from the map and from the table; what stands at the foot says how.
    void aMapIsEnlargedAndMadeSmallAgain() {
        Desk desk;
        QVERIFY(desk.show());
        desk.sortBy(HeadTable::Entropy);
        const int second = desk.view.order()[1];
        const QSize small = desk.card(2)->size();
        QVERIFY(desk.text("summaryLegend").contains(utf8("double-click to enlarge")));
        QTest::mouseDClick(desk.map(2), Qt::LeftButton, Qt::NoModifier, desk.map(2)->mapRect().center().toPoint());
        QCOMPARE(desk.view.enlarged(), std::optional(second));
        QVERIFY(!desk.table()->isVisible() && !desk.card(0)->isVisible());
        QTRY_VERIFY(desk.card(2)->width() > 3 * small.width() && desk.card(2)->height() > 2 * small.height());
        desk.view.resize(900, 600);
        QTRY_VERIFY(desk.card(2)->width() > 860);
        QVERIFY(desk.set(Field::Mask, utf8("none")));  // another picture of the same head
        QCOMPARE(desk.view.enlarged(), std::optional(second));
        QTest::keyClick(desk.map(2), Qt::Key_Escape);
        QVERIFY(!desk.view.enlarged() && desk.table()->isVisible() && desk.card(0)->isVisible());
        QCOMPARE(desk.card(2)->size(), small);

        QTest::keyClick(desk.map(0), Qt::Key_Return);
        QCOMPARE(desk.view.enlarged(), std::optional(SummaryView::kMean));
        QTest::keyClick(desk.map(0), Qt::Key_Return);
        QVERIFY(!desk.view.enlarged());
        desk.table()->setFocus();
        desk.table()->setCurrentCell(7, 0);
        QTest::keyClick(desk.table(), Qt::Key_Return);
        const int last = desk.view.order()[7];
        QCOMPARE(desk.view.enlarged(), std::optional(last));
        control<QToolButton>(desk.view, "summaryAllHeads")->click();
        QVERIFY(!desk.view.enlarged());

        desk.sortBy(HeadTable::Head);
        QTest::keyClick(desk.map(8), Qt::Key_Return);
        QCOMPARE(desk.view.enlarged(), std::optional(7));
        QVERIFY(desk.set(Field::NumHeads, utf8("4")));  // there is no such head any more
        QVERIFY(!desk.view.enlarged() && desk.table()->isVisible());
    }

    void theMeanIsLabelledAsDerived() {
        Desk desk;
        QVERIFY(desk.show());
        QCOMPARE(desk.card(0)->title(), utf8("Mean"));
        QCOMPARE(desk.card(0)->subtitle(), utf8("derived"));
        QVERIFY(desk.text("summaryLegend")
                    .startsWith(utf8("Mean of 8 heads: derived, nn.MultiheadAttention returns this by default")));
        const Tensor mean = mean_over_heads(*desk.session.trace(), 0);
        const QImage image = desk.map(0)->grab().toImage();
        const ColorScale unit;
        for (int query = 0; query < 10; ++query)
            for (int key = 0; key <= query; ++key) {
                const QPoint place = desk.map(0)->cellRect(query, key).center().toPoint();
                QCOMPARE(image.pixel(place), unit.color(mean.value(query * 10 + key)));
            }
    }

    void lightCellsFade() {
        Desk desk;
        QVERIFY(desk.show());
        QVERIFY(desk.text("summaryShareText").startsWith(utf8("100% of the weight: 440 of 440 cells")));
        QVERIFY(desk.keep(80));
        std::int64_t kept = 0;
        for (int head = 0; head < 8; ++head) {
            const MatrixView weights = desk.session.trace()->matrix(Stage::Weights, 0, head);
            const auto heaviest = heaviest_cells(weights, 0.8);
            const auto& faded = desk.view.summary()->maps[static_cast<std::size_t>(head)]->faded;
            for (std::int64_t n = 0; n < 100; ++n) {
                kept += heaviest[static_cast<std::size_t>(n)];
                const bool open = n % 10 <= n / 10;
                QCOMPARE(faded[static_cast<std::size_t>(n)] != 0, open && !heaviest[static_cast<std::size_t>(n)]);
            }
        }
        QCOMPARE(desk.text("summaryShareText"), QStringLiteral("80% of the weight: %1 of 440 cells (%2)")
                                                    .arg(kept)
                                                    .arg(percentText(static_cast<double>(kept) / 440)));
        // On the screen: kept cells as before, others nearly the card, masked ones still hatched.
        const ColorScale unit;
        const QImage image = desk.map(1)->grab().toImage();
        const auto& faded = desk.view.summary()->maps[0]->faded;
        const MatrixView weights = desk.session.trace()->matrix(Stage::Weights, 0, 0);
        bool some = false;
        for (int query = 0; query < 10; ++query)
            for (int key = 0; key < 10; ++key) {
                const QColor seen = image.pixelColor(desk.map(1)->cellRect(query, key).center().toPoint());
                const bool veiled = faded[static_cast<std::size_t>(query * 10 + key)] != 0;
                some |= veiled;
                if (key > query)
                    QVERIFY(seen == color(Role::Masked, Theme::Light) || seen == color(Role::Hatch, Theme::Light));
                else if (veiled)
                    QVERIFY(luminance(seen) > 0.6);
                else
                    QCOMPARE(seen.rgb(), unit.color(weights.at(query, key)));
            }
        QVERIFY(some);
        QVERIFY(desk.keep(100));
        QVERIFY(!desk.view.summary()->maps[0]);
    }

    void aCellIsLockedAndPointedAtFromHere() {
        Desk desk;
        QVERIFY(desk.show());
        desk.sortBy(HeadTable::Head);
        desk.sortBy(HeadTable::Head);  // whatever that click made of the order
        const int head = desk.view.order()[0];
        const auto place = [&] { return desk.map(1)->cellRect(4, 2).center().toPoint(); };
        const auto point = [&] {  // again, while the cards still move to their places
            QTest::mouseMove(desk.map(1), place());
            return desk.session.hover();
        };
        QTRY_COMPARE(point(), std::optional(Cell{4, 2, head}));
        QTest::mouseClick(desk.map(1), Qt::LeftButton, Qt::NoModifier, place());
        QCOMPARE(desk.session.selection().locked, std::optional(Cell{4, 2, head}));
    }

    void nothingTypedSaysWhatToDo() {
        Desk desk;
        QVERIFY(desk.show());
        desk.session.edit(Field::Text, QString());
        QVERIFY(control<QLabel>(desk.view, "summaryEmpty")->isVisible());
        QVERIFY(desk.text("summaryEmpty").startsWith(utf8("Type a sentence")));
        QVERIFY(desk.set(Field::Text, utf8("one")));
        QVERIFY(!control<QLabel>(desk.view, "summaryEmpty")->isVisible());
        QCOMPARE(desk.cell(0, HeadTable::Entropy), utf8("0"));
    }

    void themeAndTypeChangeInPlace() {
        Desk desk;
        QVERIFY(desk.show());
        const QImage light = desk.table()->grab().toImage();
        applyTheme(Theme::Dark);
        QVERIFY(desk.table()->grab().toImage() != light);
        const int height = desk.table()->rowHeight(0);
        const QFont font = QApplication::font();
        QFont large = font;
        large.setPointSize(20);
        QApplication::setFont(large);
        applyTheme(Theme::Dark);  // as the window does
        QTRY_VERIFY(desk.table()->rowHeight(0) > height);
        QApplication::setFont(font);
        applyTheme(Theme::Light);
    }
};

QTEST_MAIN(TestSummaryView)
#include "tst_summary_view.moc"
