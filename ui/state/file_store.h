// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QObject>
#include <QThreadPool>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "core/files/layer_file.h"
#include "core/files/model_layers.h"
#include "core/files/recording.h"
#include "core/masks/mask.h"

class QFileInfo;

namespace headscope {

/// Reads the weights and mask files that drafts name. A file in use is not read again unless it changed on disk; an
/// error is kept until the file changes. The store itself keeps no file alive. Not thread-safe.
class FileStore : public QObject {
    Q_OBJECT
public:
    enum class Mode {
        AtOnce,       ///< reads immediately, on the calling thread
        InBackground  ///< reads on another thread, so that the GUI stays responsive
    };
    explicit FileStore(Mode mode, QObject* parent = nullptr);
    ~FileStore() override;  ///< waits for running reads

    template <typename T>
    using Answer = std::optional<Result<std::shared_ptr<const T>>>;
    /// Nothing while the file is being read: arrived() is emitted afterwards.
    /// Of a file or a folder; layer: as for read_layer_file().
    Answer<LayerFile> layer(const QString& path, std::optional<Layout> layout, const QString& layer = {});
    Answer<ModelLayers> layers(const QString& path);
    Answer<Recording> recording(const QString& path);
    Answer<PaintedMask> mask(const QString& path);

Q_SIGNALS:
    /// Emitted when a file was read: callers that got nothing may call again.
    void arrived();

private:
    using Content = std::shared_ptr<const void>;
    using Read = std::function<Result<Content>()>;
    struct Stamp {
        QDateTime modified, changed;  ///< of the content; of the content or the permissions
        qint64 size = -1;
        bool operator==(const Stamp&) const = default;
    };
    static Stamp stampOf(const QFileInfo& info);
    struct Entry {
        Stamp stamp;
        bool reading = false;
        std::weak_ptr<const void> content;
        std::optional<Error> error;
    };
    template <typename T>
    Answer<T> answer(const QString& key, const QString& path, std::function<Result<std::shared_ptr<const T>>()> read);
    std::optional<Result<Content>> get(const QString& key, const QString& path, const Read& read);
    void keep(const QString& key, const Stamp& stamp, const Result<Content>& result);
    void forgetShortage(const QString& key);

    Mode mode_;
    std::map<QString, Entry> entries_;
    QThreadPool thread_;
};

}  // namespace headscope
