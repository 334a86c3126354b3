// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles for which the memory does not suffice: the foot says so, and they are tried again.
#include <QLabel>
#include <QTest>
#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "heads_support.h"
#include "support.h"
#include "ui/maps/heat_map.h"
#include "ui/panels/foot/foot.h"

namespace {

std::atomic<bool> short_of_memory = false;
const std::thread::id gui_thread = std::this_thread::get_id();

}  // namespace

/// While the memory is short, no other thread gets a block of the size of a tile.
void* operator new(std::size_t size) {
    constexpr std::size_t kTile = 4096;
    if (short_of_memory && size >= kTile && std::this_thread::get_id() != gui_thread) throw std::bad_alloc();
    if (void* block = std::malloc(size ? size : 1)) return block;
    throw std::bad_alloc();
}
void operator delete(void* block) noexcept {
    std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
    std::free(block);
}

using namespace headscope;

class TestTilesMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void failedTilesAreTriedAgain() {
        Setting setting;
        setting.text = manyTokens(700);
        Request request = traceOf(setting)->request;
        request.kept_bytes = 0;
        const TracePtr trace = testing::traced(request, nullptr);
        Session session;
        QVERIFY(waitForTrace(session));
        Foot foot(session);
        foot.resize(1600, 30);
        foot.show();
        HeatMap map;
        map.resize(200, 200);
        map.show();
        QVERIFY(QTest::qWaitForWindowExposed(&map));
        short_of_memory = true;
        map.setContent({trace, {}, 0, colorScale(*trace, {}, 0)});
        (void)map.grab();
        const auto store = TileStore::shared();
        QTRY_VERIFY(store->progress().failed > 0);
        QVERIFY(store->progress().exact < store->progress().visible);
        const auto* coarse = foot.findChild<QLabel*>(QStringLiteral("footCoarse"));
        QTRY_VERIFY(coarse->text().contains(QStringLiteral("the memory does not suffice")));
        QVERIFY(!coarse->isHidden());
        short_of_memory = false;
        QTRY_VERIFY(store->progress().complete());
        QCOMPARE(store->progress().failed, 0);
        QTRY_VERIFY(coarse->isHidden());
    }
};

QTEST_MAIN(TestTilesMemory)
#include "tst_tiles_memory.moc"
