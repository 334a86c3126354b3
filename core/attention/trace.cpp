// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/trace.h"

#include "core/attention/stage_type.h"

namespace headscope {

double MatrixView::at(std::int64_t row, std::int64_t column) const {
    const bool is_masked = masked(row, column);
    if (fill && is_masked) return *fill;
    if (!data) return is_masked ? 0 : 1;
    const std::int64_t place = row * stride + column;
    return type == Tensor::Type::Float64 ? static_cast<const double*>(data)[place]
                                         : static_cast<double>(static_cast<const float*>(data)[place]);
}

bool has_stage(const Request& request, Stage stage) {
    return request.source != WeightSource::Recording || stage == Stage::Weights || stage == Stage::Mask;
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
    if (stage == Stage::HeadContext && !head_context) return context;
    const auto member = type_of(stage).tensor;
    return member ? this->*member : none;
}

bool Trace::keeps(Stage stage) const {
    const TensorPtr& numbers = tensor(stage);
    return numbers && numbers->size() > 0;
}

MatrixView Trace::matrix(Stage stage, std::int64_t sequence, std::int64_t head) const {
    const Dims d = dims();
    const std::int64_t s = d.sequence_length, dh = d.head_dim();
    if (sequence < 0 || sequence >= d.batch) return {};
    if (has_heads(stage, request) && (head < 0 || head >= d.num_heads)) return {};
    const TensorPtr& numbers = tensor(stage);
    if (stage == Stage::Heads) {
        return view_of(numbers, sequence * s * 3 * d.embed_dim + head * 3 * dh, s, 3 * dh, 3 * d.embed_dim);
    }
    if (stage == Stage::HeadContext && !head_context) {
        return view_of(context, sequence * s * d.embed_dim + head * dh, s, dh, d.embed_dim);
    }
    if (!is_square(stage)) {
        const std::int64_t columns = stage_shape(stage, d).back();
        const std::int64_t matrix = has_heads(stage, request) ? sequence * d.num_heads + head : sequence;
        return view_of(numbers, matrix * s * columns, s, columns, columns);
    }
    MatrixView view{.rows = s, .columns = s, .type = storage_type(request.precision)};
    if (stage != Stage::Mask) {
        const std::int64_t kept = sequence - first_kept;
        if (!numbers || kept < 0 || kept >= numbers->dim(0)) return {};
        view = view_of(numbers, (kept * d.num_heads + head) * s * s, s, s, s);
    }
    if (!mask.stores_cells()) return {};
    view.mask = mask.of(head).row(sequence, 0);
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
