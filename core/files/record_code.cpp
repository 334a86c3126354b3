// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/record_code.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

namespace headscope {
namespace {

/// The folder of a model, which from_pretrained() takes; else a name to be replaced.
std::string model_of(const std::string& path) {
    std::error_code error;
    const std::filesystem::path place = std::filesystem::absolute(path, error).lexically_normal();
    if (std::filesystem::is_directory(place, error)) return place.string();
    if (place.filename().string().starts_with("model")) return place.parent_path().string();
    return "NAME OR FOLDER OF THE MODEL";
}

constexpr const char* kLines =
    R"(# Records the input x of {title} for HeadScope. Change the text, and the model if need be.
import json
import torch
from safetensors.torch import save_file
from transformers import AutoModel, AutoTokenizer

source = {model}
text = "the cat sat on the mat"
names = [
    {names},
]

tokenizer = AutoTokenizer.from_pretrained(source)
model = AutoModel.from_pretrained(source).eval()
inputs = tokenizer(text, return_tensors="pt")
tensors = model.state_dict()

def own(name):  # AutoModel leaves out the first part of some names, such as "transformer."
    while name not in tensors and "." in name:
        name = name.split(".", 1)[1]
    return name

recorded = {{}}
module = model.get_submodule(own(names[0]).rpartition(".")[0])
module.register_forward_pre_hook(lambda module, args: recorded.update(x=args[0].detach()))
with torch.no_grad():
    model(**inputs)

layer = {{name: tensors[own(name)].contiguous() for name in names}}
tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
metadata = {{"tokens": json.dumps(tokens){metadata}}}
save_file({{"x": recorded["x"].contiguous(), **layer}}, "layer.safetensors", metadata)
)";

}  // namespace

std::string python_text(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string record_code(const LayerInfo& layer) {
    std::vector<std::string> names;
    for (const std::string& name : layer.tensors) names.push_back(python_text(name));
    std::string metadata;
    if (layer.num_heads) metadata += fmt::format(R"(, "num_heads": "{}")", *layer.num_heads);
    if (layer.mask) metadata += fmt::format(R"(, "mask": {})", python_text(*layer.mask));
    const std::string title = layer.title.find_first_of("\r\n") == std::string::npos ? layer.title : "the layer";
    return fmt::format(kLines, fmt::arg("title", title), fmt::arg("model", python_text(model_of(layer.path))),
                       fmt::arg("names", fmt::format("{}", fmt::join(names, ",\n    "))),
                       fmt::arg("metadata", metadata));
}

}  // namespace headscope
