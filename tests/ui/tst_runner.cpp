// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <chrono>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>

#include "ui/state/runner.h"

using namespace headscope;
using namespace std::chrono_literals;

namespace {

constexpr auto kAlwaysFresh = std::chrono::milliseconds(1h);  // the picture never gets old: always cancel
constexpr auto kAlwaysOld = -1ms;                             // always let the running job finish

/// Requests are told apart by their seed.
Request job(std::uint64_t number) {
    Request request;
    request.seed = number;
    return request;
}

Result<TracePtr> traceOf(const Request& request) {
    auto trace = std::make_shared<Trace>();
    trace->request = request;
    return trace;
}

/// Lets the worker go on while no event of this thread is handled.
template <typename Condition>
bool sleepUntil(Condition condition) {
    for (int i = 0; i < 20000 && !condition(); ++i) std::this_thread::sleep_for(1ms);
    return condition();
}

/// A computation that waits for a word from the test, or for its cancel token.
class Gate {
public:
    ComputeFunction function() {
        return [this](const Request& request, const TracePtr& previous, const std::atomic<bool>* cancel) {
            {
                const std::lock_guard lock(mutex_);
                begun_.push_back(request.seed);
                previous_.push_back(previous);
            }
            if (!sleepUntil([&] { return open_ || *cancel; })) return Result<TracePtr>(traceOf(job(9999)));
            if (*cancel) return Result<TracePtr>(fail(ErrorCode::Cancelled, "a newer request took over"));
            return traceOf(request);
        };
    }
    void open() { open_ = true; }
    void close() { open_ = false; }
    std::vector<std::uint64_t> begun() const {
        const std::lock_guard lock(mutex_);
        return begun_;
    }
    std::vector<TracePtr> previous() const {
        const std::lock_guard lock(mutex_);
        return previous_;
    }
    bool waitForBegun(std::size_t jobs) const {
        return sleepUntil([&] { return begun().size() >= jobs; });
    }

private:
    mutable std::mutex mutex_;
    std::vector<std::uint64_t> begun_;
    std::vector<TracePtr> previous_;
    std::atomic<bool> open_ = false;
};

/// What arrives, in order; an error as its code.
struct Arrivals {
    explicit Arrivals(Runner& runner) {
        QObject::connect(&runner, &Runner::finished, &runner, [this, &runner](const Result<TracePtr>& result) {
            if (QThread::currentThread() != runner.thread()) wrong_thread = true;
            if (result) {
                jobs.push_back((*result)->request.seed);
                traces.push_back(*result);
            } else {
                errors.push_back(result.error());
            }
        });
    }
    std::vector<std::uint64_t> jobs;
    std::vector<TracePtr> traces;
    std::vector<Error> errors;
    bool wrong_thread = false;
};

using Numbers = std::vector<std::uint64_t>;

}  // namespace

