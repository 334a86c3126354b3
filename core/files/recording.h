// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/batch.h"
#include "core/base/sentence.h"
#include "core/files/tensor_source.h"

namespace headscope {

/// Attention weights that another program recorded: a tensor `attention` (H,S,S), (L,H,S,S), (B,H,S,S) or (L,B,H,S,S)
/// and the metadata `tokens`. Only what is asked for is read, so that a file may be larger than the memory; a
/// compressed npz file is read whole. Thread-safe.
class Recording {
public:
    /// path: as for TensorSource::open(). no_layer() if there is no `attention`; FileContent if its shape is another,
    /// or contradicts the tokens; Unsupported for a type that is not float16 to float64.
    static Result<std::shared_ptr<const Recording>> open(const std::string& path);

    const std::string& path() const { return source_.path(); }
    const std::string& dtype() const { return dtype_; }
    std::int64_t layers() const { return layers_; }
    std::int64_t num_heads() const { return num_heads_; }
    const Batch& batch() const { return batch_; }  ///< tokens, or indexes where the file has none
    std::uint64_t bytes() const;                   ///< of the attention in the file
    /// How the axes were read, and that tokens are missing.
    const std::vector<Sentence>& assumptions() const { return assumptions_; }

    struct Place {
        std::int64_t layer = 0, sequence = 0, head = 0;
    };
    /// Rows first ... first + count - 1 (count,S) of a matrix in type T, which is float or double. FileUnreadable if
    /// the file changed.
    template <typename T>
    Result<void> read_rows(const Place& place, std::int64_t first, std::int64_t count, T* out) const;

private:
    explicit Recording(TensorSource source) : source_(std::move(source)) {}
    Result<void> read_shape();
    Result<void> read_tokens();
    void describe(const Shape& shape, bool by_tokens);
    Result<void> read_bytes(std::uint64_t offset, std::uint64_t count, void* out) const;

    mutable std::mutex mutex_;  ///< guards source_, which moves through its file
    mutable TensorSource source_;
    std::optional<FileTensor> loaded_;  ///< the whole attention, of a file of which no parts can be read
    std::string dtype_;
    std::int64_t layers_ = 1, sequences_ = 1, num_heads_ = 0, size_ = 0;
    Batch batch_;
    std::vector<Sentence> assumptions_;
};
using RecordingPtr = std::shared_ptr<const Recording>;

}  // namespace headscope
