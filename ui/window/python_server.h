// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>

#include "core/base/result.h"

class QJsonObject;
class QLocalServer;
class QLocalSocket;

namespace headscope {

class Session;

/// Answers resources/python/headscope.py: opens a file in the window, and gives the mask that it shows. It listens on a
/// local socket that only the user of the program may open; docs/python.md describes the requests.
class PythonServer : public QObject {
    Q_OBJECT
public:
    /// A request is one line of at most this many bytes.
    static constexpr qint64 kLargestRequest = 1 << 20;
    /// Connections at a time; further ones wait.
    static constexpr int kMostConnections = 8;
    /// A mask of more tokens is not given; the text of this one has 11 MB.
    static constexpr std::int64_t kMostTokens = 8192;

    PythonServer(Session& session, QObject* parent);

    /// FileUnwritable if there is no such folder or the socket can't be made. The socket is removed with this object.
    Result<void> listen(const QString& path);
    /// The socket of this process in the user's own folder of running programs; empty if the system has none.
    static QString ownPath();

private:
    void accept();
    void read(QLocalSocket* socket);
    void show(QLocalSocket* socket, const QJsonObject& request);
    /// Answers once nothing is read or computed any more.
    void answerWhenShown(QLocalSocket* socket, bool with_mask);
    QJsonObject shown(bool with_mask) const;

    Session& session_;
    QLocalServer* server_;
    int connections_ = 0;
};

}  // namespace headscope
