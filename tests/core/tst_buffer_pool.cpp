// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QtTest>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "core/base/buffer_pool.h"

using namespace headscope;

namespace {

/// Bytes of this process that are in memory; 0 where the system doesn't say.
std::int64_t resident() {
    QFile file(QStringLiteral("/proc/self/statm"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').value(1).toLongLong() * 4096 : 0;
}

}  // namespace

class TestBufferPool : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void blocksAreKept() {
        release_pooled_blocks();
        const void* first = nullptr;
        {
            const auto block = pooled_block(3'000'000);
            first = block.get();
            QCOMPARE(reinterpret_cast<std::uintptr_t>(first) % (2 << 20), std::uintptr_t{0});
            std::memset(block.get(), 1, 3'000'000);
            QCOMPARE(pooled_idle_bytes(), std::size_t{0});
        }
        QVERIFY(pooled_idle_bytes() >= 3'000'000);
        {
            const auto other = pooled_block(30'000'000);  // the idle block is too small
            QVERIFY(other.get() != first);
            const auto again = pooled_block(2'900'000);
            QCOMPARE(static_cast<const void*>(again.get()), first);
        }
        const auto small = pooled_block(1'900'000);  // the idle ones would waste too much
        QVERIFY(small.get() != first);
        release_pooled_blocks();
        QCOMPARE(pooled_idle_bytes(), std::size_t{0});
    }

    void idleBlocksHaveALimit() {
        constexpr std::size_t kMegabyte = std::size_t{1} << 20;
        release_pooled_blocks();
        {
            const auto one = pooled_block(60 * kMegabyte), two = pooled_block(60 * kMegabyte),
                       three = pooled_block(60 * kMegabyte), four = pooled_block(60 * kMegabyte);
        }
        QVERIFY(pooled_idle_bytes() <= 160 * kMegabyte);
        QVERIFY(pooled_idle_bytes() >= 60 * kMegabyte);
        const auto huge = pooled_block(100 * kMegabyte);
        QCOMPARE(pooled_idle_bytes(), std::size_t{0});
    }

    /// A block as large as a long text's weights is reused, the system may take its pages, and asked to, it goes.
    void hugeBlocksAreReused() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("the sanitizers' allocator gives the blocks");
#endif
        constexpr std::size_t kBytes = 200'000'000;
        release_pooled_blocks();
        const void* first = nullptr;
        {
            const auto block = pooled_block(kBytes);
            first = block.get();
            std::memset(block.get(), 1, kBytes);
        }
        QCOMPARE(pooled_idle_bytes(), std::size_t{0});
        {
            const auto small = pooled_block(30'000'000);
            QVERIFY(small.get() != first);
            const auto again = pooled_block(kBytes - 1000);
            QCOMPARE(static_cast<const void*>(again.get()), first);
            std::memset(again.get(), 2, kBytes - 1000);
            QCOMPARE(static_cast<const char*>(again.get())[kBytes / 2], '\2');
        }
        const std::int64_t held = resident();
        release_pooled_blocks();
        if (held > 0) QVERIFY2(resident() < held - 150'000'000, qPrintable(QString::number(held - resident())));
    }

    void smallAndImpossibleSizes() {
        QVERIFY(pooled_block(0).get() != nullptr);
        const PooledArray<double> few(3);
        few[2] = 1.5;
        QCOMPARE(reinterpret_cast<std::uintptr_t>(few.data()) % 64, std::uintptr_t{0});
        QVERIFY_EXCEPTION_THROWN(pooled_block(~std::size_t{0}), std::bad_alloc);
        QVERIFY_EXCEPTION_THROWN(pooled_block(~std::size_t{0} - (std::size_t{3} << 20)), std::bad_alloc);
    }

    /// The whole of a large block can be written, and given back it is out of memory, whatever the allocator has learnt
    /// to keep for itself and whatever else came after it.
    void largeBlocksGoBackToTheSystem() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("the sanitizers' allocator keeps what is freed for a while");
#endif
        if (resident() == 0) QSKIP("this system doesn't say how much memory is in use");
        constexpr std::size_t kBytes = 9'000'001;
        std::int64_t held = 0;
        for (int round = 0; round < 2; ++round) {
            std::vector<std::shared_ptr<void>> blocks;
            for (int i = 0; i < 12; ++i) {
                blocks.push_back(pooled_block(kBytes));
                std::memset(blocks.back().get(), 1, kBytes);
            }
            const std::vector<char> after(100'000, 'x');
            held = resident();
            blocks.clear();
            QVERIFY(resident() > held - 50'000'000);  // idle
            release_pooled_blocks();
            QVERIFY2(resident() < held - 90'000'000, qPrintable(QString::number(held - resident())));
            QCOMPARE(after.back(), 'x');
        }
    }
};

QTEST_APPLESS_MAIN(TestBufferPool)
#include "tst_buffer_pool.moc"
