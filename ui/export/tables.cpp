// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/tables.h"

#include <QIODevice>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/attention/row_reader.h"
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
    TextSink(QIODevice& device, const std::atomic<bool>* cancel, std::atomic<double>* done, std::uint64_t cells)
        : device_(device), cancel_(cancel), done_(done), cells_(cells) {}
    TextSink& operator<<(std::string_view text) {
        buffer_ += text;
        return *this;
    }
    /// Called after a row of so many cells. False if the write failed or was cancelled.
    bool endRow(std::int64_t cells) {
        written_ += static_cast<std::uint64_t>(cells);
        if (done_) *done_ = static_cast<double>(written_) / static_cast<double>(cells_);
        return flush(1 << 18);
    }
    bool flush(std::size_t beyond) {
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
    std::atomic<double>* done_;
    std::uint64_t cells_, written_ = 0;
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

Result<void> csvInto(TextSink& sink, const Trace& trace, const TableChoice& choice) {
    const bool keys = is_square(choice.stage);
    sink << (keys ? "sequence,head,query,key,query_token,key_token,value\r\n"
                  : "sequence,head,query,dim,query_token,value\r\n");
    for (const int sequence : chosen(choice.sequence, trace.dims().batch)) {
        std::vector<std::string> tokens;
        for (const std::string& token : trace.batch().tokens[static_cast<std::size_t>(sequence)])
            tokens.push_back(csvField(token));
        for (const int head :
             chosen(choice.head, has_heads(choice.stage, trace.request) ? trace.dims().num_heads : 1)) {
            RowReader reader(trace, choice.stage, sequence, head);
            for (std::int64_t i = choice.rows.first; i < choice.rows.endOf(reader.rows()); ++i) {
                const std::string& query = tokens[static_cast<std::size_t>(i)];
                const std::string row = fmt::format("{},{},{},", sequence, head, i);
                const std::vector<double>& values = reader.row(i);
                for (std::int64_t j = choice.columns.first; j < choice.columns.endOf(reader.columns()); ++j) {
                    sink << row << std::to_string(j) << "," << query << ",";
                    if (keys) sink << tokens[static_cast<std::size_t>(j)] << ",";
                    sink << numberText(values[static_cast<std::size_t>(j)], reader.type()) << "\r\n";
                }
                if (!sink.endRow(choice.columns.endOf(reader.columns()) - choice.columns.first)) return sink.finish();
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

Result<void> jsonInto(TextSink& sink, const Trace& trace, const TableChoice& choice) {
    const std::vector<int> sequences = chosen(choice.sequence, trace.dims().batch);
    Json config = Json::parse(configJson(trace.request));
    config["sequence"] = choice.sequence ? Json(*choice.sequence) : Json("all");
    config["head"] = choice.head ? Json(*choice.head) : Json("all");
    const auto cut = [&](const char* name, const Cut& part, std::int64_t count) {
        if (part.first > 0 || part.end) config[name] = {part.first, part.endOf(count)};
    };
    cut("rows", choice.rows, trace.dims().sequence_length);
    cut("columns", choice.columns, stage_shape(choice.stage, trace.dims()).back());
    sink << "{\"config\":" << config.dump() << ",\n\"tokens\":" << tokensOf(trace, sequences).dump()
         << ",\n\"stage\":\"" << to_string(choice.stage) << "\",\n\"data\":[";
    for (const int sequence : sequences) {
        sink << (sequence == sequences.front() ? "[" : ",\n[");
        const std::vector<int> heads =
            chosen(choice.head, has_heads(choice.stage, trace.request) ? trace.dims().num_heads : 1);
        for (const int head : heads) {
            RowReader reader(trace, choice.stage, sequence, head);
            sink << (head == heads.front() ? "[" : ",\n[");
            for (std::int64_t i = choice.rows.first; i < choice.rows.endOf(reader.rows()); ++i) {
                sink << (i == choice.rows.first ? "[" : ",\n[");
                const std::vector<double>& values = reader.row(i);
                for (std::int64_t j = choice.columns.first; j < choice.columns.endOf(reader.columns()); ++j) {
                    if (j > choice.columns.first) sink << ",";
                    writeJsonNumber(sink, values[static_cast<std::size_t>(j)], reader.type());
                }
                sink << "]";
                if (!sink.endRow(choice.columns.endOf(reader.columns()) - choice.columns.first)) return sink.finish();
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
    const auto cut = [](const char* name, const Cut& part, std::int64_t count) -> Result<void> {
        if (part.first < part.endOf(count) && part.end.value_or(count) <= count) return {};
        return fail(ErrorCode::InvalidValue, SENTENCE("the {} {}:{} are outside the matrix; they must be within 0:{}"),
                    name, part.first, part.end.value_or(count), count);
    };
    return cut("rows", choice.rows, trace.dims().sequence_length).and_then([&] {
        return cut("columns", choice.columns, stage_shape(choice.stage, trace.dims()).back());
    });
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

std::uint64_t tableCells(const Trace& trace, const TableChoice& choice) {
    const Dims dims = trace.dims();
    const std::int64_t columns = stage_shape(choice.stage, dims).back();
    const auto matrices = chosen(choice.sequence, dims.batch).size() *
                          chosen(choice.head, has_heads(choice.stage, trace.request) ? dims.num_heads : 1).size();
    return matrices * static_cast<std::uint64_t>(choice.rows.endOf(dims.sequence_length) - choice.rows.first) *
           static_cast<std::uint64_t>(choice.columns.endOf(columns) - choice.columns.first);
}

Result<void> writeCsv(QIODevice& device, const Trace& trace, const TableChoice& choice, const std::atomic<bool>* cancel,
                      std::atomic<double>* done) {
    TextSink sink(device, cancel, done, tableCells(trace, choice));
    return csvInto(sink, trace, choice);
}

Result<void> writeJson(QIODevice& device, const Trace& trace, const TableChoice& choice,
                       const std::atomic<bool>* cancel, std::atomic<double>* done) {
    TextSink sink(device, cancel, done, tableCells(trace, choice));
    return jsonInto(sink, trace, choice);
}

Result<void> writeTable(const QString& path, const Trace& trace, const TableChoice& choice,
                        const std::atomic<bool>* cancel, std::atomic<double>* done) {
    if (auto checked = checkChoice(trace, choice); !checked) return checked;
    const ExportFormat* format = formatOf(path);
    if (format && format->tensors) return writeDump(path, trace, cancel, done);
    if (format && format->script) return format->script(path, trace, cancel, done);
    if (!format || !format->table)
        return fail(ErrorCode::InvalidValue,
                    SENTENCE("{} is no table's name; it must end in .csv, .json, .npz, .safetensors or .py"),
                    path.toStdString());
    return saveFile(path, [&](QIODevice& device) { return format->table(device, trace, choice, cancel, done); });
}

}  // namespace headscope
