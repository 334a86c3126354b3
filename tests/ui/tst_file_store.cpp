// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/file_store.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/memory.h"
#include "core/files/safetensors_file.h"
#include "panel_support.h"
#include "ui/state/session.h"

using namespace headscope;

class TestFileStore : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString layer(const char* name) const {
        const QString path = folder_.filePath(QLatin1String(name));
        TensorFile file = layerFile(false);
        file.metadata = {{"num_heads", "2"}};
        writeFile(path, encode_safetensors(file));
        return path;
    }
    QString text(const char* name, const QByteArray& content) const {
        const QString path = folder_.filePath(QLatin1String(name));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) qFatal("no file for the test");
        return path;
    }

private Q_SLOTS:
    void cleanup() { set_memory_limit_for_tests(0); }

    void atOnceAFileInUseIsReadOnce() {
        FileStore files(FileStore::Mode::AtOnce);
        const QString path = layer("a.safetensors");
        auto first = files.layer(path, std::nullopt);
        QVERIFY(first && *first);
        QCOMPARE((**first)->embed_dim, 8);
        const LayerFilePtr kept = **first;
        QCOMPARE(**files.layer(path, std::nullopt), kept);
        QVERIFY(**files.layer(path, Layout::Blocks) != kept);
        writeFile(path, encode_safetensors(layerFile(true)));  // another size
        QVERIFY(**files.layer(path, std::nullopt) != kept);
        const QString mask = text("m.csv", "1,0\n1,1");
        QCOMPARE((**files.mask(mask))->size, 2);
        QVERIFY(!*files.mask(folder_.filePath(QStringLiteral("none.csv"))));
    }

    void inTheBackgroundTheAnswerComesLater() {
        FileStore files(FileStore::Mode::InBackground);
        QSignalSpy arrived(&files, &FileStore::arrived);
        const QString path = layer("b.safetensors");
        LayerFilePtr kept;
        connect(&files, &FileStore::arrived, this, [&] { kept = **files.layer(path, std::nullopt); });
        QVERIFY(!files.layer(path, std::nullopt));
        QVERIFY(!files.layer(path, std::nullopt));  // asked twice, read once
        QVERIFY(arrived.wait());
        QVERIFY(kept);
        QCOMPARE(**files.layer(path, std::nullopt), kept);
        QCOMPARE(arrived.count(), 1);
        disconnect(&files, nullptr, this, nullptr);
        // What isn't there is answered at once.
        const auto missing = files.layer(folder_.filePath(QStringLiteral("none")), std::nullopt);
        QVERIFY(missing && !*missing);
        QCOMPARE(missing->error().code, ErrorCode::FileMissing);
    }

    /// A folder is read in the background like a file, and again once a file in it changed.
    void aModelsFolder() {
        FileStore files(FileStore::Mode::InBackground);
        QSignalSpy arrived(&files, &FileStore::arrived);
        const QString path = writeModel(folder_, QStringLiteral("gpt"));
        ModelLayersPtr kept;
        connect(&files, &FileStore::arrived, this, [&] { kept = **files.layers(path); });
        QVERIFY(!files.layers(path));
        QVERIFY(arrived.wait());
        QCOMPARE(kept->size(), std::size_t(3));
        QCOMPARE(**files.layers(path), kept);
        disconnect(&files, nullptr, this, nullptr);
        LayerFilePtr layer;
        connect(&files, &FileStore::arrived, this,
                [&] { layer = **files.layer(path, std::nullopt, QStringLiteral("2")); });
        QVERIFY(!files.layer(path, std::nullopt, QStringLiteral("2")));
        QVERIFY(arrived.wait());
        QCOMPARE(layer->title, "h.2.attn");
        disconnect(&files, nullptr, this, nullptr);
        TensorFile fewer = modelFile();
        fewer.tensors.resize(3);
        writeFile(path + QStringLiteral("/model.safetensors"), encode_safetensors(fewer));
        connect(&files, &FileStore::arrived, this, [&] { kept = **files.layers(path); });
        QVERIFY(!files.layers(path));
        QVERIFY(arrived.wait());
        QCOMPARE(kept->size(), std::size_t(1));
    }

    void anErrorIsKeptUntilTheFileChanges() {
        FileStore files(FileStore::Mode::InBackground);
        QSignalSpy arrived(&files, &FileStore::arrived);
        for (const QByteArray& content : {QByteArray("1,2"), QByteArray()}) {
            const QString path = text("bad.csv", content);
            QVERIFY(!files.mask(path));
            QVERIFY(arrived.wait());
            const auto answer = files.mask(path);
            QVERIFY(answer && !*answer);
            QCOMPARE(answer->error().code, ErrorCode::FileContent);
        }
        const QString path = text("bad.csv", "1");
        QVERIFY(!files.mask(path));
        QVERIFY(arrived.wait());
    }

    void aShortageOfMemoryIsNotKept() {
        FileStore files(FileStore::Mode::InBackground);
        const QString path = layer("c.safetensors");
        std::optional<Error> error;
        QSignalSpy arrived(&files, &FileStore::arrived);
        connect(&files, &FileStore::arrived, this, [&] {
            if (const auto answer = files.layer(path, std::nullopt); answer && !*answer) error = answer->error();
        });
        set_memory_limit_for_tests(100);
        QVERIFY(!files.layer(path, std::nullopt));
        QVERIFY(arrived.wait());
        QVERIFY(error && error->code == ErrorCode::OutOfMemory);
        set_memory_limit_for_tests(0);
        QVERIFY(!files.layer(path, std::nullopt));
        QVERIFY(arrived.wait());
        disconnect(&files, nullptr, this, nullptr);
    }

    /// The session computes once the file is there, and the old picture stays until then.
    void aSessionWaitsForItsFile() {
        Session session;
        QVERIFY(waitForTrace(session));
        const TracePtr before = session.trace();
        session.openFile(layer("d.safetensors"));
        QVERIFY(session.isComputing() && session.reading().waits && !session.reading().request);
        QVERIFY(session.reading().problems.isEmpty());
        QCOMPARE(session.trace(), before);
        session.edit(Field::Scale, QStringLiteral("0.5"));  // goes on meanwhile
        QVERIFY(waitForTrace(session));
        QCOMPARE(session.trace()->request.embed_dim, 8);
        QCOMPARE(session.trace()->request.scale, std::optional(0.5));
        QVERIFY(!session.reading().waits);

        session.openFile(text("page.safetensors", "<html>"));
        QVERIFY(QTest::qWaitFor([&] { return !session.isComputing(); }));
        QVERIFY(session.reading().problem(Field::Weights)->error.message().find("an HTML page") != std::string::npos);
        QCOMPARE(session.trace()->request.embed_dim, 8);
        session.undoStack()->undo();
        QVERIFY(waitForTrace(session));
        QVERIFY(session.reading().request);
    }

    void anAnswerThatNobodyWaitsForAnyMoreChangesNothing() {
        Session session;
        session.openFile(layer("e.safetensors"));
        session.edit(withWeights(session.draft(), QStringLiteral("seed")), QStringLiteral("weights"));
        QVERIFY(session.reading().request);
        QVERIFY(waitForTrace(session));
        QTest::qWait(100);
        QCOMPARE(session.trace()->request.source, WeightSource::Seed);
    }
};

QTEST_MAIN(TestFileStore)
#include "tst_file_store.moc"
