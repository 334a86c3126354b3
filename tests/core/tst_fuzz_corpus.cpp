// SPDX-License-Identifier: GPL-3.0-or-later
// Every input that the fuzzers of tests/fuzz keep, with any compiler and under any sanitizer.
#include "fuzz/targets.h"
#include "scratch.h"

using namespace headscope;

class TestFuzzCorpus : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyInput_data() {
        QTest::addColumn<QByteArray>("target");
        for (const fuzz::Target& target : fuzz::kTargets) {
            const QByteArray name(target.name.data(), qsizetype(target.name.size()));
            QTest::newRow(name) << name;
        }
    }
    void everyInput() {
        QFETCH(QByteArray, target);
        const auto* found = std::find_if(fuzz::kTargets.begin(), fuzz::kTargets.end(), [&](const auto& each) {
            return each.name == std::string_view(target.data(), std::size_t(target.size()));
        });
        const QDir folder(QStringLiteral(REFERENCE_DIR "/../fuzz/corpus/") + QString::fromLatin1(target));
        const QFileInfoList inputs = folder.entryInfoList(QDir::Files);
        QVERIFY(inputs.size() > 4);
        const Scratch scratch;
        for (const QFileInfo& input : inputs) {
            QFile file(input.filePath());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const std::string bytes = file.readAll().toStdString();
            const std::string wrong = found->wrong_with(bytes, scratch.path("input"));
            QVERIFY2(wrong.empty(),
                     qPrintable(input.fileName() + QStringLiteral(": ") + QString::fromStdString(wrong)));
        }
    }
};

QTEST_APPLESS_MAIN(TestFuzzCorpus)
#include "tst_fuzz_corpus.moc"
