// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a sequence that is too long to be kept: whatever a hand does, it shows no tile of other numbers.
// HEADSCOPE_TEST_GESTURES=1500 scrolls, zooms, toggles and types for about a minute and also checks how long a frame
// takes; HEADSCOPE_TEST_TOKENS sets the length.
#include <QElapsedTimer>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <cmath>
#include <ctime>
#include <map>
#include <random>

#include "core/attention/row_reader.h"
#include "support.h"
#include "ui/maps/head_grid.h"
#include "ui/maps/heat_map.h"
#include "ui/pages/heads/heads_page.h"
#include "ui/panels/tokens/token_chips.h"
#include "ui/panels/tokens/token_strip.h"
#include "ui/window/go_to_token.h"
#include "ui/window/main_window.h"
#include "window_support.h"

using namespace headscope;

namespace {

int fromEnvironment(const char* name, int otherwise) {
    bool ok = false;
    const int value = qEnvironmentVariableIntValue(name, &ok);
    return ok ? value : otherwise;
}

QString words(int count) {
    QString text;
    for (int i = 0; i < count; ++i) text += QStringLiteral("w%1 ").arg(i % 100);
    return text;
}

Draft longDraft(int tokens) {
    Draft draft;
    draft.set(Field::Text, words(tokens));
    draft.set(Field::Mask, QStringLiteral("causal,local:256:0"));
    return draft;
}

/// The window, operated as by a hand. Every step is timed until its events are handled.
class Desk : public QObject {
public:
    explicit Desk(int tokens) {
        session_.replace(longDraft(tokens), {});
        window_.resize(1280, 800);
        window_.show();
    }

    bool wait() {
        return QTest::qWaitFor(
            [this] { return !session_.isComputing() && session_.trace() && session_.trace()->batch().size() > 0; },
            60000);
    }
    /// Until all tiles in sight are exact.
    static bool complete() {
        return QTest::qWaitFor([] { return TileStore::shared()->progress().complete(); }, 60000);
    }
    double step(const std::function<void()>& touch) {
        QElapsedTimer timer;
        timer.start();
        const double before = busy();
        touch();
        QCoreApplication::processEvents();
        busy_ = busy() - before;
        return double(timer.nsecsElapsed()) / 1e6;
    }
    /// Of the last step, without what other programs and threads took.
    double ownMilliseconds() const { return busy_; }

    Session& session() { return session_; }
    HeadGrid* grid() { return window_.findChild<HeadsPage*>()->grid(); }
    std::vector<HeatMap*> maps() { return grid()->maps(); }
    TokenStrip* strip() { return window_.findChild<TokenStrip*>(); }

