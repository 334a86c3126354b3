// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that PyTorch computed (tests/reference), by way of compute(), to the agreement that its README states.
#include <QDir>
#include <QRegularExpression>
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/attention/compute.h"
#include "core/engine/product.h"
#include "core/engine/tiled.h"
#include "core/files/safetensors_file.h"
#include "support.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

struct Chunks {
    std::optional<std::int64_t> queries, keys;
};
const Chunks kSomeChunks[] = {{{}, {}}, {256, {}}, {2, {}}, {{}, 3}, {3, 2}, {1, 1}, {5, 7}};
const Chunks kLongChunks[] = {{{}, {}}, {256, {}}, {{}, 256}, {256, 256}, {100, 77}, {599, 600}, {600, 599}};

std::string path_of(const QString& name) {
    return QStringLiteral(REFERENCE_DIR "/%1.safetensors").arg(name).toStdString();
}

QStringList names_like(const QString& pattern) {
    QStringList names = QDir(QStringLiteral(REFERENCE_DIR)).entryList({pattern + QStringLiteral(".safetensors")});
    for (QString& name : names) name.chop(static_cast<int>(sizeof(".safetensors")) - 1);
    return names;
}

/// A reference file's name of its mask as an expression: "padding_causal_local_1_0" is "padding,causal,local:1:0".
MaskExpression mask_named(const std::string& name, const TensorFile& file) {
    if (name == "custom") {
        const FileTensor& cells = *file.find("mask");
        const std::int64_t size = cells.shape.back();
        PaintedMask painted{size, {cells.bytes.begin(), cells.bytes.begin() + size * size}};
        return {{{{.kind = MaskPattern::Kind::File,
                   .path = "custom.npy",
                   .painted = std::make_shared<PaintedMask>(std::move(painted))}}}};
    }
    QString text = QString::fromStdString(name);
    text.replace(QRegularExpression(QStringLiteral("local_(\\d+)_(\\d+)")), QStringLiteral("local:\\1:\\2"));
    return parse_mask(text.replace(u'_', u',').toStdString()).value();
}

/// What a person would ask for who opens a reference file.
Request request_for(const LayerFilePtr& layer, const TensorFile& file) {
    Request request;
    request.source = WeightSource::File;
    request.file = layer;
    request.batch = layer->batch;
    request.embed_dim = layer->embed_dim;
    request.num_heads = layer->num_heads.value();
    request.mask = mask_named(file.metadata.at("mask"), file);
    if (file.metadata.count("fill")) request.fill = parse_fill(file.metadata.at("fill")).value();
    return request;
}

double mean_square(const Tensor& actual, const std::vector<double>& exact) {
    double sum = 0;
    for (std::int64_t n = 0; n < actual.size(); ++n) sum += std::pow(actual.value(n) - exact[n], 2);
    return sum / static_cast<double>(actual.size());
}

}  // namespace

