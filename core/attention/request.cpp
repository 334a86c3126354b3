// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/request.h"

#include <algorithm>
#include <cmath>

#include "core/attention/chunks.h"
#include "core/attention/query_key.h"
#include "core/base/config.h"
#include "core/files/recording.h"

namespace headscope {

namespace {

Result<void> check_recording(const Request& request) {
    if (!request.recording) return fail(ErrorCode::InvalidValue, "the weights are recorded, but no recording was read");
    const Recording& recording = *request.recording;
    const bool fits = request.num_heads == recording.num_heads() && request.recorded_layer >= 0 &&
                      request.recorded_layer < recording.layers() && request.batch.size() == recording.batch().size() &&
                      request.batch.sequence_length() == recording.batch().sequence_length();
    return fits ? Result<void>()
                : fail(ErrorCode::InvalidPair,
                       "the recording '{}' does not match the request: its layers, heads or tokens differ",
                       recording.path());
}

Result<void> check_file(const Request& request) {
    if (request.source == WeightSource::Recording) return check_recording(request);
    if (request.source != WeightSource::File) return {};
    if (!request.file) return fail(ErrorCode::InvalidValue, "the weights come from a file, but none was read");
    const LayerFile& file = *request.file;
    if (file.embed_dim != request.embed_dim) {
        return fail(ErrorCode::InvalidPair, "embed_dim is {}, but the layer in '{}' has {}", request.embed_dim,
                    file.path, file.embed_dim);
    }
    const Shape shape{request.batch.size(), request.batch.sequence_length(), request.embed_dim};
    if (file.x && file.x->shape() != shape) {
        return fail(ErrorCode::InvalidPair, "the tokens ask for x of {}, but the x in '{}' is {}", to_string(shape),
                    file.path, to_string(file.x->shape()));
    }
    return {};
}

Result<void> check_batch(const Batch& batch) {
    const std::int64_t size = batch.sequence_length();
    if (size == 0) {
        return fail(ErrorCode::NoTokens, "there is no token; type some words, one sequence per line");
    }
    const bool even = std::all_of(batch.tokens.begin(), batch.tokens.end(),
                                  [&](const auto& row) { return static_cast<std::int64_t>(row.size()) == size; });
    if (!even || static_cast<std::int64_t>(batch.real.size()) != batch.size() * size) {
        return fail(ErrorCode::InvalidPair, "the sequences of a batch must be equally long, filled up with {}", kPad);
    }
    return {};
}

/// PyTorch would round a scale to the half format of the scores. Below the format's smallest normal number the scale
/// would keep only a few bits, and beyond its largest it would be infinite, so both are refused. The wider formats
/// accept every scale that they can represent.
Result<void> check_scale(const Request& request) {
    if (!request.scale) return {};
    if (!std::isfinite(*request.scale)) {
        return fail(ErrorCode::InvalidValue, "scale is {}; it must be auto or a finite number", *request.scale);
    }
    const auto [smallest, largest] = normal_range(request.precision);
    const double size = std::fabs(*request.scale);
    const bool too_small = is_half(request.precision) && size > 0 && size < smallest;
    if (!too_small && size <= largest) return {};
    return fail(ErrorCode::InvalidValue, "scale is {}, which {} can't hold; its size must be 0 or from {} to {} there",
                *request.scale, to_string(request.precision), fmt::format("{:.3g}", smallest),
                fmt::format("{:.3g}", largest));
}

}  // namespace

double Request::scale_value() const {
    return scale.value_or(1.0 / std::sqrt(static_cast<double>(dims().head_dim())));
}

Result<void> check_request(const Request& request) {
    if (auto heads = check_heads(request.embed_dim, request.num_heads); !heads) return heads;
    if (auto chunks = check_chunks(request.chunk_size, request.key_chunk_size); !chunks) return chunks;
    if (auto scale = check_scale(request); !scale) return scale;
    if (auto batch = check_batch(request.batch); !batch) return batch;
    if (auto heads = check_heads(request.mask, request.num_heads); !heads) return heads;
    if (auto rules = check_rules(request); !rules) return rules;
    return check_file(request);
}

}  // namespace headscope
