// SPDX-License-Identifier: GPL-3.0-or-later
// Writes npz archives in one pass, so that their arrays need not be in memory. The format is PKWARE's APPNOTE.TXT;
// an archive or member of 4 GB or more has its zip64 records.
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "core/files/json.h"
#include "core/files/npy_file.h"
#include "core/files/npz_file.h"

namespace headscope {
namespace {

using nlohmann::json;

constexpr std::uint32_t kMost32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint16_t kMost16 = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint16_t kVersion = 20, kVersion64 = 45, kUnix = 3 << 8;
constexpr std::uint16_t kFlags = 1 << 3 | 1 << 11;  // sizes follow the bytes; names in UTF-8
constexpr std::uint16_t kJanuary1980 = 1 << 5 | 1;  // DOS's first day: the same tensors give the same bytes
constexpr std::uint16_t kZip64 = 1;                 // an extra field of 64-bit sizes

/// Little-endian numbers.
class Record {
public:
    Record& u16(std::uint16_t value) { return add(value, 2); }
    Record& u32(std::uint32_t value) { return add(value, 4); }
    Record& u64(std::uint64_t value) { return add(value, 8); }
    Record& text(const std::string& value) {
        bytes_ += value;
        return *this;
    }
    const std::string& bytes() const { return bytes_; }

private:
    Record& add(std::uint64_t value, int count) {
        for (int n = 0; n < count; ++n) bytes_ += static_cast<char>(value >> (8 * n) & 0xff);
        return *this;
    }
    std::string bytes_;
};

struct Member {
    std::string name;
    std::uint64_t bytes = 0, offset = 0;
    std::uint32_t crc = 0;
};

std::uint32_t low32(std::uint64_t value) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, kMost32));
}

class Writer {
public:
    explicit Writer(const ByteSink& sink) : sink_(sink) {}

    bool add(const std::string& name, std::uint64_t bytes, const std::function<bool(const ByteSink&)>& write) {
        Member member{name + ".npy", bytes, at_};
        const bool large = bytes >= kMost32;
        Record header;
        header.u32(0x04034b50).u16(large ? kVersion64 : kVersion).u16(kFlags).u16(0).u16(0).u16(kJanuary1980);
        header.u32(0).u32(large ? kMost32 : 0).u32(large ? kMost32 : 0);
        header.u16(static_cast<std::uint16_t>(member.name.size())).u16(large ? 20 : 0).text(member.name);
        if (large) header.u16(kZip64).u16(16).u64(0).u64(0);
        if (!put(header.bytes())) return false;
        const auto counted = [&](const void* data, std::size_t count) {
            if (count == 0) return true;  // zlib would start anew
            member.crc = static_cast<std::uint32_t>(crc32_z(member.crc, static_cast<const Bytef*>(data), count));
            return put(data, count);
        };
        if (!write(counted)) return false;
        Record sizes;
        sizes.u32(0x08074b50).u32(member.crc);
        large ? sizes.u64(bytes).u64(bytes) : sizes.u32(low32(bytes)).u32(low32(bytes));
        members_.push_back(std::move(member));
        return put(sizes.bytes());
    }

    bool finish() {
        const std::uint64_t begin = at_;
        for (const Member& member : members_) {
            if (!put(directory_entry(member))) return false;
        }
        const std::uint64_t size = at_ - begin, end = at_;
        const auto count = static_cast<std::uint64_t>(members_.size());
        Record record;
        if (begin >= kMost32 || size >= kMost32 || count >= kMost16) {
            record.u32(0x06064b50).u64(44).u16(kUnix | kVersion64).u16(kVersion64).u32(0).u32(0);
            record.u64(count).u64(count).u64(size).u64(begin);
            record.u32(0x07064b50).u32(0).u64(end).u32(1);
        }
        const auto few = static_cast<std::uint16_t>(std::min<std::uint64_t>(count, kMost16));
        record.u32(0x06054b50).u16(0).u16(0).u16(few).u16(few).u32(low32(size)).u32(low32(begin)).u16(0);
        return put(record.bytes());
    }

private:
    static std::string directory_entry(const Member& member) {
        const bool large = member.bytes >= kMost32, far = member.offset >= kMost32;
        Record extra;
        if (large || far) extra.u16(kZip64).u16(static_cast<std::uint16_t>((large ? 16 : 0) + (far ? 8 : 0)));
        if (large) extra.u64(member.bytes).u64(member.bytes);
        if (far) extra.u64(member.offset);
        Record entry;
        entry.u32(0x02014b50).u16(kUnix | kVersion64).u16(large || far ? kVersion64 : kVersion).u16(kFlags).u16(0);
        entry.u16(0).u16(kJanuary1980).u32(member.crc).u32(low32(member.bytes)).u32(low32(member.bytes));
        entry.u16(static_cast<std::uint16_t>(member.name.size())).u16(static_cast<std::uint16_t>(extra.bytes().size()));
        entry.u16(0).u16(0).u16(0).u32(0).u32(low32(member.offset)).text(member.name).text(extra.bytes());
        return entry.bytes();
    }