class TestReference : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void attention_data() {
        QTest::addColumn<QString>("name");
        const QStringList masks = names_like(QStringLiteral("mask_*"));
        const QStringList modules = names_like(QStringLiteral("nn_*"));
        const QStringList longs = names_like(QStringLiteral("long_*"));
        QCOMPARE(masks.size(), 24);
        QCOMPARE(modules.size(), 4);
        QCOMPARE(longs.size(), 3);
        for (const QString& name : masks + modules + longs) QTest::newRow(qPrintable(name)) << name;
    }
    void attention() {
        QFETCH(QString, name);
        const auto file = read_safetensors(path_of(name));
        VERIFY_RESULT(file);
        const auto layer = read_layer_file(path_of(name), {});
        VERIFY_RESULT(layer);
        const bool is_long = name.startsWith(QStringLiteral("long"));
        Request request = request_for(*layer, *file);
        for (const Precision precision : {Precision::Float64, Precision::Float32}) {
            request.precision = precision;
            const double agreement = precision == Precision::Float64 ? 1e-10 : is_long ? 2e-5 : 1e-5;
            for (const Chunks& chunks : is_long ? kLongChunks : kSomeChunks) {
                request.chunk_size = chunks.queries;
                request.key_chunk_size = chunks.keys;
                const auto trace = compute(request);
                VERIFY_RESULT(trace);
                compareTrace(**trace, *file, agreement);
                QVERIFY((*trace)->chunk_difference <= agreement);
            }
        }
    }

    void sameSeedSameNumbers_data() {
        QTest::addColumn<QString>("name");
        const QStringList names = names_like(QStringLiteral("seed_*"));
        QCOMPARE(names.size(), 5);
        for (const QString& name : names) QTest::newRow(qPrintable(name)) << name;
    }
    void sameSeedSameNumbers() {
        QFETCH(QString, name);
        const auto file = read_safetensors(path_of(name));
        VERIFY_RESULT(file);
        const auto& meta = file->metadata;
        Request request;
        request.source = WeightSource::Seed;
        request.seed = std::stoull(meta.at("seed"));
        request.embed_dim = std::stoll(meta.at("embed_dim"));
        request.num_heads = std::stoll(meta.at("num_heads"));
        request.batch =
            make_batch(nlohmann::json::parse(meta.at("tokens")).get<std::vector<std::vector<std::string>>>());
        for (const Precision precision : {Precision::Float32, Precision::Float64}) {
            request.precision = precision;
            const auto result = compute(request);
            VERIFY_RESULT(result);
            const Trace& trace = **result;
            const auto values = [&](const char* tensor) { return file->find(tensor)->values(); };
            COMPARE_NUMBERS(*trace.x, values("x"), 1e-6);
            for (const Layer* layer : {trace.layer.get(), trace.used_layer.get()}) {
                COMPARE_NUMBERS(layer->qkv_weight.part(0, 1), values("qkv_proj.weight[0]"), 1e-6);
                COMPARE_NUMBERS(layer->qkv_bias, values("qkv_proj.bias"), 1e-6);
                COMPARE_NUMBERS(layer->out_weight.part(0, 1), values("out_proj.weight[0]"), 1e-6);
                COMPARE_NUMBERS(layer->out_bias, values("out_proj.bias"), 1e-6);
            }
            COMPARE_NUMBERS(*trace.weights, values("weights"), 1e-5);
            COMPARE_NUMBERS(*trace.output, values("output"), 1e-5);
        }
    }

    void bfloat16AsAutocast() {
        const QString name = QStringLiteral("precision_bf16_causal");
        const auto file = read_safetensors(path_of(name));
        VERIFY_RESULT(file);
        const auto layer = read_layer_file(path_of(name), {});
        VERIFY_RESULT(layer);
        Request request = request_for(*layer, *file);
        request.precision = Precision::BFloat16;
        for (const Chunks& chunks : {Chunks{{}, {}}, Chunks{7, {}}}) {
            request.chunk_size = chunks.queries;
            const auto trace = compute(request);
            VERIFY_RESULT(trace);
            compareLastPlaces(*(*trace)->weights, file->find("weights")->values());
            compareLastPlaces(*(*trace)->output, file->find("output")->values());
        }
        // Chunks of keys sum before they round, so that only the error is comparable.
        request.key_chunk_size = 5;
        const auto trace = compute(request);
        VERIFY_RESULT(trace);
        const auto exact = file->find("exact_output")->values();
        const Tensor torch = file->find("output")->to_tensor(Tensor::Type::Float32);
        QVERIFY(std::sqrt(mean_square(*(*trace)->output, exact)) <= 1.2 * std::sqrt(mean_square(torch, exact)));
        for (const Precision precision : {Precision::Float32, Precision::Float64}) {
            request.precision = precision;
            COMPARE_NUMBERS(*compute(request).value()->output, exact, 1e-5);
            COMPARE_NUMBERS(*compute(request).value()->weights, file->find("exact_weights")->values(), 1e-5);
        }
    }

    /// The fast way may keep more bits: its error is bounded, not its last places (docs/conventions.md 8).
    void bfloat16TheFastWay() {
        const QString name = QStringLiteral("precision_bf16_causal");
        const auto file = read_safetensors(path_of(name));
        VERIFY_RESULT(file);
        const auto read = read_layer_file(path_of(name), {});
        VERIFY_RESULT(read);
        const Request request = request_for(*read, *file);
        const auto layer = std::make_shared<const Layer>(layer_from_file(**read, request.num_heads).value());
        const TileMap mask(Mask::build(request.mask.mask(0), request.batch).value());
        const Tensor x = file->find("x")->to_tensor(Tensor::Type::Float32);
        const auto exact = file->find("exact_output")->values();
        const double bound = 1.2 * std::sqrt(mean_square(file->find("output")->to_tensor(x.type()), exact));
        for (const auto backend : {ProductBackend::Eigen, ProductBackend::OneDnn}) {
            set_product_backend_for_tests(backend);
            const auto fast = TiledLayer(layer, Precision::BFloat16).attend(x, mask, {});
            set_product_backend_for_tests({});
            VERIFY_RESULT(fast);
            const double error = std::sqrt(mean_square(fast->output, exact));
            QVERIFY2(error > 0 && error <= bound, qPrintable(QStringLiteral("%1 > %2").arg(error).arg(bound)));
        }
    }

