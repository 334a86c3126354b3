// SPDX-License-Identifier: GPL-3.0-or-later
// The first picture of a long text, before its pass ends; progress and Esc.
#include <QLabel>
#include <QShortcut>
#include <QTest>
#include <thread>

#include "core/attention/preview.h"
#include "core/attention/row_reader.h"
#include "support.h"
#include "ui/export/export_dialog.h"
#include "ui/panels/foot/foot.h"

using namespace headscope;

namespace {

/// A core that keeps no scores and, while it is closed, waits between the preview and the pass.
class Slow {
public:
    ComputeFunction function() {
        return [this](const Request& request, const TracePtr& previous, const std::atomic<bool>* cancel,
                      const Reports& reports) {
            ++begun;
            Request lean = request;
            lean.kept_bytes = 0;
            Reports waiting = reports;
            waiting.preview = [&](const TracePtr& preview) {
                reports.preview(preview);
                reports.progress->all = 4;
                reports.progress->done = 1;
                while (!open && !*cancel) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                cancelled += *cancel;
                reports.progress->all = reports.progress->done = 0;
            };
            if (fails) return Result<TracePtr>(fail(ErrorCode::OutOfMemory, "no memory"));
            return compute(lean, previous, cancel, waiting);
        };
    }
    std::atomic<bool> open = true, fails = false;
    std::atomic<int> begun = 0, cancelled = 0;
};

/// A session with its first picture, and then a computation that waits after its preview.
struct Waiting {
    Slow slow;
    Session session{slow.function()};
    TracePtr first;

    bool begin() {
        if (!waitForTrace(session)) return false;
        first = session.trace();
        slow.open = false;
        session.edit(Field::Mask, QStringLiteral("causal"));
        return QTest::qWaitFor([&] { return session.trace() != first; }, 20000);
    }
};

}  // namespace

class TestSessionPreview : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void thePreviewIsShownUntilThePassEnds() {
        Waiting desk;
        QVERIFY(desk.begin());
        const TracePtr preview = desk.session.trace();
        QVERIFY(is_preview(*preview) && desk.session.isComputing() && !desk.session.completeTrace());
        QCOMPARE(QString::fromStdString(to_string(preview->request.mask)), QStringLiteral("causal"));
        const auto early = row_of(*preview, Stage::Weights, 0, 3, 7);
        desk.slow.open = true;
        QVERIFY(waitForTrace(desk.session));
        QVERIFY(!is_preview(*desk.session.trace()) && desk.session.completeTrace() == desk.session.trace());
        const auto late = row_of(*desk.session.trace(), Stage::Weights, 0, 3, 7);
        for (std::size_t j = 0; j < early.size(); ++j) QVERIFY(std::abs(early[j] - late[j]) < 1e-6);
    }

    /// Only the page Heads shows it, and only stages that it has.
    void otherPagesAndStagesKeepTheCompletePicture() {
        Waiting desk;
        QVERIFY(desk.begin());
        const TracePtr preview = desk.session.trace();
        desk.session.setStage(Stage::Output);
        QVERIFY(desk.session.trace() == desk.first);
        QCOMPARE(desk.session.selection().stage, Stage::Output);
        desk.session.setStage(Stage::Scores);
        QVERIFY(desk.session.trace() == preview);
        for (const PageName page : {PageName::Mask, PageName::Compare, PageName::Steps, PageName::Atlas}) {
            desk.session.setPage(page);
            QVERIFY(desk.session.trace() == desk.first && desk.session.completeTrace() == desk.first);
        }
        desk.session.setPage(PageName::Heads);
        QVERIFY(desk.session.trace() == preview);
    }

    void cancellingBringsTheOldPictureBack() {
        Waiting desk;
        QVERIFY(desk.begin());
        QVERIFY(desk.session.canCancel());
        desk.session.cancelComputing();
        QVERIFY(desk.session.trace() == desk.first && !desk.session.isComputing() && !desk.session.canCancel());
        QVERIFY(desk.session.computeError() && desk.session.computeError()->code == ErrorCode::Cancelled);
        desk.slow.open = true;
        desk.session.edit(Field::Fill, QStringLiteral("inf"));
        QVERIFY(waitForTrace(desk.session));
        QVERIFY(!desk.session.computeError());
        QCOMPARE(QString::fromStdString(to_string(desk.session.trace()->request.mask)), QStringLiteral("causal"));
    }

    /// However old the picture is: nothing waits for a pass whose preview is shown.
    void theNextEditCancelsAPassWhosePreviewIsShown() {
        Waiting desk;
        QVERIFY(desk.begin());
        QTest::qSleep(150);
        const TracePtr preview = desk.session.trace();
        desk.session.edit(Field::Mask, QStringLiteral("block:4"));
        QTRY_VERIFY(desk.session.trace() != preview);
        QCOMPARE(desk.slow.cancelled.load(), 1);
        QVERIFY(is_preview(*desk.session.trace()));
        QCOMPARE(QString::fromStdString(to_string(desk.session.trace()->request.mask)), QStringLiteral("block:4"));
    }

    void aFailureBringsTheOldPictureBack() {
        Waiting desk;
        QVERIFY(desk.begin());
        desk.slow.fails = true;
        desk.session.edit(Field::Mask, QStringLiteral("block:4"));
        QTRY_VERIFY(!desk.session.isComputing());
        QVERIFY(desk.session.trace() == desk.first);
        QCOMPARE(desk.session.computeError()->code, ErrorCode::OutOfMemory);
    }

    void exportsWaitForTheCompletePicture() {
        Waiting desk;
        QVERIFY(desk.begin());
        ExportDialog dialog(desk.session);
        const auto note = [&] {
            for (const QLabel* label : dialog.findChildren<QLabel*>())
                if (label->text() == QStringLiteral("The picture is still being computed")) return true;
            return false;
        };
        QVERIFY(note());
        desk.slow.open = true;
        QVERIFY(waitForTrace(desk.session));
        QVERIFY(!note());
    }

    void theFootShowsTheProgressAndEscCancels() {
        Waiting desk;
        Foot foot(desk.session);
        foot.resize(1600, 30);
        foot.show();
        QVERIFY(desk.begin());
        const auto* cost = foot.findChild<QLabel*>(QStringLiteral("footCost"));
        auto* shortcut = foot.findChild<QShortcut*>();
        QVERIFY(!shortcut->isEnabled());  // the first half second
        QCOMPARE(cost->text(), QStringLiteral("computing …"));
        QTRY_COMPARE(cost->text(), QStringLiteral("computing, 25% · Esc cancels"));
        QVERIFY(shortcut->isEnabled());
        Q_EMIT shortcut->activated();
        QVERIFY(desk.session.trace() == desk.first && !shortcut->isEnabled());
        QCOMPARE(cost->text(), QStringLiteral("not computed"));
    }
};

QTEST_MAIN(TestSessionPreview)
#include "tst_session_preview.moc"
