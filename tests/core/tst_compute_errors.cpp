// SPDX-License-Identifier: GPL-3.0-or-later
// What compute() refuses, and how it stops.
#include <QTest>
#include <cmath>
#include <limits>
#include <thread>

#include "core/base/memory.h"
#include "requests.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

}  // namespace

class TestComputeErrors : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { set_memory_limit_for_tests(0); }

    void errors_data() {
        QTest::addColumn<Request>("request");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, ErrorCode code, const char* sentence,
                            const std::function<void(Request&)>& change) {
            Request request = small();
            change(request);
            QTest::newRow(name) << request << code << QString::fromUtf8(sentence);
        };
        const char* no_tokens = "there is no token; type some words, one sequence per line";
        row("no sequence", ErrorCode::NoTokens, no_tokens, [](Request& r) { r.batch = {}; });
        row("empty sequences", ErrorCode::NoTokens, no_tokens, [](Request& r) { r.batch = words({{}, {}}); });
        row("heads", ErrorCode::InvalidPair,
            "embed_dim 24 is not divisible by num_heads 5; the nearest legal num_heads is 4, the nearest legal "
            "embed_dim is "
            "25",
            [](Request& r) { r.num_heads = 5; });
        row("no heads", ErrorCode::InvalidValue, "num_heads is 0, with embed_dim 24; it must be at least 1",
            [](Request& r) { r.num_heads = 0; });
        row("chunk", ErrorCode::InvalidValue, "chunk size is 0; it must be at least 1, or whole",
            [](Request& r) { r.chunk_size = 0; });
        row("key chunk", ErrorCode::InvalidValue, "key chunk size is -4; it must be at least 1, or whole",
            [](Request& r) { r.key_chunk_size = -4; });
        row("scale", ErrorCode::InvalidValue, "scale is inf; it must be auto or a finite number",
            [](Request& r) { r.scale = kInf; });
        row("scale below bfloat16", ErrorCode::InvalidValue,
            "scale is 1e-40, which bfloat16 can't hold; its size must be 0 or from 1.18e-38 to 3.39e+38 there",
            [](Request& r) {
                r.scale = 1e-40;
                r.precision = Precision::BFloat16;
            });
        row("scale beyond float16", ErrorCode::InvalidValue,
            "scale is 1e+30, which float16 can't hold; its size must be 0 or from 6.1e-05 to 6.55e+04 there",
            [](Request& r) {
                r.scale = 1e30;
                r.precision = Precision::Float16;
            });
        row("scale beyond float32", ErrorCode::InvalidValue,
            "scale is -1e+39, which float32 can't hold; its size must be 0 or from 1.18e-38 to 3.4e+38 there",
            [](Request& r) { r.scale = -1e39; });
        row("scale NaN", ErrorCode::InvalidValue, "scale is nan; it must be auto or a finite number",
            [](Request& r) { r.scale = std::nan(""); });
        row("no file", ErrorCode::InvalidValue, "the weights come from a file, but none was read",
            [](Request& r) { r.source = WeightSource::File; });
        row("another embed_dim", ErrorCode::InvalidPair, "embed_dim is 48, but the layer in 'layer.safetensors' has 24",
            [](Request& r) {
                r = from_file(true);
                r.embed_dim = 48;
            });
        row("another x", ErrorCode::InvalidPair,
            "the tokens ask for x of (1, 1, 24), but the x in 'layer.safetensors' is (2, 6, 24)", [](Request& r) {
                r = from_file(true);
                r.batch = words({{"a"}});
            });
        row("a painted mask of another size", ErrorCode::InvalidMask,
            "the mask file 'm.npy' is 1x1, but the sequences have the length 6; it must be 6x6", [](Request& r) {
                const auto cells = std::make_shared<PaintedMask>(PaintedMask{1, {1}});
                r.mask = MaskExpression{{{{.kind = MaskPattern::Kind::File, .path = "m.npy", .painted = cells}}}};
            });
        row("ragged", ErrorCode::InvalidPair, "the sequences of a batch must be equally long, filled up with [PAD]",
            [](Request& r) { r.batch.tokens[1].pop_back(); });
        row("no real", ErrorCode::InvalidPair, "the sequences of a batch must be equally long, filled up with [PAD]",
            [](Request& r) { r.batch.real.clear(); });
        row("enormous", ErrorCode::InvalidValue,
            "embed_dim is 4611686018427387904, with num_heads 4; it can be 1048576 at most",
            [](Request& r) { r.embed_dim = std::int64_t{1} << 62; });
    }
    void errors() {
        QFETCH(Request, request);
        QFETCH(ErrorCode, code);
        QFETCH(QString, sentence);
        const auto result = compute(request, traced(small()));
        QVERIFY(!result);
        QCOMPARE(code_of(result), code);
        QCOMPARE(QString::fromStdString(result.error().message()), sentence);
    }

    void memoryIsRefusedBeforeItIsTaken() {
        Request request = small();
        request.embed_dim = 1 << 20;  // a layer of 17 TB: would die, were it taken
        request.num_heads = 1;
        const auto refused = compute(request);
        QVERIFY(!refused);
        QCOMPARE(code_of(refused), ErrorCode::OutOfMemory);
        QVERIFY(refused.error().message().find("18 TB") != std::string::npos);

        request = small();
        request.embed_dim = 240;
        const std::uint64_t bytes = estimated_bytes(request).value();
        set_memory_limit_for_tests(bytes - 1);
        const auto full = compute(request);
        QCOMPARE(code_of(full), ErrorCode::OutOfMemory);
        set_memory_limit_for_tests(bytes);
        const TracePtr trace = traced(request);
        QVERIFY(trace);
        // A change that keeps most of it needs little more.
        set_memory_limit_for_tests(bytes / 4);
        request.fill = Fill::Inf;
        QVERIFY(compute(request, trace).has_value());
        QVERIFY(!compute(request).has_value());
        set_memory_limit_for_tests(10);
        request.mask = mask_of("causal");
        QCOMPARE(code_of(compute(request, trace)), ErrorCode::OutOfMemory);
    }

    void theEstimateIsWhatIsHeld() {
        for (const Precision precision : {Precision::Float32, Precision::Float64, Precision::BFloat16}) {
            Request request = small();
            request.precision = precision;
            request.chunk_size = std::nullopt;
            const TracePtr t = traced(request);
            std::int64_t held = 0;
            for (const TensorPtr& tensor :
                 {t->x, t->qkv, t->q, t->k, t->v, t->scores, t->weights, t->head_context, t->context, t->output}) {
                held += tensor->bytes();
            }
            const auto layer_bytes = [](const Layer& l) {
                return l.qkv_weight.bytes() + l.qkv_bias.bytes() + l.out_weight.bytes() + l.out_bias.bytes();
            };
            held += layer_bytes(*t->layer) + 6 * 6 + 6 * 4;
            if (precision != Precision::Float32)
                held += layer_bytes(*t->used_layer) + 4 * 2 * 6 * 24;  // x as it is drawn
            // Beside what stays: heads in the order of the products, tiles, and what they are gathered in.
            const std::uint64_t estimate = estimated_bytes(request).value(), all = static_cast<std::uint64_t>(held);
            QVERIFY2(estimate >= all && estimate < all + 32 * 1024, qPrintable(QString::number(estimate - all)));
        }
        Request endless = small();
        endless.embed_dim = std::numeric_limits<std::int64_t>::max() / 2;
        QCOMPARE(code_of(estimated_bytes(endless)), ErrorCode::OutOfMemory);
    }

    void cancelled() {
        std::atomic<bool> cancel{true};
        QCOMPARE(code_of(compute(small(), nullptr, &cancel)), ErrorCode::Cancelled);
        Request request = small();
        request.chunk_size = 2;
        QCOMPARE(code_of(compute(request, traced(small()), &cancel)), ErrorCode::Cancelled);
        cancel = false;
        QVERIFY(compute(request, nullptr, &cancel).has_value());
    }

    void cancelledFromAnotherThread() {
        // Work of some seconds, stopped at once: a test that can't be waited for is one that hangs.
        Request request = small();
        request.batch = words({std::vector<std::string>(3000, "word")});
        request.embed_dim = 256;
        request.num_heads = 16;
        request.chunk_size = 64;
        request.key_chunk_size = 64;
        std::atomic<bool> cancel{false};
        std::thread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            cancel = true;
        });
        const auto result = compute(request, nullptr, &cancel);
        later.join();
        QVERIFY(!result);
        QCOMPARE(code_of(result), ErrorCode::Cancelled);
    }
};

QTEST_APPLESS_MAIN(TestComputeErrors)
#include "tst_compute_errors.moc"
