// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/layer_file.h"

#include <algorithm>
#include <tuple>

#include "core/base/memory.h"
#include "core/files/layer_input.h"
#include "core/files/model_file.h"

namespace headscope {
namespace {

/// Transposes a matrix of any shape.
template <typename T>
Tensor turned(const Tensor& matrix) {
    const std::int64_t rows = matrix.dim(0), columns = matrix.dim(1);
    Tensor result(matrix.type(), {columns, rows});
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c) result.data<T>()[c * rows + r] = matrix.data<T>()[r * columns + c];
    return result;
}
Tensor turned(const Tensor& matrix) {
    return matrix.type() == Tensor::Type::Float64 ? turned<double>(matrix) : turned<float>(matrix);
}

/// Copies all numbers of a part into a tensor of the same type.
void copy(const Tensor& part, Tensor& whole, std::int64_t at) {
    if (whole.type() == Tensor::Type::Float64) {
        std::copy_n(part.data<double>(), part.size(), whole.data<double>() + at);
    } else {
        std::copy_n(part.data<float>(), part.size(), whole.data<float>() + at);
    }
}

/// The row of the file for each row of the interleaved weight.
class RowOrder {
public:
    RowOrder(const LayerFile& file, std::int64_t num_heads)
        : layout_(file.layout),
          embed_dim_(file.embed_dim),
          kv_dim_((file.fused_weight.dim(0) - file.embed_dim) / 2),
          head_dim_(file.embed_dim / num_heads),
          group_(embed_dim_ / kv_dim_) {}

    bool is_interleaved() const { return layout_ == Layout::Interleaved && group_ == 1; }
    std::int64_t operator()(std::int64_t row) const {
        const std::int64_t block = block_row(row, embed_dim_, embed_dim_ / head_dim_);
        const std::int64_t part = block / embed_dim_, head = block % embed_dim_ / head_dim_, i = block % head_dim_;
        const std::int64_t shared = head / group_;  // the key/value head of this query head
        if (layout_ == Layout::Interleaved) {
            const std::int64_t place = part == 0 ? head % group_ : group_ + part - 1;
            return (shared * (group_ + 2) + place) * head_dim_ + i;
        }
        return part == 0 ? block : embed_dim_ + (part - 1) * kv_dim_ + shared * head_dim_ + i;
    }

private:
    Layout layout_;
    std::int64_t embed_dim_, kv_dim_, head_dim_, group_;
};

/// The rows of a matrix, or the numbers of a vector, in another order.
template <typename T>
Tensor ordered(const Tensor& rows, std::int64_t count, const RowOrder& order) {
    Shape shape = rows.shape();
    shape.front() = count;
    Tensor result(rows.type(), shape);
    const std::int64_t width = rows.size() / rows.dim(0);
    for (std::int64_t row = 0; row < count; ++row)
        std::copy_n(rows.data<T>() + order(row) * width, width, result.data<T>() + row * width);
    return result;
}
Tensor ordered(const Tensor& rows, std::int64_t count, const RowOrder& order) {
    return rows.type() == Tensor::Type::Float64 ? ordered<double>(rows, count, order)
                                                : ordered<float>(rows, count, order);
}

/// True for a tensor (1,…,1,S,S) that is nonzero exactly where key <= query.
bool is_causal(const FileTensor& buffer) {
    const Shape& shape = buffer.shape;
    if (shape.size() < 2 || shape.back() != shape[shape.size() - 2] || buffer.size() != shape.back() * shape.back())
        return false;
    const std::int64_t size = shape.back();
    const std::vector<double> values = buffer.values();
    for (std::int64_t cell = 0; cell < size * size; ++cell)
        if ((values[static_cast<std::size_t>(cell)] != 0) != (cell % size <= cell / size)) return false;
    return true;
}

class LayerReader {
public:
    LayerReader(TensorSource& source, const LayerNames& names, LayerInfo info) : source_(source), names_(names) {
        static_cast<LayerInfo&>(file_) = std::move(info);
    }

    Result<LayerFile> read() {
        const auto e = static_cast<std::uint64_t>(file_.embed_dim);
        return read_buffers()
            .and_then([&] { return require_memory(8 * e * (e + 1) * sizeof(double), file_.path); })
            .and_then([this] { return read_weights(); })
            .and_then([this] { return read_input(); })
            .map([this] { return std::move(file_); });
    }

private:
    bool has(const std::string& name) const { return source_.find(name) != nullptr; }

    /// Reads what GPT-2 stores beside its weights: a mask and a fill value, which are constants rather than parameters.
    Result<void> read_buffers() {
        if (!names_.causal_buffer.empty()) {
            const auto buffer = source_.read(names_.causal_buffer);
            if (!buffer) return tl::unexpected(buffer.error());
            if (!is_causal(*buffer))
                return fail(ErrorCode::Unsupported, "{}: {} is not a causal mask; HeadScope does not compute with it",
                            file_.path, names_.causal_buffer);
            if (!file_.mask) file_.mask = "causal";
        }
        if (names_.fill_buffer.empty()) return {};
        const auto fill = source_.read(names_.fill_buffer);
        if (!fill) return tl::unexpected(fill.error());
        if (fill->size() == 1 && fill->values().front() <= -1e4) return {};
        return fail(ErrorCode::Unsupported,
                    "{}: {} is not a fill value of at most -1e4; HeadScope does not compute with it", file_.path,
                    names_.fill_buffer);
    }

