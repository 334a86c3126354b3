// SPDX-License-Identifier: GPL-3.0-or-later
// Each allocation of a computation fails once: the computation returns an error or its value, and the next one works.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include "core/attention/compute.h"
#include "core/engine/tiled.h"
#include "requests.h"
#include "support.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

/// Counts allocations, in all threads, and fails one of them, or each large one from it on.
struct Failing {
    std::atomic<bool> counting{false};
    std::atomic<std::int64_t> count{0};
    std::int64_t which = 0;      ///< the one that fails, from 1
    std::size_t from_bytes = 0;  ///< only allocations of at least so many bytes count
    bool all_that_follow = false;

    bool fails(std::size_t bytes) {
        if (!counting || bytes < from_bytes) return false;
        const std::int64_t number = ++count;
        return number == which || (all_that_follow && number > which);
    }
};
Failing failing;

void* allocate(std::size_t bytes, std::size_t alignment) {
    if (failing.fails(bytes)) throw std::bad_alloc();
    const std::size_t rounded = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
    if (void* memory = std::aligned_alloc(alignment, rounded)) return memory;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) {
    return allocate(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    try {
        return operator new(bytes);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

class TestAllocationFailures : public QObject {
    Q_OBJECT

    /// Runs `work` with the first allocation failing, the second, and so on, until none is left to fail. `work` returns
    /// the code of its error, or nothing.
    template <typename Work>
    void each_fails(const Work& work, std::size_t from_bytes, bool all_that_follow) {
        failing.from_bytes = from_bytes;
        failing.all_that_follow = all_that_follow;
        int errors = 0;
        for (failing.which = 1;; ++failing.which) {
            failing.count = 0;
            failing.counting = true;
            const std::optional<ErrorCode> error = work();
            failing.counting = false;
            if (failing.count < failing.which) break;  // nothing failed any more
            if (error) QCOMPARE(*error, ErrorCode::OutOfMemory);
            errors += error.has_value();
            QVERIFY(!work());  // the failure leaves nothing behind
            // Many allocations are alike: later ones are sampled.
            if (failing.which > 400) failing.which += failing.which / 50;
        }
        QVERIFY(errors > 0);
    }

    static Request request(const QByteArray& kind) {
        Request r = small();
        r.embed_dim = 16;
        r.num_heads = 4;
        r.batch = words({{"a", "b", "c", "d", "e"}, {"f", "g"}});
        r.mask = mask_of("padding,causal");
        if (kind == "chunks") r.chunk_size = 2, r.key_chunk_size = 2;
        if (kind == "bfloat16") r.precision = Precision::BFloat16;
        if (kind == "float64, finite fill") r.precision = Precision::Float64, r.fill = Fill::MinusBillion;
        if (kind == "seed") r.source = WeightSource::Seed;
        if (kind == "many tokens") r.batch = words({std::vector<std::string>(300, "word")});
        return r;
    }

private Q_SLOTS:
    void cleanup() { failing.counting = false; }

    void a_computation_data() {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<bool>("only_large");
        for (const char* kind : {"whole", "chunks", "bfloat16", "float64, finite fill", "seed", "many tokens"}) {
            QTest::addRow("%s, one fails", kind) << QByteArray(kind) << false;
            QTest::addRow("%s, each large one fails", kind) << QByteArray(kind) << true;
        }
    }
    void a_computation() {
        QFETCH(QByteArray, kind);
        QFETCH(bool, only_large);
        const Request r = request(kind);
        const TracePtr expected = compute(r, nullptr, nullptr).value();
        const auto work = [&]() -> std::optional<ErrorCode> {
            const auto result = compute(r, nullptr, nullptr);
            if (!result) return result.error().code;
            const bool same = (*result)->output->size() == expected->output->size();
            return same ? std::nullopt : std::optional(ErrorCode::Unsupported);
        };
        each_fails(work, only_large ? 512 : 0, only_large);
        QCOMPARE(differs(*compute(r, nullptr, nullptr).value()->output, *expected->output, 0), QString());
    }

    void a_change_after_a_computation() {
        const Request before = request("whole");
        Request after = before;
        after.mask = mask_of("local:1:1");
        const TracePtr previous = compute(before, nullptr, nullptr).value();
        each_fails(
            [&]() -> std::optional<ErrorCode> {
                const auto result = compute(after, previous, nullptr);
                return result ? std::nullopt : std::optional(result.error().code);
            },
            0, false);
    }
};

QTEST_APPLESS_MAIN(TestAllocationFailures)
#include "tst_allocation_failures.moc"