class TestRunner : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void computesElsewhereAndArrivesHere() {
        std::atomic<bool> elsewhere = false;
        const auto here = std::this_thread::get_id();
        Runner runner([&](const Request& request, const TracePtr&, const std::atomic<bool>*) {
            elsewhere = std::this_thread::get_id() != here;
            return traceOf(request);
        });
        const Arrivals arrivals(runner);
        const QSignalSpy busy(&runner, &Runner::busyChanged);
        QVERIFY(!runner.isBusy());
        runner.submit(job(1));
        QVERIFY(runner.isBusy());
        QCOMPARE(busy.size(), 1);
        QTRY_VERIFY(!runner.isBusy());
        QCOMPARE(busy.size(), 2);
        QCOMPARE(arrivals.jobs, Numbers({1}));
        QVERIFY(elsewhere);
        QVERIFY(!arrivals.wrong_thread);
    }

    void theLastTraceIsPassedOn() {
        Gate gate;
        gate.open();
        Runner runner(gate.function());
        const Arrivals arrivals(runner);
        for (int i = 1; i <= 3; ++i) {
            runner.submit(job(static_cast<std::uint64_t>(i)));
            QTRY_VERIFY(!runner.isBusy());
        }
        QCOMPARE(gate.previous(), std::vector<TracePtr>({nullptr, arrivals.traces[0], arrivals.traces[1]}));
    }

    void theNewestReplacesTheOneThatWaits() {
        Gate gate;
        Runner runner(gate.function());
        const Arrivals arrivals(runner);
        runner.submit(job(1));
        QVERIFY(gate.waitForBegun(1));
        for (std::uint64_t i = 2; i <= 5; ++i) runner.submit(job(i));
        gate.open();
        QTRY_VERIFY(!runner.isBusy());
        QCOMPARE(gate.begun(), Numbers({1, 5}));  // without a picture the first may finish
        QCOMPARE(arrivals.jobs.back(), 5U);
    }

    void aRunningJobIsCancelledWhileThePictureIsFresh() {
        Gate gate;
        gate.open();
        Runner runner(gate.function(), nullptr, kAlwaysFresh);
        const Arrivals arrivals(runner);
        runner.submit(job(1));
        QTRY_COMPARE(arrivals.jobs, Numbers({1}));
        gate.close();
        runner.submit(job(2));
        QVERIFY(gate.waitForBegun(2));
        runner.submit(job(3));
        QVERIFY(gate.waitForBegun(3));  // though the gate is shut: job 2 left by its token
        gate.open();
        QTRY_VERIFY(!runner.isBusy());
        QCOMPARE(arrivals.jobs, Numbers({1, 3}));  // so the token of job 3 is another one
        QVERIFY(arrivals.errors.empty());
        QCOMPARE(gate.previous()[2], arrivals.traces[0]);  // what was cancelled leaves nothing behind
    }

    void aRunningJobMayFinishWhenThePictureIsOld() {
        Gate gate;
        gate.open();
        Runner runner(gate.function(), nullptr, kAlwaysOld);
        const Arrivals arrivals(runner);
        runner.submit(job(1));
        QTRY_COMPARE(arrivals.jobs, Numbers({1}));
        gate.close();
        runner.submit(job(2));
        QVERIFY(gate.waitForBegun(2));
        runner.submit(job(3));
        runner.submit(job(4));
        QVERIFY(runner.isBusy());
        gate.open();
        QTRY_VERIFY(!runner.isBusy());
        QCOMPARE(gate.begun(), Numbers({1, 2, 4}));
        QCOMPARE(arrivals.jobs.back(), 4U);
    }

    void ofTwoThatWaitOnlyTheNewerArrives() {
        std::atomic<int> done = 0;
        Runner runner([&](const Request& request, const TracePtr&, const std::atomic<bool>*) {
            ++done;
            return traceOf(request);
        });
        const Arrivals arrivals(runner);
        runner.submit(job(1));
        QVERIFY(sleepUntil([&] { return done == 1; }));
        runner.submit(job(2));
        QVERIFY(sleepUntil([&] { return done == 2; }));
        runner.submit(job(3));
        QVERIFY(sleepUntil([&] { return done == 3; }));
        QVERIFY(arrivals.jobs.empty());  // no event was handled yet
        QTRY_VERIFY(!runner.isBusy());
        QCOMPARE(arrivals.jobs.back(), 3U);
        QVERIFY(arrivals.jobs.size() <= 2);  // the third may have been a moment late
    }

    void manyEditsEndOnTheLast() {
        Runner runner([](const Request& request, const TracePtr&, const std::atomic<bool>* cancel) {
            for (int i = 0; i < 4; ++i) {
                std::this_thread::sleep_for(1ms);
                if (*cancel) return Result<TracePtr>(fail(ErrorCode::Cancelled, "a newer request took over"));
            }
            return traceOf(request);
        });
        const Arrivals arrivals(runner);
        for (std::uint64_t i = 1; i <= 200; ++i) {
            runner.submit(job(i));
            QTest::qWait(1);
        }
        QTRY_VERIFY(!runner.isBusy());
        QCOMPARE(arrivals.jobs.back(), 200U);
        QVERIFY(std::is_sorted(arrivals.jobs.begin(), arrivals.jobs.end()));
        QVERIFY(std::adjacent_find(arrivals.jobs.begin(), arrivals.jobs.end()) == arrivals.jobs.end());
        QVERIFY(arrivals.errors.empty());
    }

    void goingAwayCancelsAndWaits() {
        Gate gate;
        std::vector<std::uint64_t> arrived;
        {
            Runner runner(gate.function());
            connect(&runner, &Runner::finished, this, [&](const auto&) { arrived.push_back(0); });
            runner.submit(job(1));
            QVERIFY(gate.waitForBegun(1));
            runner.submit(job(2));
        }
        QCoreApplication::processEvents();
        QCOMPARE(gate.begun(), Numbers({1}));
        QVERIFY(arrived.empty());
    }

    void goingAwayBeforeAnythingWasAsked() { const Runner runner; }

    void goingAwayWithAResultOnItsWay() {
        std::atomic<bool> done = false;
        {
            Runner runner([&](const Request& request, const TracePtr&, const std::atomic<bool>*) {
                done = true;
                return traceOf(request);
            });
            runner.submit(job(1));
            QVERIFY(sleepUntil([&] { return done.load(); }));
        }
        QCoreApplication::processEvents();
    }

    void exceptionsBecomeErrors() {
        Runner runner([](const Request& request, const TracePtr&, const std::atomic<bool>*) -> Result<TracePtr> {
            if (request.seed == 1) throw std::bad_alloc();
            if (request.seed == 2) throw std::runtime_error("odd {} thing");
            return traceOf(request);
        });
        const Arrivals arrivals(runner);
        for (std::uint64_t i = 1; i <= 3; ++i) {
            runner.submit(job(i));
            QTRY_VERIFY(!runner.isBusy());
        }
        QCOMPARE(arrivals.errors.size(), 2U);
        QCOMPARE(arrivals.errors[0].code, ErrorCode::OutOfMemory);
        QVERIFY(arrivals.errors[0].message().find("memory") != std::string::npos);
        QCOMPARE(arrivals.errors[1].code, ErrorCode::Unsupported);
        QVERIFY(arrivals.errors[1].message().find("odd {} thing") != std::string::npos);
        QCOMPARE(arrivals.jobs, Numbers({3}));
    }

    void anErrorKeepsTheLastTrace() {
        std::mutex mutex;
        std::vector<TracePtr> previous;
        Runner runner([&](const Request& request, const TracePtr& last, const std::atomic<bool>*) -> Result<TracePtr> {
            const std::lock_guard lock(mutex);
            previous.push_back(last);
            if (request.seed == 2) return fail(ErrorCode::OutOfMemory, "{} is too large", 2);
            return traceOf(request);
        });
        const Arrivals arrivals(runner);
        for (std::uint64_t i = 1; i <= 3; ++i) {
            runner.submit(job(i));
            QTRY_VERIFY(!runner.isBusy());
        }
        QCOMPARE(arrivals.errors.size(), 1U);
        QCOMPARE(arrivals.jobs, Numbers({1, 3}));
        const std::lock_guard lock(mutex);
        QCOMPARE(previous[2], arrivals.traces[0]);
    }

    void cancelForgetsWhatRunsAndWaits() {
        Gate gate;
        Runner runner(gate.function());
        const Arrivals arrivals(runner);
        runner.submit(job(1));
        QVERIFY(gate.waitForBegun(1));
        runner.submit(job(2));
        const QSignalSpy busy(&runner, &Runner::busyChanged);
        runner.cancel();
        QVERIFY(!runner.isBusy());
        QCOMPARE(busy.size(), 1);
        runner.cancel();
        QCOMPARE(busy.size(), 1);
        gate.open();
        runner.submit(job(3));
        QTRY_VERIFY(!runner.isBusy());
        QCOMPARE(arrivals.jobs, Numbers({3}));
        QCOMPARE(gate.begun(), Numbers({1, 3}));
    }

    void cancelForgetsAResultOnItsWay() {
        Gate gate;
        gate.open();
        Runner runner(gate.function());
        const Arrivals arrivals(runner);
        runner.submit(job(1));
        QVERIFY(gate.waitForBegun(1));
        runner.submit(job(2));
        QVERIFY(gate.waitForBegun(2));  // the result of job 1 waits for the event loop
        runner.cancel();
        QVERIFY(!runner.isBusy());
        runner.submit(job(3));
        QTRY_VERIFY(!runner.isBusy());
        QCOMPARE(arrivals.jobs, Numbers({3}));
    }

    void aListenerMaySubmit() {
        Gate gate;
        gate.open();
        Runner runner(gate.function());
        const Arrivals arrivals(runner);
        connect(&runner, &Runner::finished, this, [&](const Result<TracePtr>& result) {
            if ((*result)->request.seed < 5) runner.submit(job((*result)->request.seed + 1));
        });
        runner.submit(job(1));
        QTRY_COMPARE(arrivals.jobs, Numbers({1, 2, 3, 4, 5}));
        QVERIFY(!runner.isBusy());
    }

    void computesForReal() {
        Request request;
        request.batch = make_batch({{"the", "cat"}, {"a"}});
        Runner runner;
        const Arrivals arrivals(runner);
        runner.submit(request);
        QTRY_VERIFY(!runner.isBusy());
        QCOMPARE(arrivals.traces.size(), 1U);
        QCOMPARE(arrivals.traces[0]->weights->shape(), Shape({2, 8, 2, 2}));
    }
};

QTEST_GUILESS_MAIN(TestRunner)
#include "tst_runner.moc"
