// SPDX-License-Identifier: GPL-3.0-or-later
// While a setting is illegal, the picture on each page is marked as that of the last legal settings.
#include "ui/controls/out_of_date.h"

#include <QMouseEvent>

#include "panel_support.h"
#include "ui/look/theme.h"
#include "ui/maps/head_grid.h"
#include "ui/maps/heat_map.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/heads/heads_page.h"
#include "ui/pages/mask/mask_grid.h"
#include "ui/pages/mask/mask_lab.h"
#include "ui/pages/steps/steps_page.h"

using namespace headscope;

namespace {

template <typename View>
struct Desk {
    Session session;
    View view{session};

    Desk() { view.resize(900, 600); }
    bool show() {
        view.show();
        return QTest::qWaitForWindowExposed(&view) && waitForTrace(session);
    }
    /// The visible marks.
    QList<OutOfDate*> marks() const {
        QList<OutOfDate*> visible;
        for (auto* mark : view.template findChildren<OutOfDate*>())
            if (mark->isVisible()) visible << mark;
        return visible;
    }
};

}  // namespace

class TestOutOfDate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { applyTheme(Theme::Light); }

    void theHeadsAreDimmedAndSayWhy() {
        Desk<HeadsPage> desk;
        QVERIFY(desk.show());
        QVERIFY(desk.marks().isEmpty());
        const HeatMap* map = desk.view.grid()->maps().front();
        const QPoint cell = map->mapTo(&desk.view, map->cellRect(0, 0).center().toPoint());
        const auto colorOf = [&] { return desk.view.grab().toImage().pixelColor(cell); };
        const QColor before = colorOf();
        desk.session.edit(Field::NumHeads, QStringLiteral("7"));
        QCOMPARE(desk.marks().size(), 1);
        const OutOfDate* mark = desk.marks().front();
        const QString words = mark->sentence();
        QVERIFY2(words.startsWith(QStringLiteral("Not computed")) && words.contains(QStringLiteral("512")) &&
                     words.contains(u'7'),
                 qPrintable(words));
        const auto* label = control<QLabel>(*mark, "outOfDateSentence");
        QCOMPARE(label->textFormat(), Qt::PlainText);
        QVERIFY(label->height() >= label->heightForWidth(label->width()));
        QVERIFY(mark->rect().contains(label->geometry()));
        // Paler: nearer to the background in each channel.
        const QColor after = colorOf(), ground = color(Role::Window, Theme::Light);
        QVERIFY(after != before);
        for (const auto channel : {&QColor::red, &QColor::green, &QColor::blue})
            QVERIFY(std::abs((after.*channel)() - (ground.*channel)()) <=
                    std::abs((before.*channel)() - (ground.*channel)()));
        // The mouse still reaches the maps.
        QVERIFY(mark->testAttribute(Qt::WA_TransparentForMouseEvents));
        desk.session.edit(Field::NumHeads, QStringLiteral("4"));
        QVERIFY(desk.marks().isEmpty());
        QVERIFY(waitForTrace(desk.session));
        QVERIFY(desk.marks().isEmpty());
    }

    void anEmptyTextHasItsOwnSentence() {
        Desk<HeadsPage> desk;
        QVERIFY(desk.show());
        desk.session.edit(Field::Text, QString());
        QVERIFY(desk.marks().isEmpty());
        QVERIFY(control<QLabel>(desk.view, "emptyState")->isVisible());
    }

    void theMaskEditorIsNot() {
        Desk<MaskLab> desk;
        QVERIFY(desk.show());
        desk.session.edit(Field::NumHeads, QStringLiteral("7"));
        QCOMPARE(desk.marks().size(), 1);
        QVERIFY(qobject_cast<HeadGrid*>(desk.marks().front()->parentWidget()));
    }

    void onlyThePartThatIsShownIsMarked() {
        Desk<StepsPage> desk;
        QVERIFY(desk.show());
        for (const StepsPart part : {StepsPart::Cell, StepsPart::Chunks, StepsPart::Precision}) {
            desk.session.edit(Field::Scale, QStringLiteral("auto"));
            desk.session.setStepsPart(part);
            QVERIFY(waitForTrace(desk.session));
            QVERIFY(desk.marks().isEmpty());
            desk.session.edit(Field::Scale, QStringLiteral("much"));
            QTRY_COMPARE(desk.marks().size(), 1);
        }
    }

    void whatCouldNotBeComputedIsMarkedToo() {
        Session session(
            [](const Request& request, const TracePtr& previous, const std::atomic<bool>* cancel) -> Result<TracePtr> {
                if (request.num_heads == 8) return compute(request, previous, cancel);
                return fail(ErrorCode::OutOfMemory, "the scores need {}, {} are free", "9 GB", "1 GB");
            });
        HeadsPage page(session);
        page.resize(900, 600);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page) && waitForTrace(session));
        session.edit(Field::NumHeads, QStringLiteral("4"));
        const auto* mark = page.findChild<OutOfDate*>();
        QTRY_VERIFY(mark->isVisible());
        QVERIFY(mark->sentence().contains(QStringLiteral("9 GB")));
    }
};

QTEST_MAIN(TestOutOfDate)
#include "tst_out_of_date.moc"
