// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/chunks.h"

#include "core/base/memory.h"
#include "core/base/sentence.h"

namespace headscope {

namespace {

Result<void> check_chunk(const char* name, std::optional<std::int64_t> size) {
    if (!size || *size >= 1) return {};
    return fail(ErrorCode::InvalidValue, "{} is {}; it must be at least 1, or whole", name, *size);
}

}  // namespace

Result<void> check_chunks(std::optional<std::int64_t> chunk_size, std::optional<std::int64_t> key_chunk_size) {
    if (auto queries = check_chunk(phrase("chunk size"), chunk_size); !queries) return queries;
    return check_chunk(phrase("key chunk size"), key_chunk_size);
}

std::optional<std::int64_t> part_of(std::int64_t sequence_length, std::optional<std::int64_t> chunk_size) {
    return chunk_size && *chunk_size < sequence_length ? chunk_size : std::nullopt;
}

bool is_whole(std::int64_t sequence_length, std::optional<std::int64_t> chunk_size,
              std::optional<std::int64_t> key_chunk_size) {
    return !part_of(sequence_length, chunk_size) && !part_of(sequence_length, key_chunk_size);
}

Result<ChunkBytes> chunk_bytes(const Dims& dims, Precision precision, std::optional<std::int64_t> chunk_size,
                               std::optional<std::int64_t> key_chunk_size) {
    const std::int64_t size = dims.sequence_length, item = storage_type(precision) == Tensor::Type::Float64 ? 8 : 4;
    const std::int64_t queries = part_of(size, chunk_size).value_or(size);
    const auto keys = part_of(size, key_chunk_size);
    const auto tiles = checked_product({2, dims.num_heads, queries, keys.value_or(size), item});
    const auto running = checked_product({keys ? 1 : 0, dims.num_heads, queries, 2 + dims.head_dim(), item});
    if (!tiles || !running) return tl::unexpected(tiles ? running.error() : tiles.error());
    return ChunkBytes{static_cast<std::uint64_t>(*tiles), static_cast<std::uint64_t>(*running)};
}

}  // namespace headscope
