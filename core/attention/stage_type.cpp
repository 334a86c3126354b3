// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/stage_type.h"

#include <algorithm>
#include <array>

#include "core/attention/query_key.h"
#include "core/base/sentence.h"

namespace headscope {

namespace {

constexpr Dim kLayer[] = {Dim::B, Dim::S, Dim::E}, kFused[] = {Dim::B, Dim::S, Dim::E3},
              kViewed[] = {Dim::B, Dim::S, Dim::H, Dim::Dh3}, kHead[] = {Dim::B, Dim::H, Dim::S, Dim::Dh},
              kMask[] = {Dim::B, Dim::One, Dim::S, Dim::S}, kSquare[] = {Dim::B, Dim::H, Dim::S, Dim::S};

/// "-inf", or the value of -1e9 in the precision.
std::string fill_text(const Request& request) {
    const double fill = effective_fill(request.fill, request.precision);
    if (fill == -1e9) return "-1e9";
    return fmt::format("{}", fill);
}

std::string scores_line(const Request& request) {
    const std::string product = "q @ k.transpose(-2, -1)";
    const std::string scores = request.scale ? fmt::format("{} * {}", product, *request.scale)
                                             : fmt::format("{} / sqrt({})", product, request.dims().head_dim());
    return changes_scores(request.mask) ? fmt::format("score_mod({})", scores) : scores;
}

/// q or k after the rules that change it.
std::string changed_line(const Request& request, const std::string& line) {
    std::string changed = line;
    if (request.mask.has_rule(ScoreRule::Kind::Norm)) changed = fmt::format("rms_norm({})", changed);
    if (request.mask.has_rule(ScoreRule::Kind::Rope)) changed = fmt::format("rope({})", changed);
    return changed;
}

/// True if the layer's file has separate projections for query, key and value.
bool is_separate(const Request& request) {
    return request.source == WeightSource::File && request.file && request.file->layout == Layout::Separate;
}

/// Columns part*Dh ... of the heads: q, k and v are adjacent.
template <int part>
std::string chunk_line(const Request& request) {
    const std::int64_t dh = request.dims().head_dim();
    const std::string line = fmt::format("heads[..., {}:{}].transpose(1, 2)", part * dh, (part + 1) * dh);
    return part < 2 ? changed_line(request, line) : line;
}

const StageType kStages[] = {
    {.stage = Stage::X,
     .word = "x",
     .name = "x",
     .dims = kLayer,
     .tensor = &Trace::x,
     .line = [](const Request&) -> std::string { return "x = embed(tokens)"; },
     .sentence = phrase("The input: each token of each sequence as a vector of embed_dim numbers."),
     .menu = phrase("x, the token vectors")},
    {.stage = Stage::Qkv,
     .word = "qkv",
     .name = "qkv",
     .dims = kFused,
     .tensor = &Trace::qkv,
     .line = [](const Request& request) -> std::string {
         return is_separate(request) ? "query(x), key(x), value(x)" : "qkv_proj(x)";
     },
     .sentence = phrase("One linear projection makes query, key and value of each token at once: three times as wide."),
     .menu = phrase("qkv, the fused projection")},
    {.stage = Stage::Heads,
     .word = "heads",
     .name = "heads",
     .dims = kViewed,
     .tensor = &Trace::qkv,
     .stored = false,
     .line = [](const Request& request) -> std::string {
         return is_separate(request) ? "torch.cat([t.reshape(B, S, H, Dh) for t in qkv], -1)"
                                     : "qkv.reshape(B, S, H, 3*Dh)";
     },
     .sentence = phrase("The same numbers viewed by head: 3·head_dim of them for each head."),
     .menu = phrase("q, k and v by &head")},
    {.stage = Stage::Q,
     .word = "q",
     .name = "Q",
     .dims = kHead,
     .tensor = &Trace::q,
     .part = StagePart::Query,
     .line = chunk_line<0>,
     .sentence = phrase("Queries: what each token looks for. The head dimension moves in front of the tokens, so that "
                        "each head is a matrix of its own."),
     .menu = phrase("&Q"),
     .tip = phrase("What each token asks for: a row of q per token and head"),
     .rank = 7,
     .key = '1'},
    {.stage = Stage::K,
     .word = "k",
     .name = "K",
     .dims = kHead,
     .tensor = &Trace::k,
     .part = StagePart::Key,
     .line = chunk_line<1>,
     .sentence = phrase("Keys: what each token offers for matching."),
     .menu = phrase("&K"),
     .tip = phrase("What each token offers for matching: a row of k per token and head"),
     .rank = 4,
     .key = '2'},
    {.stage = Stage::V,
     .word = "v",
     .name = "V",
     .dims = kHead,
     .tensor = &Trace::v,
     .part = StagePart::Value,
     .line = chunk_line<2>,
     .sentence = phrase("Values: what each token contributes when it is attended to. They are multiplied by the "
                        "weights."),
     .menu = phrase("&V"),
     .tip = phrase("What each token contributes when attended to"),
     .rank = 3,
     .key = '3'},
    {.stage = Stage::Scores,
     .word = "scores",
     .name = "scores",
     .dims = kSquare,
     .tensor = &Trace::scores,
     .line = scores_line,
     .sentence = phrase("How well each query fits each key: their dot product, scaled so that it doesn't grow with "
                        "head_dim."),
     .menu = phrase("&Scores"),
     .tip = phrase("q · k, scaled, before the mask"),
     .rank = 5,
     .key = '4'},
    {.stage = Stage::Mask,
     .word = "mask",
     .name = "mask",
     .dims = kMask,
     .tensor = nullptr,
     .stored = false,
     .line = [](const Request&) -> std::string { return "mask  # True where the key is allowed"; },
     .sentence = phrase("Which keys each query can attend to."),
     .menu = phrase("&Mask")},
    {.stage = Stage::Masked,
     .word = "masked",
     .name = "masked",
     .dims = kSquare,
     .tensor = &Trace::scores,
     .stored = false,
     .line =
         [](const Request& request) { return fmt::format("scores.masked_fill(mask == 0, {})", fill_text(request)); },
     .sentence = phrase("The scores with the fill value in each masked cell; with −∞ its weight becomes 0."),
     .menu = phrase("M&asked scores"),
     .tip = phrase("The scores after the mask; masked cells are hatched"),
     .rank = 2,
     .key = '5'},
    {.stage = Stage::Weights,
     .word = "weights",
     .name = "weights",
     .dims = kSquare,
     .tensor = &Trace::weights,
     .line = [](const Request& request) -> std::string {
         const bool sink = request.mask.has_rule(ScoreRule::Kind::Sink);
         if (sink) return "softmax(cat([masked, sink], -1), dim=-1)[..., :-1]";  // no row sums to 0
         return request.fill == Fill::Safe ? "softmax(masked, dim=-1).masked_fill(fully_masked_rows, 0)"
                                           : "softmax(masked, dim=-1)";
     },
     .sentence = phrase("Softmax turns each query's scores into weights that sum to 1."),
     .menu = phrase("&Weights"),
     .tip = phrase("softmax of the masked scores"),
     .rank = 6,
     .key = '6'},
    {.stage = Stage::HeadContext,
     .word = "context",
     .name = "context",
     .dims = kHead,
     .tensor = &Trace::head_context,
     .part = StagePart::Value,
     .line = [](const Request&) -> std::string { return "weights @ v"; },
     .sentence = phrase("The sum of the values, each multiplied by its weight, for each query."),
     .menu = phrase("&Context by head"),
     .tip = phrase("weights @ v: the result of each head"),
     .rank = 1,
     .key = '7'},
    {.stage = Stage::Concat,
     .word = "concat",
     .name = "concat",
     .dims = kLayer,
     .tensor = &Trace::context,
     .line = [](const Request&) -> std::string { return "context.transpose(1, 2).reshape(B, S, E)"; },
     .sentence = phrase("The heads side by side again: head_dim numbers from each make embed_dim."),
     .menu = phrase("Concatenated context")},
    {.stage = Stage::Output,
     .word = "output",
     .name = "output",
     .dims = kLayer,
     .tensor = &Trace::output,
     .part = StagePart::Output,
     .line = [](const Request&) -> std::string { return "out_proj(concat)"; },
     .sentence = phrase("A last projection mixes the contexts of the heads."),
     .menu = phrase("&Output"),
     .key = '8'},
};

bool has_dim(Stage stage, Dim dim) {
    const auto& dims = type_of(stage).dims;
    return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

}  // namespace

const char* to_string(Dim dim) {
    constexpr std::array kLetters{"1", "B", "S", "E", "3E", "H", "Dh", "3Dh"};
    return kLetters[static_cast<std::size_t>(dim)];
}

std::int64_t size_of(Dim dim, const Dims& dims) {
    switch (dim) {
        case Dim::One:
            return 1;
        case Dim::B:
            return dims.batch;
        case Dim::S:
            return dims.sequence_length;
        case Dim::E:
            return dims.embed_dim;
        case Dim::E3:
            return 3 * dims.embed_dim;
        case Dim::H:
            return dims.num_heads;
        case Dim::Dh:
            return dims.head_dim();
        case Dim::Dh3:
            return 3 * dims.head_dim();
    }
    return 0;
}

std::span<const StageType> stage_types() {
    return kStages;
}

const StageType& type_of(Stage stage) {
    return kStages[static_cast<std::size_t>(stage)];
}

std::string_view to_string(Stage stage) {
    return type_of(stage).word;
}

std::optional<Stage> parse_stage(std::string_view word) {
    for (const StageType& type : kStages)
        if (type.word == word) return type.stage;
    return std::nullopt;
}

Shape stage_shape(Stage stage, const Dims& dims) {
    Shape shape;
    for (const Dim dim : type_of(stage).dims) shape.push_back(size_of(dim, dims));
    return shape;
}

Shape stage_shape(Stage stage, const Request& request) {
    Shape shape = stage_shape(stage, request.dims());
    if (stage == Stage::Mask && has_heads(stage, request)) shape[1] = request.num_heads;
    return shape;
}

bool has_heads(Stage stage, const Request& request) {
    return has_dim(stage, Dim::H) || (stage == Stage::Mask && !request.mask.has_one_mask());
}

bool is_square(Stage stage) {
    const auto& dims = type_of(stage).dims;
    return dims.back() == Dim::S && dims[dims.size() - 2] == Dim::S;
}

std::string pytorch_line(Stage stage, const Request& request) {
    return type_of(stage).line(request);
}

}  // namespace headscope
