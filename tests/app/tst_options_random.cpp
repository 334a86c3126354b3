// SPDX-License-Identifier: GPL-3.0-or-later
// Ten thousand random values for each option of the command line: each is a value, or a sentence on one line.
#include <QElapsedTimer>
#include <QTest>

#include "app/bench_command.h"
#include "app/command_line.h"
#include "app/export_command.h"
#include "random_text.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr int kValues = 10'000;

/// Words that options take, and what looks like them.
std::string word(Draws& draws) {
    return draws.of(
        {"all",         "whole",    "auto",      "none",    "space",    "words",     "characters",
         "textbook",    "seed",     "blocks",    "safe",    "inf",      "1e9",       "float32",
         "bfloat16",    "float16",  "float64",   "scores",  "weights",  "masked",    "mask",
         "q",           "unit",     "head",      "shared",  "log",      "viridis",   "diverging",
         "light",       "dark",     "en",        "zh_CN",   "960x640",  "64x64",     "19200x19200",
         "0x0",         "x",        "full",      "stages",  "chunk:3",  "chunk:-0",  "chunk:9999999999999999",
         "interleaved", "separate", "local:1:0", "causal+", "file:a,b", "-",         "--mask",
         "1e-400",      "1e400",    "0x1p-3",    "1e-40",   "-1e308",   "nan",       "infinity",
         "1,2,4",       "1,,2",     "64x8,2x1",  "2x",      "/",        "no/such/x", "."});
}

std::string value(Draws& draws) {
    switch (draws.below(6)) {
        case 0:
            return draws.noise();
        case 1:
            return draws.mutated(word(draws));
        case 2:
            return draws.number() + draws.of({"", "x", ",", ":", "."}) + draws.number();
        case 3:
            return draws.number();
        case 4:
            return draws.mutated(draws.number());
        default:
            return word(draws);
    }
}

/// One line for any reader, with something said, in UTF-8.
QByteArray faultOf(const Error& error) {
    const QByteArray line = QByteArray::fromStdString(errorLine(error));
    const QString text = QString::fromUtf8(line);
    const bool one = std::none_of(text.begin(), text.end(), [](QChar c) {
        return c.unicode() < 0x20 || (c.unicode() >= 0x7F && c.unicode() <= 0x9F) || c == u'\u2028' || c == u'\u2029';
    });
    const bool right = one && line.startsWith("headscope: error: ") && line.size() > 30 && text.toUtf8() == line;
    return right && (statusOf(error.code) == 1 || statusOf(error.code) == 2) ? QByteArray() : line;
}

Result<void> readExport(const Arguments& arguments) {
    return readExportJob(arguments).and_then(readRequest).and_then([](const Request& request) -> Result<void> {
        const Dims dims = request.dims();
        if (dims.embed_dim >= 1 && dims.num_heads >= 1 && dims.embed_dim % dims.num_heads == 0) return {};
        return fail(ErrorCode::InvalidPair, "");
    });
}

Result<void> readBench(const Arguments& arguments) {
    return readBenchJob(arguments).map([](const BenchJob&) {});
}

}  // namespace

class TestOptionsRandom : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aValueOrASentence_data() {
        QTest::addColumn<bool>("bench");
        QTest::addColumn<QString>("option");
        for (const bool bench : {false, true}) {
            for (const OptionSpec& spec : bench ? benchOptions() : exportOptions()) {
                if (spec.value.isEmpty()) continue;  // it takes none
                QTest::addRow("%s %s", bench ? "bench" : "export", qPrintable(spec.name)) << bench << spec.name;
            }
        }
    }
    void aValueOrASentence() {
        QFETCH(bool, bench);
        QFETCH(QString, option);
        Draws draws(test_seed());
        int accepted = 0;
        qint64 longest = 0;
        for (int round = 0; round < kValues; ++round) {
            const std::string typed = value(draws);
            if (option == u"--tokens-file" && typed == "-") continue;  // standard input
            const QByteArray bytes(typed.c_str());                     // as argv holds it, to its first zero
            QElapsedTimer timer;
            timer.start();
            const auto read = decodeArgument(bytes, 2).and_then([&](const QString& text) {
                QStringList words{option + u'=' + text};
                if (!bench) words.prepend(QStringLiteral("out.csv"));
                return readArguments(words, bench ? benchOptions() : exportOptions())
                    .and_then(bench ? readBench : readExport);
            });
            longest = std::max(longest, timer.nsecsElapsed());
            accepted += read.has_value();
            if (read) continue;
            const QByteArray fault = faultOf(read.error());
            const QByteArray message = bytes.toPercentEncoding() + ": " + fault;
            QVERIFY2(fault.isEmpty(), message.constData());
        }
        qInfo("%d of %d accepted; the longest took %.1f ms", accepted, kValues, static_cast<double>(longest) * 1e-6);
        QVERIFY(accepted < kValues);
        QVERIFY(longest < 1'000'000'000);
    }

    /// What readers take for a line's end doesn't reach them.
    void oneLineForEveryReader() {
        const Error error{ErrorCode::InvalidValue, "it holds '{}'", {"a\nb\x7F\u0085\u2028\u2029\u009B\r\u00e9"}};
        QCOMPARE(faultOf(error), QByteArray());
    }
};

QTEST_GUILESS_MAIN(TestOptionsRandom)
#include "tst_options_random.moc"
