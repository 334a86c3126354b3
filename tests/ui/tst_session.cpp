// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>
#include <atomic>

#include "core/attention/plan.h"
#include "core/base/memory.h"
#include "tests/ui/support.h"
#include "ui/state/clock.h"
#include "ui/state/session.h"

using namespace headscope;

namespace {

/// Longer than edits of one field are merged.
void settle() {
    advanceClockForTests(std::chrono::milliseconds(1001));
}

/// The signals of a session, in order.
class Log : public QObject {
public:
    explicit Log(Session& session) {
        connect(&session, &Session::draftChanged, this, [this] { entries.append(utf8("draft")); });
        connect(&session, &Session::traceChanged, this, [this] { entries.append(utf8("trace")); });
        connect(&session, &Session::selectionChanged, this, [this] { entries.append(utf8("selection")); });
        connect(&session, &Session::hoverChanged, this, [this] { entries.append(utf8("hover")); });
        connect(&session, &Session::computeFailed, this, [this] { entries.append(utf8("failed")); });
    }
    QStringList take() { return std::exchange(entries, {}); }
    QStringList entries;
};

QStringList list(std::initializer_list<const char*> words) {
    QStringList result;
    for (const char* word : words) result.append(utf8(word));
    return result;
}

std::vector<double> values(const Tensor& tensor) {
    std::vector<double> all;
    for (std::int64_t i = 0; i < tensor.size(); ++i) all.push_back(tensor.value(i));
    return all;
}

/// A core that keeps the scores of one sequence only, as it does where all would be too large.
ComputeFunction keepingOne(std::atomic<int>& computed) {
    return [&computed](const Request& request, const TracePtr& previous, const std::atomic<bool>* cancel) {
        ++computed;
        return compute(request, previous, cancel).map([](const TracePtr& trace) {
            auto one = std::make_shared<Trace>(*trace);
            one->first_kept = trace->request.kept_sequence;
            Shape shape = trace->weights->shape();
            shape[0] = 1;
            one->scores = one->weights = std::make_shared<Tensor>(Tensor::Type::Float32, shape);
            return TracePtr(one);
        });
    };
}

/// A core whose scores and weights are large: never touched, so that they take no memory.
Result<TracePtr> computeLarge(const Request& request, const TracePtr& previous, const std::atomic<bool>* cancel) {
    return compute(request, nullptr, cancel).map([&](const TracePtr& trace) {
        const Reuse reuse = previous ? reusable(request, *previous, same_mask(request, previous->request)) : Reuse();
        const auto untouched = [] {
            return std::make_shared<const Tensor>(Tensor::Type::Float32, Shape{2, 1, 6000, 6000});
        };
        auto large = std::make_shared<Trace>(*trace);
        large->scores = reuse.scores ? previous->scores : untouched();
        large->weights = reuse.weights ? previous->weights : untouched();
        return TracePtr(large);
    });
}

ComputeFunction counting(std::atomic<int>& computed) {
    return [&computed](const Request& request, const TracePtr& previous, const std::atomic<bool>* cancel) {
        ++computed;
        return compute(request, previous, cancel);
    };
}

}  // namespace

