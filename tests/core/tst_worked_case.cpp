// SPDX-License-Identifier: GPL-3.0-or-later
// The case that docs/conventions.md works out by hand: B=1, S=3, E=4, H=2.
#include <QTest>

#include "core/attention/stages.h"
#include "support.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr std::int64_t kSize = 3, kEmbed = 4, kHeads = 2;
constexpr Precision kPrecision = Precision::Float64;

Tensor matrix(std::int64_t rows, const std::function<double(std::int64_t, std::int64_t)>& f) {
    return filled(Tensor::Type::Float64, {rows, kEmbed}, [&](std::int64_t n) { return f(n / kEmbed, n % kEmbed); });
}

struct Case {
    Tensor x = matrix(kSize, [](auto s, auto e) { return (4.0 * s + e - 5) / 4; }).reshaped({1, kSize, kEmbed});
    Tensor qkv_weight = matrix(3 * kEmbed, [](auto r, auto c) { return ((3 * r + 5 * c) % 7 - 3) / 4.0; });
    Tensor qkv_bias = filled(Tensor::Type::Float64, {3 * kEmbed}, [](auto) { return 0; });
    Tensor out_weight = matrix(kEmbed, [](auto r, auto c) { return ((2 * r + 3 * c) % 5 - 2) / 4.0; });
    Tensor out_bias = filled(Tensor::Type::Float64, {kEmbed}, [](auto n) { return 0.1 * (n + 1); });
};

struct Answer {
    Tensor weights, output;
};

Answer run(const Case& c, const std::string& mask_text) {
    const MaskPtr mask = build_mask(mask_text, batch_of_lengths({kSize}, kSize));
    const Tensor qkv = stages::project(c.x, c.qkv_weight, c.qkv_bias, kPrecision);
    const stages::Heads heads = stages::split_heads(qkv, kHeads);
    const Tensor scores = stages::scores(heads.q, heads.k, {}, kPrecision);
    const Tensor weights = stages::weights(scores, mask, Fill::Safe, kPrecision);
    const Tensor context = stages::head_context(weights, heads.v, mask, Fill::Safe, kPrecision);
    return {weights, stages::project(stages::concatenate(context), c.out_weight, c.out_bias, kPrecision)};
}

constexpr double kEighthPlace = 5.1e-9;  // the figures are given to eight places

}  // namespace

class TestWorkedCase : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void interleaved() {
        const Answer answer = run({}, "none");
        COMPARE_NUMBERS(answer.weights,
                        (std::vector<double>{.31149629, .33284559, .35565812, .37076319, .33198112, .29725569,
                                             .43228519, .32435007, .24336473, .30434203, .33246697, .36319100, 1 / 3.0,
                                             1 / 3.0, 1 / 3.0, .36319100, .33246697, .30434203}),
                        kEighthPlace);
        COMPARE_NUMBERS(answer.output,
                        (std::vector<double>{.08437391, .16046447, .34230711, .31267152, .09172109, .19356344,
                                             .27243469, .34209422, .09836316, .22638036, .20340840, .37137589}),
                        kEighthPlace);
    }

    void causal() {
        const Answer answer = run({}, "causal");
        COMPARE_NUMBERS(answer.output,
                        (std::vector<double>{-.11875, .621875, -.5125, .775, -.01637710, .40657416, -.11659749,
                                             .55797458, .09836316, .22638036, .20340840, .37137589}),
                        kEighthPlace);
    }

    void blocks() {
        // The same rows read as [Q; K; V]: row r of the interleaved weight stands at block_row(r) in the file.
        Case c;
        const Tensor file = c.qkv_weight;
        c.qkv_weight =
            matrix(3 * kEmbed, [&](auto r, auto e) { return file.value(block_row(r, kEmbed, kHeads) * kEmbed + e); });
        COMPARE_NUMBERS(run(c, "none").output,
                        (std::vector<double>{-.33493612, .58050402, .37467407, -.01739753, -.19687478, .52582327,
                                             .40065497, -.05772835, -.05872541, .47130033, .42607443, -.09769955}),
                        kEighthPlace);
    }
};

QTEST_APPLESS_MAIN(TestWorkedCase)
#include "tst_worked_case.moc"
