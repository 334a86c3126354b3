// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <array>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/base/thread_pool.h"

using namespace headscope;

class TestThreadPool : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyIndexOnce_data() {
        QTest::addColumn<bool>("parts");
        QTest::newRow("in order") << false;
        QTest::newRow("in parts") << true;
    }
    void everyIndexOnce() {
        QFETCH(bool, parts);
        const auto share = parts ? parallel_for_parts : parallel_for;
        for (const int threads : {1, 2, 3, 8, 200}) {
            for (const std::int64_t count : {0, 1, 2, 7, 1000}) {
                std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
                std::vector<std::atomic<int>> inside(static_cast<std::size_t>(threads));
                std::atomic<bool> alone{true};
                share(threads, count, [&](std::int64_t index, int worker) {
                    if (inside[static_cast<std::size_t>(worker)].fetch_add(1) != 0) alone = false;
                    seen[static_cast<std::size_t>(index)].fetch_add(1);
                    inside[static_cast<std::size_t>(worker)].fetch_sub(1);
                });
                for (const auto& times : seen) QCOMPARE(times.load(), 1);
                QVERIFY(alone.load());
            }
        }
    }

    /// Each worker begins with its own part, and a part whose worker never comes is done by the others.
    void partsBelongToWorkers() {
        std::atomic<int> arrived{0};
        std::array<std::atomic<int>, 10> worker_of{};
        parallel_for_parts(2, 10, [&](std::int64_t index, int worker) {
            worker_of[static_cast<std::size_t>(index)] = worker;
            if (index % 5 != 0) return;
            arrived.fetch_add(1);
            while (arrived.load() < 2) std::this_thread::yield();  // both have begun
        });
        QCOMPARE(worker_of[0].load() + worker_of[5].load(), 1);
        QCOMPARE(worker_of[0].load(), 0);
        parallel_for(2, 2, [&](std::int64_t, int) {
            int done = 0;
            parallel_for_parts(2, 10, [&](std::int64_t, int worker) { done += worker == 0; });
            QCOMPARE(done, 10);
        });
    }

    void oneThreadIsTheCaller() {
        const auto caller = std::this_thread::get_id();
        parallel_for(1, 100, [&](std::int64_t, int worker) {
            QCOMPARE(worker, 0);
            QVERIFY(std::this_thread::get_id() == caller);
        });
    }

    void limits() {
        const int all = available_threads();
        QVERIFY(all >= 1);
        {
            const ThreadLimit one(1);
            QCOMPARE(available_threads(), 1);
            QCOMPARE(threads_for(1e12), 1);
            const ThreadLimit no_more(8);  // within another it can't give back what that took
            QCOMPARE(available_threads(), 1);
            int elsewhere = 0;
            std::thread([&] { elsewhere = available_threads(); }).join();
            QCOMPARE(elsewhere, all);
        }
        QCOMPARE(available_threads(), all);
        QCOMPARE(threads_for(100), 1);
        QCOMPARE(threads_for(1e12), all);
    }

    void otherThreadsTakePart() {
        // Each of the two tasks waits for the other, which only two threads can satisfy.
        std::atomic<int> arrived{0};
        parallel_for(2, 2, [&](std::int64_t, int) {
            arrived.fetch_add(1);
            while (arrived.load() < 2) std::this_thread::yield();
        });
        QCOMPARE(arrived.load(), 2);
    }

    void callsWithinTasks() {
        std::atomic<int> sum{0};
        parallel_for(3, 10, [&](std::int64_t, int) {
            parallel_for(3, 10, [&](std::int64_t index, int worker) {
                QCOMPARE(worker, 0);
                sum.fetch_add(static_cast<int>(index));
            });
        });
        QCOMPARE(sum.load(), 450);
    }

    void callsFromManyThreads() {
        std::atomic<std::int64_t> sum{0};
        std::vector<std::thread> callers;
        for (int caller = 0; caller < 4; ++caller) {
            callers.emplace_back([&] {
                for (int call = 0; call < 200; ++call)
                    parallel_for(3, 17, [&](std::int64_t index, int) { sum.fetch_add(index); });
            });
        }
        for (auto& caller : callers) caller.join();
        QCOMPARE(sum.load(), std::int64_t{4 * 200 * 136});
    }

    void exceptionsReachTheCaller() {
        for (const int threads : {1, 2}) {
            std::atomic<int> begun{0};
            QVERIFY_EXCEPTION_THROWN(parallel_for(threads, 10000,
                                                  [&](std::int64_t index, int) {
                                                      begun.fetch_add(1);
                                                      if (index == 3) throw std::runtime_error("three");
                                                  }),
                                     std::runtime_error);
            QVERIFY(begun.load() >= 4);
            parallel_for(threads, 5, [&](std::int64_t, int) { begun.store(0); });
            QCOMPARE(begun.load(), 0);
        }
    }
};

QTEST_APPLESS_MAIN(TestThreadPool)
#include "tst_thread_pool.moc"
