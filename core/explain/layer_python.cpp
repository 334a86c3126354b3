// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/layer_python.h"

#include "core/attention/row_reader.h"
#include "core/base/precision_type.h"
#include "core/explain/mask_code.h"
#include "core/files/record_code.h"

namespace headscope {
namespace {

constexpr const char* kBegin =
    R"(# Written by HeadScope. Builds the attention layer that it showed, in PyTorch 1.13 or later, computes the attention
# weights, and asserts that they are those on the screen. Imported, it gives x, qkv_proj, out_proj, mask, weights, output.
{imports}
torch.set_grad_enabled(False)
)";

constexpr const char* kSeeded = R"(
E, tokens = {embed_dim}, [
{tokens}]
torch.manual_seed({seed})
qkv_proj, out_proj = torch.nn.Linear(E, 3 * E), torch.nn.Linear(E, E)

def vector(token):  # the same wherever the token stands
    generator = torch.Generator().manual_seed({seed} ^ zlib.crc32(token.encode()))
    return torch.randn(E, generator=generator)

x = torch.stack([torch.stack([vector(token) for token in line]) for line in tokens])
)";

constexpr const char* kFromFile = R"(
def linear(name):
    weight, bias = (torch.from_numpy(file[f"{name}.{part}"]) for part in ("weight", "bias"))
    module = torch.nn.Linear(*weight.T.shape).to(weight.dtype)
    module.load_state_dict({"weight": weight, "bias": bias})
    return module

x, qkv_proj, out_proj = torch.from_numpy(file["x"]), linear("qkv_proj"), linear("out_proj")
)";

constexpr const char* kAssert = R"(
assert torch.equal(weights.isnan(), shown.isnan()), "the weights are NaN at other places"
difference = (weights.double().nan_to_num() - shown.double().nan_to_num()).abs().max().item()
assert difference <= {tolerance}, f"the largest difference of a weight is {{difference}}"
print(f"{{weights.numel()}} weights, largest difference {{difference:.2g}}")
)";

bool is_seeded(const Request& request) {
    return request.source == WeightSource::Seed;
}

std::int64_t cells_of(const Trace& trace) {
    const Dims dims = trace.dims();
    return dims.batch * dims.num_heads * dims.sequence_length * dims.sequence_length;
}

std::string seeded_lines(const Request& request) {
    std::string lines;
    for (const auto& tokens : request.batch.tokens) {
        std::vector<std::string> quoted;
        for (const std::string& token : tokens) quoted.push_back(python_text(token));
        lines += fmt::format("    [{}],\n", fmt::join(quoted, ", "));
    }
    return fmt::format(kSeeded, fmt::arg("embed_dim", request.embed_dim), fmt::arg("seed", request.seed),
                       fmt::arg("tokens", lines));
}

/// The weights as text: a line for each query.
std::string shown_in_script(const Trace& trace) {
    const Dims dims = trace.dims();
    const bool wide = storage_type(trace.request.precision) == Tensor::Type::Float64;
    std::string lines = "\nshown = torch.tensor([float(number) for number in \"\"\"\n";
    for (std::int64_t matrix = 0; matrix < dims.batch * dims.num_heads; ++matrix) {
        RowReader reader(trace, Stage::Weights, matrix / dims.num_heads, matrix % dims.num_heads);
        for (std::int64_t i = 0; i < dims.sequence_length; ++i) {
            std::vector<std::string> numbers;
            for (const double value : reader.row(i))
                numbers.push_back(wide ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value)));
            lines += fmt::format("{}\n", fmt::join(numbers, " "));
        }
    }
    return lines + "\"\"\".split()]).reshape(B, H, S, S)\n";
}

}  // namespace

Result<LayerPython> layer_python(const Trace& trace, const std::string& tensors_ending) {
    const Request& request = trace.request;
    if (request.recording)
        return fail(ErrorCode::Unsupported,
                    "recorded attention has no layer to build in PyTorch; .py is written of computed attention");
    const MaskCode steps = mask_code(trace, MaskForm::MaskedFill);
    if (steps.impossible)
        return tl::unexpected(Error{ErrorCode::Unsupported, steps.impossible->text, steps.impossible->args});

    LayerPython script;
    const bool in_script = is_seeded(request) && cells_of(trace) <= kMostCellsInScript;
    if (!is_seeded(request))
        script.tensors = {"x", "qkv_proj.weight", "qkv_proj.bias", "out_proj.weight", "out_proj.bias"};
    if (!in_script) script.tensors.emplace_back("weights");
    std::string imports = is_seeded(request) ? "import zlib\n" : "";
    imports += script.tensors.empty() ? "import torch\n" : "import numpy\nimport torch\n";
    script.code = fmt::format(kBegin, fmt::arg("imports", imports));
    if (!script.tensors.empty())
        script.code += fmt::format("\nfile = numpy.load(__file__ + {})\n", python_text(tensors_ending));
    script.code += is_seeded(request) ? seeded_lines(request) : kFromFile;
    script.code += "\n" + steps.code;
    script.code += in_script ? shown_in_script(trace) : "\nshown = torch.from_numpy(file[\"weights\"])\n";
    const bool rounds = type_of(request.precision).is_half();
    script.code += fmt::format(kAssert, fmt::arg("tolerance", rounds ? "2**-7" : "1e-5"));
    return script;
}

}  // namespace headscope
