// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench_interface.h"

#include <unistd.h>
#include <QApplication>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMouseEvent>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <QWheelEvent>

#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/measure/bench.h"
#include "ui/look/theme.h"
#include "ui/maps/head_grid.h"
#include "ui/maps/heat_map.h"
#include "ui/maps/tile_store.h"
#include "ui/pages/heads/heads_page.h"
#include "ui/panels/tokens/token_strip.h"
#include "ui/state/session.h"
#include "ui/window/main_window.h"

namespace headscope {
namespace {

constexpr int kRepeat = 15, kLongRepeat = 3;
constexpr std::int64_t kLong = 2048;
constexpr std::int64_t kWindowed = 16384;  ///< from here on the masks are windows: all cells would take minutes
constexpr qint64 kPatienceMs = 120'000;    // longest wait for one repaint, on a busy machine

/// The application for a measurement: offscreen, with the default appearance and its own settings.
class Stand {
public:
    Stand() {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
        static char name[] = "headscope";
        static char* argv[] = {name, nullptr};
        static int argc = 1;
        application_ = std::make_unique<QApplication>(argc, argv);
        applyTheme(Theme::Light);
        QFont font = QApplication::font();
        font.setFamilies(fontFamilies());
        font.setPointSize(10);
        QApplication::setFont(font);
    }

private:
    QTemporaryDir settings_;
    std::unique_ptr<QApplication> application_;
};

/// The window, with functions that operate it.
class Desk : public QObject {
public:
    explicit Desk(const Draft& draft) {
        session_.replace(draft, {});
        window_.resize(1440, 900);
        window_.show();
        qApp->installEventFilter(this);
        // Paints that happened before the numbers arrived don't count.
        connect(&session_, &Session::traceChanged, this, [this] {
            painted_ = false;
            has_numbers_ = true;
        });
    }

    /// Time from an edit until the computation has ended, a heat map was painted and no repaint is pending. Nothing if
    /// the computation fails or takes too long.
    std::optional<double> time(const std::function<void()>& touch) {
        painted_ = has_numbers_ = false;
        picture_.reset();
        timer_.start();
        touch();
        QTimer patience;  // wakes the event loop if no other event does
        patience.start(1000);
        while (session_.isComputing() || !painted_) {
            if (session_.computeError() || timer_.elapsed() > kPatienceMs) return std::nullopt;
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            if (painted_ && has_numbers_ && !picture_) picture_ = elapsed();
        }
        QCoreApplication::processEvents();
        const double all = elapsed();
        picture_ = picture_.value_or(all);
        return all;
    }
    /// Time until the first picture of new numbers, from the touch that time() measured.
    double picture() const { return *picture_; }

    /// The same, until all tiles in sight are exact; from the touch that time() measured.
    double complete() {
        QTimer patience;
        patience.start(20);
        while (!TileStore::shared()->progress().complete() && timer_.elapsed() < kPatienceMs)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        return elapsed();
    }

    Session& session() { return session_; }
    TokenStrip* strip() const { return window_.findChild<TokenStrip*>(); }
    HeatMap* map() const { return window_.findChild<HeadsPage*>()->grid()->maps().front(); }

    void key(int code, const QString& letters) {
        for (const auto type : {QEvent::KeyPress, QEvent::KeyRelease}) {
            QKeyEvent event(type, code, Qt::NoModifier, letters);
            QCoreApplication::sendEvent(strip()->lineEdit(), &event);
        }
    }
    void mouse(QEvent::Type type, const QPointF& at, Qt::MouseButton button, Qt::MouseButtons held) {
        QMouseEvent event(type, at, map()->mapToGlobal(at), button, held, Qt::NoModifier);
        QCoreApplication::sendEvent(map(), &event);
    }
    void wheel(int steps) {
        const QPointF at = map()->mapRect().center();
        QWheelEvent event(at, map()->mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(map(), &event);
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint && qobject_cast<HeatMap*>(watched)) painted_ = true;
        return false;
    }

private:
    double elapsed() const { return static_cast<double>(timer_.nsecsElapsed()) / 1e6; }

