// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/tensor_source.h"

#include <filesystem>
#include <system_error>

#include "core/files/input_file.h"
#include "core/files/json.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
    std::error_code error;
    return fs::exists(path, error);
}

/// The file of a folder that holds a model's tensors, or the index of them.
Result<std::string> model_in(const std::string& folder) {
    for (const char* name : {"model.safetensors", "model.safetensors.index.json", "diffusion_pytorch_model.safetensors",
                             "diffusion_pytorch_model.safetensors.index.json", "consolidated.safetensors"})
        if (is_there(fs::path(folder) / name)) return (fs::path(folder) / name).string();
    std::vector<std::string> found;
    std::string pickle;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (name.ends_with(".safetensors")) found.push_back(at->path().string());
        if (name.ends_with(".bin") || name.ends_with(".pth") || name.ends_with(".pt")) pickle = name;
    }
    if (error) return fail(ErrorCode::FileUnreadable, "{}: the folder can't be read: {}", folder, error.message());
    if (found.size() == 1) return found.front();
    if (found.size() > 1)
        return fail(
            ErrorCode::FileContent,
            "{}: the folder holds {} safetensors files and no index; model.safetensors.index.json was expected, "
            "or open one of the files",
            folder, found.size());
    if (!pickle.empty())
        return fail(ErrorCode::FileContent,
                    "{}: the folder holds no model.safetensors; {} is a Python pickle, which is never loaded: save the "
                    "model with safetensors",
                    folder, pickle);
    return fail(ErrorCode::FileContent,
                "{}: the folder holds no model; model.safetensors or model.safetensors.index.json was expected",
                folder);
}

/// The settings beside a model. Other files may lie in a folder by chance, so its config.json is not theirs.
std::string config_beside(const fs::path& file) {
    const std::string name = file.filename().string();
    if (!name.starts_with("model") && !name.starts_with("diffusion_pytorch_model") && !name.starts_with("consolidated"))
        return {};
    for (const char* config : {"config.json", "params.json"})
        if (is_there(file.parent_path() / config)) return (file.parent_path() / config).string();
    return {};
}

/// Tensor names and the files that hold them, as an index says.
Result<std::map<std::string, std::string>> read_index(const std::string& path) {
    const auto bytes = InputFile::read_all(path, FileKind::Text);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto parsed = parse_json({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, path);
    if (!parsed) return tl::unexpected(parsed.error());
    const auto map = parsed->is_object() ? parsed->find("weight_map") : parsed->end();
    if (map == parsed->end() || !map->is_object())
        return fail(ErrorCode::FileContent, "{}: weight_map, an object of tensors and their files, was expected", path);
    std::map<std::string, std::string> places;
    for (const auto& [tensor, file] : map->items()) {
        const std::string name = file.is_string() ? file.get<std::string>() : std::string();
        if (name.empty() || name.find('/') != std::string::npos || name == "..")
            return fail(ErrorCode::FileContent,
                        "{}: weight_map places {} in {}; a file of the same folder was expected", path, tensor,
                        file.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
        places[tensor] = name;
    }
    if (places.empty()) return fail(ErrorCode::FileContent, "{}: weight_map names no tensor", path);
    return places;
}

}  // namespace

Result<TensorSource> TensorSource::open(const std::string& path) {
    TensorSource source;
    source.path_ = path;
    std::string file = path;
    std::error_code error;
    const bool folder = fs::is_directory(path, error);
    if (folder) {
        const auto found = model_in(path);
        if (!found) return tl::unexpected(found.error());
        file = *found;
    }
    source.config_path_ = config_beside(file);
    if (folder && source.config_path_.empty() && is_there(fs::path(path) / "config.json"))
        source.config_path_ = (fs::path(path) / "config.json").string();
    const auto start = InputFile::start_of(file);
    if (!start) return tl::unexpected(start.error());
    const auto added = is_model_index(*start) ? source.add_shards(file) : source.add_file(file);
    if (!added) return tl::unexpected(added.error());
    if (auto done = source.read_settings(); !done) return tl::unexpected(done.error());
    return source;
}

/// Settings that were saved as scalars, as numpy.savez(num_heads=8) does.
Result<void> TensorSource::read_settings() {
    for (const std::string name : {"num_heads", "embed_dim"}) {
        const TensorEntry* entry = find(name);
        if (!entry || !entry->shape.empty() || dtype_size(entry->dtype) == 0) continue;
        const auto number = read(name);
        if (!number) return tl::unexpected(number.error());
        metadata_.emplace(name, fmt::format("{}", number->values().front()));
    }
    return {};
}

Result<void> TensorSource::add_file(const std::string& path) {
    const auto start = InputFile::start_of(path);
    if (!start) return tl::unexpected(start.error());
    const auto add = [this](auto opened) -> Result<void> {
        if (!opened) return tl::unexpected(opened.error());
        for (const TensorEntry& entry : opened->entries()) tensors_.emplace(entry.name, Place{files_.size(), entry});
        metadata_.insert(opened->metadata().begin(), opened->metadata().end());
        files_.emplace_back(std::move(*opened));
        return {};
    };
    std::error_code error;
    bytes_ += fs::file_size(path, error);
    return headscope::is_npz(*start) ? add(NpzFile::open(path)) : add(SafetensorsFile::open(path));
}

Result<void> TensorSource::add_shards(const std::string& index) {
    const auto places = read_index(index);
    if (!places) return tl::unexpected(places.error());
    std::map<std::string, std::size_t> shards;  // and the number of tensors that the index places in each
    for (const auto& [tensor, file] : *places) ++shards[file];
    for (const auto& [name, count] : shards) {
        const std::string shard = (fs::path(index).parent_path() / name).string();
        if (!is_there(shard))
            return fail(ErrorCode::FileMissing, "{}: this shard is missing; {} places {} tensors in it", shard,
                        fs::path(index).filename().string(), count);
        if (auto added = add_file(shard); !added) return added;
    }
    std::map<std::string, std::size_t> numbers;
    for (const auto& [name, count] : shards) numbers.emplace(name, numbers.size());
    for (const auto& [tensor, file] : *places) {
        const auto found = tensors_.find(tensor);
        if (found == tensors_.end() || found->second.file != numbers.at(file))
            return fail(ErrorCode::FileContent, "{}: weight_map places {} in {}, which does not hold it", index, tensor,
                        file);
    }
    return {};
}

std::vector<std::string> TensorSource::names() const {
    std::vector<std::string> names;
    names.reserve(tensors_.size());
    for (const auto& [name, place] : tensors_) names.push_back(name);
    return names;
}

const TensorEntry* TensorSource::find(const std::string& name) const {
    const auto found = tensors_.find(name);
    return found == tensors_.end() ? nullptr : &found->second.entry;
}

bool TensorSource::reads_parts(const std::string& name) const {
    const auto* npz = std::get_if<NpzFile>(&files_[tensors_.at(name).file]);
    return !npz || npz->is_plain(name);
}

Result<void> TensorSource::read_part(const std::string& name, std::uint64_t offset, std::uint64_t count, void* out) {
    return std::visit([&](auto& file) { return file.read_part(name, offset, count, out); },
                      files_[tensors_.at(name).file]);
}

Result<FileTensor> TensorSource::read(const std::string& name) {
    return std::visit([&](auto& file) { return file.read(name); }, files_[tensors_.at(name).file]);
}

}  // namespace headscope
