// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/layer_file.h"

#include <algorithm>
#include <charconv>

#include "core/base/memory.h"
#include "core/files/layer_input.h"
#include "core/files/layer_names.h"
#include "core/files/safetensors_file.h"

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

/// Concatenates the parts along the first axis.
template <typename T>
void append(const Tensor& part, Tensor& whole, std::int64_t at) {
    std::copy_n(part.data<T>(), part.size(), whole.data<T>() + at);
}
Tensor stacked(const std::vector<Tensor>& parts) {
    Shape shape = parts.front().shape();
    shape.front() *= static_cast<std::int64_t>(parts.size());
    Tensor whole(parts.front().type(), shape);
    std::int64_t at = 0;
    for (const Tensor& part : parts) {
        if (whole.type() == Tensor::Type::Float64) {
            append<double>(part, whole, at);
        } else {
            append<float>(part, whole, at);
        }
        at += part.size();
    }
    return whole;
}

/// Reorders the rows of a matrix, or the numbers of a vector, from [Q; K; V] blocks to interleaved by head.
template <typename T>
Tensor interleaved(const Tensor& blocks, std::int64_t embed_dim, std::int64_t num_heads) {
    Tensor result(blocks.type(), blocks.shape());
    const std::int64_t width = blocks.size() / blocks.dim(0);
    for (std::int64_t row = 0; row < blocks.dim(0); ++row)
        std::copy_n(blocks.data<T>() + block_row(row, embed_dim, num_heads) * width, width,
                    result.data<T>() + row * width);
    return result;
}
Tensor interleaved(const Tensor& blocks, std::int64_t embed_dim, std::int64_t num_heads) {
    return blocks.type() == Tensor::Type::Float64 ? interleaved<double>(blocks, embed_dim, num_heads)
                                                  : interleaved<float>(blocks, embed_dim, num_heads);
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

/// The layout, and what determined it.
struct Choice {
    Layout layout;
    std::string reason;
};

class LayerReader {
public:
    LayerReader(const TensorFile& source, LayerNames names, std::string path)
        : source_(source), names_(std::move(names)) {
        file_.path = std::move(path);
    }

    Result<LayerFile> read(std::optional<Layout> wanted) {
        auto choice = choose(wanted);
        if (!choice) return tl::unexpected(choice.error());
        file_.layout = choice->layout;
        if (auto done = check_weights(); !done) return tl::unexpected(done.error());
        if (auto done = read_metadata(); !done) return tl::unexpected(done.error());
        if (auto done = read_buffers(); !done) return tl::unexpected(done.error());
        const std::uint64_t numbers = 4 * static_cast<std::uint64_t>(file_.embed_dim) * (file_.embed_dim + 1);
        if (auto fits = require_memory(2 * numbers * sizeof(double), file_.path); !fits)
            return tl::unexpected(fits.error());
        fill();
        describe(choice->reason);
        if (auto done = read_layer_input(source_, file_); !done) return tl::unexpected(done.error());
        return std::move(file_);
    }

private:
    template <typename... Args>
    tl::unexpected<Error> bad(const std::string& text, const Args&... args) const {
        return fail(ErrorCode::FileContent, "{}: " + text, file_.path, args...);
    }
    const FileTensor& tensor(const std::string& name) const { return *source_.find(name); }
    bool separate() const { return names_.weights.size() == 3; }

    /// The layout that the user chose, else the metadata's, else that of the tensors' names.
    Result<Choice> choose(std::optional<Layout> wanted) const {
        Choice choice{names_.layout, phrase("by its name")};
        if (const auto stated = source_.metadata.find("layout"); stated != source_.metadata.end()) {
            const auto layout = parse_layout(stated->second);
            if (!layout)
                return bad("metadata layout is \"{}\"; interleaved, blocks, transposed or separate was expected",
                           stated->second);
            choice = {*layout, phrase("as its metadata says")};
        }
        if (wanted) choice = {*wanted, phrase("as chosen")};
        if (separate() != (choice.layout == Layout::Separate))
            return bad("layout {} doesn't go with {}; {}", to_string(choice.layout), names_.weights.front(),
                       separate() ? phrase("these weights are separate already")
                                  : phrase("this weight is fused: interleaved, blocks or transposed"));
        if (!separate() && names_.layout == Layout::Transposed && choice.reason == "by its name" && has_rows_of_three())
            choice = {Layout::Blocks, phrase("by its name and shape")};  // nanoGPT uses GPT-2's names for nn.Linear
        return choice;
    }

    bool has_rows_of_three() const {
        const Shape& shape = tensor(names_.weights.front()).shape;
        return shape.size() == 2 && shape[1] > 0 && shape[0] / 3 == shape[1] && shape[0] % 3 == 0;
    }

    Result<void> check_shape(const std::string& name, const Shape& expected, bool by_layout) const {
        const FileTensor& found = tensor(name);
        if (!found.is_floating()) return bad("{} is of type {}; F32, F64, F16 or BF16 was expected", name, found.dtype);
        if (found.shape == expected) return {};
        if (!by_layout)
            return bad("{} has the shape {}; {} was expected", name, to_string(found.shape), to_string(expected));
        return bad("{} has the shape {}; {} was expected in layout {}", name, to_string(found.shape),
                   to_string(expected), to_string(file_.layout));
    }

    /// Takes embed_dim from the first weight; the shapes of all others must agree with it.
    Result<void> check_weights() {
        const std::string& first = names_.weights.front();
        const Shape& shape = tensor(first).shape;
        const bool transposed = file_.layout == Layout::Transposed;
        file_.embed_dim = shape.size() == 2 ? shape[transposed ? 0 : 1] : 0;
        const std::int64_t e = file_.embed_dim;
        if (shape.size() != 2 || e < 1 || e > std::numeric_limits<std::int32_t>::max())
            return bad("{} has the shape {}; a matrix of embed_dim {} was expected", first, to_string(shape),
                       transposed ? phrase("rows") : phrase("columns"));
        for (const auto& name : names_.weights) {
            const Shape expected = separate() ? Shape{e, e} : transposed ? Shape{e, 3 * e} : Shape{3 * e, e};
            if (auto done = check_shape(name, expected, true); !done) return done;
        }
        for (const auto& name : names_.biases)
            if (source_.find(name))
                if (auto done = check_shape(name, {separate() ? e : 3 * e}, true); !done) return done;
        if (auto done = check_shape(names_.out_weight, {e, e}, false); !done) return done;
        return source_.find(names_.out_bias) ? check_shape(names_.out_bias, {e}, false) : Result<void>();
    }

    Result<std::optional<std::int64_t>> metadata_number(const char* key) const {
        const auto stated = source_.metadata.find(key);
        if (stated == source_.metadata.end()) return std::nullopt;
        const std::string& text = stated->second;
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc{} || end != text.data() + text.size() || number < 1)
            return bad("metadata {} is \"{}\"; a whole number from 1 on was expected", key, text);
        return number;
    }

    Result<void> read_metadata() {
        const auto embed_dim = metadata_number("embed_dim");
        if (!embed_dim) return tl::unexpected(embed_dim.error());
        if (*embed_dim && **embed_dim != file_.embed_dim)
            return bad("metadata embed_dim is {}, and {} has {}", **embed_dim, names_.weights.front(), file_.embed_dim);
        const auto num_heads = metadata_number("num_heads");
        if (!num_heads) return tl::unexpected(num_heads.error());
        file_.num_heads = *num_heads;
        if (const auto mask = source_.metadata.find("mask"); mask != source_.metadata.end()) file_.mask = mask->second;
        return {};
    }

    /// Reads what GPT-2 stores beside its weights: a mask and a fill value, which are constants rather than parameters.
    Result<void> read_buffers() {
        if (!names_.causal_buffer.empty()) {
            if (!is_causal(tensor(names_.causal_buffer)))
                return fail(ErrorCode::Unsupported, "{}: {} is not a causal mask; HeadScope does not compute with it",
                            file_.path, names_.causal_buffer);
            if (!file_.mask) file_.mask = "causal";
        }
        if (names_.fill_buffer.empty()) return {};
        const FileTensor& fill = tensor(names_.fill_buffer);
        if (fill.size() == 1 && fill.values().front() <= -1e4) return {};
        return fail(ErrorCode::Unsupported,
                    "{}: {} is not a fill value of at most -1e4; HeadScope does not compute with it", file_.path,
                    names_.fill_buffer);
    }

    Tensor weight(const std::string& name) const { return tensor(name).to_tensor(type_); }
    Tensor bias(const std::string& name, std::int64_t size) const {
        if (source_.find(name)) return weight(name);
        Tensor zeros(type_, {size});
        std::fill_n(static_cast<std::uint8_t*>(zeros.data<void>()), zeros.bytes(), std::uint8_t{0});
        return zeros;
    }

    /// Converts all tensors to one type: float64 if any of them has it.
    void fill() {
        std::vector<std::string> names = names_.weights;
        names.insert(names.end(), names_.biases.begin(), names_.biases.end());
        names.insert(names.end(), {names_.out_weight, names_.out_bias});
        const bool wide = std::any_of(names.begin(), names.end(), [this](const auto& name) {
            const FileTensor* found = source_.find(name);
            return found && found->dtype == "F64";
        });
        type_ = wide ? Tensor::Type::Float64 : Tensor::Type::Float32;

        std::vector<Tensor> weights, biases;
        for (const auto& name : names_.weights) weights.push_back(weight(name));
        for (const auto& name : names_.biases)
            biases.push_back(bias(name, separate() ? file_.embed_dim : 3 * file_.embed_dim));
        file_.fused_weight = separate() ? stacked(weights) : weights.front();
        file_.fused_bias = separate() ? stacked(biases) : biases.front();
        file_.out_weight = weight(names_.out_weight);
        file_.out_bias = bias(names_.out_bias, file_.embed_dim);
        if (file_.layout != Layout::Transposed) return;
        file_.fused_weight = turned(file_.fused_weight);
        if (names_.out_turned_by_name) file_.out_weight = turned(file_.out_weight);
    }

    void describe(const std::string& reason) {
        const auto meaning = [this] {
            switch (file_.layout) {
                case Layout::Interleaved:
                    return phrase("rows are interleaved by head, [q0 k0 v0 q1 k1 v1 ...]");
                case Layout::Blocks:
                    return phrase("rows are [Q; K; V] blocks, as in nn.MultiheadAttention");
                case Layout::Transposed:
                    return phrase("columns are [Q K V] blocks, as in GPT-2");
                case Layout::Separate:
                    break;
            }
            return phrase("separate projections of query, key and value");
        };
        auto& assumptions = file_.assumptions;
        assumptions.push_back(
            say("{}: {} ({})", fmt::format("{}", fmt::join(names_.weights, ", ")), meaning(), reason));
        if (file_.layout == Layout::Transposed)
            assumptions.push_back(names_.out_turned_by_name ? say("{} lies (in, out) too", names_.out_weight)
                                                            : say("{} lies (out, in)", names_.out_weight));
        const auto lacks = [this](const std::string& name) { return !source_.find(name); };
        if (lacks(names_.out_bias) || std::any_of(names_.biases.begin(), names_.biases.end(), lacks))
            assumptions.push_back(say("missing biases are zeros"));
        if (!names_.causal_buffer.empty())
            assumptions.push_back(say("{} is a causal mask, which holds where no mask is given", names_.causal_buffer));
        if (!names_.fill_buffer.empty())
            assumptions.push_back(say("{} is a fill value; the one that is set here is used", names_.fill_buffer));
        if (!names_.results.empty())
            assumptions.push_back(
                say("not read, because they are results: {}", fmt::format("{}", fmt::join(names_.results, ", "))));
    }

    const TensorFile& source_;
    LayerNames names_;
    LayerFile file_;
    Tensor::Type type_ = Tensor::Type::Float32;
};

}  // namespace

