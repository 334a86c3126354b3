// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/layer_input.h"

#include <algorithm>

#include "core/base/memory.h"
#include "core/files/json.h"

namespace headscope {
namespace {

using Lines = std::vector<std::vector<std::string>>;

class InputReader {
public:
    InputReader(const TensorFile& source, LayerFile& file) : source_(source), file_(file) {}

    Result<void> read() {
        const FileTensor* x = source_.find("x");
        if (!x) return {};
        const bool has_batch = x->shape.size() == 3;
        if ((!has_batch && x->shape.size() != 2) || x->shape.back() != file_.embed_dim)
            return bad("x has the shape {}; (S, {}) or (B, S, {}) was expected, as the layer has embed_dim {}",
                       to_string(x->shape), file_.embed_dim, file_.embed_dim, file_.embed_dim);
        if (!x->is_floating()) return bad("x is of type {}; F32, F64, F16 or BF16 was expected", x->dtype);
        sequences_ = has_batch ? x->shape[0] : 1;
        length_ = x->shape[x->shape.size() - 2];
        if (sequences_ == 0 || length_ == 0)
            return bad("x has the shape {}; one token at least was expected", to_string(x->shape));

        const auto type = x->dtype == "F64" ? Tensor::Type::Float64 : Tensor::Type::Float32;
        const auto bytes = static_cast<std::uint64_t>(x->size()) * (type == Tensor::Type::Float64 ? 8 : 4);
        if (auto fits = require_memory(bytes, file_.path); !fits) return fits;
        file_.x = x->to_tensor(type).reshaped({sequences_, length_, file_.embed_dim});
        return read_batch();
    }

private:
    template <typename... Args>
    tl::unexpected<Error> bad(const std::string& text, const Args&... args) const {
        return fail(ErrorCode::FileContent, "{}: " + text, file_.path, args...);
    }

    Result<void> read_batch() {
        const auto lengths = read_lengths();
        if (!lengths) return tl::unexpected(lengths.error());
        auto lines = source_.metadata.contains("tokens") ? read_tokens(*lengths) : indexes(*lengths);
        if (!lines) return tl::unexpected(lines.error());
        file_.batch.tokens = std::move(*lines);
        for (std::size_t b = 0; b < file_.batch.tokens.size(); ++b)
            for (std::int64_t i = 0; i < length_; ++i) {
                const bool real =
                    lengths->empty() ? file_.batch.tokens[b][static_cast<std::size_t>(i)] != kPad : i < (*lengths)[b];
                file_.batch.real.push_back(real);
            }
        return {};
    }

    /// The number of real tokens in each sequence; empty if the file does not contain it.
    Result<Shape> read_lengths() const {
        const FileTensor* tensor = source_.find("lengths");
        if (!tensor) return Shape{};
        if (tensor->dtype != "I64" && tensor->dtype != "I32")
            return bad("lengths is of type {}; I64 was expected", tensor->dtype);
        if (tensor->shape != Shape{sequences_})
            return bad("lengths has the shape {}; ({}) was expected, a number for each sequence of x",
                       to_string(tensor->shape), sequences_);
        Shape lengths;
        for (const double value : tensor->values()) {
            if (value < 0 || value > static_cast<double>(length_))
                return bad("lengths holds {}; 0 to {} was expected, as the sequences of x have the length {}", value,
                           length_, length_);
            lengths.push_back(static_cast<std::int64_t>(value));
        }
        return lengths;
    }

    /// Labels for a file without any.
    Result<Lines> indexes(const Shape& lengths) const {
        Lines lines(static_cast<std::size_t>(sequences_));
        for (std::size_t b = 0; b < lines.size(); ++b)
            for (std::int64_t i = 0; i < length_; ++i)
                lines[b].push_back(lengths.empty() || i < lengths[b] ? std::to_string(i) : std::string(kPad));
        return lines;
    }

    Result<Lines> read_tokens(const Shape& lengths) const {
        auto parsed = parse_json(source_.metadata.at("tokens"), file_.path + ", metadata tokens");
        if (!parsed) {  // the file itself is well-formed
            if (parsed.error().code == ErrorCode::FileFormat) parsed.error().code = ErrorCode::FileContent;
            return tl::unexpected(parsed.error());
        }
        const nlohmann::json& list = *parsed;
        if (!list.is_array()) return bad("metadata tokens isn't a JSON list");
        // One sequence may be a plain list.
        const bool plain =
            sequences_ == 1 && std::all_of(list.begin(), list.end(), [](const auto& t) { return t.is_string(); });
        const nlohmann::json nested = plain ? nlohmann::json::array({list}) : list;
        if (std::cmp_not_equal(nested.size(), sequences_))
            return bad("metadata tokens is for a batch of {}, and x for one of {}", nested.size(), sequences_);
        Lines lines;
        for (std::size_t b = 0; b < nested.size(); ++b) {
            auto line = read_line(nested[b], b, lengths.empty() ? length_ : lengths[b]);
            if (!line) return tl::unexpected(line.error());
            lines.push_back(std::move(*line));
        }
        return lines;
    }

    /// Checks that there are as many texts as x has tokens, or as many as are real; the rest is padding.
    Result<std::vector<std::string>> read_line(const nlohmann::json& list, std::size_t b, std::int64_t real) const {
        if (!list.is_array() || !std::all_of(list.begin(), list.end(), [](const auto& t) { return t.is_string(); }))
            return bad("metadata tokens must be a JSON list of texts for each sequence, and sequence {} isn't", b);
        if (std::cmp_not_equal(list.size(), length_) && std::cmp_not_equal(list.size(), real))
            return bad("sequence {} of metadata tokens has the length {}, and x has {}", b, list.size(), length_);
        auto line = list.get<std::vector<std::string>>();
        line.resize(static_cast<std::size_t>(length_), kPad);
        return line;
    }

    const TensorFile& source_;
    LayerFile& file_;
    std::int64_t sequences_ = 0, length_ = 0;
};

}  // namespace

Result<void> read_layer_input(const TensorFile& source, LayerFile& file) {
    return InputReader(source, file).read();
}

}  // namespace headscope
