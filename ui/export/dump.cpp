// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/dump.h"

#include <QByteArrayView>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/base/memory.h"
#include "core/base/sentence.h"
#include "core/files/npz_file.h"
#include "core/files/safetensors_file.h"
#include "ui/export/export_format.h"
#include "ui/export/save_file.h"
#include "ui/export/tables.h"

namespace headscope {
namespace {

#define SENTENCE(text) QT_TRANSLATE_NOOP("Error", text)

/// Bytes of all S×S tensors of the whole batch.
Result<std::uint64_t> squareBytes(const Trace& trace) {
    const Dims dims = trace.dims();
    const std::int64_t number = storage_type(trace.request.precision) == Tensor::Type::Float64 ? 8 : 4;
    const auto cells = checked_product({dims.batch, dims.num_heads, dims.sequence_length, dims.sequence_length});
    if (!cells) return tl::unexpected(cells.error());
    const auto bytes = checked_product({*cells, 2 * number + 1});
    if (!bytes) return tl::unexpected(bytes.error());
    return static_cast<std::uint64_t>(*bytes);
}

/// Concatenates the tensors of the sequences into (B,H,S,S).
FileTensor wholeBatch(const Trace& trace, const std::vector<FileTensor>& parts) {
    const Dims dims = trace.dims();
    FileTensor whole{parts.front().dtype, {dims.batch, dims.num_heads, dims.sequence_length, dims.sequence_length}, {}};
    for (const FileTensor& part : parts) whole.bytes.insert(whole.bytes.end(), part.bytes.begin(), part.bytes.end());
    return whole;
}

/// The slice of one sequence in a tensor of the kept sequences.
FileTensor sequencePart(const Trace& kept, const Tensor& tensor, int sequence) {
    FileTensor all = FileTensor::from(tensor);
    const auto size = all.bytes.size() / static_cast<std::size_t>(tensor.dim(0));
    const auto first =
        all.bytes.begin() + static_cast<std::ptrdiff_t>(size) * static_cast<std::ptrdiff_t>(sequence - kept.first_kept);
    return {all.dtype, {}, std::vector<std::uint8_t>(first, first + static_cast<std::ptrdiff_t>(size))};
}

struct Squares {
    FileTensor scores, weights;
};

Result<Squares> squaresOf(const Trace& trace, const std::atomic<bool>* cancel) {
    const std::int64_t batch = trace.dims().batch;
    if (trace.scores && trace.scores->dim(0) == batch && trace.weights->dim(0) == batch)
        return Squares{FileTensor::from(*trace.scores), FileTensor::from(*trace.weights)};
    std::vector<FileTensor> scores, weights;
    for (int sequence = 0; sequence < batch; ++sequence) {
        const auto kept = traceOf(trace, sequence, cancel);
        if (!kept) return tl::unexpected(kept.error());
        scores.push_back(sequencePart(**kept, *(*kept)->scores, sequence));
        weights.push_back(sequencePart(**kept, *(*kept)->weights, sequence));
    }
    return Squares{wholeBatch(trace, scores), wholeBatch(trace, weights)};
}

/// The weights of one layer of a recording, for all sequences.
Result<FileTensor> recordedWeights(const Trace& trace, const std::atomic<bool>* cancel) {
    std::vector<FileTensor> parts;
    for (int sequence = 0; sequence < trace.dims().batch; ++sequence) {
        const auto kept = traceOf(trace, sequence, cancel);
        if (!kept) return tl::unexpected(kept.error());
        if (!(*kept)->weights)
            return fail(ErrorCode::OutOfMemory, SENTENCE("the {} of one sequence are too large to be written"),
                        to_string(Stage::Weights));
        parts.push_back(sequencePart(**kept, *(*kept)->weights, sequence));
    }
    return wholeBatch(trace, parts);
}

FileTensor maskTensor(const Trace& trace) {
    const std::int64_t batch = trace.dims().batch, size = trace.dims().sequence_length;
    std::vector<std::uint8_t> cells;
    cells.reserve(static_cast<std::size_t>(batch * size * size));
    for (std::int64_t b = 0; b < batch; ++b) {
        const std::uint8_t* first = trace.mask->row(b, 0);
        cells.insert(cells.end(), first, first + size * size);
    }
    return FileTensor::from_u8({batch, 1, size, size}, std::move(cells));
}

std::map<std::string, std::string> metadataOf(const Trace& trace) {
    const nlohmann::json tokens = trace.batch().tokens;
    return {{"config", configJson(trace.request)},
            {"tokens", tokens.dump()},
            {"num_heads", std::to_string(trace.request.num_heads)},
            {"layout", "interleaved"},
            {"mask", to_string(trace.request.mask)}};
}

}  // namespace

Result<TensorFile> dumpOf(const Trace& trace, const std::atomic<bool>* cancel) {
    const auto bytes = squareBytes(trace);
    if (!bytes) return tl::unexpected(bytes.error());
    // Three copies exist at once: the gathered parts, the concatenated tensors and the encoded file.
    if (auto fits = require_memory(3 * *bytes, phrase("a dump of every tensor")); !fits)
        return tl::unexpected(fits.error());
    if (trace.request.recording) {  // under the name of a recording, so that it can be opened again
        auto weights = recordedWeights(trace, cancel);
        if (!weights) return tl::unexpected(weights.error());
        TensorFile recorded{{{"attention", std::move(*weights)}, {"mask", maskTensor(trace)}}, metadataOf(trace)};
        recorded.metadata.erase("layout");
        return recorded;
    }
    auto squares = squaresOf(trace, cancel);
    if (!squares) return tl::unexpected(squares.error());
    const Layer& layer = *trace.layer;
    TensorFile file;
    const auto add = [&](const char* name, FileTensor tensor) { file.tensors.emplace_back(name, std::move(tensor)); };
    const Tensor::Type type = storage_type(trace.request.precision);
    add("x", FileTensor::from(*trace.x));
    add("qkv_proj.weight", FileTensor::from(layer.qkv_weight.converted(type)));
    add("qkv_proj.bias", FileTensor::from(layer.qkv_bias.converted(type)));
    add("out_proj.weight", FileTensor::from(layer.out_weight.converted(type)));
    add("out_proj.bias", FileTensor::from(layer.out_bias.converted(type)));
    add("q", FileTensor::from(*trace.q));
    add("k", FileTensor::from(*trace.k));
    add("v", FileTensor::from(*trace.v));
    add("scores", std::move(squares->scores));
    add("mask", maskTensor(trace));
    add("weights", std::move(squares->weights));
    add("context", FileTensor::from(*trace.context));
    add("output", FileTensor::from(*trace.output));
    file.metadata = metadataOf(trace);
    return file;
}

Result<void> writeDump(const QString& path, const Trace& trace, const std::atomic<bool>* cancel) {
    const auto file = dumpOf(trace, cancel);
    if (!file) return tl::unexpected(file.error());
    const auto bytes = formatOf(path)->tensors(*file);
    if (!bytes) return tl::unexpected(bytes.error());
    return saveFile(path, QByteArrayView(bytes->data(), static_cast<qsizetype>(bytes->size())));
}

}  // namespace headscope
