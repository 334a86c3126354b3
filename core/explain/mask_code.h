// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/trace.h"
#include "core/base/sentence.h"

namespace headscope {

/// The meaning of a mask's cells to PyTorch. Read with the opposite meaning, the same matrix allows what it should mask
/// (docs/conventions.md 1).
enum class MaskConvention {
    MayAttend,  ///< True = allowed: scaled_dot_product_attention, and masked_fill(mask == 0, ...)
    Ignored,    ///< True = ignored: nn.MultiheadAttention
    Additive,   ///< 0 and -inf, added to the scores
};
/// "1" or "0"; "False" or "True"; "0" or "-inf": the value of an allowed or a masked cell.
std::string_view cell_text(MaskConvention convention, bool allowed);
Sentence meaning(MaskConvention convention);

/// The forms of code that apply a mask.
enum class MaskForm {
    ScaledDotProduct,    ///< F.scaled_dot_product_attention, PyTorch 2 (MayAttend)
    MaskedFill,          ///< the ten steps by hand, any PyTorch (MayAttend)
    MultiheadAttention,  ///< nn.MultiheadAttention, PyTorch 1.11 (Ignored)
    Additive,            ///< the ten steps with an additive mask (Additive)
    Flex,                ///< FlexAttention's mask_mod and score_mod, PyTorch 2.5 (MayAttend)
};
MaskConvention convention_of(MaskForm form);

struct MaskCode {
    std::string line;  ///< the line that uses the mask
    /// Executable Python: computes `weights` (B,H,S,S) and `output` (B,S,E), the same as the window's, from x (B,S,E)
    /// and two nn.Linear, qkv_proj (its rows by head: q0 k0 v0 q1 ...) and out_proj. Empty if the form is impossible.
    std::string code{};
    std::optional<Sentence> impossible{};  ///< why this form can't express the mask, fill or precision
    std::vector<Sentence> notes{};         ///< the version of PyTorch that it needs, and where the numbers may differ
};

/// The code for the trace's masks, rules, fill, scale and precision.
MaskCode mask_code(const Trace& trace, MaskForm form);

}  // namespace headscope
