// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/tile_store.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/base/thread_pool.h"
#include "ui/maps/tile_store_impl.h"

namespace headscope {

namespace {

constexpr std::chrono::milliseconds kComputingFirst{500};
constexpr int kAnnounceMs = 50;  // between two repaints while tiles arrive
constexpr int kRetryMs = 1000;   // until what failed is tried again

}  // namespace

void TileStore::Impl::start(TileStore* store) {
    while (static_cast<int>(workers.size()) < available_threads()) {
        try {
            workers.emplace_back([this, store] { workUntilStopped(store); });
        } catch (const std::system_error&) {
            return;  // samples stay, and the next repaint tries again
        }
    }
}

/// The matrix whose nearest missing tile is the nearest of all.
TiledMatrix::Shared* TileStore::Impl::next() const {
    TiledMatrix::Shared* nearest = nullptr;
    double best = 0;
    for (const auto& matrix : matrices) {
        if (matrix->missing.empty()) continue;
        const double here = matrix->distance(matrix->missing.back());
        if (nearest && here >= best) continue;
        nearest = matrix.get();
        best = here;
    }
    return nearest;
}

void TileStore::Impl::workUntilStopped(TileStore* store) {
    const ThreadLimit one(1);
    std::unique_lock lock(mutex);
    for (;;) {
        work.wait(lock, [this] { return stop || next(); });
        if (stop) return;
        if (wait_until > TileClock::now()) {
            work.wait_until(lock, wait_until);
            continue;
        }
        TiledMatrix::Shared* found = next();
        const auto matrix =
            *std::find_if(matrices.begin(), matrices.end(), [&](const auto& each) { return each.get() == found; });
        compute(matrix, lock);
        if (!std::exchange(announced, true)) QMetaObject::invokeMethod(store, "arrived", Qt::QueuedConnection);
    }
}

/// Computes the nearest missing tile of a matrix; unlocks meanwhile.
void TileStore::Impl::compute(const std::shared_ptr<TiledMatrix::Shared>& matrix, std::unique_lock<std::mutex>& lock) {
    const TilePlace place = matrix->missing.back();
    matrix->missing.pop_back();
    matrix->running.insert(place);
    const TileSource source = matrix->source;
    const CancelToken cancel = matrix->cancel;
    const auto parts = matrix->parts(place);
    ++running;
    lock.unlock();
    std::optional<MapTile> tile;
    try {
        if (parts)
            tile = combinedTile(source, place, *parts);
        else if (auto computed = exactTile(source, place, cancel.get()))
            tile = std::move(*computed);
    } catch (const std::bad_alloc&) {
        // The sample stays, and the tile is tried again.
    }
    lock.lock();
    --running;
    matrix->running.erase(matrix->running.find(place));
    if (*cancel) return listMissing(*matrix);
    if (tile)
        insert(*matrix, place, std::move(*tile));
    else
        matrix->failed.insert(place);
    matrix->has_news = true;
}

void TileStore::Impl::insert(TiledMatrix::Shared& matrix, const TilePlace& place, MapTile tile) {
    KnownTile& known = matrix.tiles[place];
    if (known.tile) {
        if (known.tile->exact) return;
        bytes -= known.tile->bytes();
    }
    known.tile = std::make_shared<const MapTile>(std::move(tile));
    if (matrix.isVisible(place)) known.used = clock;
    bytes += known.tile->bytes();
    if (bytes > kTileBytes) evict();
}

/// Frees a tenth of the bound, but no tile that a map shows.
void TileStore::Impl::evict() {
    struct Candidate {
        std::uint64_t used;
        TiledMatrix::Shared* matrix;
        TilePlace place;
    };
    std::vector<Candidate> candidates;
    for (const auto& matrix : matrices)
        for (const auto& [place, known] : matrix->tiles)
            if (!matrix->isVisible(place)) candidates.push_back({known.used, matrix.get(), place});
    std::sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) { return a.used < b.used; });
    for (const Candidate& oldest : candidates) {
        if (bytes <= kTileBytes / 10 * 9) return;
        bytes -= oldest.matrix->tiles.at(oldest.place).tile->bytes();
        oldest.matrix->tiles.erase(oldest.place);
    }
}

/// Lists what is to be computed of the tiles that the maps show.
void TileStore::Impl::listMissing(TiledMatrix::Shared& matrix) {
    std::set<TilePlace> visible;
    for (const auto& [map, tiles] : matrix.shown)
        forEachTile(tiles, [&](const TilePlace& place) { visible.insert(place); });
    std::erase_if(matrix.failed, [&](const TilePlace& place) { return !visible.contains(place); });
    matrix.missing.clear();
    for (const TilePlace& place : visible) {
        const auto known = matrix.tiles.find(place);
        if (known != matrix.tiles.end()) known->second.used = clock;
        const bool is_exact = known != matrix.tiles.end() && known->second.tile->exact;
        if (!is_exact && !matrix.running.contains(place) && !matrix.failed.contains(place) &&
            !matrix.source.isOnlySampled())
            matrix.missing.push_back(place);
    }
    ++clock;
    std::sort(matrix.missing.begin(), matrix.missing.end(),
              [&](const TilePlace& a, const TilePlace& b) { return matrix.distance(a) > matrix.distance(b); });
}

