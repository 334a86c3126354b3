// SPDX-License-Identifier: GPL-3.0-or-later
// What the script of a layer holds and what it leaves to the file beside it; torch/script_check.py runs it in PyTorch.
#include "core/explain/layer_python.h"

#include <QTest>

#include "requests.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

LayerPython script_of(const Request& request) {
    const auto trace = compute(request);
    return trace ? layer_python(**trace, ".npz").value_or(LayerPython{}) : LayerPython{};
}

}  // namespace

class TestLayerPython : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSeedIsEnough() {
        Request request = small(WeightSource::Seed);
        request.seed = 18446744073709551615ULL;
        const LayerPython script = script_of(request);
        QVERIFY(script.tensors.empty());
        QVERIFY(contains(script.code, "torch.manual_seed(18446744073709551615)\n"));
        QVERIFY(!contains(script.code, "numpy"));
        QVERIFY(contains(script.code, "[\"a\", \"dog\", \"ran\", \"[PAD]\", \"[PAD]\", \"[PAD]\"]"));
    }

    void otherWeightsAreReadFromTheFile() {
        const std::vector<std::string> all{
            "x", "qkv_proj.weight", "qkv_proj.bias", "out_proj.weight", "out_proj.bias", "weights"};
        for (const Request& request : {small(WeightSource::Textbook), from_file(true), from_file(false)}) {
            const LayerPython script = script_of(request);
            QVERIFY(script.tensors == all);
            QVERIFY(!contains(script.code, "manual_seed"));
            QVERIFY(contains(script.code, "numpy.load(__file__ + \".npz\")"));
        }
    }

    void manyWeightsAreReadFromTheFile() {
        Request request = small(WeightSource::Seed);
        request.batch = words({std::vector<std::string>(128, "word")});
        QVERIFY(script_of(request).tensors.empty());  // 4 heads of 128 x 128 cells: just as many as may be
        request.batch = words({std::vector<std::string>(129, "word")});
        QVERIFY(script_of(request).tensors == std::vector<std::string>{"weights"});
    }

    /// Whatever a token holds, it ends neither its text nor its line.
    void tokensCannotLeaveTheirText() {
        Request request = small(WeightSource::Seed);
        request.batch = words({{"\"]\nimport os\r", "\\", "'\"\"\"", "猫"}});
        const std::string line = "[\"\\\"]\\nimport os\\r\", \"\\\\\", \"'\\\"\\\"\\\"\", \"猫\"],";
        QVERIFY(contains(script_of(request).code, line));
    }

    void halfPrecisionHasItsOwnTolerance() {
        Request request = small(WeightSource::Seed);
        QVERIFY(contains(script_of(request).code, "difference <= 1e-5,"));
        request.precision = Precision::BFloat16;
        QVERIFY(contains(script_of(request).code, "difference <= 2**-7,"));
    }

    void whatPyTorchCannotComputeHasNoScript() {
        Request request = small(WeightSource::Seed);
        request.precision = Precision::Float16;
        const auto trace = compute(request);
        QVERIFY(trace.has_value());
        QCOMPARE(code_of(layer_python(**trace, ".npz")), ErrorCode::Unsupported);
    }
};

QTEST_APPLESS_MAIN(TestLayerPython)
#include "tst_layer_python.moc"
