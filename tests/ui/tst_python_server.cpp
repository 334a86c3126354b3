// SPDX-License-Identifier: GPL-3.0-or-later
// The open window and resources/python/headscope.py: a real window, and a Python program that shows and asks.
#include <sys/stat.h>
#include <unistd.h>

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocalSocket>
#include <QProcess>
#include <QTemporaryDir>
#include <cstring>

#include "core/masks/painted_text.h"
#include "support.h"
#include "ui/window/main_window.h"
#include "ui/window/python_server.h"
#include "window_support.h"

using namespace headscope;

namespace {

const QString kSocket = QStringLiteral("headscope-1.socket");

struct Desk {
    Session session;
    MainWindow window{session};
    PythonServer server{session, nullptr};

    explicit Desk(const QString& path) {
        window.resize(1280, 720);
        window.show();
        (void)QTest::qWaitForWindowExposed(&window);
        (void)waitForTrace(session);
        listening = server.listen(path).has_value();
    }
    bool listening = false;
};

/// Sends bytes and waits for the answer; the other end may close the connection without any.
QJsonObject ask(const QString& path, const QByteArray& bytes) {
    QLocalSocket socket;
    socket.connectToServer(path);
    socket.write(bytes);
    socket.flush();
    (void)QTest::qWaitFor([&] { return socket.state() == QLocalSocket::UnconnectedState; }, 30000);
    return QJsonDocument::fromJson(socket.readAll()).object();
}

/// The numbers of a npy file of float64.
std::vector<double> numbersOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QByteArray bytes = file.readAll();
    const qsizetype begin = 10 + static_cast<quint8>(bytes[8]) + 256 * static_cast<quint8>(bytes[9]);
    std::vector<double> numbers(static_cast<std::size_t>(bytes.size() - begin) / sizeof(double));
    std::memcpy(numbers.data(), bytes.constData() + begin, numbers.size() * sizeof(double));
    return numbers;
}

QString errorOf(const QJsonObject& answer) {
    return answer.value(QStringLiteral("error")).toString();
}

}  // namespace

