// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/npz_file.h"

#include <zip.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "core/base/memory.h"
#include "core/files/input_file.h"
#include "core/files/json.h"
#include "core/files/npy_file.h"

namespace headscope {
namespace {

using nlohmann::json;

constexpr std::string_view kEnding = ".npy";
constexpr const char* kMetadata = kNpzMetadata;
// Deflate's maximum ratio (zlib's technical notes say 1032:1); a member that claims more is faulty.
constexpr std::uint64_t kLargestRatio = 1032;
constexpr std::int64_t kMostMembers = 65536;

using Archive = std::unique_ptr<zip_t, void (*)(zip_t*)>;

template <typename... Args>
tl::unexpected<Error> bad(const std::string& path, const std::string& text, const Args&... args) {
    return fail(ErrorCode::FileFormat, "{}: not a good npz file: " + text, path, args...);
}

Result<Archive> open_archive(const std::string& path) {
    int code = 0;
    Archive archive(zip_open(path.c_str(), ZIP_RDONLY, &code), zip_discard);
    if (archive) return archive;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    if (code == ZIP_ER_OPEN || code == ZIP_ER_READ)
        return fail(ErrorCode::FileUnreadable, "{}: the file can't be read: {}", path, reason);
    return bad(path, "{}", reason);
}

struct Member {
    zip_uint64_t index = 0;
    std::string name;  ///< without .npy
    std::uint64_t bytes = 0;
    bool is_stored = true;  ///< not compressed
};

/// Refuses a name that leads out of a folder, although nothing is unpacked to disk: such a file is an attack.
bool is_safe(std::string_view name) {
    return !name.empty() && name.front() != '/' && name.find('\\') == std::string_view::npos &&
           name.find("..") == std::string_view::npos;
}

Result<Member> look_at(zip_t* archive, zip_uint64_t index, const std::string& path) {
    zip_stat_t stat;
    constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    if (zip_stat_index(archive, index, 0, &stat) != 0 || (stat.valid & needed) != needed)
        return bad(path, "member {} has no name or size", index);
    std::string name = stat.name;
    if (!is_safe(name)) return bad(path, "the member's name \"{}\" leads out of the archive", name);
    if (!name.ends_with(kEnding)) return bad(path, "the member \"{}\" is not an npy array", name);
    if (stat.valid & ZIP_STAT_ENCRYPTION_METHOD && stat.encryption_method != ZIP_EM_NONE)
        return fail(ErrorCode::Unsupported, "{}: the member \"{}\" is encrypted; plain ones can be read", path, name);
    if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE)
        return fail(ErrorCode::Unsupported,
                    "{}: the member \"{}\" is compressed by method {}; stored and deflated ones can be read", path,
                    name, stat.comp_method);
    const std::uint64_t most = stat.comp_method == ZIP_CM_STORE ? 1 : kLargestRatio;
    if (stat.size / most > stat.comp_size)
        return bad(path, "the member \"{}\" claims {} bytes, more than its {} can hold", name, stat.size,
                   stat.comp_size);
    name.resize(name.size() - kEnding.size());
    return Member{index, std::move(name), stat.size, stat.comp_method == ZIP_CM_STORE};
}

Result<std::vector<Member>> members(zip_t* archive, const std::string& path) {
    const zip_int64_t count = zip_get_num_entries(archive, 0);
    if (count > kMostMembers) return bad(path, "it has {} members; {} at most are read", count, kMostMembers);
    std::vector<Member> list;
    std::set<std::string> names;
    for (zip_int64_t i = 0; i < count; ++i) {
        auto member = look_at(archive, static_cast<zip_uint64_t>(i), path);
        if (!member) return tl::unexpected(member.error());
        if (!names.insert(member->name).second) return bad(path, "it holds \"{}\" twice", member->name);
        list.push_back(std::move(*member));
    }
    return list;
}

/// Each member is read and then converted to an array: at most twice its bytes.
Result<void> fit(const std::vector<Member>& members, const std::string& path) {
    std::uint64_t total = 0;
    bool counted = true;
    for (const Member& member : members) counted = counted && !__builtin_add_overflow(total, member.bytes, &total);
    counted = counted && !__builtin_mul_overflow(total, std::uint64_t{2}, &total);
    return counted ? require_memory(total, path) : bad(path, "its members claim too many bytes");
}

using OpenMember = std::unique_ptr<zip_file_t, decltype(&zip_fclose)>;

Result<OpenMember> open_member(zip_t* archive, const Member& member, const std::string& path) {
    OpenMember file(zip_fopen_index(archive, member.index, 0), zip_fclose);
    if (!file) return bad(path, "the member \"{}\" can't be opened: {}", member.name, zip_strerror(archive));
    return file;
}

/// The next `count` bytes of a member.
Result<void> read_bytes(zip_file_t* file, const Member& member, std::uint64_t count, void* out,
                        const std::string& path) {
    std::uint64_t at = 0;
    while (at < count) {
        const zip_int64_t got = zip_fread(file, static_cast<std::uint8_t*>(out) + at, count - at);
        if (got < 0) return bad(path, "the member \"{}\" is damaged: {}", member.name, zip_file_strerror(file));
        if (got == 0) return bad(path, "the member \"{}\" ends after {} of {} bytes", member.name, at, member.bytes);
        at += static_cast<std::uint64_t>(got);
    }
    return {};
}
Result<std::vector<std::uint8_t>> read_bytes(zip_file_t* file, const Member& member, std::uint64_t count,
                                             const std::string& path) {
    std::vector<std::uint8_t> bytes(count);
    if (auto done = read_bytes(file, member, count, bytes.data(), path); !done) return tl::unexpected(done.error());
    return bytes;
}

Result<std::vector<std::uint8_t>> inflate(zip_t* archive, const Member& member, const std::string& path) {
    const auto opened = open_member(archive, member, path);
    if (!opened) return tl::unexpected(opened.error());
    const OpenMember& file = *opened;
    auto bytes = read_bytes(file.get(), member, member.bytes, path);
    if (!bytes) return bytes;
    std::uint8_t more = 0;  // reading to the end also verifies the checksum
    const zip_int64_t rest = zip_fread(file.get(), &more, 1);
    if (rest < 0) return bad(path, "the member \"{}\" is damaged: {}", member.name, zip_file_strerror(file.get()));
    if (rest > 0)
        return bad(path, "the member \"{}\" is longer than the {} bytes it claims", member.name, bytes->size());
    return bytes;
}

/// Parses a list or an object in JSON that parse_json() accepts; nothing for any other text.
std::optional<json> structured(const std::string& text) {
    auto parsed = parse_json(text, {});
    if (!parsed || !parsed->is_structured()) return std::nullopt;
    return std::move(*parsed);
}

/// Adds an entry; FileFormat if there is one of that name.
Result<void> add_entry(TensorFile& file, const std::string& key, std::string value, const std::string& path) {
    if (file.metadata.emplace(key, std::move(value)).second) return {};
    return bad(path, "the text \"{}\" stands in a member of its own and in \"{}\"", key, kMetadata);
}

Result<void> add_texts(TensorFile& file, const std::string& name, const NpyTexts& array, const std::string& path) {
    if (!array.shape.empty()) return add_entry(file, name, json(array.texts).dump(), path);
    const std::string& text = array.texts.front();
    const auto object = name == kMetadata ? structured(text) : std::nullopt;
    if (!object || !object->is_object()) return add_entry(file, name, text, path);
    for (const auto& [key, value] : object->items()) {
        auto added = add_entry(file, key, value.is_string() ? value.get<std::string>() : value.dump(), path);
        if (!added) return added;
    }
    return {};
}

Result<void> add_member(TensorFile& file, const std::string& name, NpyArray array, const std::string& path) {
    if (const auto* texts = std::get_if<NpyTexts>(&array)) return add_texts(file, name, *texts, path);
    if (name == kMetadata)
        return bad(path, "the member \"{}\" holds numbers; a text was expected, a JSON object of named texts", name);
    file.tensors.emplace_back(name, std::move(std::get<FileTensor>(array)));
    return {};
}

}  // namespace

