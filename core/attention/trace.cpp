// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/trace.h"

#include <array>

namespace headscope {

namespace {

constexpr std::array<std::string_view, 13> kStageWords{
    "x", "qkv", "heads", "q", "k", "v", "scores", "mask", "masked", "weights", "context", "concat", "output"};

/// "-inf", or the value of -1e9 in the precision.
std::string fill_text(const Request& request) {
    const double fill = effective_fill(request.fill, request.precision);
    if (fill == -1e9) return "-1e9";
    return fmt::format("{}", fill);
}

std::string scores_line(const Request& request) {
    const std::string product = "q @ k.transpose(-2, -1)";
    if (request.scale) return fmt::format("{} * {}", product, *request.scale);
    return fmt::format("{} / sqrt({})", product, request.dims().head_dim());
}

/// True if the layer's file has separate projections for query, key and value.
bool is_separate(const Request& request) {
    return request.source == WeightSource::File && request.file && request.file->layout == Layout::Separate;
}

/// Columns part*Dh ... of the heads: q, k and v are adjacent.
std::string chunk_line(const Request& request, std::int64_t part) {
    const std::int64_t dh = request.dims().head_dim();
    return fmt::format("heads[..., {}:{}].transpose(1, 2)", part * dh, (part + 1) * dh);
}

}  // namespace

std::string_view to_string(Stage stage) {
    return kStageWords[static_cast<std::size_t>(stage)];
}

std::optional<Stage> parse_stage(std::string_view word) {
    for (std::size_t stage = 0; stage < kStageWords.size(); ++stage) {
        if (kStageWords[stage] == word) return static_cast<Stage>(stage);
    }
    return std::nullopt;
}

Shape stage_shape(Stage stage, const Dims& dims) {
    const std::int64_t b = dims.batch, s = dims.sequence_length, e = dims.embed_dim, h = dims.num_heads,
                       dh = dims.head_dim();
    switch (stage) {
        case Stage::X:
        case Stage::Concat:
        case Stage::Output:
            return {b, s, e};
        case Stage::Qkv:
            return {b, s, 3 * e};
        case Stage::Heads:
            return {b, s, h, 3 * dh};
        case Stage::Q:
        case Stage::K:
        case Stage::V:
        case Stage::HeadContext:
            return {b, h, s, dh};
        case Stage::Mask:
            return {b, 1, s, s};
        case Stage::Scores:
        case Stage::Masked:
        case Stage::Weights:
            return {b, h, s, s};
    }
    return {};
}

bool has_heads(Stage stage) {
    switch (stage) {
        case Stage::X:
        case Stage::Qkv:
        case Stage::Mask:
        case Stage::Concat:
        case Stage::Output:
            return false;
        default:
            return true;
    }
}

bool is_square(Stage stage) {
    return stage == Stage::Scores || stage == Stage::Mask || stage == Stage::Masked || stage == Stage::Weights;
}

std::string pytorch_line(Stage stage, const Request& request) {
    switch (stage) {
        case Stage::X:
            return "x = embed(tokens)";
        case Stage::Qkv:
            return is_separate(request) ? "query(x), key(x), value(x)" : "qkv_proj(x)";
        case Stage::Heads:
            return is_separate(request) ? "torch.cat([t.reshape(B, S, H, Dh) for t in qkv], -1)"
                                        : "qkv.reshape(B, S, H, 3*Dh)";
        case Stage::Q:
            return chunk_line(request, 0);
        case Stage::K:
            return chunk_line(request, 1);
        case Stage::V:
            return chunk_line(request, 2);
        case Stage::Scores:
            return scores_line(request);
        case Stage::Mask:
            return "mask  # True where the key is allowed";
        case Stage::Masked:
            return fmt::format("scores.masked_fill(mask == 0, {})", fill_text(request));
        case Stage::Weights:
            return request.fill == Fill::Safe ? "softmax(masked, dim=-1).masked_fill(fully_masked_rows, 0)"
                                              : "softmax(masked, dim=-1)";
        case Stage::HeadContext:
            return "weights @ v";
        case Stage::Concat:
            return "context.transpose(1, 2).reshape(B, S, E)";
        case Stage::Output:
            return "out_proj(concat)";
    }
    return {};
}

double MatrixView::at(std::int64_t row, std::int64_t column) const {
    const bool is_masked = masked(row, column);
    if (fill && is_masked) return *fill;
    if (!data) return is_masked ? 0 : 1;
    const std::int64_t place = row * stride + column;
    return type == Tensor::Type::Float64 ? static_cast<const double*>(data)[place]
                                         : static_cast<double>(static_cast<const float*>(data)[place]);
}

namespace {

/// A view of rows×columns numbers of a tensor, starting at `offset`.
MatrixView view_of(const TensorPtr& tensor, std::int64_t offset, std::int64_t rows, std::int64_t columns,
                   std::int64_t stride) {
    if (!tensor) return {};
    const void* data = tensor->type() == Tensor::Type::Float64
                           ? static_cast<const void*>(tensor->data<double>() + offset)
                           : static_cast<const void*>(tensor->data<float>() + offset);
    return {rows, columns, tensor->type(), data, stride};
}

}  // namespace

const TensorPtr& Trace::tensor(Stage stage) const {
    static const TensorPtr none;
    switch (stage) {
        case Stage::X:
            return x;
        case Stage::Qkv:
        case Stage::Heads:
            return qkv;
        case Stage::Q:
            return q;
        case Stage::K:
            return k;
        case Stage::V:
            return v;
        case Stage::Scores:
        case Stage::Masked:
            return scores;
        case Stage::Weights:
            return weights;
        case Stage::HeadContext:
            return head_context;
        case Stage::Concat:
            return context;
        case Stage::Output:
            return output;
        case Stage::Mask:
            break;
    }
    return none;
}

bool Trace::keeps(Stage stage) const {
    const TensorPtr& numbers = tensor(stage);
    return numbers && numbers->size() > 0;
}

MatrixView Trace::matrix(Stage stage, std::int64_t sequence, std::int64_t head) const {
    const Dims d = dims();
    const std::int64_t s = d.sequence_length, dh = d.head_dim();
    if (sequence < 0 || sequence >= d.batch) return {};
    if (has_heads(stage) && (head < 0 || head >= d.num_heads)) return {};
    const TensorPtr& numbers = tensor(stage);
    if (stage == Stage::Heads) {
        return view_of(numbers, sequence * s * 3 * d.embed_dim + head * 3 * dh, s, 3 * dh, 3 * d.embed_dim);
    }
    if (!is_square(stage)) {
        const std::int64_t columns = stage_shape(stage, d).back();
        const std::int64_t matrix = has_heads(stage) ? sequence * d.num_heads + head : sequence;
        return view_of(numbers, matrix * s * columns, s, columns, columns);
    }
    MatrixView view{.rows = s, .columns = s, .type = storage_type(request.precision)};
    if (stage != Stage::Mask) {
        const std::int64_t kept = sequence - first_kept;
        if (!numbers || kept < 0 || kept >= numbers->dim(0)) return {};
        view = view_of(numbers, (kept * d.num_heads + head) * s * s, s, s, s);
    }
    view.mask = mask->row(sequence, 0);
    if (stage == Stage::Masked) view.fill = effective_fill(request.fill, request.precision);
    return view;
}

const void* Trace::identity(Stage stage) const {
    return stage == Stage::Masked ? nullptr : tensor(stage).get();
}

TracePtr without_scores(const TracePtr& trace) {
    if (!trace->scores) return trace;
    auto rest = std::make_shared<Trace>(*trace);
    Shape shape = trace->scores->shape();
    shape.front() = 0;
    rest->scores = std::make_shared<const Tensor>(trace->scores->type(), std::move(shape));
    return rest;
}

}  // namespace headscope