    bool put(const std::string& bytes) { return put(bytes.data(), bytes.size()); }
    bool put(const void* data, std::size_t count) {
        at_ += count;
        return sink_(data, count);
    }

    const ByteSink& sink_;
    std::vector<Member> members_{};
    std::uint64_t at_ = 0;
};

/// The metadata as JSON in ASCII: other characters are escaped, so that each byte is a character.
std::string metadata_json(const std::map<std::string, std::string>& metadata) {
    json object = json::object();
    for (const auto& [key, value] : metadata) {
        auto parsed = parse_json(value, {});
        object[key] = parsed && parsed->is_structured() ? std::move(*parsed) : json(value);
    }
    return object.dump(-1, ' ', true, json::error_handler_t::replace);
}

}  // namespace

bool write_npz(const std::vector<TensorWriter>& tensors, const std::map<std::string, std::string>& metadata,
               const ByteSink& sink) {
    Writer writer(sink);
    for (const TensorWriter& tensor : tensors) {
        const std::vector<std::uint8_t> header = encode_npy_header(tensor.dtype, tensor.shape);
        const bool written = writer.add(tensor.name, header.size() + tensor.bytes, [&](const ByteSink& member) {
            return member(header.data(), header.size()) && tensor.write(member);
        });
        if (!written) return false;
    }
    if (!metadata.empty()) {
        const std::string text = metadata_json(metadata);
        const std::vector<std::uint8_t> array = encode_npy_text({text.begin(), text.end()});
        const bool written = writer.add(kNpzMetadata, array.size(),
                                        [&](const ByteSink& member) { return member(array.data(), array.size()); });
        if (!written) return false;
    }
    return writer.finish();
}

Result<std::vector<std::uint8_t>> encode_npz(const TensorFile& file) {
    std::vector<FileTensor> widened;  // numpy has no BF16
    widened.reserve(file.tensors.size());
    std::vector<TensorWriter> writers;
    for (const auto& [name, stored] : file.tensors) {
        if (name == kNpzMetadata)
            return fail(ErrorCode::InvalidValue,
                        "the name \"{}\" is reserved for the metadata of an npz file; give the tensor another name",
                        name);
        const bool twice = std::any_of(writers.begin(), writers.end(),
                                       [&, &same = name](const TensorWriter& other) { return other.name == same; });
        if (twice) return fail(ErrorCode::InvalidValue, "two tensors are named \"{}\"; give one another name", name);
        const FileTensor* tensor = &stored;
        if (stored.dtype == "BF16")
            tensor = &widened.emplace_back(FileTensor::from(stored.to_tensor(Tensor::Type::Float32)));
        writers.push_back({name, tensor->dtype, tensor->shape, tensor->bytes.size(), [tensor](const ByteSink& sink) {
                               return sink(tensor->bytes.data(), tensor->bytes.size());
                           }});
    }
    std::vector<std::uint8_t> bytes;
    write_npz(writers, file.metadata, [&bytes](const void* data, std::size_t count) {
        const auto* first = static_cast<const std::uint8_t*>(data);
        bytes.insert(bytes.end(), first, first + count);
        return true;
    });
    return bytes;
}

}  // namespace headscope
