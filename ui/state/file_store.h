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
#include "core/masks/mask.h"

namespace headscope {

/// The weights and mask files that drafts name. A file that is in use is not read again unless it changed on the disk;
/// an error is kept until the file changes. The store keeps no file alive by itself. For one thread.
class FileStore : public QObject {
    Q_OBJECT
public:
    enum class Mode {
        AtOnce,       ///< reads where it is asked
        InBackground  ///< reads on a thread of its own, so that the interface goes on
    };
    explicit FileStore(Mode mode, QObject* parent = nullptr);
    ~FileStore() override;  ///< waits for what is being read

    template <typename T>
    using Answer = std::optional<Result<std::shared_ptr<const T>>>;
    /// Nothing while the file is being read: arrived() follows.
    Answer<LayerFile> layer(const QString& path, std::optional<Layout> layout);
    Answer<PaintedMask> mask(const QString& path);

Q_SIGNALS:
    /// A file was read: who was told to wait may ask again.
    void arrived();

private:
    using Content = std::shared_ptr<const void>;
    using Read = std::function<Result<Content>()>;
    struct Stamp {
        QDateTime modified, changed;  ///< of the content; of it or the right to read it
        qint64 size = -1;
        bool operator==(const Stamp&) const = default;
    };
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
