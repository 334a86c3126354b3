// SPDX-License-Identifier: GPL-3.0-or-later
// The golden numbers were printed by PyTorch 1.13.1 from torch.Generator().manual_seed(seed).
#include <QTest>
#include <cmath>
#include <vector>

#include "core/weights/torch_random.h"

using namespace headscope;
using Floats = std::vector<float>;

namespace {

// From 16 values on torch uses float32 approximations of log, sin and cos: 2 ulp of the largest normals (below 6).
constexpr double kApproximate = 5e-7;

Floats randn(TorchGenerator& generator, std::int64_t n) {
    Floats values(static_cast<std::size_t>(n));
    generator.randn(values.data(), n);
    return values;
}

Floats uniform(TorchGenerator& generator, std::int64_t n, float bound) {
    Floats values(static_cast<std::size_t>(n));
    generator.uniform(values.data(), n, bound);
    return values;
}

Floats token(std::string_view text, std::uint64_t seed, std::int64_t embed_dim) {
    Floats values(static_cast<std::size_t>(embed_dim));
    token_vector(text, seed, embed_dim, values.data());
    return values;
}

void compare(const Floats& actual, const Floats& expected, double tolerance) {
    QCOMPARE(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double error = std::abs(static_cast<double>(actual[i]) - static_cast<double>(expected[i]));
        QVERIFY2(error <= tolerance,
                 qPrintable(QStringLiteral("value %1: %2, torch says %3").arg(i).arg(actual[i]).arg(expected[i])));
    }
}

}  // namespace