void TileStore::Impl::forget(TiledMatrix::Shared& matrix) {
    *matrix.cancel = true;
    matrix.shown.clear();
    matrix.missing.clear();
    for (const auto& [place, known] : matrix.tiles) bytes -= known.tile->bytes();
    matrix.tiles.clear();
    std::erase_if(matrices, [&](const auto& each) { return each.get() == &matrix; });
}

std::shared_ptr<TileStore> TileStore::shared() {
    static std::weak_ptr<TileStore> last;
    auto store = last.lock();
    if (!store) last = store = std::make_shared<TileStore>();
    return store;
}

TileStore::TileStore() : impl_(std::make_unique<Impl>()) {
    impl_->later.setSingleShot(true);
    connect(&impl_->later, &QTimer::timeout, this, &TileStore::announce);
    impl_->retry.setSingleShot(true);
    connect(&impl_->retry, &QTimer::timeout, this, &TileStore::tryAgain);
}

TileStore::~TileStore() {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->stop = true;
        for (const auto& matrix : impl_->matrices) *matrix->cancel = true;
    }
    impl_->work.notify_all();
    for (std::thread& worker : impl_->workers) worker.join();
    impl_->handles.clear();
}

TiledMatrixPtr TileStore::matrix(const TileSource& source) {
    for (const TiledMatrixPtr& handle : impl_->handles) {
        const std::lock_guard lock(impl_->mutex);
        if (!(handle->shared_->source == source)) continue;
        handle->shared_->source = source;  // the same numbers, and the older traces may be freed
        return handle;
    }
    auto shared = std::make_shared<TiledMatrix::Shared>();
    shared->source = source;
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->matrices.push_back(shared);
    }
    impl_->handles.push_back(TiledMatrixPtr(new TiledMatrix(*this, shared)));
    return impl_->handles.back();
}

void TileStore::prune() {
    std::vector<TileSource> shown;
    for (const TiledMatrixPtr& handle : impl_->handles)
        if (handle.use_count() > 1) shown.push_back(handle->source());
    std::erase_if(impl_->handles, [&](const TiledMatrixPtr& handle) {
        const TileSource own = handle->source();
        return handle.use_count() == 1 &&
               std::none_of(shown.begin(), shown.end(), [&](const auto& other) { return own.isRelated(other); });
    });
    announce();
}

void TileStore::setComputing(bool computing) {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->wait_until = computing ? TileClock::now() + kComputingFirst : TileClock::time_point{};
        // What is being computed is listed again when it has stopped.
        for (const auto& matrix : impl_->matrices)
            if (computing && !matrix->running.empty())
                *std::exchange(matrix->cancel, std::make_shared<std::atomic<bool>>(false)) = true;
    }
    impl_->work.notify_all();
}

TileProgress TileStore::progress() const {
    const std::lock_guard lock(impl_->mutex);
    TileProgress all;
    for (const auto& matrix : impl_->matrices) {
        for (const auto& [map, tiles] : matrix->shown) {
            const TileProgress one = matrix->progressOf(tiles);
            all.exact += one.exact;
            all.visible += one.visible;
            all.failed += one.failed;
        }
    }
    return all;
}

std::size_t TileStore::bytes() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->bytes;
}

/// Repaints not more often than the eye needs, except when everything is complete.
void TileStore::arrived() {
    bool idle = false, failed = false;
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->announced = false;
        idle = impl_->running == 0 && !impl_->next();
        failed = std::any_of(impl_->matrices.begin(), impl_->matrices.end(),
                             [](const auto& matrix) { return !matrix->failed.empty(); });
    }
    if (failed && !impl_->retry.isActive()) impl_->retry.start(kRetryMs);
    const qint64 age = impl_->shown.isValid() ? impl_->shown.elapsed() : kAnnounceMs;
    if (idle || age >= kAnnounceMs)
        announce();
    else if (!impl_->later.isActive())
        impl_->later.start(static_cast<int>(kAnnounceMs - age));
}

void TileStore::tryAgain() {
    {
        const std::lock_guard lock(impl_->mutex);
        for (const auto& matrix : impl_->matrices) {
            if (matrix->failed.empty()) continue;
            matrix->failed.clear();
            impl_->listMissing(*matrix);
        }
    }
    impl_->work.notify_all();
}

void TileStore::announce() {
    std::vector<TiledMatrixPtr> news;
    for (const TiledMatrixPtr& handle : impl_->handles) {
        const std::lock_guard lock(impl_->mutex);
        if (std::exchange(handle->shared_->has_news, false)) news.push_back(handle);
    }
    impl_->shown.start();
    for (const TiledMatrixPtr& handle : news) Q_EMIT handle->changed();
    if (const TileProgress now = progress(); std::exchange(impl_->reported, now) != now) Q_EMIT progressChanged();
}

}  // namespace headscope