    void wheel(HeatMap* map, const QPointF& at, int steps) {
        QWheelEvent event(at, map->mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(map, &event);
    }
    void mouse(HeatMap* map, QEvent::Type type, const QPointF& at, Qt::MouseButton button, Qt::MouseButtons held) {
        QMouseEvent event(type, at, map->mapToGlobal(at), button, held, Qt::NoModifier);
        QCoreApplication::sendEvent(map, &event);
    }

private:
    static double busy() {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
    }

    Session session_;
    MainWindow window_{session_};
    double busy_ = 0;
};

constexpr double kFrameMs = 33;

/// What the steps of one kind took, in milliseconds.
struct Longest {
    int count = 0, slow = 0;
    double taken = 0, own = 0;
};

QString nameOf(std::mt19937::result_type gesture) {
    return gesture < 4     ? QStringLiteral("zoom")
           : gesture < 7   ? QStringLiteral("pan")
           : gesture < 9   ? QStringLiteral("hover")
           : gesture == 9  ? QStringLiteral("mask toggle")
           : gesture == 10 ? QStringLiteral("enlarge")
                           : QStringLiteral("type");
}

/// Each exact block of a visible tile is the largest weight of its cells, computed one by one from the shown trace.
QString staleBlock(Desk& desk, std::mt19937& random) {
    const TracePtr& trace = desk.session().trace();
    const Selection& selection = desk.session().selection();
    for (HeatMap* map : desk.maps()) {
        const TiledMatrixPtr& tiles = map->tiles();
        if (!tiles || !tiles->shown(map)) continue;
        const VisibleTiles visible = *tiles->shown(map);
        const TileSource source = tiles->source();
        const TileSource shown{trace, selection.stage, selection.sequence, source.head, source.reduction};
        if (!(source == shown)) return QStringLiteral("the tiles are those of another trace");
        const auto any = [&](std::int64_t first, std::int64_t end) {
            return first + std::int64_t(random() % std::uint32_t(end - first));
        };
        const TilePlace place{visible.level, any(visible.first_row, visible.end_row),
                              any(visible.first_column, visible.end_column)};
        const MapTilePtr tile = tiles->tile(place);
        if (!tile || !tile->exact) continue;
        const std::int64_t r = any(0, tile->rows), c = any(0, tile->columns), side = std::int64_t{1} << place.level;
        const std::int64_t i0 = (place.row * kTileBlocks + r) * side, j0 = (place.column * kTileBlocks + c) * side;
        double largest = -INFINITY;
        for (std::int64_t i = i0; i < std::min(source.size(), i0 + side); ++i) {
            const auto row = row_of(*trace, selection.stage, selection.sequence, source.head, i);
            for (std::int64_t j = j0; j < std::min(source.size(), j0 + side); ++j)
                if (trace->mask.of(0).allowed(selection.sequence, i, j))
                    largest = std::max(largest, row[std::size_t(j)]);
        }
        const auto at = std::size_t(r * tile->columns + c);
        const bool same =
            std::isinf(largest) ? !tile->allowed[at] : std::abs(double(tile->values[at]) - largest) < 1e-5;
        if (!same) return QStringLiteral("block %1, %2 of head %3").arg(i0).arg(j0).arg(source.head);
    }
    return {};
}

}  // namespace

class TestLongWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QVERIFY(testing::beginAsAtFirstStart(folder_));
        QCursor::setPos(4000, 4000);
    }

    void noStaleTileWhateverIsDone() {
        const int tokens = fromEnvironment("HEADSCOPE_TEST_TOKENS", 6000);
        const int gestures = fromEnvironment("HEADSCOPE_TEST_GESTURES", 120);
        Desk desk(tokens);
        QVERIFY(desk.wait());
        QVERIFY(!desk.session().trace()->weights);
        std::mt19937 random(5);
        const QStringList masks{QStringLiteral("causal,local:256:0"), QStringLiteral("causal,local:64:0+global:4"),
                                QStringLiteral("local:256:256")};
        std::map<QString, Longest> longest;
        int slow = 0;
        for (int step = 0; step < gestures; ++step) {
            HeatMap* map = desk.maps()[random() % desk.maps().size()];
            const QRectF room = map->mapRect();
            const QPointF place(room.left() + room.width() * double(random() % 100) / 100,
                                room.top() + room.height() * double(random() % 100) / 100);
            const auto gesture = random() % 12;
            const double taken = desk.step([&] {
                if (gesture < 4) {
                    desk.wheel(map, place, random() % 3 ? 1 : -1);
                } else if (gesture < 7) {
                    desk.mouse(map, QEvent::MouseButtonPress, place, Qt::LeftButton, Qt::LeftButton);
                    desk.mouse(map, QEvent::MouseMove, place + QPointF(20, 30), Qt::NoButton, Qt::LeftButton);
                    desk.mouse(map, QEvent::MouseButtonRelease, place + QPointF(20, 30), Qt::LeftButton, Qt::NoButton);
                } else if (gesture < 9) {
                    desk.mouse(map, QEvent::MouseMove, place, Qt::NoButton, Qt::NoButton);
                } else if (gesture == 9) {
                    desk.session().edit(Field::Mask, masks[int(random() % 3)]);
                } else if (gesture == 10) {
                    desk.session().setHead(random() % 3 ? std::optional(int(random() % 8)) : std::nullopt);
                } else {
                    if (desk.strip()->lineEdit()->isHidden())
                        desk.strip()->editLine(0, desk.session().draft().value(Field::Text).size());
                    QTest::keyClick(desk.strip()->lineEdit(), random() % 2 ? Qt::Key_A : Qt::Key_Backspace);
                }
            });
            Longest& of = longest[nameOf(gesture)];
            of.taken = std::max(of.taken, taken);
            of.own = std::max(of.own, desk.ownMilliseconds());
            of.slow += taken > kFrameMs;
            slow += taken > kFrameMs;
            ++of.count;
            const QString stale = staleBlock(desk, random);
            QVERIFY2(stale.isEmpty(), qPrintable(stale));
            QVERIFY(TileStore::shared()->bytes() <= TileStore::kTileBytes);
            QTest::qWait(int(random() % 20));
        }
        for (const auto& [name, of] : longest)
            qInfo("%s: %d, %d above 33 ms, the longest %.1f ms, of which this thread computed %.1f ms",
                  qPrintable(name), of.count, of.slow, of.taken, of.own);
        if (gestures >= 1000) QVERIFY2(slow == 0, "a frame took longer than 33 ms");
        QVERIFY(desk.wait() && desk.complete());
        for (int again = 0; again < 20; ++again) QCOMPARE(staleBlock(desk, random), QString());
    }

    /// The cell under the pointer and the explained cell are exact while the map is coarse.
    void cellsAreExactAtOnce() {
        Desk desk(4097);
        QVERIFY(desk.wait());
        const TracePtr trace = desk.session().trace();
        HeatMap* map = desk.maps()[3];
        desk.mouse(map, QEvent::MouseMove, map->mapRect().center() - QPointF(3, 0), Qt::NoButton, Qt::NoButton);
        const auto hover = desk.session().hover();
        QVERIFY(hover);
        double sum = 0, own = 0;
        const std::int64_t dh = trace->dims().head_dim(), first = hover->head * 4097;
        for (std::int64_t j = std::max(0, hover->query - 256); j <= hover->query; ++j) {
            double dot = 0;
            for (std::int64_t d = 0; d < dh; ++d)
                dot += trace->q->value((first + hover->query) * dh + d) * trace->k->value((first + j) * dh + d);
            const double power = std::exp(dot / std::sqrt(double(dh)));
            sum += power;
            if (j == hover->key) own = power;
        }
        const double weight = cell_of(*trace, Stage::Weights, 0, hover->head, hover->query, hover->key);
        QVERIFY(std::abs(weight - own / sum) < 1e-5);
    }

    void tokensAreFoundByIndexAndText() {
        const Batch batch = make_batch({{"the", "cat", "sat", "on", "the", "mat", "concat"}});
        QCOMPARE(findToken(batch, 0, QStringLiteral("3"), -1), std::optional(3));
        QCOMPARE(findToken(batch, 0, QStringLiteral("the"), -1), std::optional(0));
        QCOMPARE(findToken(batch, 0, QStringLiteral("the"), 0), std::optional(4));
        QCOMPARE(findToken(batch, 0, QStringLiteral("the"), 4), std::optional(0));
        QCOMPARE(findToken(batch, 0, QStringLiteral("cat"), 1), std::optional(1));  // begins with it, around the end
        QCOMPARE(findToken(batch, 0, QStringLiteral("onc"), -1), std::optional(6));
        QCOMPARE(findToken(batch, 0, QStringLiteral("7"), -1), std::nullopt);
        QCOMPARE(findToken(batch, 0, QStringLiteral(" "), -1), std::nullopt);
    }

    /// A hundred thousand tokens open in the strip: chips are made for what is visible.
    void aLongTextOpensInTheStrip() {
        Session session([](const Request&, const TracePtr&, const std::atomic<bool>*) -> Result<TracePtr> {
            return fail(ErrorCode::Cancelled, "only the text is looked at");
        });
        TokenStrip strip(session);
        strip.resize(1200, 80);
        strip.show();
        session.edit(Field::Text, words(100'000));
        (void)strip.grab();
        QCOMPARE(strip.chips()->chipCount(), 100'000);
        QCOMPARE(strip.chips()->chipText(0, 99'999), QStringLiteral("w99"));
    }

private:
    QTemporaryDir folder_;
};

QTEST_MAIN(TestLongWindow)
#include "tst_long_window.moc"
