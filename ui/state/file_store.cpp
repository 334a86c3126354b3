// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/file_store.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <new>

#include "core/files/mask_file.h"

namespace headscope {
namespace {

/// Exceptions on the other thread must not end the program.
template <typename Read>
auto readSafely(const Read& read, const QString& path) -> decltype(read()) {
    try {
        return read();
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory,
                    QT_TRANSLATE_NOOP("Error", "{}: the system has no memory left to read the file"),
                    path.toStdString());
    }
}

}  // namespace

FileStore::FileStore(Mode mode, QObject* parent) : QObject(parent), mode_(mode) {
    thread_.setMaxThreadCount(1);
}

FileStore::~FileStore() {
    thread_.clear();
    thread_.waitForDone();
}

FileStore::Answer<LayerFile> FileStore::layer(const QString& path, std::optional<Layout> layout, const QString& layer) {
    const QString variant = layout ? QString::number(static_cast<int>(*layout)) : QString();
    return answer<LayerFile>(QStringLiteral("layer %1 %2 %3").arg(variant, layer, path), path, [path, layout, layer] {
        return read_layer_file(path.toStdString(), layout, layer.toStdString());
    });
}

FileStore::Answer<ModelLayers> FileStore::layers(const QString& path) {
    return answer<ModelLayers>(QStringLiteral("layers %1").arg(path), path,
                               [path] { return list_layers(path.toStdString()); });
}

FileStore::Answer<Recording> FileStore::recording(const QString& path) {
    return answer<Recording>(QStringLiteral("recording %1").arg(path), path,
                             [path] { return Recording::open(path.toStdString()); });
}

FileStore::Answer<PaintedMask> FileStore::mask(const QString& path) {
    return answer<PaintedMask>(QStringLiteral("mask %1").arg(path), path, [path] {
        return read_mask_file(path.toStdString()).map([](PaintedMask&& mask) {
            return std::make_shared<const PaintedMask>(std::move(mask));
        });
    });
}

template <typename T>
FileStore::Answer<T> FileStore::answer(const QString& key, const QString& path,
                                       std::function<Result<std::shared_ptr<const T>>()> read) {
    const auto found = get(
        key, path, [read = std::move(read)] { return read().map([](auto content) -> Content { return content; }); });
    if (!found) return std::nullopt;
    return found->map([](const Content& content) { return std::static_pointer_cast<const T>(content); });
}

/// Of a folder, or the index of a model, also the files beside it: they are what is read.
FileStore::Stamp FileStore::stampOf(const QFileInfo& info) {
    Stamp stamp{info.lastModified(), info.metadataChangeTime(), info.size()};
    const bool folder = info.isDir();
    if (!folder && !info.fileName().endsWith(QStringLiteral(".index.json"))) return stamp;
    const QDir place(folder ? info.filePath() : info.path());
    for (const QFileInfo& file :
         place.entryInfoList({QStringLiteral("*.safetensors"), QStringLiteral("*.json")}, QDir::Files)) {
        stamp.modified = std::max(stamp.modified, file.lastModified());
        stamp.changed = std::max(stamp.changed, file.metadataChangeTime());
        stamp.size += file.size();
    }
    return stamp;
}

std::optional<Result<FileStore::Content>> FileStore::get(const QString& key, const QString& path, const Read& read) {
    const QFileInfo info(path);
    const Stamp stamp = stampOf(info);
    if (const auto found = entries_.find(key); found != entries_.end() && found->second.stamp == stamp) {
        const Entry& entry = found->second;
        if (entry.reading) return std::nullopt;
        if (entry.error) return Result<Content>(tl::unexpected(*entry.error));
        if (auto content = entry.content.lock()) return Result<Content>(std::move(content));
    }
    if (mode_ == Mode::AtOnce || (!info.isFile() && !info.isDir())) {  // what is neither is answered without reading
        const auto result = readSafely(read, path);
        keep(key, stamp, result);
        forgetShortage(key);
        return result;
    }
    entries_[key] = {stamp, true, {}, {}};
    thread_.start([this, key, path, stamp, read] {
        const auto result = readSafely(read, path);
        QMetaObject::invokeMethod(this, [this, key, stamp, result] {
            const auto entry = entries_.find(key);
            if (entry == entries_.end() || entry->second.stamp != stamp) return;  // the file changed meanwhile
            keep(key, stamp, result);
            Q_EMIT arrived();  // the content lives during this call, and longer if a receiver keeps it
            forgetShortage(key);
        });
    });
    return std::nullopt;
}

void FileStore::keep(const QString& key, const Stamp& stamp, const Result<Content>& result) {
    std::erase_if(entries_, [](const auto& item) {
        const Entry& entry = item.second;
        return !entry.reading && !entry.error && entry.content.expired();
    });
    Entry entry{stamp, false, {}, {}};
    if (result) {
        entry.content = *result;
    } else {
        entry.error = result.error();
    }
    entries_[key] = std::move(entry);
}

/// Discards out-of-memory errors: a later attempt may succeed.
void FileStore::forgetShortage(const QString& key) {
    const auto found = entries_.find(key);
    if (found != entries_.end() && found->second.error && found->second.error->code == ErrorCode::OutOfMemory)
        entries_.erase(found);
}

}  // namespace headscope
