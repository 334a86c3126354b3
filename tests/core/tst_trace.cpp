// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/trace.h"

#include <QTest>
#include <limits>

#include "requests.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

}  // namespace

class TestTrace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void matricesOfATrace() {
        Request request = small();
        request.mask = mask_of("causal");
        const TracePtr t = traced(request);
        const MatrixView q = t->matrix(Stage::Q, 1, 3);
        QCOMPARE(q.rows, 6);
        QCOMPARE(q.columns, 6);
        QCOMPARE(q.at(2, 5), t->q->value(((1 * 4 + 3) * 6 + 2) * 6 + 5));
        QVERIFY(!q.mask && !q.fill);
        const MatrixView heads = t->matrix(Stage::Heads, 1, 3);
        QCOMPARE(heads.columns, 18);
        for (std::int64_t d = 0; d < 6; ++d) {
            QCOMPARE(heads.at(2, d), q.at(2, d));
            QCOMPARE(heads.at(2, 6 + d), t->matrix(Stage::K, 1, 3).at(2, d));
            QCOMPARE(heads.at(2, 12 + d), t->matrix(Stage::V, 1, 3).at(2, d));
        }
        QCOMPARE(t->matrix(Stage::X, 1, 0).columns, 24);
        QCOMPARE(t->matrix(Stage::Qkv, 1, 99).at(5, 71), t->qkv->value(12 * 72 - 1));  // the head doesn't matter
        const MatrixView weights = t->matrix(Stage::Weights, 0, 1);
        QVERIFY(weights.masked(0, 1) && !weights.masked(1, 0));
        QCOMPARE(weights.at(0, 1), 0.0);
        QCOMPARE(weights.at(0, 0), 1.0);
        const MatrixView masked = t->matrix(Stage::Masked, 0, 1);
        QCOMPARE(masked.at(0, 1), -kInf);
        QCOMPARE(masked.at(1, 0), t->matrix(Stage::Scores, 0, 1).at(1, 0));
        QVERIFY(std::isfinite(t->matrix(Stage::Scores, 0, 1).at(0, 1)));
        const MatrixView mask = t->matrix(Stage::Mask, 0, 0);
        QVERIFY(!mask.data);
        QCOMPARE(mask.at(0, 1), 0.0);
        QCOMPARE(mask.at(1, 1), 1.0);
        QVERIFY(!t->matrix(Stage::Weights, 2, 0));
        QVERIFY(!t->matrix(Stage::Weights, -1, 0));
        QVERIFY(!t->matrix(Stage::Weights, 0, 4));
        QVERIFY(!t->matrix(Stage::Q, 0, -1));
        QCOMPARE(t->identity(Stage::Heads), t->identity(Stage::Qkv));
        QVERIFY(!t->identity(Stage::Mask) && !t->identity(Stage::Masked));
        request.fill = Fill::MinusBillion;
        request.precision = Precision::BFloat16;
        QCOMPARE(traced(request)->matrix(Stage::Masked, 0, 1).at(0, 1), -998244352.0);
    }

    void stagesHaveNames() {
        for (const Stage stage : kAllStages) QCOMPARE(parse_stage(to_string(stage)).value(), stage);
        QVERIFY(!parse_stage("Weights"));
        QCOMPARE(to_string(Stage::HeadContext), std::string_view("context"));
        Request request = small();
        request.embed_dim = 512;
        request.num_heads = 8;
        QCOMPARE(pytorch_line(Stage::Scores, request), std::string("q @ k.transpose(-2, -1) / sqrt(64)"));
        QCOMPARE(pytorch_line(Stage::K, request), std::string("heads[..., 64:128].transpose(1, 2)"));
        QCOMPARE(pytorch_line(Stage::Masked, request), std::string("scores.masked_fill(mask == 0, -inf)"));
        request.fill = Fill::MinusBillion;
        QCOMPARE(pytorch_line(Stage::Masked, request), std::string("scores.masked_fill(mask == 0, -1e9)"));
        request.precision = Precision::BFloat16;
        QCOMPARE(pytorch_line(Stage::Masked, request), std::string("scores.masked_fill(mask == 0, -998244352)"));
        request.scale = 0.25;
        QCOMPARE(pytorch_line(Stage::Scores, request), std::string("q @ k.transpose(-2, -1) * 0.25"));
        for (const Stage stage : kAllStages) QVERIFY(!pytorch_line(stage, request).empty());
    }

    /// The projections are the file's; from the heads on all layers are alike.
    void separateProjectionsHaveLinesOfTheirOwn() {
        Request request = small();
        auto file = std::make_shared<LayerFile>();
        request.file = file;
        file->layout = Layout::Separate;
        QCOMPARE(pytorch_line(Stage::Qkv, request), std::string("qkv_proj(x)"));  // chosen, but not what is computed
        request.source = WeightSource::File;
        QCOMPARE(pytorch_line(Stage::Qkv, request), std::string("query(x), key(x), value(x)"));
        QCOMPARE(pytorch_line(Stage::Heads, request),
                 std::string("torch.cat([t.reshape(B, S, H, Dh) for t in qkv], -1)"));
        file->layout = Layout::Blocks;
        QCOMPARE(pytorch_line(Stage::Qkv, request), std::string("qkv_proj(x)"));
        QCOMPARE(pytorch_line(Stage::Heads, request), std::string("qkv.reshape(B, S, H, 3*Dh)"));
    }
};

QTEST_APPLESS_MAIN(TestTrace)
#include "tst_trace.moc"