class TestPythonServer : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString path_;
    bool has_numpy_ = false;

    struct Said {
        int status = -1;
        QString out, error;
    };
    /// Runs Python lines while the event loop of the window goes on.
    Said python(const QString& lines) {
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), folder_.path());
        environment.insert(QStringLiteral("XDG_CACHE_HOME"), folder_.filePath(QStringLiteral("cache")));
        environment.insert(QStringLiteral("PYTHONPATH"), QStringLiteral(HEADSCOPE_PYTHON_FOLDER));
        environment.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(HEADSCOPE_PYTHON3),
                      {QStringLiteral("-c"), QStringLiteral("import time, numpy as np, headscope\n") + lines});
        Said said;
        if (!QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, 60000)) return said;
        said = {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
                QString::fromUtf8(process.readAllStandardError())};
        return said;
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(testing::beginAsAtFirstStart(folder_));
        path_ = folder_.filePath(kSocket);
        has_numpy_ = python(QStringLiteral("pass")).status == 0;
    }
    void init() { QSettings().clear(); }

    /// Nobody but its owner may open the socket, and it is gone with the window.
    void socketIsItsOwners() {
        {
            Desk desk(path_);
            QVERIFY(desk.listening);
            struct stat info {};
            QCOMPARE(stat(qPrintable(path_), &info), 0);
            QVERIFY(S_ISSOCK(info.st_mode));
            QCOMPARE(info.st_mode & 0777U, 0700U);
            QCOMPARE(info.st_uid, geteuid());
        }
        QVERIFY(!QFileInfo::exists(path_));
    }

    void pathIsInTheUsersOwnFolder() {
        const QByteArray before = qgetenv("XDG_RUNTIME_DIR");
        qputenv("XDG_RUNTIME_DIR", folder_.path().toUtf8());
        const QString own = PythonServer::ownPath();
        before.isNull() ? qunsetenv("XDG_RUNTIME_DIR") : qputenv("XDG_RUNTIME_DIR", before);
        QCOMPARE(QFileInfo(own).path(), folder_.path());
        QVERIFY(QFileInfo(own).fileName().contains(QString::number(QCoreApplication::applicationPid())));
    }

    void aFolderThatIsNotThereIsAnError() {
        Session session;
        PythonServer server(session, nullptr);
        for (const QString& path : {QString(), QStringLiteral("/nonexistent/headscope.socket")}) {
            const auto listening = server.listen(path);
            QVERIFY(!listening);
            QCOMPARE(listening.error().code, ErrorCode::FileUnwritable);
        }
    }

    void badRequestsAreAnsweredAndChangeNothing_data() {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<QString>("error");
        const QByteArray begin = R"({"headscope": 1, )";
        QTest::newRow("no JSON") << QByteArray("GET / HTTP/1.1\n") << "not a request of version 1";
        QTest::newRow("a list") << QByteArray("[1]\n") << "not a request of version 1";
        QTest::newRow("another version") << QByteArray(R"({"headscope": 2, "do": "mask"})"
                                                       "\n")
                                         << "not a request of version 1";
        QTest::newRow("deep") << QByteArray(100000, '[') + '\n' << "not a request of version 1";
        QTest::newRow("another command") << begin + "\"do\": \"quit\"}\n"
                                         << "the request 'quit' is unknown";
        QTest::newRow("no file") << begin + "\"do\": \"show\"}\n"
                                 << "must be the whole path of a file";
        QTest::newRow("part of a path") << begin + "\"do\": \"show\", \"file\": \"a.npz\"}\n"
                                        << "'a.npz'; it must be the whole path of a file";
        QTest::newRow("too long") << QByteArray(PythonServer::kLargestRequest + 2, 'x') << "a request has more than";
    }
    void badRequestsAreAnsweredAndChangeNothing() {
        QFETCH(QByteArray, request);
        QFETCH(QString, error);
        Desk desk(path_);
        const Draft before = desk.session.draft();
        const QString answered = errorOf(ask(path_, request));
        QVERIFY2(answered.contains(error), qPrintable(answered));
        QVERIFY(desk.session.draft() == before);
    }

    void whatIsSentAfterTheFirstLineIsIgnored() {
        Desk desk(path_);
        const QByteArray mask = R"({"headscope": 1, "do": "mask"})";
        const QJsonObject answer = ask(path_, mask + '\n' + mask + "\nxxx");
        QCOMPARE(answer.value(QStringLiteral("size")).toInt(), 10);
    }

    void manyConnectionsAreAnsweredInTurn() {
        Desk desk(path_);
        std::vector<std::unique_ptr<QLocalSocket>> sockets;
        for (int i = 0; i < 3 * PythonServer::kMostConnections; ++i) {
            sockets.push_back(std::make_unique<QLocalSocket>());
            sockets.back()->connectToServer(path_);
            sockets.back()->write("{\"headscope\": 1, \"do\": \"mask\"}\n");
        }
        for (const auto& socket : sockets) {
            QVERIFY(QTest::qWaitFor([&] { return socket->state() == QLocalSocket::UnconnectedState; }, 30000));
            QVERIFY(socket->readAll().contains("\"ok\":true"));
        }
    }

    void showChangesTheWindow() {
        if (!has_numpy_) QSKIP("there is no Python with numpy here");
        Desk desk(path_);
        const Said said = python(QStringLiteral(R"(
weights = np.random.default_rng(1).random((2, 3, 5, 5))
weights /= weights.sum(-1, keepdims=True)
begin = time.time()
headscope.show(weights, tokens=["a", "b", "c", "d", "e"], layer=1)
print(time.time() - begin)
np.save("%1", weights[1])
)")
                                     .arg(folder_.filePath(QStringLiteral("shown.npy"))));
        QVERIFY2(said.status == 0, qPrintable(said.error));
        qInfo("show() took %s s", qPrintable(said.out.trimmed()));
        QCOMPARE(desk.session.trace()->dims().num_heads, 3);
        QCOMPARE(desk.session.trace()->batch().tokens[0][4], "e");
        const auto recorded = numbersOf(folder_.filePath(QStringLiteral("shown.npy")));
        for (int head = 0; head < 3; ++head)
            for (int i = 0; i < 25; ++i)
                QVERIFY(std::fabs(desk.session.trace()->matrix(Stage::Weights, 0, head).at(i / 5, i % 5) -
                                  recorded[static_cast<std::size_t>(head * 25 + i)]) < 1e-6);
        desk.session.undoStack()->undo();
        QCOMPARE(desk.session.draft().value(Field::Weights), QStringLiteral("textbook"));
    }

    void showOfAChangedFileReadsItAgain() {
        if (!has_numpy_) QSKIP("there is no Python with numpy here");
        Desk desk(path_);
        const Said said = python(QStringLiteral(R"(
for size in (4, 6):
    headscope.save_attention("%1", np.ones((1, size, size)) / size)
    headscope.show("%1")
    print(headscope.mask().shape)
)")
                                     .arg(folder_.filePath(QStringLiteral("again.safetensors"))));
        QVERIFY2(said.status == 0, qPrintable(said.error));
        QCOMPARE(said.out, QStringLiteral("(4, 4)\n(6, 6)\n"));
        QCOMPARE(desk.session.trace()->dims().sequence_length, 6);
    }

    /// Painted in the window, asked for by Python; and painted by Python, shown in the window.
    void paintedMaskIsTheSameOnBothSides() {
        if (!has_numpy_) QSKIP("there is no Python with numpy here");
        Desk desk(path_);
        PaintedMask painted{10, std::vector<std::uint8_t>(100)};
        for (std::size_t n = 0; n < 100; ++n) painted.cells[n] = n * n % 7 < 3;
        desk.session.edit(Field::Mask,
                          QStringLiteral("painted:10:") + QString::fromStdString(painted_cells_text(painted)));
        const Said said = python(QStringLiteral(R"(
mask = headscope.mask()
assert mask.dtype == bool
print("".join(str(int(cell)) for cell in mask.flat))
x = np.random.default_rng(2).normal(size=(10, 8))
layer = {"qkv_proj.weight": np.ones((24, 8)), "out_proj.weight": np.eye(8)}
headscope.show(layer, x, num_heads=2, mask=mask.T)
assert (headscope.mask() == mask.T).all()
)"));
        QVERIFY2(said.status == 0, qPrintable(said.error));
        QString cells;
        for (const std::uint8_t cell : painted.cells) cells += cell ? u'1' : u'0';
        QCOMPARE(said.out.trimmed(), cells);
        for (int n = 0; n < 100; ++n)
            QCOMPARE(desk.session.trace()->mask.of(0).allowed(0, n / 10, n % 10),
                     painted.cells[n % 10 * 10 + n / 10] != 0);
        QCOMPARE(desk.session.trace()->dims().embed_dim, 8);
    }

    void whatCannotBeShownIsAnExceptionOfPython() {
        if (!has_numpy_) QSKIP("there is no Python with numpy here");
        Desk desk(path_);
        const Said said = python(QStringLiteral(R"(
try:
    headscope.show("/nonexistent/a.npz")
except headscope.HeadScopeError as error:
    print(error)
try:
    headscope.show({"in_proj_weight": np.ones((24, 8)), "out_proj.weight": np.eye(8), "bias_k": np.ones(8)}, num_heads=2)
except headscope.HeadScopeError as error:
    print(error)
)"));
        QVERIFY2(said.status == 0, qPrintable(said.error));
        QVERIFY2(said.out.contains(QStringLiteral("/nonexistent/a.npz")), qPrintable(said.out));
        QVERIFY2(said.out.contains(QStringLiteral("bias_k")), qPrintable(said.out));
    }
};

QTEST_MAIN(TestPythonServer)
#include "tst_python_server.moc"