    Session session_;
    MainWindow window_{session_};
    QElapsedTimer timer_;
    bool painted_ = false, has_numbers_ = false;
    std::optional<double> picture_;
};

struct Gesture {
    const char* name;
    bool computes;
    std::function<void(Desk&)> prepare;       ///< runs before the clock starts; its result is painted first
    std::function<void(Desk&, int)> perform;  ///< runs the gesture for the n-th time
};

/// Alternates num_heads of the same layer.
std::int64_t otherHeads(std::int64_t num_heads) {
    return num_heads == 1 ? 2 : num_heads % 2 == 0 ? num_heads / 2 : 1;
}

/// The masks between which a size is toggled.
std::pair<QString, QString> masksOf(const InterfaceSize& size) {
    if (size.sequence_length < kWindowed) return {QStringLiteral("none"), QStringLiteral("causal")};
    return {QStringLiteral("causal,local:256:0+global:4"), QStringLiteral("causal,local:256:0")};
}

/// Resident memory of this process in MB; 0 where the system does not say.
double residentMegabytes() {
    std::ifstream pages("/proc/self/statm");
    double all = 0, resident = 0;
    pages >> all >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

double medianOf(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

std::vector<Gesture> gestures(const InterfaceSize& size) {
    const std::int64_t num_heads = size.num_heads;
    const auto masks = masksOf(size);
    const auto nothing = [](Desk&) {};
    const auto enlarge = [](Desk& desk) { desk.session().setHead(0); };
    const auto at = [](Desk& desk, double x, double y) {
        const QRectF map = desk.map()->mapRect();
        return QPointF(map.left() + map.width() * x, map.top() + map.height() * y);
    };
    return {
        {"mask toggle", true, nothing,
         [masks](Desk& desk, int n) { desk.session().edit(Field::Mask, n % 2 ? masks.first : masks.second); }},
        {"type a token", true, nothing,
         [](Desk& desk, int n) { n % 2 ? desk.key(Qt::Key_Backspace, {}) : desk.key(Qt::Key_A, QStringLiteral("a")); }},
        {"num_heads", true, nothing,
         [=](Desk& desk, int n) {
             desk.session().edit(Field::NumHeads, QString::number(n % 2 ? num_heads : otherHeads(num_heads)));
         }},
        {"stage", false, nothing,
         [](Desk& desk, int n) { desk.session().setStage(n % 2 ? Stage::Weights : Stage::Scores); }},
        {"hover", false, nothing,
         [=](Desk& desk, int n) {
             desk.mouse(QEvent::MouseMove, at(desk, n % 2 ? 0.3 : 0.6, n % 2 ? 0.7 : 0.4), Qt::NoButton, Qt::NoButton);
         }},
        {"zoom", false, enlarge, [](Desk& desk, int n) { desk.wheel(n % 4 < 2 ? 1 : -1); }},
        {"pan", false,
         [=](Desk& desk) {
             for (int step = 0; step < 5; ++step) desk.wheel(1);
             desk.mouse(QEvent::MouseButtonPress, at(desk, 0.5, 0.5), Qt::LeftButton, Qt::LeftButton);
         },
         [=](Desk& desk, int n) {
             const double place = n % 2 ? 0.5 : 0.52;
             desk.mouse(QEvent::MouseMove, at(desk, place, place), Qt::NoButton, Qt::LeftButton);
         }},
    };
}

Draft draftOf(const InterfaceSize& size, std::int64_t embed_dim) {
    if (embed_dim == 0) embed_dim = (512 + size.num_heads - 1) / size.num_heads * size.num_heads;
    QString text;
    for (std::int64_t i = 0; i < size.sequence_length; ++i) text += QStringLiteral("w%1 ").arg(i % 100);
    Draft draft;
    draft.set(Field::Text, text);
    draft.set(Field::EmbedDim, QString::number(embed_dim));
    draft.set(Field::NumHeads, QString::number(size.num_heads));
    draft.set(Field::Mask, masksOf(size).first);
    return draft;
}

Error noPicture(const Session& session, const char* gesture) {
    if (session.computeError()) return *session.computeError();
    return {ErrorCode::Unsupported, "no picture came after the gesture '{}'", {gesture}};
}

Result<void> measure(const InterfaceSize& size, const InterfaceJob& job,
                     const std::function<void(const InterfaceLine&)>& report) {
    const Draft draft = draftOf(size, job.embed_dim);
    const Reading reading = readDraft(draft);
    if (!reading.problems.isEmpty()) {
        const Problem& problem = reading.problems.first();
        return fail(problem.error.code, "{}: {}", problem.field == Field::Text ? "--sizes" : "--num-heads",
                    problem.error.message());
    }
    if (reading.request->embed_dim % otherHeads(size.num_heads) != 0)
        return fail(ErrorCode::InvalidPair, "--embed-dim: {} is odd; the gesture num_heads needs an even one",
                    reading.request->embed_dim);
    Desk desk(draft);
    const auto opened = desk.time([] {});
    if (!opened) return tl::unexpected(noPicture(desk.session(), "open"));
    report({"open", size, *opened, *opened, desk.picture(), desk.complete(), residentMegabytes()});
    desk.strip()->editLine(0, draft.value(Field::Text).size());
    for (const Gesture& gesture : gestures(size)) {
        gesture.prepare(desk);
        QCoreApplication::processEvents();
        const int repeat = job.repeat > 0                                     ? job.repeat
                           : gesture.computes && size.sequence_length > kLong ? kLongRepeat
                                                                              : kRepeat;
        std::vector<double> times, picture, complete;
        for (int n = 0; n < repeat + 2; ++n) {  // two warm-up runs come first
            const auto taken = desk.time([&] { gesture.perform(desk, n); });
            if (!taken) return tl::unexpected(noPicture(desk.session(), gesture.name));
            const double exact = desk.complete();
            if (n < 2) continue;
            times.push_back(*taken);
            picture.push_back(desk.picture());
            complete.push_back(exact);
        }
        const double least = *std::min_element(times.begin(), times.end());
        report(
            {gesture.name, size, medianOf(times), least, medianOf(picture), medianOf(complete), residentMegabytes()});
    }
    return {};
}

}  // namespace

Result<std::vector<InterfaceSize>> parseInterfaceSizes(std::string_view text, std::int64_t num_heads) {
    std::vector<InterfaceSize> sizes;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        const std::size_t cross = part.find('x');
        const auto tokens = parse_bench_numbers(part.substr(0, cross), "--sizes");
        if (!tokens) return tl::unexpected(tokens.error());
        if (tokens->front() < 2)
            return fail(ErrorCode::InvalidValue, "--sizes: a window is measured with 2 tokens or more");
        sizes.push_back({tokens->front(), num_heads});
        if (cross != part.npos) {
            const auto heads = parse_bench_numbers(part.substr(cross + 1), "the heads in --sizes");
            if (!heads) return tl::unexpected(heads.error());
            sizes.back().num_heads = heads->front();
        }
        begin = end + 1;
    }
    return sizes;
}

std::string to_json(const InterfaceLine& line) {
    nlohmann::ordered_json json;
    json["gesture"] = line.gesture;
    json["sequence_length"] = line.size.sequence_length;
    json["num_heads"] = line.size.num_heads;
    json["median_ms"] = line.median_ms;
    json["min_ms"] = line.min_ms;
    json["picture_ms"] = line.picture_ms;
    json["complete_ms"] = line.complete_ms;
    json["resident_mb"] = line.resident_mb;
    return json.dump();
}

Result<void> benchInterface(const InterfaceJob& job, const std::function<void(const InterfaceLine&)>& report) {
    const Stand stand;
    for (const InterfaceSize& size : job.sizes) {
        if (auto done = measure(size, job, report); !done) return done;
    }
    return {};
}

}  // namespace headscope
