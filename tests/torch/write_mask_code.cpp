// SPDX-License-Identifier: GPL-3.0-or-later
// Writes, for every kind of mask, fill, precision and form, the code that "copy" gives, and the weights and the output
// that the screen shows: one JSON document on standard output, for mask_code_check.py.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>

#include "core/attention/compute.h"
#include "core/explain/mask_code.h"
#include "core/masks/mask_edit.h"
#include "traces.h"

using namespace headscope;
using nlohmann::json;

namespace {

struct Sizes {
    std::vector<std::int64_t> lengths;
    std::int64_t size, embed_dim, num_heads;
    std::vector<Precision> precisions;
};

json numbers(const Tensor& tensor) {
    json list = json::array();
    for (std::int64_t n = 0; n < tensor.size(); ++n) list.push_back(tensor.value(n));  // NaN becomes null
    return {{"shape", tensor.shape()}, {"values", list}};
}

std::shared_ptr<const PaintedMask> random_painting(std::int64_t size, std::mt19937& random, bool fully_masked_row) {
    PaintedMask mask = paint::uniform(size, false);
    for (auto& cell : mask.cells) cell = random() % 2;
    mask = paint::diagonal(std::move(mask), 0, true);
    if (fully_masked_row) mask = paint::row(std::move(mask), 2, false);
    return std::make_shared<const PaintedMask>(std::move(mask));
}

std::vector<HeadExpression> masks(std::mt19937& random, std::int64_t size) {
    std::vector<HeadExpression> all;
    for (const char* text : {"none",
                             "padding",
                             "causal",
                             "padding,causal",
                             "local:1:0",
                             "local:2:1,causal",
                             "strided:2",
                             "strided:3,causal",
                             "dilated:1:1:2",
                             "dilated:2:0:2,causal",
                             "global:1",
                             "block:2",
                             "logarithmic",
                             "causal,logarithmic",
                             "random:2:1",
                             "causal,random:1:7+local:0:0,random:4:3+random:1:1",
                             "documents:2:3",
                             "causal,documents:1:4",
                             "prefix:2",
                             "causal+prefix:3",
                             "causal,local:1:0+global:1",
                             "padding+global:1",
                             "padding,padding+local:0:0,off:causal",
                             "alibi",
                             "causal,alibi",
                             "padding,causal,alibi:4",
                             "causal,softcap:2",
                             "softcap:3,alibi",
                             "alibi,softcap:3",
                             "sink:0.5",
                             "padding,causal,sink:-1",
                             "rope:100",
                             "causal,rope:50:interleaved",
                             "causal,qknorm,rope",
                             "head 0: causal,local:1:0; other heads: causal,alibi",
                             "head 0: padding,sink:1,softcap:4; other heads: none",
                             "head 1: causal,qknorm; other heads: random:2:1,rope:100,alibi",
                             "head 0: documents:2:3; head 1: padding+local:1:1; other heads: causal"}) {
        all.push_back(parse_heads(text).value());
    }
    const auto layer = [](MaskPattern::Kind kind, auto cells) {
        return std::vector<MaskPattern>{{.kind = kind, .path = "\n'\"\"\"", .painted = std::move(cells)}};
    };
    using Kind = MaskPattern::Kind;
    const auto add = [&](MaskExpression expression) { all.emplace_back(std::move(expression)); };
    add({{layer(Kind::Painted, random_painting(size, random, false))}});
    add({{layer(Kind::Painted, random_painting(size, random, true))}});
    add({{layer(Kind::Painted, random_painting(size - 2, random, false)), {{.kind = Kind::Causal}}}});
    add({{layer(Kind::Painted, random_painting(size + 3, random, false))}});
    add({{layer(Kind::File, random_painting(size, random, false)), {{.kind = Kind::Padding}}}});
    auto several = layer(Kind::Painted, random_painting(size, random, true));
    several.push_back({.kind = Kind::Local, .numbers = {0, 0}});
    several.push_back(layer(Kind::File, random_painting(size, random, false)).front());
    add({{several, {{.kind = Kind::Padding}}}});
    add({{several, several}});  // two tables of cells in one function
    HeadPart painted{.heads = {{0, 0}}, .mask = {{several}}},
        rest{.mask = {{layer(Kind::Painted, random_painting(size, random, true))}}};
    all.emplace_back(std::vector{painted, rest});
    return all;
}

const char* name_of(MaskForm form) {
    switch (form) {
        case MaskForm::ScaledDotProduct:
            return "scaled_dot_product_attention";
        case MaskForm::MaskedFill:
            return "masked_fill";
        case MaskForm::Flex:
            return "FlexAttention";
        case MaskForm::MultiheadAttention:
            return "nn.MultiheadAttention";
        case MaskForm::Additive:
            break;
    }
    return "additive";
}

/// One request in every form.
bool add_cases(const Request& request, json& cases) {
    const auto trace = compute(request);
    if (!trace) {
        std::fprintf(stderr, "%s\n", trace.error().message().c_str());
        return false;
    }
    json answer{{"mask", to_string(request.mask)},           {"fill", to_string(request.fill)},
                {"precision", to_string(request.precision)}, {"weights", numbers(*(*trace)->weights)},
                {"output", numbers(*(*trace)->output)},      {"forms", json::array()}};
    for (const MaskForm form : {MaskForm::ScaledDotProduct, MaskForm::MaskedFill, MaskForm::MultiheadAttention,
                                MaskForm::Additive, MaskForm::Flex}) {
        const MaskCode code = mask_code(**trace, form);
        answer["forms"].push_back({{"form", name_of(form)},
                                   {"code", code.code},
                                   {"impossible", code.impossible ? code.impossible->str() : std::string()}});
    }
    cases.push_back(std::move(answer));
    return true;
}

/// Every mask, fill, precision and scale at these sizes.
bool add_group(const Sizes& sizes, bool with_hole, std::mt19937& random, json& groups) {
    Request request =
        testing::random_request(random, sizes.lengths, sizes.size, sizes.embed_dim, sizes.num_heads, "none", 2);
    if (with_hole) {
        request.batch.real[1] = 0;
        request.batch.tokens[0][1] = kPad;
    }
    json cases = json::array();
    for (const HeadExpression& mask : masks(random, sizes.size)) {
        request.mask = mask;
        for (const Fill fill : {Fill::Safe, Fill::Inf, Fill::MinusBillion}) {
            request.fill = fill;
            for (const Precision precision : sizes.precisions) {
                request.precision = precision;
                for (const auto& scale : {std::optional<double>(), std::optional<double>(0.7)}) {
                    request.scale = scale;
                    if (precision == Precision::BFloat16 && scale) continue;
                    if (!add_cases(request, cases)) return false;
                }
            }
        }
    }
    groups.push_back({{"x", numbers(*request.file->x)},
                      {"qkv_weight", numbers(request.file->fused_weight)},
                      {"qkv_bias", numbers(request.file->fused_bias)},
                      {"out_weight", numbers(request.file->out_weight)},
                      {"out_bias", numbers(request.file->out_bias)},
                      {"cases", std::move(cases)}});
    return true;
}

}  // namespace

int main() {
    std::mt19937 random(2024);
    json groups = json::array();
    const std::vector<Precision> others{Precision::Float32, Precision::Float64, Precision::Float16};
    // With an empty sequence, so that padding leaves rows with nothing, and without one but with a hole. In bfloat16
    // PyTorch sums products of fewer than some thousand multiplications in bfloat16 itself, so that sizes are larger.
    const bool written = add_group({{6, 4, 0}, 6, 8, 2, others}, false, random, groups) &&
                         add_group({{6, 3}, 6, 8, 2, others}, true, random, groups) &&
                         add_group({{24}, 24, 64, 8, {Precision::BFloat16}}, true, random, groups);
    if (!written) return 1;
    std::puts(groups.dump().c_str());
    return 0;
}
