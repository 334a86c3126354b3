// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/row_reader.h"

#include <algorithm>
#include <numeric>

#include "core/attention/recorded.h"
#include "core/attention/stages.h"
#include "core/attention/tile_numbers.h"

namespace headscope {

namespace {

template <typename T>
void copy_rows(const MatrixView& matrix, std::int64_t first, std::int64_t count, T* out) {
    for (std::int64_t i = first; i < first + count; ++i) {
        const T* row = static_cast<const T*>(matrix.data) + i * matrix.stride;
        std::copy_n(row, matrix.columns, out);
        for (std::int64_t j = 0; matrix.fill && j < matrix.columns; ++j) {
            if (matrix.masked(i, j)) out[j] = static_cast<T>(*matrix.fill);
        }
        out += matrix.columns;
    }
}

}  // namespace

bool has_rows(const Trace& trace, Stage stage, std::int64_t sequence, std::int64_t head) {
    const Dims dims = trace.dims();
    if (sequence < 0 || sequence >= dims.batch) return false;
    if (has_heads(stage, trace.request) && (head < 0 || head >= dims.num_heads)) return false;
    if (trace.matrix(stage, sequence, head)) return true;
    if (!is_square(stage) || !trace.mask) return false;
    if (trace.request.source == WeightSource::Recording) return has_stage(trace.request, stage);
    return stage == Stage::Mask || (trace.q && trace.k && (stage != Stage::Weights || trace.row_sums));
}

Tensor rows_of(const Trace& trace, Stage stage, std::int64_t sequence, std::int64_t head, std::int64_t first,
               std::int64_t count) {
    const std::int64_t size = trace.dims().sequence_length;
    Tensor rows(storage_type(trace.request.precision), {count, size});
    const auto write = [&](auto* out) {
        using T = std::remove_pointer_t<decltype(out)>;
        if (const MatrixView matrix = trace.matrix(stage, sequence, head)) {
            copy_rows(matrix, first, count, out);
        } else if (trace.request.source == WeightSource::Recording) {
            recorded_rows(trace, sequence, head, first, count, out);
        } else {
            TileNumbers<T> numbers(trace, stage, sequence, head);
            std::vector<std::int64_t> queries(static_cast<std::size_t>(count));
            std::iota(queries.begin(), queries.end(), first);
            numbers.prepare(queries, nullptr);
            numbers.compute_rows({sequence, first, count, 0, size}, out);
        }
    };
    rows.type() == Tensor::Type::Float64 ? write(rows.data<double>()) : write(rows.data<float>());
    return rows;
}

std::vector<double> row_of(const Trace& trace, Stage stage, std::int64_t sequence, std::int64_t head,
                           std::int64_t query) {
    if (!is_square(stage) || stage == Stage::Mask) return RowReader(trace, stage, sequence, head).row(query);
    const Tensor row = rows_of(trace, stage, sequence, head, query, 1);
    std::vector<double> values(static_cast<std::size_t>(row.size()));
    for (std::int64_t j = 0; j < row.size(); ++j) values[static_cast<std::size_t>(j)] = row.value(j);
    return values;
}

double cell_of(const Trace& trace, Stage stage, std::int64_t sequence, std::int64_t head, std::int64_t query,
               std::int64_t column) {
    if (const MatrixView matrix = trace.matrix(stage, sequence, head)) return matrix.at(query, column);
    if (stage == Stage::Mask) return trace.mask.of(head).allowed(sequence, query, column) ? 1 : 0;
    return rows_of(trace, stage, sequence, head, query, 1).value(column);
}

RowReader::RowReader(const Trace& trace, Stage stage, std::int64_t sequence, std::int64_t head)
    : trace_(trace),
      stage_(stage),
      sequence_(sequence),
      head_(head),
      size_(trace.dims().sequence_length),
      columns_(stage_shape(stage, trace.dims()).back()),
      kept_(trace.matrix(stage, sequence, head)) {
    if (stage == Stage::Heads) columns_ = kept_.columns;
    row_.resize(static_cast<std::size_t>(columns_));
    if (is_square(stage)) cells_.resize(row_.size());
}

const std::vector<double>& RowReader::row(std::int64_t query) {
    if (kept_) {
        for (std::int64_t j = 0; j < columns_; ++j) row_[static_cast<std::size_t>(j)] = kept_.at(query, j);
    } else if (stage_ == Stage::Mask) {
        std::copy_n(allowed(query), columns_, row_.begin());
    } else if (is_square(stage_)) {
        const std::int64_t first = query / stages::kRowsAtOnce * stages::kRowsAtOnce;
        if (block_.size() == 0 || first != first_) {
            first_ = first;
            block_ = rows_of(trace_, stage_, sequence_, head_, first, std::min(stages::kRowsAtOnce, size_ - first));
        }
        for (std::int64_t j = 0; j < columns_; ++j) {
            row_[static_cast<std::size_t>(j)] = block_.value((query - first) * columns_ + j);
        }
    } else {
        row_.clear();
    }
    return row_;
}

const std::uint8_t* RowReader::allowed(std::int64_t query) {
    return is_square(stage_) ? trace_.mask.of(head_).cells(sequence_, query, 0, size_, cells_.data()) : nullptr;
}

}  // namespace headscope