Result<NpzFile> NpzFile::open(const std::string& path) {
    if (const auto file = InputFile::open(path, FileKind::Npz); !file) return tl::unexpected(file.error());
    auto archive = open_archive(path);
    if (!archive) return tl::unexpected(archive.error());
    NpzFile file(std::move(*archive), path);
    if (auto done = file.read_headers(); !done) return tl::unexpected(done.error());
    return file;
}

Result<void> NpzFile::read_headers() {
    const auto list = members(archive_.get(), path_);
    if (!list) return tl::unexpected(list.error());
    TensorFile texts;
    for (const Member& member : *list) {
        const std::string place = path_ + ", member " + member.name;
        const auto opened = open_member(archive_.get(), member, path_);
        if (!opened) return tl::unexpected(opened.error());
        const std::uint64_t most = kNpyHeaderBytes;
        const auto start = read_bytes(opened->get(), member, std::min(member.bytes, most), path_);
        if (!start) return tl::unexpected(start.error());
        const auto header = decode_npy_header(*start, member.bytes, place);
        if (!header) return tl::unexpected(header.error());
        if (!header->dtype.empty() && member.name != kMetadata) {
            entries_.push_back({member.name, header->dtype, header->shape, member.index, 0});
            const bool in_order = !header->swapped && (!header->fortran_order || header->shape.size() < 2);
            if (member.is_stored && in_order) plain_.emplace(member.name, header->data_offset);
            continue;
        }
        if (auto fits = fit({member}, path_); !fits) return fits;
        const auto bytes = inflate(archive_.get(), member, path_);
        if (!bytes) return tl::unexpected(bytes.error());
        auto array = decode_npy(*bytes, place);
        if (!array) return tl::unexpected(array.error());
        if (auto added = add_member(texts, member.name, std::move(*array), path_); !added) return added;
    }
    metadata_ = std::move(texts.metadata);
    return {};
}