Result<LayerFilePtr> read_layer_file(const std::string& path, std::optional<Layout> layout) {
    auto opened = SafetensorsFile::open(path);
    if (!opened) return tl::unexpected(opened.error());
    std::vector<std::string> all;
    for (const TensorEntry& entry : opened->entries()) all.push_back(entry.name);
    auto names = find_layer_names(all, path);
    if (!names) return tl::unexpected(names.error());
    const auto source = opened->load(names->to_load());
    if (!source) return tl::unexpected(source.error());
    auto file = LayerReader(*source, std::move(*names), path).read(layout);
    if (!file) return tl::unexpected(file.error());
    return std::make_shared<const LayerFile>(std::move(*file));
}

Result<Layer> layer_from_file(const LayerFile& file, std::int64_t num_heads) {
    if (auto legal = check_heads(file.embed_dim, num_heads); !legal) return tl::unexpected(legal.error());
    if (file.layout == Layout::Interleaved)
        return Layer{file.embed_dim, num_heads, file.fused_weight, file.fused_bias, file.out_weight, file.out_bias};
    return Layer{file.embed_dim,
                 num_heads,
                 interleaved(file.fused_weight, file.embed_dim, num_heads),
                 interleaved(file.fused_bias, file.embed_dim, num_heads),
                 file.out_weight,
                 file.out_bias};
}

}  // namespace headscope