class TestSession : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { set_memory_limit_for_tests(0); }

    void theFirstStartComputesByItself() {
        Session session;
        Log log(session);
        QVERIFY(!session.trace());
        QVERIFY(session.isComputing());
        QVERIFY(waitForTrace(session));
        QCOMPARE(session.draft(), Draft());
        QCOMPARE(session.trace()->dims(), (Dims{2, 10, 512, 8}));
        QCOMPARE(log.take(), list({"trace"}));
        QVERIFY(!session.undoStack()->canUndo());
        QVERIFY(!session.computeError());
    }

    void anEditIsFollowedByItsPicture() {
        Session session;
        QVERIFY(waitForTrace(session));
        Log log(session);
        session.edit(Field::NumHeads, utf8("16"));
        QCOMPARE(log.take(), list({"draft"}));
        QCOMPARE(session.draft().value(Field::NumHeads), utf8("16"));
        QCOMPARE(session.trace()->dims().num_heads, 8);
        QVERIFY(waitForTrace(session));
        QCOMPARE(session.trace()->dims().num_heads, 16);
        QCOMPARE(log.take(), list({"trace"}));
    }

    void theSameValueIsNoEdit() {
        Session session;
        QVERIFY(waitForTrace(session));
        Log log(session);
        session.edit(Field::NumHeads, utf8("8"));
        session.edit(Draft(), utf8("nothing"));
        session.setStage(Stage::Weights);
        session.setSequence(0);
        session.setHead(std::nullopt);
        session.setLocked(std::nullopt);
        session.setHover(std::nullopt);
        handleEvents();
        QVERIFY(log.take().isEmpty());
        QCOMPARE(session.undoStack()->count(), 0);
        QVERIFY(!session.isComputing());
    }

    void anIllegalDraftKeepsThePicture() {
        Session session;
        QVERIFY(waitForTrace(session));
        const TracePtr before = session.trace();
        Log log(session);
        session.edit(Field::NumHeads, utf8("7"));
        session.edit(Field::ChunkSize, utf8("0"));
        QCOMPARE(session.reading().problems.size(), 2);
        QVERIFY(session.reading().problem(Field::NumHeads) && session.reading().problem(Field::ChunkSize));
        QVERIFY(!session.isComputing());
        session.setSequence(1);  // looking around goes on
        QCOMPARE(session.selection().sequence, 1);
        handleEvents();
        QCOMPARE(session.trace(), before);
        QCOMPARE(log.take(), list({"draft", "draft", "selection"}));
        session.edit(Field::NumHeads, utf8("4"));
        session.edit(Field::ChunkSize, utf8("4"));
        QVERIFY(session.reading().problems.isEmpty());
        QVERIFY(waitForTrace(session));
        QCOMPARE(session.trace()->dims().num_heads, 4);
    }

    void editsOfOneFieldWithinASecondAreOneStep() {
        Session session;
        QUndoStack& undo = *session.undoStack();
        for (const char* text : {"c", "ca", "cat"}) session.edit(Field::Text, utf8(text));
        QCOMPARE(undo.count(), 1);
        session.edit(Field::Mask, utf8("causal"));
        session.edit(Field::Text, utf8("cats"));  // another field between: a step of its own
        QCOMPARE(undo.count(), 3);
        settle();
        session.edit(Field::Text, utf8("cats!"));
        QCOMPARE(undo.count(), 4);

        undo.undo();
        QCOMPARE(session.draft().value(Field::Text), utf8("cats"));
        undo.undo();
        QCOMPARE(session.draft().value(Field::Text), utf8("cat"));
        QCOMPARE(session.draft().value(Field::Mask), utf8("causal"));
        undo.undo();
        QCOMPARE(session.draft().value(Field::Mask), QString());
        undo.undo();
        QCOMPARE(session.draft(), Draft());
        QVERIFY(!undo.canUndo());
        while (undo.canRedo()) undo.redo();
        QCOMPARE(session.draft().value(Field::Text), utf8("cats!"));
        QCOMPARE(session.draft().value(Field::Mask), utf8("causal"));
    }

    void backAtTheStartNothingIsToBeUndone() {
        Session session;
        session.edit(Field::NumHeads, utf8("1"));
        session.edit(Field::NumHeads, utf8("16"));
        session.edit(Field::NumHeads, utf8("8"));
        QCOMPARE(session.undoStack()->count(), 0);
        QCOMPARE(session.draft(), Draft());
        settle();
        session.edit(Field::NumHeads, utf8("4"));
        settle();
        session.edit(Field::NumHeads, utf8("8"));  // but slowly they are two decisions
        QCOMPARE(session.undoStack()->count(), 2);
    }

    void aGestureIsOneStepHoweverLongItTakes() {
        Session session;
        QUndoStack& undo = *session.undoStack();
        const auto first = session.beginGesture(utf8("paint"));
        session.edit(Field::Mask, utf8("causal"), first);
        settle();
        session.edit(Field::Mask, utf8("local:1:1"), first);
        QCOMPARE(undo.count(), 1);
        QCOMPARE(undo.undoText(), utf8("paint"));
        const auto second = session.beginGesture(utf8("invert"));  // at once, but another movement
        session.edit(Field::Mask, utf8("block:2"), second);
        QCOMPARE(undo.count(), 2);
        session.edit(Field::Mask, utf8("block:3"));  // nor one with a key
        session.edit(Field::Mask, utf8("block:4"), session.beginGesture(utf8("third")));
        QCOMPARE(undo.count(), 4);
        undo.undo();
        undo.undo();
        QCOMPARE(session.draft().value(Field::Mask), utf8("block:2"));
        undo.undo();
        QCOMPARE(session.draft().value(Field::Mask), utf8("local:1:1"));
        undo.undo();
        QCOMPARE(session.draft(), Draft());
    }

    void aGestureThatComesBackLeavesNoStep() {
        Session session;
        const auto gesture = session.beginGesture(utf8("paint"));
        session.edit(Field::Mask, utf8("causal"), gesture);
        settle();
        session.edit(Field::Mask, QString(), gesture);
        QCOMPARE(session.undoStack()->count(), 0);
        QCOMPARE(session.draft(), Draft());
    }

    void severalFieldsAtOnceAreOneStepWithAName() {
        Session session;
        Log log(session);
        Draft draft;
        draft.set(Field::EmbedDim, utf8("96"));
        draft.set(Field::NumHeads, utf8("12"));
        session.edit(draft, utf8("nearest legal sizes"));
        QCOMPARE(log.take(), list({"draft"}));
        QCOMPARE(session.undoStack()->undoText(), utf8("nearest legal sizes"));
        QVERIFY(waitForTrace(session));
        QCOMPARE(session.trace()->dims().embed_dim, 96);
        session.undoStack()->undo();
        QCOMPARE(session.draft(), Draft());
        QVERIFY(waitForTrace(session));
        QCOMPARE(session.trace()->dims().embed_dim, 512);
    }

    void lookingAroundIsNoStep() {
        Session session;
        QVERIFY(waitForTrace(session));
        Log log(session);
        const auto look = [&](auto change) {
            change();
            return log.take() == list({"selection"});
        };
        QVERIFY(look([&] { session.setPage(PageName::Steps); }));
        QVERIFY(look([&] { session.setStepsPart(StepsPart::Chunks); }));
        QVERIFY(look([&] { session.setRange(Range::Head); }));
        QVERIFY(look([&] { session.setPalette(Palette::Magma); }));
        QVERIFY(look([&] { session.setSequence(1); }));
        QVERIFY(look([&] { session.setHead(3); }));
        QVERIFY(look([&] { session.setLocked(Cell{5, 4, 3}); }));
        QVERIFY(look([&] { session.setStage(Stage::Scores); }));
        QCOMPARE(session.undoStack()->count(), 0);
        QCOMPARE(session.selection().locked, std::optional(Cell{5, 4, 3}));
        QCOMPARE(session.selection().shownRange(), Range::Head);
    }

    void aStepKeepsTheSelectionThatItWasMadeWith() {
        Session session;
        QVERIFY(waitForTrace(session));
        session.setHead(3);
        session.edit(Field::Mask, utf8("causal"));
        session.setHead(5);
        session.setPage(PageName::Atlas);
        session.undoStack()->undo();
        QCOMPARE(session.draft(), Draft());
        QCOMPARE(session.selection().head, std::optional(3));
        QCOMPARE(session.selection().page, PageName::Heads);
        session.setHead(1);  // looking around keeps what can be redone
        session.undoStack()->redo();
        QCOMPARE(session.draft().value(Field::Mask), utf8("causal"));
        QCOMPARE(session.selection().head, std::optional(3));
    }

    void startingOverBringsBackAllOfTheFirstStartInOneStep() {
        Session session;
        QVERIFY(waitForTrace(session));
        session.edit(Field::Mask, utf8("causal,strided:4"));
        session.setSequence(1);
        session.setLocked(Cell{1, 0, 2});
        session.setPage(PageName::Compare);
        const Selection before = session.selection();
        session.startOver();
        QCOMPARE(session.draft(), Draft());
        QCOMPARE(session.selection(), Selection());
        QCOMPARE(session.undoStack()->count(), 2);
        session.undoStack()->undo();
        QCOMPARE(session.draft().value(Field::Mask), utf8("causal,strided:4"));
        QCOMPARE(session.selection(), before);
    }

    void theEditsOfASecondSessionAreStepsOfTheFirst() {
        Session first;
        QUndoStack& undo = *first.undoStack();
        {
            Session second(first, nullptr);
            second.edit(Field::Mask, utf8("causal"));
            first.edit(Field::Fill, utf8("inf"));
            QCOMPARE(second.undoStack(), &undo);
            QCOMPARE(undo.count(), 2);
            second.adopt(Draft());
            QCOMPARE(second.draft(), Draft());
            QCOMPARE(undo.count(), 2);
            undo.undo();
            QCOMPARE(first.draft(), Draft());
            undo.redo();
            second.replace(Draft(), {});
            QCOMPARE(undo.count(), 2);
        }
        QCOMPARE(undo.count(), 0);  // no step outlives its session
    }

    void aSelectionComputesNothing() {
        std::atomic<int> computed = 0;
        Session session(counting(computed));
        QVERIFY(waitForTrace(session));
        const TracePtr trace = session.trace();
        for (int i = 0; i < 8; ++i) session.setHead(i);
        for (const Stage stage : {Stage::Q, Stage::Masked, Stage::Output, Stage::X}) session.setStage(stage);
        session.setSequence(1);
        QVERIFY(!session.isComputing());
        handleEvents();
        QCOMPARE(computed.load(), 1);
        QCOMPARE(session.trace(), trace);
    }

    void hoverIsNeverUndone() {
        Session session;
        QVERIFY(waitForTrace(session));
        Log log(session);
        session.setHover(Cell{1, 2, 3});
        session.setHover(Cell{1, 2, 3});
        QCOMPARE(log.take(), list({"hover"}));
        QCOMPARE(session.undoStack()->count(), 0);
        session.edit(Field::Fill, utf8("inf"));
        session.undoStack()->undo();
        QCOMPARE(session.hover(), std::optional(Cell{1, 2, 3}));
        session.setHover(std::nullopt);
        QVERIFY(!session.hover());
    }

    void theSelectionFitsThePictureAndComesBack() {
        Session session;
        QVERIFY(waitForTrace(session));
        session.setSequence(1);
        session.setHead(7);
        session.setLocked(Cell{9, 8, 7});
        session.setHover(Cell{9, 9, 0});
        Log log(session);
        session.edit(Field::NumHeads, utf8("4"));
        QCOMPARE(session.selection().head, std::optional(7));  // the picture is the old one still
        QVERIFY(waitForTrace(session));
        QCOMPARE(session.selection().head, std::optional(3));
        QVERIFY(!session.selection().locked);
        QCOMPARE(log.take(), list({"draft", "trace", "selection"}));

        session.edit(Field::Text, utf8("one two"));
        QVERIFY(waitForTrace(session));
        QCOMPARE(session.selection().sequence, 0);
        QVERIFY(!session.hover());
        QCOMPARE(log.take(), list({"draft", "trace", "selection", "hover"}));

        session.undoStack()->undo();
        session.undoStack()->undo();
        QVERIFY(waitForTrace(session));
        QCOMPARE(session.selection().sequence, 1);
        QCOMPARE(session.selection().head, std::optional(7));
        QCOMPARE(session.selection().locked, std::optional(Cell{9, 8, 7}));
        QCOMPARE(session.wantedSelection(), session.selection());
    }

    void aLockedCellIsShownWhereItsColumnMeansTheSame() {
        Session session;
        QVERIFY(waitForTrace(session));
        session.setLocked(Cell{5, 4, 2});
        for (const Stage stage : {Stage::Scores, Stage::Masked, Stage::Mask, Stage::Weights}) {
            session.setStage(stage);
            QCOMPARE(session.selection().locked, std::optional(Cell{5, 4, 2}));
        }
        for (const Stage stage : {Stage::Q, Stage::X, Stage::HeadContext}) {
            session.setStage(stage);
            QVERIFY(!session.selection().locked);
        }
        session.setStage(Stage::Q);
        session.setLocked(Cell{1, 63, 0});  // a dimension now
        session.setStage(Stage::K);
        QCOMPARE(session.selection().locked, std::optional(Cell{1, 63, 0}));
        session.setStage(Stage::Weights);
        QVERIFY(!session.selection().locked);
        session.setStage(Stage::V);
        QCOMPARE(session.selection().locked, std::optional(Cell{1, 63, 0}));
    }

    void anotherSequenceIsComputedOnlyWhereItWasNotKept() {
        std::atomic<int> computed = 0;
        Session session(keepingOne(computed));
        QVERIFY(waitForTrace(session));
        QCOMPARE(session.trace()->first_kept, 0);
        session.setSequence(1);
        QVERIFY(session.isComputing());
        QVERIFY(waitForTrace(session));
        QCOMPARE(computed.load(), 2);
        QCOMPARE(session.trace()->first_kept, 1);
        session.setHead(2);
        session.setStage(Stage::Scores);
        QVERIFY(!session.isComputing());
        session.edit(Field::Mask, utf8("causal"));  // stays with the sequence that is shown
        QVERIFY(waitForTrace(session));
        QCOMPARE(computed.load(), 3);
        QCOMPARE(session.trace()->first_kept, 1);
    }

    void anotherSequenceChosenWhileComputing() {
        std::atomic<int> computed = 0;
        Session session(keepingOne(computed));
        session.setSequence(1);  // there is no picture yet that could lack it
        QVERIFY(waitForTrace(session));
        QCOMPARE(session.trace()->first_kept, 1);
        session.edit(Field::Text, utf8("one"));  // a batch of one: the wish for sequence 1 waits
        QVERIFY(waitForTrace(session));
        QCOMPARE(session.trace()->first_kept, 0);
        QVERIFY(!session.isComputing());
        QVERIFY(computed <= 3);
    }

    /// Those of two traces side by side would take twice the memory.
    void largeScoresThatAreNotLookedAtMakeRoom() {
        std::weak_ptr<const Tensor> old_scores;
        std::atomic<bool> held = false;
        Session session([&](const Request& request, const TracePtr& previous, const std::atomic<bool>* cancel) {
            held = !old_scores.expired();
            return computeLarge(request, previous, cancel);
        });
        QVERIFY(waitForTrace(session));
        Log log(session);
        const auto has_scores = [&] { return session.trace()->keeps(Stage::Scores); };
        const TracePtr first = without_scores(session.trace());
        old_scores = session.trace()->scores;
        session.edit(Field::Text, utf8("another sentence"));
        QVERIFY(session.isBetween() && !has_scores());
        QCOMPARE(session.trace()->weights, first->weights);
        QCOMPARE(session.trace()->x, first->x);
        QCOMPARE(log.take(), list({"trace", "draft"}));
        QVERIFY(waitForTrace(session));
        QVERIFY(!session.isBetween() && has_scores());
        QVERIFY(!held);                             // gone before the next were computed
        session.edit(Field::Mask, utf8("causal"));  // takes the scores over
        QVERIFY(has_scores());
        QVERIFY(waitForTrace(session));
        session.setStage(Stage::Masked);
        session.edit(Field::Text, utf8("a third one"));
        QVERIFY(has_scores() && !session.isBetween());
        QVERIFY(waitForTrace(session));
    }

    /// Where no next picture comes, the one on the screen gets its scores back; what went wrong stays said.
    void letGoInVain() {
        std::atomic<bool> fails = false;
        Session session([&](const Request& request, const TracePtr& previous, const std::atomic<bool>* cancel) {
            if (fails && request.batch.sequence_length() == 2)
                return Result<TracePtr>(fail(ErrorCode::OutOfMemory, "no memory"));
            return computeLarge(request, previous, cancel);
        });
        QVERIFY(waitForTrace(session));
        fails = true;
        session.edit(Field::Text, utf8("two words"));
        QVERIFY(session.isBetween());
        QTRY_VERIFY(!session.isBetween());
        QVERIFY(session.trace()->keeps(Stage::Scores));
        QVERIFY(session.computeError().has_value());
        fails = false;
        session.edit(Field::Text, utf8("three more words"));
        QVERIFY(waitForTrace(session));
        QVERIFY(!session.computeError());
        session.edit(Field::Text, utf8("on its way"));
        Draft illegal;
        illegal.set(Field::NumHeads, utf8("7"));
        QVERIFY(session.isBetween());
        session.replace(illegal, {});  // nothing comes of it
        QTRY_VERIFY(!session.isBetween());
        QVERIFY(session.trace()->keeps(Stage::Scores));
    }

    /// A new start that nothing comes of, while the scores are on their way back.
    void replacedWhileScoresComeBack() {
        std::atomic<bool> fails = false;
        Session session([&](const Request& request, const TracePtr& previous, const std::atomic<bool>* cancel) {
            if (fails.exchange(false)) return Result<TracePtr>(fail(ErrorCode::OutOfMemory, "no memory"));
            return computeLarge(request, previous, cancel);
        });
        QVERIFY(waitForTrace(session));
        Draft illegal;
        illegal.set(Field::NumHeads, utf8("7"));
        bool replaced = false;
        connect(&session, &Session::computeFailed, &session, [&] {
            if (!std::exchange(replaced, true)) session.replace(illegal, {});
        });
        fails = true;
        session.edit(Field::Text, utf8("two words"));
        QTRY_VERIFY(replaced);
        QTRY_VERIFY(!session.isBetween());
        QVERIFY(session.trace()->keeps(Stage::Scores));
    }

    void aNewStartForgetsTheOld() {
        Session session;
        QVERIFY(waitForTrace(session));
        session.edit(Field::Mask, utf8("causal"));
        session.edit(Field::Text, utf8("a slow one"));
        Draft draft;
        draft.set(Field::Text, utf8("quite another thing"));
        draft.set(Field::NumHeads, utf8("4"));
        Selection selection;
        selection.head = 2;
        Log log(session);
        session.replace(draft, selection);
        QCOMPARE(log.take(), list({"draft", "selection"}));
        QCOMPARE(session.undoStack()->count(), 0);
        QVERIFY(waitForTrace(session));
        QCOMPARE(log.take(), list({"trace"}));  // none of the old start in between
        QCOMPARE(session.trace()->dims().num_heads, 4);
        QCOMPARE(session.selection(), selection);
        session.replace(draft, selection);  // the same once more is computed again
        QVERIFY(session.isComputing());
        QVERIFY(waitForTrace(session));
    }

    void aNewStartAtOnceShowsNothingElse() {
        Session session;
        Log log(session);
        Draft draft;
        draft.set(Field::Text, utf8("remembered"));
        session.replace(draft, {});
        QVERIFY(waitForTrace(session));
        QCOMPARE(log.take(), list({"draft", "trace"}));
        QCOMPARE(session.trace()->batch().tokens[0][0], "remembered");
    }

    void anIllegalStartWaitsForALegalDraft() {
        Session session;
        Draft draft;
        draft.set(Field::Weights, utf8("/gone.safetensors"));
        session.replace(draft, {});
        session.setSequence(1);
        QVERIFY(!session.isComputing());
        QVERIFY(!session.trace());
        QVERIFY(session.reading().problem(Field::Weights));
        session.edit(Field::Weights, utf8("textbook"));
        QVERIFY(waitForTrace(session));
        QVERIFY(session.trace());
    }

    void aFailedComputationSaysSoAndKeepsThePicture() {
        std::atomic<bool> failing = false;
        Session session([&](const Request& request, const TracePtr& previous, const std::atomic<bool>* cancel) {
            if (failing) return Result<TracePtr>(fail(ErrorCode::OutOfMemory, "no room for {}", 3));
            return compute(request, previous, cancel);
        });
        QVERIFY(waitForTrace(session));
        const TracePtr before = session.trace();
        Log log(session);
        failing = true;
        session.edit(Field::Mask, utf8("causal"));
        QVERIFY(waitForTrace(session));
        QCOMPARE(log.take(), list({"draft", "failed"}));
        QCOMPARE(session.computeError()->message(), "no room for 3");
        QCOMPARE(session.trace(), before);
        failing = false;
        session.edit(Field::Mask, utf8("padding"));
        QVERIFY(waitForTrace(session));
        QVERIFY(!session.computeError());
        QVERIFY(session.trace() != before);
    }

    void whatCannotFitIsAProblemOfTheDraft() {
        Session session;
        QVERIFY(waitForTrace(session));
        const TracePtr before = session.trace();
        set_memory_limit_for_tests(10'000'000);
        session.edit(Field::EmbedDim, utf8("65536"));
        QCOMPARE(session.reading().problem(Field::EmbedDim)->error.code, ErrorCode::OutOfMemory);
        session.edit(Field::EmbedDim, utf8("512"));
        session.edit(Field::Mask, utf8("causal"));  // little is new, so little is needed
        QVERIFY(session.reading().problems.isEmpty());
        QVERIFY(waitForTrace(session));
        QVERIFY(!session.computeError());
        QVERIFY(session.trace() != before);
        QCOMPARE(session.trace()->x, before->x);
    }

    /// As a held key: two hundred edits, the event loop running in between.
    void manyQuickEditsEndOnTheLast() {
        Session session;
        QVERIFY(waitForTrace(session));
        std::vector<std::size_t> lengths;
        connect(&session, &Session::traceChanged, this,
                [&] { lengths.push_back(session.trace()->batch().tokens[0].back().size()); });
        QString text = QStringLiteral("word ").repeated(63);
        for (int i = 0; i < 200; ++i) {
            text += u'x';
            session.edit(Field::Text, text);
            QCoreApplication::processEvents();
        }
        QVERIFY(waitForTrace(session));
        QCOMPARE(lengths.back(), 200U);
        QVERIFY(std::is_sorted(lengths.begin(), lengths.end()));
        QCOMPARE(session.trace()->batch().tokens[0].size(), 64U);
        session.undoStack()->undo();
        QCOMPARE(session.draft(), Draft());
    }

    /// A walk as in a lesson, back to its beginning and forth again: each state's numbers are the same both times.
    void undoingEverythingGivesTheSameNumbers() {
        Session session;
        QVERIFY(waitForTrace(session));
        std::vector<std::pair<Draft, std::vector<double>>> states{{session.draft(), values(*session.trace()->weights)}};
        const std::pair<Field, const char*> edits[] = {{Field::Text, "one two three four five\nsix seven"},
                                                       {Field::Mask, "causal"},
                                                       {Field::Fill, "1e9"},
                                                       {Field::EmbedDim, "96"},
                                                       {Field::NumHeads, "12"},
                                                       {Field::Precision, "bfloat16"},
                                                       {Field::ChunkSize, "2"},
                                                       {Field::KeyChunkSize, "3"},
                                                       {Field::Weights, "seed"},
                                                       {Field::Seed, "7"},
                                                       {Field::Scale, "0.5"},
                                                       {Field::Tokenizer, "characters"}};
        for (const auto& [field, value] : edits) {
            session.edit(field, utf8(value));
            QVERIFY2(session.reading().problems.isEmpty(), value);
            QVERIFY(waitForTrace(session));
            states.emplace_back(session.draft(), values(*session.trace()->weights));
        }
        QCOMPARE(session.undoStack()->count(), static_cast<int>(std::size(edits)));
        const auto same = [&](std::size_t i) {
            if (!waitForTrace(session) || session.draft() != states[i].first) return false;
            return values(*session.trace()->weights) == states[i].second;
        };
        for (std::size_t i = states.size() - 1; i-- > 0;) {
            session.undoStack()->undo();
            QVERIFY2(same(i), qPrintable(QString::number(i)));
        }
        QVERIFY(!session.undoStack()->canUndo());
        for (std::size_t i = 1; i < states.size(); ++i) {
            session.undoStack()->redo();
            QVERIFY2(same(i), qPrintable(QString::number(i)));
        }
    }

    void goingAwayWhileComputing() {
        for (int i = 0; i < 10; ++i) {
            Session session;
            session.edit(Field::Text, QStringLiteral("a ").repeated(100 + i));
        }
        QCoreApplication::processEvents();
    }
};

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
