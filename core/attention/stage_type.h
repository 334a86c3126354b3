// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "core/attention/trace.h"

namespace headscope {

/// A dimension of a stage's tensor.
enum class Dim { One, B, S, E, E3, H, Dh, Dh3 };
/// "B", "3E"
const char* to_string(Dim dim);
std::int64_t size_of(Dim dim, const Dims& dims);

/// What a stage belongs to, which determines its colour.
enum class StagePart { Other, Query, Key, Value, Output };

/// The description of a stage. To add a stage, add an enumerator, a row of the table in stage_type.cpp, the tensor in
/// Trace and its computation in compute.cpp.
struct StageType {
    Stage stage;
    const char* word;           ///< of the command line: "weights"
    const char* name;           ///< in the window; translated in the context "Stage"
    std::span<const Dim> dims;  ///< of the tensor
    TensorPtr Trace::*tensor;   ///< that contains the numbers; null for the mask
    bool stored = true;         ///< false if the numbers are derived from the tensor when they are read
    StagePart part = StagePart::Other;
    std::string (*line)(const Request&);  ///< PyTorch code that computes it
    const char* sentence;                 ///< of its box in Shapes: a phrase()
    const char* menu;                     ///< its entry in a menu: a phrase() with its mnemonic
    const char* tip = nullptr;            ///< of its button in the tool bar: a phrase()
    /// Its rank in the tool bar: buttons of low rank move into the menu first. 0 = always in the menu.
    int rank = 0;
    char key = 0;  ///< of its shortcut: Ctrl+1; 0 = none
};

/// The table in the order of Stage.
std::span<const StageType> stage_types();
const StageType& type_of(Stage stage);

}  // namespace headscope
