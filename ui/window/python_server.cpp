// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/python_server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocalServer>
#include <QLocalSocket>
#include <QStandardPaths>
#include <QTimer>
#include <algorithm>

#include "core/masks/painted_text.h"
#include "ui/pages/mask/mask_picture.h"
#include "ui/state/session.h"

namespace headscope {
namespace {

/// How long a connection may take to send its line.
constexpr int kPatience = 10000;

/// Whether the program at the other end runs as the same user.
bool isOwnUser(const QLocalSocket& socket) {
    ucred peer{};
    socklen_t size = sizeof(peer);
    const int descriptor = static_cast<int>(socket.socketDescriptor());
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

QJsonObject refusal(const QString& sentence) {
    return {{QStringLiteral("error"), sentence}};
}

void answer(QLocalSocket* socket, const QJsonObject& content) {
    socket->write(QJsonDocument(content).toJson(QJsonDocument::Compact) + '\n');
    socket->disconnectFromServer();  // once it is written
}

/// A text of a request; nothing if the key is missing or not a text.
QString textOf(const QJsonObject& request, const char* key) {
    return request.value(QLatin1String(key)).toString();
}

}  // namespace

PythonServer::PythonServer(Session& session, QObject* parent)
    : QObject(parent), session_(session), server_(new QLocalServer(this)) {
    server_->setSocketOptions(QLocalServer::UserAccessOption);
    connect(server_, &QLocalServer::newConnection, this, &PythonServer::accept);
}

QString PythonServer::ownPath() {
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    if (folder.isEmpty()) return {};
    return QDir(folder).filePath(QStringLiteral("headscope-%1.socket").arg(QCoreApplication::applicationPid()));
}

Result<void> PythonServer::listen(const QString& path) {
    QLocalServer::removeServer(path);  // of a process that had the same number and was killed
    if (!path.isEmpty() && server_->listen(path)) return {};
    return fail(ErrorCode::FileUnwritable, QT_TRANSLATE_NOOP("Error", "the socket for Python can't be made: {}"),
                server_->errorString().toStdString());
}

void PythonServer::accept() {
    while (connections_ < kMostConnections) {
        QLocalSocket* socket = server_->nextPendingConnection();
        if (!socket) return;
        ++connections_;
        connect(socket, &QLocalSocket::disconnected, this, [this, socket] {
            socket->deleteLater();
            --connections_;
            accept();
        });
        if (!isOwnUser(*socket)) {
            socket->abort();
            continue;
        }
        socket->setReadBufferSize(kLargestRequest + 1);
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] { read(socket); });
        QTimer::singleShot(kPatience, socket, [socket] {
            if (socket->property("asked").isNull()) socket->abort();
        });
        read(socket);
    }
}

void PythonServer::read(QLocalSocket* socket) {
    if (!socket->property("asked").isNull()) return;  // one request a connection; the rest is not read
    if (!socket->canReadLine()) {
        if (socket->bytesAvailable() > kLargestRequest) {
            socket->setProperty("asked", true);
            answer(socket, refusal(tr("a request has more than %L1 bytes").arg(kLargestRequest)));
        }
        return;
    }
    socket->setProperty("asked", true);
    const QJsonObject request = QJsonDocument::fromJson(socket->readLine(kLargestRequest + 1)).object();
    if (request.value(QStringLiteral("headscope")) != 1)
        return answer(socket, refusal(tr("this is not a request of version 1: one line of JSON with \"headscope\": 1, "
                                         "as headscope.py of this program writes it")));
    const QString what = textOf(request, "do");
    if (what == u"show") return show(socket, request);
    if (what == u"mask") return answerWhenShown(socket, true);
    answer(socket, refusal(tr("the request '%1' is unknown").arg(what.left(40))));
}

void PythonServer::show(QLocalSocket* socket, const QJsonObject& request) {
    const QString file = textOf(request, "file");
    if (!QFileInfo(file).isAbsolute())
        return answer(socket, refusal(tr("\"file\" is '%1'; it must be the whole path of a file").arg(file.left(200))));
    const Draft& draft = session_.draft();
    Draft next = withWeights(draft, QDir::cleanPath(file));
    if (request.contains(QStringLiteral("layer"))) next.set(Field::Layer, textOf(request, "layer"));
    if (request.contains(QStringLiteral("mask"))) next.set(Field::Mask, textOf(request, "mask"));
    if (next == draft)
        session_.openFile(file);  // which may have changed since
    else
        session_.edit(next, tr("open %1 from Python").arg(QFileInfo(file).fileName()));
    answerWhenShown(socket, false);
}

void PythonServer::answerWhenShown(QLocalSocket* socket, bool with_mask) {
    const auto check = [this, socket, with_mask] {
        if (session_.isComputing() || !socket->property("answered").isNull()) return;
        socket->setProperty("answered", true);
        answer(socket, shown(with_mask));
    };
    connect(&session_, &Session::computingChanged, socket, check, Qt::QueuedConnection);
    QTimer::singleShot(0, socket, check);
}

QJsonObject PythonServer::shown(bool with_mask) const {
    const Reading& reading = session_.reading();
    if (!reading.problems.isEmpty()) return refusal(sentence(reading.problems.first().error));
    if (const auto error = session_.computeError()) return refusal(sentence(*error));
    const TracePtr trace = session_.trace();
    if (!trace) return refusal(tr("There is no picture yet: type a text first"));
    QJsonObject content{{QStringLiteral("ok"), true}};
    if (!with_mask) return content;
    const Selection& selection = session_.selection();
    const Mask& mask = trace->mask.of(presentHead(session_));
    const std::int64_t size = mask.size();
    if (size > kMostTokens)
        return refusal(tr("a mask of %L1 tokens is not given; %L2 at most").arg(size).arg(kMostTokens));
    PaintedMask cells{size, std::vector<std::uint8_t>(static_cast<std::size_t>(size * size))};
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(size));
    for (std::int64_t row = 0; row < size; ++row)
        std::copy_n(mask.cells(selection.sequence, row, 0, size, scratch.data()), size,
                    cells.cells.begin() + row * size);
    content[QStringLiteral("size")] = static_cast<qint64>(size);
    content[QStringLiteral("cells")] = QString::fromStdString(painted_cells_text(cells));
    return content;
}

}  // namespace headscope
