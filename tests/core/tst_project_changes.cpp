// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cstring>
#include <limits>
#include <random>

#include "core/attention/stages.h"
#include "core/engine/product.h"
#include "core/engine/rounding.h"

using namespace headscope;

namespace {

Tensor drawn(const Shape& shape, std::uint32_t seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> draw;
    auto tensor = Tensor::of<float>(shape);
    for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.data<float>()[i] = draw(engine);
    return tensor;
}

struct Case {
    Tensor weight, bias, before, after;
    Precision precision = Precision::Float32;

    /// The tokens of `before` for each token of `after`; -1 for a new one.
    Case(std::int64_t batch, std::int64_t size, std::int64_t embed, const std::vector<std::int64_t>& from)
        : weight(drawn({3 * embed, embed}, 1)), bias(drawn({3 * embed}, 2)), before(drawn({batch, size, embed}, 3)) {
        const auto tokens = static_cast<std::int64_t>(from.size());
        after = drawn({batch, tokens / batch, embed}, 4);
        for (std::int64_t t = 0; t < tokens; ++t) {
            const std::int64_t old = from[static_cast<std::size_t>(t)];
            if (old >= 0) std::copy_n(before.data<float>() + old * embed, embed, after.data<float>() + t * embed);
        }
    }
    void check() const {
        const auto in = [&](const Tensor& tensor) { return in_precision(tensor, precision); };
        const Tensor x = in(after), w = in(weight), b = in(bias), x_before = in(before);
        const Tensor y_before = stages::project(x_before, w, b, precision);
        const Tensor expected = stages::project(x, w, b, precision);
        const Tensor got = stages::project_changes(x, x_before, y_before, w, b, precision);
        QCOMPARE(got.shape(), expected.shape());
        for (std::int64_t i = 0; i < got.size(); ++i) {
            const double a = got.value(i), e = expected.value(i);
            QVERIFY(a == e || (std::isnan(a) && std::isnan(e)));  // bit for bit, but for a NaN's
        }
    }
};

/// 0 ... n - 1 with some of them replaced.
std::vector<std::int64_t> all_but(std::int64_t n, std::initializer_list<std::int64_t> changed) {
    std::vector<std::int64_t> from(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) from[static_cast<std::size_t>(i)] = i;
    for (const std::int64_t i : changed) from[static_cast<std::size_t>(i)] = -1;
    return from;
}

}  // namespace

class TestProjectChanges : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { set_product_backend_for_tests({}); }

    void nothingChanged() { Case(2, 9, 256, all_but(18, {})).check(); }
    void oneToken() { Case(1, 70, 512, all_but(70, {33})).check(); }
    void tokensOfTwoSequences() { Case(2, 20, 320, all_but(40, {0, 19, 20, 33})).check(); }
    void everyToken() { Case(1, 3, 256, {-1, -1, -1}).check(); }

    void insertedAndTakenAway() {
        Case(1, 6, 256, {0, 1, -1, 2, 3, 4, 5}).check();
        Case(1, 6, 256, {0, 1, 4, 5}).check();
        Case(2, 4, 256, {0, 1, 2, 3, -1, 4, 5, 6, 7, -1}).check();
    }

    void copiedFromElsewhereIsProjected() { Case(1, 8, 256, {7, 1, 2, 3, 4, 5, 6, 0}).check(); }

    void everyPrecision() {
        for (const Precision precision : {Precision::Float64, Precision::BFloat16, Precision::Float16}) {
            Case one(1, 24, 256, all_but(24, {5}));
            one.precision = precision;
            one.check();
        }
    }

    void smallLayersAndEigen() {
        Case(1, 30, 12, all_but(30, {5})).check();
        set_product_backend_for_tests(ProductBackend::Eigen);
        Case(1, 30, 256, all_but(30, {5})).check();
    }

    void otherEmbedDim() {
        Case one(1, 30, 256, all_but(30, {5}));
        one.before = drawn({1, 30, 128}, 9);
        const Tensor expected = stages::project(one.after, one.weight, one.bias, Precision::Float32);
        const Tensor got =
            stages::project_changes(one.after, one.before, expected, one.weight, one.bias, Precision::Float32);
        QCOMPARE(std::memcmp(got.data<float>(), expected.data<float>(), static_cast<std::size_t>(got.bytes())), 0);
    }

    /// What was not projected again is really taken from before: a mark left there comes through.
    void keepsWhatWasThere() {
        if (product_backend() != ProductBackend::OneDnn) QSKIP("Eigen's rows depend on their number");
        const Case one(1, 40, 256, all_but(40, {5}));
        Tensor y_before = stages::project(one.before, one.weight, one.bias, Precision::Float32);
        y_before.data<float>()[7 * 768 + 3] = 12345;
        const Tensor got =
            stages::project_changes(one.after, one.before, y_before, one.weight, one.bias, Precision::Float32);
        QCOMPARE(got.data<float>()[7 * 768 + 3], 12345.0F);
    }

    void notFinite() {
        Case one(1, 40, 256, all_but(40, {5}));
        for (Tensor* x : {&one.before, &one.after}) x->data<float>()[9 * 256] = std::numeric_limits<float>::quiet_NaN();
        one.check();
    }
};

QTEST_APPLESS_MAIN(TestProjectChanges)
#include "tst_project_changes.moc"
