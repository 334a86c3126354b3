// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "core/attention/trace.h"

namespace headscope {

/// How numbers become colours.
enum class Range { Unit, Head, Shared, Log };
enum class Palette { Viridis, Cividis, Magma, Greys, Diverging };

struct Cell {
    int query = 0, key = 0, head = 0;  ///< key is a column: a dimension where the stage is q, k, v, x ...
    bool operator==(const Cell&) const = default;
};

/// The pages of the window, and the parts of page Steps.
enum class PageName { Heads, Mask, Compare, Steps, Atlas };
enum class StepsPart { Cell, Chunks, Precision };

/// What is looked at. A new selection computes nothing.
struct Selection {
    PageName page = PageName::Heads;
    StepsPart steps_part = StepsPart::Cell;  ///< which page Steps shows
    int sequence = 0;
    std::optional<int> head;  ///< nothing = all heads in the grid; else that one, enlarged
    Stage stage = Stage::Weights;
    std::optional<Range> range;      ///< nothing = unit for weights, shared for the rest
    std::optional<Palette> palette;  ///< nothing = viridis, diverging for signed stages
    std::optional<Cell> locked;
    Stage locked_stage = Stage::Weights;  ///< in which the locked cell was chosen: what its column means
    bool operator==(const Selection&) const = default;

    Range shownRange() const;  ///< unit and log are for weights, elsewhere they fall back to shared; a mask is unit
    Palette shownPalette() const;
};

/// What of a selection can be seen in a trace: sequence and head no larger than there are; no locked cell outside the
/// matrix, nor one whose column meant something else (a key, a dimension) in the stage where it was locked.
Selection fitted(Selection selection, const Dims& dims);
/// Is the cell within the matrices of a stage?
bool isInside(const Cell& cell, Stage stage, const Dims& dims);
/// So many steps from the locked cell, within the matrix, in that head; the first cell where none is locked.
Cell steppedCell(const Selection& selection, const Dims& dims, int queries, int keys, int head);

/// Signed stages are drawn symmetric about 0.
bool isSigned(Stage stage);

std::optional<Range> parseRange(const QString& word);
std::optional<Palette> parsePalette(const QString& word);
std::optional<PageName> parsePage(const QString& word);
std::optional<StepsPart> parseStepsPart(const QString& word);
QString toWord(Range range);
QString toWord(Palette palette);
QString toWord(PageName page);
QString toWord(StepsPart part);

}  // namespace headscope
