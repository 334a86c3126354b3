// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/mask_code.h"

#include "core/attention/query_key.h"
#include "core/base/precision_type.h"
#include "core/explain/mask_python.h"
#include "core/explain/rules_python.h"

namespace headscope {

namespace {

using Kind = ScoreRule::Kind;

bool has_fully_masked_rows(const Mask& mask) {
    for (std::int64_t b = 0; b < (mask.shared_by_batch() ? 1 : mask.batch()); ++b) {
        if (!mask.fully_masked_rows(b).empty()) return true;
    }
    return false;
}

/// True if a row has neither an allowed key nor a sink, so that its weights depend on the fill.
bool has_fully_masked_rows(const Trace& trace) {
    for (std::int64_t head = 0; head < trace.request.num_heads; ++head) {
        const bool sink = trace.request.mask.of(head).rule(Kind::Sink) != nullptr;
        if (!sink && has_fully_masked_rows(trace.mask.of(head))) return true;
        if (trace.request.mask.parts().size() == 1) break;
    }
    return false;
}

bool by_hand(MaskForm form) {
    return form == MaskForm::MaskedFill || form == MaskForm::Additive;
}

Sentence cannot_add() {
    return say(
        "adding -1e9 is not filling with -1e9: the sum is score - 1e9, so that a fully masked row is uniform only "
        "up to rounding");
}

/// The reason why a form can't express the rules of scores, q and k.
std::optional<Sentence> cannot_apply_rules(const Request& request, MaskForm form) {
    const bool call = form == MaskForm::ScaledDotProduct;
    if (!call && form != MaskForm::MultiheadAttention) return std::nullopt;
    const char* name = call ? "scaled_dot_product_attention" : "nn.MultiheadAttention";
    if (request.mask.has_rule(Kind::SoftCap)) {
        return say("{} has no soft cap; the form by hand and FlexAttention have one", name);
    }
    if (request.mask.has_rule(Kind::Sink)) {
        return say("{} has no sink; the form by hand and FlexAttention have one", name);
    }
    if (!call && changes_queries(request.mask)) {
        return say("nn.MultiheadAttention projects q and k itself, so that nothing can rotate or normalise them");
    }
    return std::nullopt;
}

/// The reason why a form can't express a fill: every form but masked_fill fills with -inf, and each has its own result
/// for a fully masked row.
std::optional<Sentence> cannot_fill(const Trace& trace, MaskForm form) {
    if (form == MaskForm::MaskedFill) return std::nullopt;
    const Fill fill = trace.request.fill;
    if (fill == Fill::MinusBillion && form == MaskForm::ScaledDotProduct) {
        return say(
            "scaled_dot_product_attention fills with -inf where a boolean mask is False; it can't fill with -1e9");
    }
    if (fill == Fill::MinusBillion && form == MaskForm::MultiheadAttention) {
        return say("nn.MultiheadAttention fills with -inf where a boolean mask is True; it can't fill with -1e9");
    }
    if (fill == Fill::MinusBillion && form == MaskForm::Flex)
        return say("FlexAttention fills with -inf; it can't fill with -1e9");
    if (fill == Fill::MinusBillion) return cannot_add();
    if (!has_fully_masked_rows(trace)) return std::nullopt;  // safe and inf only differ in fully masked rows
    if (fill == Fill::Inf && form == MaskForm::Flex) {
        return say("FlexAttention gives zeros for a fully masked row, not the NaN of raw -inf");
    }
    if (fill == Fill::Inf && form == MaskForm::ScaledDotProduct) {
        return say(
            "scaled_dot_product_attention gives zeros for a fully masked row since PyTorch 2.5, not the NaN of raw "
            "-inf");
    }
    if (fill == Fill::Safe && form == MaskForm::MultiheadAttention) {
        return say("nn.MultiheadAttention gives NaN for a fully masked row; it has no safe fill");
    }
    if (fill == Fill::Safe && form == MaskForm::Additive) {
        return say("a fully masked row is NaN after the softmax; the safe fill needs one more step");
    }
    return std::nullopt;
}

std::optional<Sentence> cannot_express(const Trace& trace, MaskForm form) {
    const PrecisionType& type = type_of(trace.request.precision);
    if (type.is_half() && !type.autocast) {
        return say("PyTorch 1.13 has no {} attention on the CPU; its rounding is simulated here", type.word);
    }
    if (auto rules = cannot_apply_rules(trace.request, form)) return rules;
    return cannot_fill(trace, form);
}

std::string scaled(const Request& request) {
    if (request.scale) return fmt::format("q @ k.transpose(-2, -1) * {}", *request.scale);
    return "q @ k.transpose(-2, -1) / math.sqrt(Dh)";
}

std::string scale_argument(const Request& request) {
    return request.scale ? fmt::format(", scale={}", *request.scale) : std::string();
}

/// The softmax of masked scores; with a sink that of one more column, which is then dropped.
std::string softmax_of(const Request& request, const std::string& masked) {
    if (!request.mask.has_rule(Kind::Sink)) return masked + ".softmax(dim=-1)";
    return fmt::format("torch.cat([{}, sinks.reshape(1, H, 1, 1).expand(B, H, S, 1)], -1).softmax(dim=-1)[..., :-1]",
                       masked);
}

std::string line_of(const Request& request, MaskForm form) {
    switch (form) {
        case MaskForm::ScaledDotProduct:
            return fmt::format("F.scaled_dot_product_attention(q, k, v, attn_mask={}{})",
                               changes_scores(request.mask) ? "bias" : "mask", scale_argument(request));
        case MaskForm::MaskedFill:
            return softmax_of(request, fmt::format("scores.masked_fill(mask == 0, {})",
                                                   request.fill == Fill::MinusBillion ? "-1e9" : "-math.inf"));
        case MaskForm::MultiheadAttention:
            return "mha(x, x, x, key_padding_mask=..., attn_mask=..., average_attn_weights=False)";
        case MaskForm::Flex:
            return fmt::format("flex_attention(q, k, v, {}block_mask=block_mask{}{})",
                               changes_scores(request.mask) ? "score_mod=score_mod, " : "", scale_argument(request),
                               request.mask.has_rule(Kind::Sink) ? ", return_lse=True" : "");
        case MaskForm::Additive:
            break;
    }
    return softmax_of(request, "(scores + additive)");
}

/// The beginning of every form.
std::string preamble(const Trace& trace, MaskForm form) {
    const Dims d = trace.dims();
    std::string text = fmt::format("# {}\n", meaning(convention_of(form)).str());
    text += "# Given: x (B, S, E), and two nn.Linear: qkv_proj, its rows by head (q0 k0 v0 q1 ...), and out_proj.\n";
    text += "import math\nimport torch\nimport torch.nn.functional as F\n";
    if (form == MaskForm::Flex) {
        text += "from torch.nn.attention.flex_attention import create_block_mask, flex_attention\n";
    }
    text += "\n";
    text +=
        fmt::format("B, S, E, H = {}, {}, {}, {}\nDh = E // H\n", d.batch, d.sequence_length, d.embed_dim, d.num_heads);
    if (storage_type(trace.request.precision) == Tensor::Type::Float64) {
        text += "x, qkv_proj, out_proj = x.double(), qkv_proj.double(), out_proj.double()\n";
    }
    return text;
}

std::string split_heads(const Request& request) {
    return "q, k, v = (t.transpose(1, 2) for t in qkv_proj(x).reshape(B, S, H, 3 * Dh).chunk(3, dim=-1))\n" +
           python_queries_and_keys(request.mask, request.num_heads);
}

/// The type in which autocast, or else x, keeps scores.
std::string dtype_of(const Request& request) {
    const char* autocast = type_of(request.precision).autocast;
    return autocast ? autocast : "x.dtype";
}

/// The definition of score_mod, and the number of each head for whole tensors.
std::string score_mod(const Request& request) {
    if (!changes_scores(request.mask)) return {};
    return "h = torch.arange(H)[:, None, None]\n" +
           python_score_mod(request.mask, request.num_heads, dtype_of(request));
}

/// ALiBi's bias with -inf in the masked cells: (B,H,S,S).
constexpr const char* kBias =
    "bias = score_mod(torch.zeros(B, H, S, S, dtype=x.dtype), None, h, i, j).masked_fill(~mask, -math.inf)\n";

std::string join_heads(const char* context) {
    return fmt::format("output = out_proj({}.transpose(1, 2).reshape(B, S, E))\n", context);
}

std::string sdpa_steps(const Request& request) {
    const std::string line = line_of(request, MaskForm::ScaledDotProduct);
    std::string weights = line;
    weights.replace(weights.find(", v,"), 4, ", eye,");
    return split_heads(request) + (changes_scores(request.mask) ? kBias : "") +
           fmt::format("context = {}  # needs PyTorch 2{}\n", line, request.scale ? ".1 for scale=" : "") +
           join_heads("context") +
           "# It returns no weights; with the identity as v its result is the weights.\n"
           "eye = torch.eye(S).to(q.dtype).expand(B, H, S, S)\n" +
           fmt::format("weights = {}\n", weights);
}

std::string hand_steps(const Request& request, MaskForm form) {
    std::string text = split_heads(request) + fmt::format("scores = {}\n", scaled(request));
    if (changes_scores(request.mask)) text += "scores = score_mod(scores, None, h, i, j)\n";
    if (form == MaskForm::Additive) {
        text += "additive = torch.zeros(mask.shape, dtype=scores.dtype).masked_fill(~mask, -math.inf)\n";
    }
    text += fmt::format("weights = {}\n", line_of(request, form));
    if (form == MaskForm::MaskedFill && request.fill == Fill::Safe) {  // with a sink such a row is zeros already
        text += "weights = weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)  # fully masked rows: zeros\n";
    }
    return text + join_heads("(weights @ v)");
}

/// FlexAttention returns no weights and takes no sink: exp(lse) is the sum that a sink joins.
std::string flex_steps(const Request& request) {
    const std::string line = line_of(request, MaskForm::Flex);
    std::string weights = line;
    weights.replace(weights.find(", v,"), 4, ", eye,");
    const bool sink = request.mask.has_rule(Kind::Sink);
    const auto called = [&](const char* name, const std::string& call) {
        return sink ? fmt::format("{0}, lse = {1}\n{0} = {0} * torch.sigmoid(lse - sinks[:, None])[..., None]\n", name,
                                  call)
                    : fmt::format("{} = {}\n", name, call);
    };
    return split_heads(request) + "block_mask = create_block_mask(mask_mod, B, H, S, S, device=x.device)\n" +
           called("context", line) + join_heads("context") +
           "# It returns no weights; with the identity as v its result is the weights.\n"
           "eye = torch.eye(S).to(q.dtype).expand(B, H, S, S)\n" +
           called("weights", weights);
}

/// Code for nn.MultiheadAttention with the same parameters: its in_proj is [Q; K; V].
std::string module_lines(const Request& request) {
    std::string text =
        "mha = torch.nn.MultiheadAttention(E, H, batch_first=True).to(x.dtype)\n"
        "with torch.no_grad():\n"
        "    blocks = lambda t: t.reshape(H, 3, Dh, -1).transpose(0, 1).reshape(3 * E, -1)  # to [Q; K; V]\n"
        "    mha.in_proj_weight.copy_(blocks(qkv_proj.weight))\n"
        "    mha.in_proj_bias.copy_(blocks(qkv_proj.bias).flatten())\n"
        "    mha.out_proj.load_state_dict(out_proj.state_dict())\n";
    if (request.scale) {
        text += fmt::format(
            "    for t in (mha.in_proj_weight, mha.in_proj_bias):  # it always divides by sqrt(Dh)\n"
            "        t[:E] *= {} * math.sqrt(Dh)\n",
            *request.scale);
    }
    return text;
}

/// The code in two parts: the masks, and the steps, which autocast may have to enclose.
struct Body {
    std::string masks, steps;
};

/// A mask for each head, or one with a bias, is passed as (B * H, S, S).
Result<Body> module_body_by_head(const Request& request) {
    auto mask = python_masks(request.mask, request.batch, request.num_heads);
    if (!mask) return tl::unexpected(mask.error());
    const bool bias = changes_scores(request.mask);
    return Body{module_lines(request) + *mask + score_mod(request) + (bias ? kBias : "") +
                    (bias ? "attn_mask = bias.reshape(B * H, S, S)\n"
                          : "attn_mask = (~mask).reshape(B * H, S, S)  # True = ignored\n"),
                "output, weights = mha(x, x, x, attn_mask=attn_mask, average_attn_weights=False)\n"};
}

/// Passes layers of padding alone as key_padding_mask and all others as attn_mask: (S, S), or (B * H, S, S) if padding
/// is joined to other patterns.
Result<Body> module_body(const Request& request) {
    const auto alone = [](const auto& layer) {
        return layer.size() == 1 && layer.front().kind == MaskPattern::Kind::Padding;
    };
    if (!request.mask.has_one_mask() || changes_scores(request.mask)) return module_body_by_head(request);
    const MaskExpression& mask_of_all = request.mask.mask(0);
    MaskExpression rest;
    std::string arguments;
    for (const auto& layer : mask_of_all.layers) {
        if (!alone(layer)) rest.layers.push_back(layer);
    }
    std::string text;
    if (rest.layers.size() < mask_of_all.layers.size()) {
        if (!rest.uses_padding()) text += python_real(request.batch);
        arguments += ", key_padding_mask=~real";
    }
    if (!rest.layers.empty()) {
        const auto mask = python_mask(rest, request.batch);
        if (!mask) return tl::unexpected(mask.error());
        text = *mask + text;
        const bool by_sequence = rest.uses_padding();
        text += by_sequence ? "ignored = (~mask[:, 0]).repeat_interleave(H, dim=0)  # (B * H, S, S)\n"
                            : "ignored = ~mask[0, 0]  # (S, S)\n";
        arguments += ", attn_mask=ignored";
    }
    return Body{module_lines(request) + text,
                fmt::format("output, weights = mha(x, x, x{}, average_attn_weights=False)\n", arguments)};
}

Result<Body> body(const Trace& trace, MaskForm form) {
    const Request& request = trace.request;
    if (form == MaskForm::MultiheadAttention) return module_body(request);
    const bool flex = form == MaskForm::Flex;
    auto mask = flex ? python_mask_mod(request.mask, request.batch, request.num_heads)
                     : python_masks(request.mask, request.batch, request.num_heads);
    if (!mask) return tl::unexpected(mask.error());
    *mask += flex ? python_score_mod(request.mask, request.num_heads, dtype_of(request)) : score_mod(request);
    *mask += python_sinks(request.mask, request.num_heads, dtype_of(request));
    if (flex) return Body{*mask, flex_steps(request)};
    return Body{*mask, by_hand(form) ? hand_steps(request, form) : sdpa_steps(request)};
}

std::string indented(const std::string& lines) {
    std::string text;
    bool at_start = true;
    for (const char c : lines) {
        if (at_start) text += "    ";
        text += c;
        at_start = c == '\n';
    }
    return text;
}

std::vector<Sentence> notes_of(const Trace& trace, MaskForm form) {
    const Request& request = trace.request;
    std::vector<Sentence> notes;
    if (form == MaskForm::ScaledDotProduct) {
        if (request.scale) {
            notes.push_back(say("F.scaled_dot_product_attention needs PyTorch 2, its scale 2.1"));
        } else {
            notes.push_back(say("F.scaled_dot_product_attention needs PyTorch 2"));
        }
        if (has_fully_masked_rows(trace)) {
            notes.push_back(say("before PyTorch 2.5 a fully masked row is NaN there"));
        }
    }
    if (form == MaskForm::Flex) notes.push_back(say("FlexAttention needs PyTorch 2.5"));
    const PrecisionType& type = type_of(request.precision);
    if (type.autocast && form == MaskForm::MultiheadAttention) {
        notes.push_back(
            say("nn.MultiheadAttention scales the queries before the product, so {} rounds at other places: the "
                "numbers agree up to its rounding",
                type.word));
    }
    const bool flex = form == MaskForm::Flex;
    if (type.autocast && (form == MaskForm::ScaledDotProduct || flex)) {
        notes.push_back(say("{} may compute with more bits than {}: the numbers agree up to its rounding",
                            flex ? "FlexAttention" : "scaled_dot_product_attention", type.word));
    }
    return notes;
}

}  // namespace

std::string_view cell_text(MaskConvention convention, bool allowed) {
    switch (convention) {
        case MaskConvention::MayAttend:
            return allowed ? "1" : "0";
        case MaskConvention::Ignored:
            return allowed ? "False" : "True";
        case MaskConvention::Additive:
            break;
    }
    return allowed ? "0" : "-inf";
}

Sentence meaning(MaskConvention convention) {
    switch (convention) {
        case MaskConvention::MayAttend:
            return say("True or 1 = allowed, as in F.scaled_dot_product_attention");
        case MaskConvention::Ignored:
            return say("True = masked, as in nn.MultiheadAttention: the opposite meaning");
        case MaskConvention::Additive:
            break;
    }
    return say("0 or -inf is added to the score: 0 = allowed, -inf = masked");
}

MaskConvention convention_of(MaskForm form) {
    switch (form) {
        case MaskForm::MultiheadAttention:
            return MaskConvention::Ignored;
        case MaskForm::Additive:
            return MaskConvention::Additive;
        case MaskForm::ScaledDotProduct:
        case MaskForm::MaskedFill:
        case MaskForm::Flex:
            break;
    }
    return MaskConvention::MayAttend;
}

MaskCode mask_code(const Trace& trace, MaskForm form) {
    MaskCode result{.line = line_of(trace.request, form)};
    result.impossible = cannot_express(trace, form);
    if (result.impossible) return result;
    const auto steps = body(trace, form);
    if (!steps) {
        result.impossible = Sentence{steps.error().text, steps.error().args};
        return result;
    }
    result.notes = notes_of(trace, form);
    const char* autocast = type_of(trace.request.precision).autocast;
    result.code = preamble(trace, form) + steps->masks;
    if (autocast) result.code += fmt::format("with torch.autocast(\"cpu\", dtype={}):\n", autocast);
    result.code += autocast ? indented(steps->steps) : steps->steps;
    return result;
}

}  // namespace headscope
