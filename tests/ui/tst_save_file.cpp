// SPDX-License-Identifier: GPL-3.0-or-later
// A saved file is complete or not there, whatever happens while it is written: a full disk, a folder that can't be
// written to, a program that is killed.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <csignal>
#include <random>
#include <thread>

#include "support.h"
#include "ui/export/save_file.h"

using namespace headscope;

namespace {

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Every file of a folder, also hidden ones.
QStringList filesIn(const QString& folder) {
    return QDir(folder).entryList(QDir::Files | QDir::Hidden, QDir::Name);
}

/// Written in pieces, as tables are.
Result<void> saveInPieces(const QString& path, const QByteArray& bytes) {
    return saveFile(path, [&](QIODevice& device) -> Result<void> {
        constexpr qsizetype kPiece = 50'000;
        for (qsizetype at = 0; at < bytes.size(); at += kPiece) {
            if (!writeAll(device, QByteArrayView(bytes).sliced(at, std::min(kPiece, bytes.size() - at))))
                return fail(ErrorCode::FileUnwritable, "can't be written");
        }
        return {};
    });
}

/// Restores what a test took from the process.
class Limits {
public:
    Limits() { getrlimit(RLIMIT_FSIZE, &before_); }
    ~Limits() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, SIG_DFL);
    }
    void file_size(rlim_t bytes) const {
        std::signal(SIGXFSZ, SIG_IGN);  // writing then fails, as on a full disk
        const rlimit limit{bytes, before_.rlim_max};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0) qFatal("no limit for the test");
    }

private:
    rlimit before_{};
};

}  // namespace

class TestSaveFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void aNewFileAndAnOldOne() {
        const QString path = folder_->filePath(utf8("a.txt"));
        const mode_t mask = umask(027);
        QVERIFY(saveFile(path, QByteArray("first")));
        umask(mask);
        struct stat now {};
        QCOMPARE(stat(QFile::encodeName(path).constData(), &now), 0);
        QCOMPARE(now.st_mode & 0777U, 0640U);
        QCOMPARE(chmod(QFile::encodeName(path).constData(), 0604), 0);
        QVERIFY(saveFile(path, QByteArray("second")));
        QCOMPARE(contents(path), QByteArray("second"));
        QCOMPARE(stat(QFile::encodeName(path).constData(), &now), 0);
        QCOMPARE(now.st_mode & 0777U, 0604U);  // the old file's
        QCOMPARE(filesIn(folder_->path()), QStringList{utf8("a.txt")});
    }

    void aLinkStaysALink() {
        const QString file = folder_->filePath(utf8("real")), link = folder_->filePath(utf8("link"));
        QVERIFY(saveFile(file, QByteArray("first")));
        QVERIFY(QFile::link(file, link));
        QVERIFY(saveFile(link, QByteArray("second")));
        QVERIFY(QFileInfo(link).isSymLink());
        QCOMPARE(contents(file), QByteArray("second"));
        QVERIFY(QFile::remove(file));
        QVERIFY(saveFile(link, QByteArray("third")));
        QCOMPARE(contents(file), QByteArray("third"));
    }

    void aFullDisk() {
        const QString path = folder_->filePath(utf8("a.bin"));
        const QByteArray large(500'000, 'x');
        for (const bool exists : {false, true}) {
            if (exists) QVERIFY(saveFile(path, QByteArray("old")));
            for (const auto& save : {+[](const QString&to, const QByteArray&bytes) { return saveFile(to, bytes); },
                                     +[](const QString&to, const QByteArray&b) { return saveInPieces(to, b); }}) {
                Result<void> saved;
                {
                    const Limits limits;
                    limits.file_size(100'000);
                    saved = save(path, large);
                }
                QVERIFY(!saved);
                QCOMPARE(saved.error().code, ErrorCode::FileUnwritable);
                QVERIFY(sentence(saved.error()).contains(path));
                QCOMPARE(filesIn(folder_->path()), exists ? QStringList{utf8("a.bin")} : QStringList());
                if (exists) QCOMPARE(contents(path), QByteArray("old"));
            }
        }
    }

    void aFolderThatCanOnlyBeRead() {
        const QString path = folder_->filePath(utf8("a.txt"));
        QVERIFY(saveFile(path, QByteArray("old")));
        QCOMPARE(chmod(QFile::encodeName(folder_->path()).constData(), 0555), 0);
        const uid_t user = geteuid();
        if (user == 0) QCOMPARE(seteuid(65534), 0);  // root may write anywhere
        const auto saved = saveFile(path, QByteArray("new"));
        const auto other = saveFile(folder_->filePath(utf8("b.txt")), QByteArray("new"));
        if (user == 0) QCOMPARE(seteuid(user), 0);
        QCOMPARE(chmod(QFile::encodeName(folder_->path()).constData(), 0755), 0);
        QVERIFY(!saved && !other);
        QVERIFY(sentence(saved.error()).contains(utf8("can't be written")));
        QCOMPARE(contents(path), QByteArray("old"));
        QCOMPARE(filesIn(folder_->path()), QStringList{utf8("a.txt")});
    }

    /// Killed at 200 random moments: the file is one of the two that were saved, from its first byte to its last.
    void killed_data() {
        QTest::addColumn<bool>("pieces");
        QTest::newRow("bytes") << false;
        QTest::newRow("pieces") << true;
    }
    void killed() {
        QFETCH(bool, pieces);
        const QString path = folder_->filePath(utf8("a.bin"));
        const QByteArray first(700'000, 'a'), second(300'000, 'b');
        std::mt19937 random(pieces);
        QSet<QByteArray> seen;
        for (int kill_at = 0; kill_at < 100; ++kill_at) {
            if (random() % 4 == 0) QFile::remove(path);  // also a file that is new
            int pipe_ends[2];
            QCOMPARE(pipe(pipe_ends), 0);
            const pid_t child = fork();
            if (child == 0) {
                for (bool turn = random() % 2;; turn = !turn) {
                    (void)(pieces ? saveInPieces(path, turn ? first : second) : saveFile(path, turn ? first : second));
                    (void)!write(pipe_ends[1], "", 1);
                }
            }
            QVERIFY(child > 0);
            // Most are killed after some saves, however busy the machine is; some during their first.
            std::array<char, 9> saves{};
            for (std::size_t n = random() % saves.size(); n > 0; --n) QCOMPARE(read(pipe_ends[0], saves.data(), 1), 1);
            std::this_thread::sleep_for(std::chrono::microseconds(random() % 2000));
            QCOMPARE(kill(child, SIGKILL), 0);
            QCOMPARE(waitpid(child, nullptr, 0), child);
            close(pipe_ends[0]);
            close(pipe_ends[1]);
            const QByteArray now = contents(path);
            QVERIFY2(now == first || now == second || !QFile::exists(path), "a part of a file");
            seen.insert(now.left(1));
            QVERIFY(filesIn(folder_->path()).size() <= 2);
        }
        QVERIFY(seen.size() >= 2);
        QVERIFY(saveFile(path, first));
        QCOMPARE(filesIn(folder_->path()), QStringList{utf8("a.bin")});
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_GUILESS_MAIN(TestSaveFile)
#include "tst_save_file.moc"
