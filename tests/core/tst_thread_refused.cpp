// SPDX-License-Identifier: GPL-3.0-or-later
// A system that refuses every new thread: the same numbers, computed by the calling thread.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>

#include "core/attention/compute.h"
#include "core/base/thread_pool.h"
#include "requests.h"
#include "support.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

std::atomic<bool> refuses{false};
std::atomic<int> refused{0};

}  // namespace

/// In place of the C library's.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) {
    if (refuses) {
        ++refused;
        return EAGAIN;
    }
    static const auto real = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
    return real(thread, attributes, start, argument);
}

class TestThreadRefused : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // In this order: a pool keeps the threads that it once had.
    void theCallerDoesAllTheWork() {
        refuses = true;
        std::vector<int> runs(100);
        parallel_for(4, 100, [&](std::int64_t index, int worker) {
            runs[static_cast<std::size_t>(index)] += worker == 0 ? 1 : 1000;
        });
        QCOMPARE(runs, std::vector<int>(100, 1));
        QVERIFY(refused > 0);
    }
    void aComputation() {
        Request request = small();
        request.batch = words({std::vector<std::string>(400, "word")});
        request.embed_dim = 64;
        refuses = true;
        const int before = refused;
        const auto alone = compute(request, nullptr, nullptr);
        VERIFY_RESULT(alone);
        QVERIFY(refused > before);  // it wanted threads
        refuses = false;
        const auto together = compute(request, nullptr, nullptr);
        VERIFY_RESULT(together);
        QCOMPARE(differs(*(*alone)->output, *(*together)->output, 1e-5), QString());
    }
    void threadsAreStartedAgain() {
        refuses = false;
        std::atomic<int> others{0};
        for (int round = 0; round < 1000 && others == 0; ++round)
            parallel_for(4, 1000, [&](std::int64_t, int worker) { others += worker > 0; });
        QVERIFY(others > 0);
    }
};

QTEST_APPLESS_MAIN(TestThreadRefused)
#include "tst_thread_refused.moc"
