// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/explain/comparison.h"
#include "ui/look/color_scale.h"
#include "ui/state/derived_matrix.h"

namespace headscope {

/// Everything of two traces that is drawn for one head and stage, from one look at their numbers.
struct ComparedMaps {
    ColorScale scale{};             ///< of both, so that a colour is one number in A and in B
    DerivedMatrixPtr difference{};  ///< A - B; null where `facts` is an error, or `tiled`
    bool tiled = false;  ///< A - B is computed where one looks, and `facts` are those of a sample of the rows
    ColorScale difference_scale{};                        ///< diverging, symmetric about 0
    Result<DifferenceMatrix> facts = DifferenceMatrix{};  ///< without its values, which `difference` holds
    double largest = 0;                                   ///< the value at facts->row and column, with its sign
};

/// selection: sequence, stage, range and palette count. Reads every number: not for the thread of the window where
/// there are millions.
ComparedMaps compareMaps(const Trace& a, const Trace& b, const Selection& selection, int head,
                         const std::atomic<bool>* cancel = nullptr);

/// The scale of both traces, so that a colour is one number in A and in B.
ColorScale commonScale(const Trace& a, const Trace& b, const Selection& selection, int head);

/// The head whose weights differ most, in all cells together; 0 where that would take long to find.
int mostChangedHead(const Trace& a, const Trace& b, int sequence);

}  // namespace headscope
