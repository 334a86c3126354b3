// SPDX-License-Identifier: GPL-3.0-or-later
// What the copied code says and what it refuses to say; torch/mask_code_check.py runs it in PyTorch.
#include "core/explain/mask_code.h"

#include <QTest>

#include "core/explain/mask_python.h"
#include "core/masks/mask_edit.h"
#include "traces.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr MaskForm kForms[] = {MaskForm::ScaledDotProduct, MaskForm::MaskedFill, MaskForm::MultiheadAttention,
                               MaskForm::Additive};

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TracePtr trace_of(const std::string& mask, Fill fill, Precision precision = Precision::Float32,
                  std::optional<double> scale = {}, const std::vector<std::int64_t>& lengths = {5, 0}) {
    std::mt19937 random(1);
    Request request = random_request(random, lengths, 5, 4, 2, mask);
    request.fill = fill;
    request.precision = precision;
    request.scale = scale;
    return traced(request);
}

}  // namespace

class TestMaskCode : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aFormSaysOnlyWhatItCan() {
        struct Case {
            const char* mask;
            Fill fill;
            bool sdpa, masked_fill, module, additive;
        };
        // padding empties every row of the second sequence, causal none.
        const Case cases[] = {{"causal", Fill::Safe, true, true, true, true},
                              {"causal", Fill::Inf, true, true, true, true},
                              {"causal", Fill::MinusBillion, false, true, false, false},
                              {"padding", Fill::Safe, true, true, false, false},
                              {"padding", Fill::Inf, false, true, true, true},
                              {"padding", Fill::MinusBillion, false, true, false, false}};
        for (const Case& c : cases) {
            const TracePtr trace = trace_of(c.mask, c.fill);
            const bool expected[] = {c.sdpa, c.masked_fill, c.module, c.additive};
            for (std::size_t n = 0; n < 4; ++n) {
                const MaskCode code = mask_code(*trace, kForms[n]);
                QCOMPARE(!code.impossible.has_value(), expected[n]);
                QCOMPARE(code.code.empty(), !expected[n]);
                QVERIFY(!code.line.empty());
                if (code.impossible) QVERIFY(code.impossible->str().size() > 40);
                if (expected[n] && n != 2) QVERIFY2(contains(code.code, code.line), code.code.c_str());
            }
            // Nothing can be said of float16 on the CPU.
            const TracePtr half = trace_of(c.mask, c.fill, Precision::Float16);
            for (const MaskForm form : kForms) QVERIFY(contains(mask_code(*half, form).impossible->str(), "float16"));
        }
    }

    void whatItNeedsIsSaid() {
        const auto notes = [](const TracePtr& trace, MaskForm form) {
            std::string text;
            for (const Sentence& note : mask_code(*trace, form).notes) text += note.str() + "\n";
            return text;
        };
        QVERIFY(contains(notes(trace_of("causal", Fill::Safe), MaskForm::ScaledDotProduct), "needs PyTorch 2"));
        QVERIFY(
            contains(mask_code(*trace_of("causal", Fill::Safe), MaskForm::ScaledDotProduct).code, "needs PyTorch 2"));
        const TracePtr scaled = trace_of("causal", Fill::Safe, Precision::Float32, 0.1);
        QVERIFY(contains(notes(scaled, MaskForm::ScaledDotProduct), "scale 2.1"));
        QVERIFY(contains(mask_code(*scaled, MaskForm::ScaledDotProduct).code, "scale=0.1)"));
        QVERIFY(contains(mask_code(*scaled, MaskForm::MaskedFill).code, "* 0.1\n"));
        QVERIFY(contains(notes(trace_of("padding", Fill::Safe), MaskForm::ScaledDotProduct), "before PyTorch 2.5"));
        QVERIFY(notes(trace_of("padding", Fill::Safe), MaskForm::MaskedFill).empty());
        QVERIFY(contains(notes(trace_of("causal", Fill::Safe, Precision::BFloat16), MaskForm::MultiheadAttention),
                         "its rounding"));
    }

    void theThreeConventionsAreThreeReadings() {
        QCOMPARE(cell_text(MaskConvention::MayAttend, true), std::string_view("1"));
        QCOMPARE(cell_text(MaskConvention::MayAttend, false), std::string_view("0"));
        QCOMPARE(cell_text(MaskConvention::Ignored, true), std::string_view("False"));
        QCOMPARE(cell_text(MaskConvention::Ignored, false), std::string_view("True"));
        QCOMPARE(cell_text(MaskConvention::Additive, true), std::string_view("0"));
        QCOMPARE(cell_text(MaskConvention::Additive, false), std::string_view("-inf"));
        QCOMPARE(meaning(MaskConvention::MayAttend) == meaning(MaskConvention::Ignored), false);
        QVERIFY(convention_of(MaskForm::MultiheadAttention) == MaskConvention::Ignored);
        QVERIFY(convention_of(MaskForm::ScaledDotProduct) == MaskConvention::MayAttend);
        QVERIFY(convention_of(MaskForm::MaskedFill) == MaskConvention::MayAttend);
        QVERIFY(convention_of(MaskForm::Additive) == MaskConvention::Additive);
    }

    void paddingHasAPlaceOfItsOwnInTheModule() {
        const auto code = [](const char* mask) {
            return mask_code(*trace_of(mask, Fill::Inf, Precision::Float32, {}, {5, 3}), MaskForm::MultiheadAttention)
                .code;
        };
        QVERIFY(contains(code("none"), "mha(x, x, x, average_attn_weights=False)"));
        QVERIFY(contains(code("padding"), "mha(x, x, x, key_padding_mask=~real, average_attn_weights=False)"));
        QVERIFY(contains(code("causal"), "mha(x, x, x, attn_mask=ignored, average_attn_weights=False)"));
        QVERIFY(contains(code("causal,padding"), "mha(x, x, x, key_padding_mask=~real, attn_mask=ignored, "));
        QVERIFY(contains(code("causal,padding"), "(S, S)\n") && !contains(code("causal,padding"), "repeat_interleave"));
        QVERIFY(contains(code("causal+padding"), "repeat_interleave(H, dim=0)"));
        QVERIFY(!contains(code("causal+padding"), "key_padding_mask"));
    }

    void aPathNeverEntersTheCode() {
        const MaskPattern file{.kind = MaskPattern::Kind::File,
                               .path = "x\nimport os  # \"\"\"",
                               .painted = std::make_shared<PaintedMask>(paint::uniform(3, true))};
        const auto lines = python_mask({{{file}}}, batch_of_lengths({3}, 3));
        VERIFY_RESULT(lines);
        QVERIFY(!contains(*lines, "import"));
        QVERIFY(contains(*lines, "mask &= painted  # file\n"));
        MaskPattern unread = file;
        unread.painted = nullptr;
        QCOMPARE(python_mask({{{unread}}}, batch_of_lengths({3}, 3)).error().code, ErrorCode::InvalidMask);
    }

    void whatIsRealIsSaidShortlyWhereItCanBe() {
        QCOMPARE(python_real(batch_of_lengths({5, 3}, 5)),
                 std::string("real = torch.arange(S)[None, :] < torch.tensor([5, 3])[:, None]  # (B, S): False = "
                             "[PAD]\n"));
        QCOMPARE(python_real(make_batch({{"[PAD]", "a"}, {"b"}})),
                 std::string("real = torch.tensor([[0, 1], [1, 0]]) == 1  # (B, S): False = [PAD]\n"));
    }
};

QTEST_APPLESS_MAIN(TestMaskCode)
#include "tst_mask_code.moc"
