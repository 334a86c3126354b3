// SPDX-License-Identifier: GPL-3.0-or-later
// A system that refuses new threads: a request is answered with an error, and the next one is computed.
#include <dlfcn.h>
#include <pthread.h>

#include <QTest>
#include <atomic>
#include <cerrno>

#include "support.h"
#include "ui/state/runner.h"

using namespace headscope;

namespace {

std::atomic<bool> refuses{false};

Result<TracePtr> nothing(const Request&, const TracePtr&, const std::atomic<bool>*) {
    return std::make_shared<const Trace>();
}

}  // namespace

/// In place of the C library's.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) {
    if (refuses) return EAGAIN;
    static const auto real = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
    return real(thread, attributes, start, argument);
}

class TestRunnerRefused : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anErrorAndThenAResult() {
        refuses = true;
        Runner runner(nothing);
        QList<std::optional<Error>> answers;
        connect(&runner, &Runner::finished, this, [&](const Result<TracePtr>& result) {
            answers << (result ? std::nullopt : std::optional(result.error()));
        });
        runner.submit({});
        QVERIFY(runner.isBusy());
        QTRY_VERIFY(!runner.isBusy());
        QCOMPARE(answers.size(), 1);
        QVERIFY(answers[0] && sentence(*answers[0]).contains(utf8("refused to start a thread")));
        refuses = false;
        runner.submit({});
        QTRY_VERIFY(!runner.isBusy());
        QCOMPARE(answers.size(), 2);
        QVERIFY(!answers[1]);
    }
    void aRunnerThatNeverRan() {
        refuses = true;
        { const Runner runner(nothing); }
        refuses = false;
    }
};

QTEST_GUILESS_MAIN(TestRunnerRefused)
#include "tst_runner_refused.moc"