Result<FileTensor> NpzFile::read(const std::string& name) const {
    const auto entry =
        std::find_if(entries_.begin(), entries_.end(), [&](const auto& each) { return each.name == name; });
    const auto member = look_at(archive_.get(), entry->begin, path_);
    if (!member) return tl::unexpected(member.error());
    if (auto fits = fit({*member}, path_); !fits) return tl::unexpected(fits.error());
    const auto bytes = inflate(archive_.get(), *member, path_);
    if (!bytes) return tl::unexpected(bytes.error());
    auto array = decode_npy(*bytes, path_ + ", member " + name);
    if (!array) return tl::unexpected(array.error());
    auto* tensor = std::get_if<FileTensor>(&*array);
    if (!tensor || tensor->dtype != entry->dtype || tensor->shape != entry->shape)
        return bad(path_, "the member \"{}\" changed while the file was read; read it again", name);
    return std::move(*tensor);
}

Result<void> NpzFile::read_part(const std::string& name, std::uint64_t offset, std::uint64_t count, void* out) const {
    const auto entry =
        std::find_if(entries_.begin(), entries_.end(), [&](const auto& each) { return each.name == name; });
    const Member member{entry->begin, name, count};
    const auto opened = open_member(archive_.get(), member, path_);
    if (!opened) return tl::unexpected(opened.error());
    zip_file_t* file = opened->get();
    if (zip_fseek(file, static_cast<zip_int64_t>(plain_.at(name) + offset), SEEK_SET) != 0)
        return bad(path_, "the member \"{}\" is damaged: {}", name, zip_file_strerror(file));
    return read_bytes(file, member, count, out, path_);
}

Result<TensorFile> read_npz(const std::string& path) {
    if (const auto file = InputFile::open(path, FileKind::Npz); !file) return tl::unexpected(file.error());
    const auto archive = open_archive(path);
    if (!archive) return tl::unexpected(archive.error());
    const auto list = members(archive->get(), path);
    if (!list) return tl::unexpected(list.error());
    if (auto fits = fit(*list, path); !fits) return tl::unexpected(fits.error());
    TensorFile result;
    for (const Member& member : *list) {
        const auto bytes = inflate(archive->get(), member, path);
        if (!bytes) return tl::unexpected(bytes.error());
        auto array = decode_npy(*bytes, path + ", member " + member.name);
        if (!array) return tl::unexpected(array.error());
        if (auto added = add_member(result, member.name, std::move(*array), path); !added)
            return tl::unexpected(added.error());
    }
    return result;
}

}  // namespace headscope
