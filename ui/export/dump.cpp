// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/dump.h"

#include <QByteArrayView>
#include <QFileInfo>
#include <QStorageInfo>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/attention/row_reader.h"
#include "core/attention/stages.h"
#include "core/base/memory.h"
#include "ui/export/export_format.h"
#include "ui/export/save_file.h"
#include "ui/export/tables.h"
#include "ui/state/draft.h"

namespace headscope {
namespace {

#define SENTENCE(text) QT_TRANSLATE_NOOP("Error", text)

bool isWide(const Trace& trace) {
    return storage_type(trace.request.precision) == Tensor::Type::Float64;
}

const void* dataOf(const Tensor& tensor) {
    return tensor.type() == Tensor::Type::Float64 ? static_cast<const void*>(tensor.data<double>())
                                                  : static_cast<const void*>(tensor.data<float>());
}

std::size_t bytesOf(const Tensor& tensor) {
    return static_cast<std::size_t>(tensor.size()) * (tensor.type() == Tensor::Type::Float64 ? 8 : 4);
}

TensorWriter writerOf(const char* name, const Tensor& tensor) {
    return {name, tensor.type() == Tensor::Type::Float64 ? "F64" : "F32", tensor.shape(), bytesOf(tensor),
            [tensor](const ByteSink& sink) { return sink(dataOf(tensor), bytesOf(tensor)); }};
}

/// A tensor of the layer, converted while it is written.
TensorWriter weightWriter(const char* name, const Tensor& tensor, Tensor::Type type) {
    const bool wide = type == Tensor::Type::Float64;
    return {name, wide ? "F64" : "F32", tensor.shape(), static_cast<std::uint64_t>(tensor.size()) * (wide ? 8 : 4),
            [tensor, type](const ByteSink& sink) {
                const Tensor converted = tensor.converted(type);
                return sink(dataOf(converted), bytesOf(converted));
            }};
}

/// Scores or weights, computed while they are written if the trace does not keep them.
TensorWriter squareWriter(const char* name, const Trace& trace, Stage stage) {
    const Dims dims = trace.dims();
    const std::int64_t size = dims.sequence_length;
    const Shape shape{dims.batch, dims.num_heads, size, size};
    const auto write = [&trace, stage, dims, size](const ByteSink& sink) {
        for (std::int64_t matrix = 0; matrix < dims.batch * dims.num_heads; ++matrix)
            for (std::int64_t row = 0; row < size; row += stages::kRowsAtOnce) {
                const std::int64_t count = std::min(stages::kRowsAtOnce, size - row);
                const Tensor rows = rows_of(trace, stage, matrix / dims.num_heads, matrix % dims.num_heads, row, count);
                if (!sink(dataOf(rows), bytesOf(rows))) return false;
            }
        return true;
    };
    const auto cells = static_cast<std::uint64_t>(dims.batch * dims.num_heads * size * size);
    return {name, isWide(trace) ? "F64" : "F32", shape, cells * (isWide(trace) ? 8 : 4), write};
}

TensorWriter maskWriter(const Trace& trace) {
    const std::int64_t batch = trace.dims().batch, size = trace.dims().sequence_length;
    const std::int64_t heads = trace.mask.one_for_all() ? 1 : trace.dims().num_heads;
    const auto write = [&trace, batch, heads, size](const ByteSink& sink) {
        std::vector<std::uint8_t> scratch(static_cast<std::size_t>(size));
        for (std::int64_t row = 0; row < batch * heads * size; ++row) {
            const Mask& mask = trace.mask.of(row / size % heads);
            const std::uint8_t* cells = mask.cells(row / size / heads, row % size, 0, size, scratch.data());
            if (!sink(cells, scratch.size())) return false;
        }
        return true;
    };
    return {"mask", "U8", {batch, heads, size, size}, static_cast<std::uint64_t>(batch * heads * size * size), write};
}

std::map<std::string, std::string> metadataOf(const Trace& trace) {
    const nlohmann::json tokens = trace.batch().tokens;
    std::map<std::string, std::string> metadata{{"config", configJson(trace.request)},
                                                {"tokens", tokens.dump()},
                                                {"num_heads", std::to_string(trace.request.num_heads)},
                                                {"mask", to_string(trace.request.mask)}};
    if (!trace.request.recording) metadata["layout"] = "interleaved";
    return metadata;
}

std::vector<TensorWriter> allWritersOf(const Trace& trace) {
    if (trace.request.recording)  // under the name of a recording, so that it can be opened again
        return {squareWriter("attention", trace, Stage::Weights), maskWriter(trace)};
    const Layer& layer = *trace.layer;
    const Tensor::Type type = storage_type(trace.request.precision);
    return {writerOf("x", *trace.x),
            weightWriter("qkv_proj.weight", layer.qkv_weight, type),
            weightWriter("qkv_proj.bias", layer.qkv_bias, type),
            weightWriter("out_proj.weight", layer.out_weight, type),
            weightWriter("out_proj.bias", layer.out_bias, type),
            writerOf("q", *trace.q),
            writerOf("k", *trace.k),
            writerOf("v", *trace.v),
            squareWriter("scores", trace, Stage::Scores),
            maskWriter(trace),
            squareWriter("weights", trace, Stage::Weights),
            writerOf("context", *trace.context),
            writerOf("output", *trace.output)};
}

/// Those of the names; of none, all.
std::vector<TensorWriter> writersOf(const Trace& trace, const std::vector<std::string>& names) {
    std::vector<TensorWriter> writers = allWritersOf(trace);
    std::erase_if(writers, [&](const TensorWriter& writer) {
        return !names.empty() && std::find(names.begin(), names.end(), writer.name) == names.end();
    });
    return writers;
}

std::uint64_t bytesOf(const std::vector<TensorWriter>& writers) {
    std::uint64_t bytes = 0;
    for (const TensorWriter& writer : writers) bytes += writer.bytes;
    return bytes;
}

}  // namespace

std::uint64_t dumpBytes(const Trace& trace) {
    return bytesOf(allWritersOf(trace));
}

Result<void> writeDump(const QString& path, const Trace& trace, const std::atomic<bool>* cancel,
                       std::atomic<double>* done, const std::vector<std::string>& names) {
    const std::vector<TensorWriter> writers = writersOf(trace, names);
    const std::uint64_t all = bytesOf(writers);
    const QStorageInfo disk(QFileInfo(path).absolutePath());
    if (disk.isValid() && all > static_cast<std::uint64_t>(std::max<qint64>(disk.bytesAvailable(), 0)))
        return fail(ErrorCode::FileUnwritable,
                    SENTENCE("{} takes {}, but its disk has {} free; choose another folder, or fewer tokens or heads"),
                    path.toStdString(), format_bytes(all),
                    format_bytes(static_cast<std::uint64_t>(std::max<qint64>(disk.bytesAvailable(), 0))));
    return saveFile(path, [&](QIODevice& device) -> Result<void> {
        double written = 0;
        const auto sink = [&](const void* bytes, std::size_t count) {
            const auto size = static_cast<qsizetype>(count);
            written += static_cast<double>(count);
            if (done) *done = std::min(1.0, written / static_cast<double>(all));
            return !(cancel && *cancel) && writeAll(device, QByteArrayView(static_cast<const char*>(bytes), size));
        };
        if (formatOf(path)->tensors(writers, metadataOf(trace), sink)) return {};
        if (cancel && *cancel) return fail(ErrorCode::Cancelled, SENTENCE("cancelled"));
        return fail(ErrorCode::FileUnwritable, SENTENCE("the file can't be written"));  // saveFile() reports the reason
    });
}

}  // namespace headscope
