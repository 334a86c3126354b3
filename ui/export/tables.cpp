// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/tables.h"

#include <QIODevice>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/attention/compute.h"
#include "core/files/recording.h"
#include "ui/export/dump.h"
#include "ui/export/export_format.h"
#include "ui/export/save_file.h"
#include "ui/state/draft.h"

namespace headscope {
namespace {

#define SENTENCE(text) QT_TRANSLATE_NOOP("Error", text)

using Json = nlohmann::ordered_json;

/// A buffer that writes text to a file in large pieces.
class TextSink {
public:
    TextSink(QIODevice& device, const std::atomic<bool>* cancel) : device_(device), cancel_(cancel) {}
    TextSink& operator<<(std::string_view text) {
        buffer_ += text;
        return *this;
    }
    /// Called between rows. False if the write failed or was cancelled.
    bool flush(std::size_t beyond = 1 << 18) {
        if (buffer_.size() >= beyond) {
            ok_ = ok_ && writeAll(device_, QByteArrayView(buffer_.data(), static_cast<qsizetype>(buffer_.size())));
            buffer_.clear();
        }
        return ok_ && !(cancel_ && *cancel_);
    }
    Result<void> finish() {
        if (flush(0)) return {};
        if (ok_) return fail(ErrorCode::Cancelled, SENTENCE("cancelled"));
        return fail(ErrorCode::FileUnwritable, SENTENCE("the file can't be written"));  // saveFile() reports the reason
    }

private:
    QIODevice& device_;
    const std::atomic<bool>* cancel_;
    std::string buffer_;
    bool ok_ = true;
};

std::vector<int> chosen(const std::optional<int>& one, std::int64_t count) {
    std::vector<int> numbers(one ? 1 : static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), one.value_or(0));
    return numbers;
}

/// Quotes a field by RFC 4180 if it contains a comma, quote or line end.
std::string csvField(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

Result<void> csvInto(TextSink& sink, const Trace& trace, const TableChoice& choice, const std::atomic<bool>* cancel) {
    const bool keys = is_square(choice.stage);
    sink << (keys ? "sequence,head,query,key,query_token,key_token,value\r\n"
                  : "sequence,head,query,dim,query_token,value\r\n");
    for (const int sequence : chosen(choice.sequence, trace.dims().batch)) {
        const auto kept = traceOf(trace, sequence, cancel);
        if (!kept) return tl::unexpected(kept.error());
        std::vector<std::string> tokens;
        for (const std::string& token : trace.batch().tokens[static_cast<std::size_t>(sequence)])
            tokens.push_back(csvField(token));
        for (const int head : chosen(choice.head, has_heads(choice.stage) ? trace.dims().num_heads : 1)) {
            const MatrixView matrix = (*kept)->matrix(choice.stage, sequence, head);
            for (std::int64_t i = 0; i < matrix.rows; ++i) {
                const std::string& query = tokens[static_cast<std::size_t>(i)];
                const std::string row = fmt::format("{},{},{},", sequence, head, i);
                for (std::int64_t j = 0; j < matrix.columns; ++j) {
                    sink << row << std::to_string(j) << "," << query << ",";
                    if (keys) sink << tokens[static_cast<std::size_t>(j)] << ",";
                    sink << numberText(matrix.at(i, j), matrix.type) << "\r\n";
                }
                if (!sink.flush()) return sink.finish();
            }
        }
    }
    return sink.finish();
}

void writeJsonNumber(TextSink& sink, double value, Tensor::Type type) {
    const std::string text = numberText(value, type);
    if (std::isfinite(value)) {
        sink << text;
    } else {
        sink << "\"" << text << "\"";
    }
}

Json tokensOf(const Trace& trace, const std::vector<int>& sequences) {
    Json tokens = Json::array();
    for (const int sequence : sequences) tokens.push_back(trace.batch().tokens[static_cast<std::size_t>(sequence)]);
    return tokens;
}

Result<void> jsonInto(TextSink& sink, const Trace& trace, const TableChoice& choice, const std::atomic<bool>* cancel) {
    const std::vector<int> sequences = chosen(choice.sequence, trace.dims().batch);
    Json config = Json::parse(configJson(trace.request));
    config["sequence"] = choice.sequence ? Json(*choice.sequence) : Json("all");
    config["head"] = choice.head ? Json(*choice.head) : Json("all");
    sink << "{\"config\":" << config.dump() << ",\n\"tokens\":" << tokensOf(trace, sequences).dump()
         << ",\n\"stage\":\"" << to_string(choice.stage) << "\",\n\"data\":[";
    for (const int sequence : sequences) {
        const auto kept = traceOf(trace, sequence, cancel);
        if (!kept) return tl::unexpected(kept.error());
        sink << (sequence == sequences.front() ? "[" : ",\n[");
        const std::vector<int> heads = chosen(choice.head, has_heads(choice.stage) ? trace.dims().num_heads : 1);
        for (const int head : heads) {
            const MatrixView matrix = (*kept)->matrix(choice.stage, sequence, head);
            sink << (head == heads.front() ? "[" : ",\n[");
            for (std::int64_t i = 0; i < matrix.rows; ++i) {
                sink << (i == 0 ? "[" : ",\n[");
                for (std::int64_t j = 0; j < matrix.columns; ++j) {
                    if (j > 0) sink << ",";
                    writeJsonNumber(sink, matrix.at(i, j), matrix.type);
                }
                sink << "]";
                if (!sink.flush()) return sink.finish();
            }
            sink << "]";
        }
        sink << "]";
    }
    sink << "]}\n";
    return sink.finish();
}

Result<void> checkChoice(const Trace& trace, const TableChoice& choice) {
    const auto within = [](const std::optional<int>& number, std::int64_t count) {
        return !number || (*number >= 0 && *number < count);
    };
    if (!within(choice.sequence, trace.dims().batch))
        return fail(ErrorCode::InvalidValue, SENTENCE("there is no sequence {}; the sequences are 0 to {}"),
                    *choice.sequence, trace.dims().batch - 1);
    if (!within(choice.head, trace.dims().num_heads))
        return fail(ErrorCode::InvalidValue, SENTENCE("there is no head {}; the heads are 0 to {}"), *choice.head,
                    trace.dims().num_heads - 1);
    if (!has_stage(trace.request, choice.stage))
        return fail(ErrorCode::InvalidValue, SENTENCE("there is no stage {} in a recording; it has weights and mask"),
                    to_string(choice.stage));
    return {};
}

}  // namespace

std::string numberText(double value, Tensor::Type type) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    char text[32];
    const auto end = type == Tensor::Type::Float32
                         ? std::to_chars(text, text + sizeof text, static_cast<float>(value)).ptr
                         : std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

std::string configJson(const Request& request) {
    const auto chunk = [](const std::optional<std::int64_t>& size) { return size ? Json(*size) : Json("whole"); };
    Json config;
    if (request.recording) {
        config["recording"] = request.recording->path();
        config["layer"] = request.recorded_layer;
        config["num_heads"] = request.num_heads;
        config["mask"] = to_string(request.mask);
        config["fill"] = to_string(request.fill);
        return config.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    config["embed_dim"] = request.embed_dim;
    config["num_heads"] = request.num_heads;
    config["head_dim"] = request.dims().head_dim();
    config["weights"] = request.file ? request.file->path : std::string(to_string(request.source));
    if (request.file && request.file->layers.size() > 1) config["layer"] = request.file->title;
    if (request.file) config["layout"] = to_string(request.file->layout);
    config["seed"] = request.seed;
    config["mask"] = to_string(request.mask);
    config["fill"] = to_string(request.fill);
    config["scale"] = request.scale_value();
    config["precision"] = to_string(request.precision);
    config["chunk_size"] = chunk(request.chunk_size);
    config["key_chunk_size"] = chunk(request.key_chunk_size);
    return config.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<TracePtr> traceOf(const Trace& trace, int sequence, const std::atomic<bool>* cancel) {
    const auto copy = std::make_shared<const Trace>(trace);  // copies pointers only: the numbers are shared
    const bool scores = trace.matrix(Stage::Scores, sequence, 0) || !has_stage(trace.request, Stage::Scores);
    if (trace.matrix(Stage::Weights, sequence, 0) && scores) return copy;
    Request request = trace.request;
    request.kept_sequence = sequence;
    request.keep_scores = true;
    return compute(request, copy, cancel);
}

Result<void> writeCsv(QIODevice& device, const Trace& trace, const TableChoice& choice,
                      const std::atomic<bool>* cancel) {
    TextSink sink(device, cancel);
    return csvInto(sink, trace, choice, cancel);
}

Result<void> writeJson(QIODevice& device, const Trace& trace, const TableChoice& choice,
                       const std::atomic<bool>* cancel) {
    TextSink sink(device, cancel);
    return jsonInto(sink, trace, choice, cancel);
}

Result<void> writeTable(const QString& path, const Trace& trace, const TableChoice& choice,
                        const std::atomic<bool>* cancel) {
    if (auto checked = checkChoice(trace, choice); !checked) return checked;
    const ExportFormat* format = formatOf(path);
    if (format && format->tensors) return writeDump(path, trace, cancel);
    if (!format || !format->table)
        return fail(ErrorCode::InvalidValue,
                    SENTENCE("{} is no table's name; it must end in .csv, .json, .npz or .safetensors"),
                    path.toStdString());
    return saveFile(path, [&](QIODevice& device) { return format->table(device, trace, choice, cancel); });
}

}  // namespace headscope