private:
    /// Every tensor that the file holds, and the cells of its mask.
    static void compareTrace(const Trace& trace, const TensorFile& file, double agreement) {
        const std::pair<const char*, TensorPtr> tensors[] = {{"x", trace.x},
                                                             {"q", trace.q},
                                                             {"k", trace.k},
                                                             {"v", trace.v},
                                                             {"scores", trace.scores},
                                                             {"weights", trace.weights},
                                                             {"context", trace.context},
                                                             {"output", trace.output}};
        int compared = 0;
        for (const auto& [tensor, actual] : tensors) {
            const FileTensor* expected = file.find(tensor);
            if (!expected) continue;
            ++compared;
            QCOMPARE(actual->shape(), expected->shape);
            const QString difference = differs(*actual, expected->values(), agreement);
            QVERIFY2(difference.isEmpty(), qPrintable(QString::fromUtf8(tensor) + u' ' + difference));
        }
        QVERIFY(compared >= 2);
        if (const FileTensor* cells = file.find("mask")) {
            const std::int64_t size = trace.mask.of(0).size();
            for (std::size_t n = 0; n < cells->bytes.size(); ++n) {
                const auto place = static_cast<std::int64_t>(n);
                QCOMPARE(trace.mask.of(0).allowed(place / size / size, place / size % size, place % size),
                         cells->bytes[n] != 0);
            }
        }
    }

    /// Bit for bit but for a few last places: PyTorch sums in another order, and a sum next to a tie may round the
    /// other way, which is one step of bfloat16.
    static void compareLastPlaces(const Tensor& actual, const std::vector<double>& expected) {
        QCOMPARE(actual.size(), static_cast<std::int64_t>(expected.size()));
        std::int64_t other = 0;
        for (std::int64_t n = 0; n < actual.size(); ++n) {
            if (actual.value(n) == expected[n]) continue;
            ++other;
            const double step = std::ldexp(1.0, std::ilogb(expected[n]) - 7);
            QVERIFY2(
                std::fabs(actual.value(n) - expected[n]) <= 2 * step,
                qPrintable(
                    QStringLiteral("number %1: %2, but expected %3").arg(n).arg(actual.value(n)).arg(expected[n])));
        }
        qInfo("%lld of %lld differ", static_cast<long long>(other), static_cast<long long>(actual.size()));
        QVERIFY(other * 1000 <= actual.size());
    }
};

QTEST_APPLESS_MAIN(TestReference)
#include "tst_reference.moc"
