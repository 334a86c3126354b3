// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/mask_code.h"

#include "core/base/precision_type.h"
#include "core/explain/mask_python.h"

namespace headscope {

namespace {

bool has_fully_masked_rows(const Mask& mask) {
    for (std::int64_t b = 0; b < (mask.shared_by_batch() ? 1 : mask.batch()); ++b) {
        if (!mask.fully_masked_rows(b).empty()) return true;
    }
    return false;
}

bool by_hand(MaskForm form) {
    return form == MaskForm::MaskedFill || form == MaskForm::Additive;
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
    if (fill == Fill::MinusBillion) {
        return say(
            "adding -1e9 is not filling with -1e9: the sum is score - 1e9, so that a fully masked row is uniform only "
            "up to rounding");
    }
    if (!has_fully_masked_rows(*trace.mask)) return std::nullopt;  // safe and inf only differ in fully masked rows
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
    return cannot_fill(trace, form);
}

std::string scaled(const Request& request) {
    if (request.scale) return fmt::format("q @ k.transpose(-2, -1) * {}", *request.scale);
    return "q @ k.transpose(-2, -1) / math.sqrt(Dh)";
}

std::string line_of(const Request& request, MaskForm form) {
    switch (form) {
        case MaskForm::ScaledDotProduct:
            return request.scale ? fmt::format("F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale={})",
                                               *request.scale)
                                 : "F.scaled_dot_product_attention(q, k, v, attn_mask=mask)";
        case MaskForm::MaskedFill:
            return fmt::format("scores.masked_fill(mask == 0, {}).softmax(dim=-1)",
                               request.fill == Fill::MinusBillion ? "-1e9" : "-math.inf");
        case MaskForm::MultiheadAttention:
            return "mha(x, x, x, key_padding_mask=..., attn_mask=..., average_attn_weights=False)";
        case MaskForm::Additive:
            break;
    }
    return "(scores + additive).softmax(dim=-1)";
}

/// The beginning of every form.
std::string preamble(const Trace& trace, MaskForm form) {
    const Dims d = trace.dims();
    std::string text = fmt::format("# {}\n", meaning(convention_of(form)).str());
    text += "# Given: x (B, S, E), and two nn.Linear: qkv_proj, its rows by head (q0 k0 v0 q1 ...), and out_proj.\n";
    text += "import math\nimport torch\nimport torch.nn.functional as F\n\n";
    text +=
        fmt::format("B, S, E, H = {}, {}, {}, {}\nDh = E // H\n", d.batch, d.sequence_length, d.embed_dim, d.num_heads);
    if (storage_type(trace.request.precision) == Tensor::Type::Float64) {
        text += "x, qkv_proj, out_proj = x.double(), qkv_proj.double(), out_proj.double()\n";
    }
    return text;
}

std::string split_heads() {
    return "q, k, v = (t.transpose(1, 2) for t in qkv_proj(x).reshape(B, S, H, 3 * Dh).chunk(3, dim=-1))\n";
}

std::string join_heads(const char* context) {
    return fmt::format("output = out_proj({}.transpose(1, 2).reshape(B, S, E))\n", context);
}

std::string sdpa_steps(const Request& request) {
    const std::string line = line_of(request, MaskForm::ScaledDotProduct);
    std::string weights = line;
    weights.replace(weights.find(", v,"), 4, ", eye,");
    return split_heads() +
           fmt::format("context = {}  # needs PyTorch 2{}\n", line, request.scale ? ".1 for scale=" : "") +
           join_heads("context") +
           "# It returns no weights; with the identity as v its result is the weights.\n"
           "eye = torch.eye(S).to(q.dtype).expand(B, H, S, S)\n" +
           fmt::format("weights = {}\n", weights);
}

std::string hand_steps(const Request& request, MaskForm form) {
    std::string text = split_heads() + fmt::format("scores = {}\n", scaled(request));
    if (form == MaskForm::Additive) {
        text += "additive = torch.zeros(B, 1, S, S, dtype=scores.dtype).masked_fill(~mask, -math.inf)\n";
    }
    text += fmt::format("weights = {}\n", line_of(request, form));
    if (form == MaskForm::MaskedFill && request.fill == Fill::Safe) {
        text += "weights = weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)  # fully masked rows: zeros\n";
    }
    return text + join_heads("(weights @ v)");
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

/// Passes layers of padding alone as key_padding_mask and all others as attn_mask: (S, S), or (B * H, S, S) if padding
/// is joined to other patterns.
Result<Body> module_body(const Request& request) {
    const auto alone = [](const auto& layer) {
        return layer.size() == 1 && layer.front().kind == MaskPattern::Kind::Padding;
    };
    MaskExpression rest;
    std::string arguments;
    for (const auto& layer : request.mask.layers) {
        if (!alone(layer)) rest.layers.push_back(layer);
    }
    std::string text;
    if (rest.layers.size() < request.mask.layers.size()) {
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
    auto mask = python_mask(request.mask, request.batch);
    if (!mask) return tl::unexpected(mask.error());
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
        if (has_fully_masked_rows(*trace.mask)) {
            notes.push_back(say("before PyTorch 2.5 a fully masked row is NaN there"));
        }
    }
    const PrecisionType& type = type_of(request.precision);
    if (type.autocast && form == MaskForm::MultiheadAttention) {
        notes.push_back(
            say("nn.MultiheadAttention scales the queries before the product, so {} rounds at other places: the "
                "numbers agree up to its rounding",
                type.word));
    }
    if (type.autocast && form == MaskForm::ScaledDotProduct) {
        notes.push_back(
            say("scaled_dot_product_attention may compute with more bits than {}: the numbers agree up to its rounding",
                type.word));
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