    /// Reads tensors one after the other into one, stacked along the first axis; missing ones are zeros. Each is freed
    /// before the next is read.
    Result<Tensor> stacked(const std::vector<std::string>& names, const Shape& shape) {
        Tensor whole(type_, shape);
        std::fill_n(static_cast<std::uint8_t*>(whole.data<void>()), whole.bytes(), std::uint8_t{0});
        // Where a bias is missing, the next one's place follows from the weights.
        std::int64_t at = 0;
        for (std::size_t part = 0; part < names.size(); ++part) {
            const std::int64_t rows = names.size() == 1 ? shape[0] : part == 0 ? file_.embed_dim : file_.kv_dim;
            if (has(names[part])) {
                const auto tensor = source_.read(names[part]);
                if (!tensor) return tl::unexpected(tensor.error());
                copy(tensor->to_tensor(type_), whole, at);
            }
            at += whole.size() / shape[0] * rows;
        }
        return whole;
    }

    /// Converts all tensors to one type: float64 if any of them has it.
    Result<void> read_weights() {
        std::vector<std::string> names = names_.weights;
        names.insert(names.end(), names_.biases.begin(), names_.biases.end());
        names.insert(names.end(), {names_.out_weight, names_.out_bias});
        const bool wide = std::any_of(names.begin(), names.end(), [this](const auto& name) {
            const TensorEntry* found = source_.find(name);
            return found && found->dtype == "F64";
        });
        type_ = wide ? Tensor::Type::Float64 : Tensor::Type::Float32;

        const std::int64_t e = file_.embed_dim, rows = e + 2 * file_.kv_dim;
        const bool transposed = file_.layout == Layout::Transposed;
        const std::tuple<Tensor*, std::vector<std::string>, Shape> parts[] = {
            {&file_.fused_weight, names_.weights, transposed ? Shape{e, rows} : Shape{rows, e}},
            {&file_.fused_bias, names_.biases, {rows}},
            {&file_.out_weight, {names_.out_weight}, {e, e}},
            {&file_.out_bias, {names_.out_bias}, {e}}};
        for (const auto& [into, part, shape] : parts) {
            auto tensor = stacked(part, shape);
            if (!tensor) return tl::unexpected(tensor.error());
            *into = std::move(*tensor);
        }
        if (!transposed) return {};
        file_.fused_weight = turned(file_.fused_weight);
        // GPT-2's c_proj is stored (in, out) if its c_attn is.
        if (names_.out_weight.ends_with("c_proj.weight")) file_.out_weight = turned(file_.out_weight);
        return {};
    }

    Result<void> read_input() {
        TensorFile input{{}, source_.metadata()};
        for (const std::string name : {"x", "lengths"}) {
            if (!has(name)) continue;
            auto tensor = source_.read(name);
            if (!tensor) return tl::unexpected(tensor.error());
            input.tensors.emplace_back(name, std::move(*tensor));
        }
        return read_layer_input(input, file_);
    }

    TensorSource& source_;
    const LayerNames& names_;
    LayerFile file_;
    Tensor::Type type_ = Tensor::Type::Float32;
};

}  // namespace

Result<LayerFilePtr> read_layer_file(const std::string& path, std::optional<Layout> layout, const std::string& layer) {
    auto model = ModelFile::open(path);
    if (!model) return tl::unexpected(model.error());
    const auto place = model->find(layer);
    if (!place) return tl::unexpected(place.error());
    auto info = model->look(*place, layout);
    if (!info) return tl::unexpected(info.error());
    auto file = LayerReader(model->source(), model->layers()[*place], std::move(*info)).read();
    if (!file) return tl::unexpected(file.error());
    for (const LayerNames& names : model->layers()) file->layers.push_back(names.title());
    file->number = *place;
    return std::make_shared<const LayerFile>(std::move(*file));
}

Result<Layer> layer_from_file(const LayerFile& file, std::int64_t num_heads) {
    if (auto legal = check_heads(file, num_heads); !legal) return tl::unexpected(legal.error());
    const RowOrder order(file, num_heads);
    if (order.is_interleaved())
        return Layer{file.embed_dim, num_heads, file.fused_weight, file.fused_bias, file.out_weight, file.out_bias};
    const std::int64_t rows = 3 * file.embed_dim;
    return Layer{
        file.embed_dim,  num_heads,    ordered(file.fused_weight, rows, order), ordered(file.fused_bias, rows, order),
        file.out_weight, file.out_bias};
}

}  // namespace headscope