class TestTorchRandom : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void normals_below_sixteen_are_exact_and_continue_between_calls() {
        TorchGenerator generator(0);  // nine numbers in three calls: the second of a pair is kept for the next call
        compare(randn(generator, 3), {1.54099607F, -0.293428898F, -2.17878938F}, 0);
        compare(randn(generator, 5), {0.568431258F, -1.08452237F, -1.39859545F, 0.403346837F, 0.838026345F}, 0);
        compare(randn(generator, 1), {-0.719257593F}, 0);
    }

    void a_whole_block_of_sixteen() {
        TorchGenerator generator(7);
        compare(randn(generator, 16),
                {-0.820134521F, 0.395631164F, 0.898908496F, -1.38840389F, -0.166996017F, 0.285149962F, -0.641091526F,
                 -0.893655419F, 0.926542997F, -0.535512209F, -1.1597203F, -0.460157156F, 0.708539069F, 1.01275539F,
                 0.230396867F, 1.09016514F},
                kApproximate);
    }

    void a_rest_beyond_a_block_redraws_the_last_sixteen() {
        TorchGenerator generator(7);
        compare(
            randn(generator, 21),
            {-0.820134521F, 0.395631164F,  0.898908496F,  -1.38840389F,   -0.166996017F, 0.782072663F,  1.03910768F,
             -0.724510729F, -0.848908603F, -1.21692944F,  -0.0810215846F, 1.36148512F,   -1.3032167F,   0.674100697F,
             -1.32334578F,  -1.35976899F,  -0.866701603F, -0.564006686F,  -2.05646253F,  -0.356722534F, 1.09558046F},
            kApproximate);
    }

    void the_kept_normal_survives_other_draws() {
        TorchGenerator generator(123);
        compare(randn(generator, 1), {-0.111467116F}, 0);
        compare(randn(generator, 17),
                {0.348605186F, 1.30103993F, 1.27530122F, -0.200953096F, -0.160563782F, -0.401488006F, 0.69572413F,
                 -1.80605268F, 1.89596736F, 0.325471014F, -0.63150537F, -2.83999395F, -0.784853339F, -1.40957248F,
                 -0.407626867F, 0.795326114F, 0.998542488F},
                kApproximate);
        compare(uniform(generator, 2, 1), {-0.286948919F, -0.704274654F}, 0);
        compare(randn(generator, 2), {0.120362945F, -0.177726403F}, 0);
    }

    void sums_over_many_sizes_and_seeds_data() {
        QTest::addColumn<quint64>("seed");
        QTest::addColumn<int>("n");
        QTest::addColumn<double>("sum");
        QTest::addColumn<double>("weighted");  // by the index, so that the order counts
        const auto row = [](quint64 seed, int n, double sum, double weighted) {
            QTest::addRow("seed %llu, n %d", static_cast<unsigned long long>(seed), n) << seed << n << sum << weighted;
        };
        row(0, 15, -3.96899337, -30.307484);
        row(0, 16, -1.90911431, 14.7479721);
        row(0, 17, 2.99660669, 58.9172312);
        row(0, 32, 0.210944958, 94.9336708);
        row(0, 40, -3.22008576, -2.57229496);
        row(0, 1000, 28.91832, 2976.84524);
        row(1, 15, -3.42778226, -38.6864373);
        row(1, 16, -7.11380663, -11.5006651);
        row(1, 17, -6.24677242, -62.4620376);
        row(1, 32, -11.0709767, -119.202075);
        row(1, 40, -3.05321501, 131.581895);
        row(1, 1000, 8.72646904, 1316.1485);
        row(4294967295, 15, 0.958894692, 7.25586067);
        row(4294967295, 16, -2.14455919, -1.83927532);
        row(4294967295, 17, -8.91665278, -6.56345883);
        row(4294967295, 32, -5.4369707, -64.7440338);
        row(4294967295, 40, 1.75667703, 113.032127);
        row(4294967295, 1000, 7.72255414, 9976.43737);
    }
    void sums_over_many_sizes_and_seeds() {
        QFETCH(quint64, seed);
        QFETCH(int, n);
        QFETCH(double, sum);
        QFETCH(double, weighted);
        TorchGenerator generator(seed);
        const Floats values = randn(generator, n);
        for (std::size_t i = 0; i < values.size(); ++i) {
            sum -= static_cast<double>(values[i]);
            weighted -= static_cast<double>(values[i]) * static_cast<double>(i);
        }
        QVERIFY(std::abs(sum) <= kApproximate * n);  // each term may be off by so much
        QVERIFY(std::abs(weighted) <= kApproximate * n * n);
    }

    void only_the_low_32_bits_of_a_seed_count() {
        TorchGenerator small(5000000000 % 4294967296), large(5000000000);
        compare(randn(large, 40), randn(small, 40), 0);
    }

    void uniforms_are_exact() {
        TorchGenerator generator(42);
        compare(uniform(generator, 6, 0.25F),
                {0.191134632F, 0.207501978F, -0.05856812F, 0.229652822F, -0.0547758937F, 0.0504476726F}, 0);
    }

    void a_token_keeps_its_vector() {
        compare(token("😀", 5000000000, 8),
                {0.111051708F, -0.198038012F, 0.681767106F, 0.792609513F, 0.615935683F, 0.906759441F, -0.431126982F,
                 0.837413967F},
                0);
        compare(token("", 0, 4), {1.54099607F, -0.293428898F, -2.17878938F, 0.568431258F}, 0);  // crc32 of nothing is 0
        compare(token({}, 0, 2), {1.54099607F, -0.293428898F}, 0);
        QVERIFY(token("cat", 0, 64) != token("cat", 1, 64));
        QVERIFY(token("cat", 0, 64) != token("mat", 0, 64));
    }

    void normals_are_finite_and_look_normal() {
        TorchGenerator generator(2026);
        const Floats values = randn(generator, 100003);
        double sum = 0, squares = 0;
        for (const float value : values) {
            QVERIFY(std::isfinite(value));
            sum += static_cast<double>(value);
            squares += static_cast<double>(value) * static_cast<double>(value);
        }
        const auto n = static_cast<double>(values.size());
        QVERIFY(std::abs(sum / n) < 5 / std::sqrt(n));              // five standard errors of the mean
        QVERIFY(std::abs(squares / n - 1) < 5 * std::sqrt(2 / n));  // and of the variance
    }
};

QTEST_APPLESS_MAIN(TestTorchRandom)
#include "tst_torch_random.moc"
