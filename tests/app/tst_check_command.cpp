// SPDX-License-Identifier: GPL-3.0-or-later
// headscope --check-mask, as a person or a script runs it.
#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include "core/files/npy_file.h"
#include "program.h"

using namespace headscope;

class TestCheckCommand : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    Outcome run(const QList<QByteArray>& arguments) const { return runProgram(folder_.path(), arguments); }

    void write(const char* name, const std::function<bool(int, int)>& allowed) const {
        QFile file(folder_.filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (int i = 0; i < 10; ++i) {
            QByteArrayList cells;
            for (int j = 0; j < 10; ++j) cells << (allowed(i, j) ? "1" : "0");
            file.write(cells.join(',') + '\n');
        }
    }

private Q_SLOTS:
    void initTestCase() {
        write("window.csv", [](int i, int j) { return j <= i && i - j <= 4; });
        write("inverse.csv", [](int i, int j) { return j > i; });
        write("padded.csv", [](int i, int j) { return j <= i && i < 7; });
        write("zeros.csv", [](int, int) { return false; });
    }

    void asText() {
        const auto says = [&](const QList<QByteArray>& arguments, const QByteArray& text) {
            const Outcome outcome = run(arguments);
            QVERIFY2(outcome.status == 0 && outcome.error.isEmpty() && outcome.out == text, outcome.said(text));
        };
        says({"--check-mask", "window.csv", "--meant", "causal,local:3:0"},
             "window.csv: 40 of 10x10 cells allowed\n"
             "Off by one: the window is local:4:0 where local:3:0 was meant.\n6 of 100 cells differ.\n"
             "First wrong cell: query 4, key 0 is allowed and should be masked.\n");
        says({"--check-mask=window.csv"}, "window.csv: 40 of 10x10 cells allowed\nThis is causal,local:4:0.\n");
        says({"--check-mask", "window.csv", "--meant=causal,local:4:0"},
             "window.csv: 40 of 10x10 cells allowed\nEqual: every cell is as causal,local:4:0 says.\n");
        says({"--check-mask", "padded.csv", "--meant", "padding,causal"},
             "padded.csv: 28 of 10x10 cells allowed\n"
             "Padding on queries as well: the rows of [PAD] queries are fully masked.\n21 of 100 cells differ.\n"
             "First wrong cell: query 7, key 0 is masked and should be allowed.\n"
             "Padding is guessed from the cells: 7 of 10 tokens are real.\n");
        says({"--check-mask", "zeros.csv", "--meant", "causal"},
             "zeros.csv: 0 of 10x10 cells allowed\n"
             "All masked: zeros of an additive mask were read as 0 = masked.\n55 of 100 cells differ.\n"
             "First wrong cell: query 0, key 0 is masked and should be allowed.\n");
    }

    /// Zeros alone as floats, which could mean either, are read as 0 and 1.
    void additiveZeros() {
        Tensor zeros(Tensor::Type::Float32, {1, 1, 4, 4});
        std::fill_n(zeros.data<float>(), zeros.size(), 0.0F);
        const auto bytes = encode_npy(FileTensor::from(zeros));
        QFile file(folder_.filePath(QStringLiteral("zeros.npy")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(reinterpret_cast<const char*>(bytes.data()), qint64(bytes.size()));
        file.close();
        const Outcome outcome = run({"--check-mask", "zeros.npy"});
        QVERIFY2(outcome.status == 0 && outcome.out.contains("All masked: zeros of an additive mask"), outcome.said());
        QVERIFY2(outcome.out.contains("The closest expression is none.\n"), outcome.said());
    }

    /// Shapes that are no mask are refused before anything is made of them.
    void hostileShapes() {
        for (const Shape& shape : {Shape{0, 4294967296}, Shape{0, 0}, Shape{2, 8}}) {
            const std::int64_t size = shape[0] * shape[1];
            const auto bytes =
                encode_npy({"F32", shape, std::vector<std::uint8_t>(static_cast<std::size_t>(4 * size))});
            QFile file(folder_.filePath(QStringLiteral("hostile.npy")));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(reinterpret_cast<const char*>(bytes.data()), qint64(bytes.size()));
            file.close();
            const Outcome outcome = run({"--check-mask", "hostile.npy"});
            QVERIFY2(outcome.status == 1 && outcome.error.contains("hostile.npy: an array of shape"), outcome.said());
        }
    }

    void asJson() {
        const Outcome outcome = run({"--check-mask", "inverse.csv", "--json"});
        QVERIFY2(outcome.status == 0 && outcome.error.isEmpty() && outcome.out.count('\n') == 1, outcome.said());
        const auto object = nlohmann::json::parse(outcome.out.toStdString());
        QCOMPARE(object["closest"].get<std::string>(), std::string("causal"));
        QCOMPARE(object["mistake"]["name"].get<std::string>(), std::string("inverted"));
        QVERIFY(object["equal"] == false && object["wrong"] == 100 && object["first_wrong"]["query"] == 0 &&
                object["first_wrong"]["key"] == 0 && object["first_wrong"]["allowed"] == false);
        const Outcome equal = run({"--check-mask", "inverse.csv", "--meant", "file:inverse.csv", "--json"});
        QVERIFY2(equal.status == 0, equal.said());
        QVERIFY(nlohmann::json::parse(equal.out.toStdString())["equal"] == true);
    }

    void whatIsWrongIsOneLine() {
        const QList<std::pair<QList<QByteArray>, int>> wrong = {
            {{"--check-mask", "nowhere.csv"}, 1},
            {{"--check-mask", "window.csv", "--meant", "casual"}, 2},
            {{"--check-mask", "window.csv", "--meant", "file:nowhere.npy"}, 1},
            {{"--check-mask", "window.csv", "another.csv"}, 2},
            {{"--check-mask"}, 2},
            {{"--meant", "causal"}, 2}};
        for (const auto& [arguments, status] : wrong) {
            const Outcome outcome = run(arguments);
            QVERIFY2(outcome.status == status && outcome.isOneErrorLine(), outcome.said(arguments.last()));
        }
    }
};

QTEST_GUILESS_MAIN(TestCheckCommand)
#include "tst_check_command.moc"
