// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "core/explain/recorded_head.h"
#include "ui/look/theme.h"

namespace headscope {

/// The largest side of a thumbnail, in cells.
inline constexpr std::int64_t kThumbnailCells = 64;

/// What is known of the heads of a recording, all layers one after the other, while they are being read.
struct RecordedHeads {
    RecordingPtr recording;
    int sequence = 0;
    std::vector<std::optional<RecordedHead>> heads{};

    RecordedHeads() = default;
    RecordedHeads(RecordingPtr of, int shown_sequence);
    int perLayer() const { return static_cast<int>(recording->num_heads()); }
    Recording::Place place(int head) const { return {head / perLayer(), sequence, head % perLayer()}; }
    const std::optional<RecordedHead>& of(int head) const { return heads[static_cast<std::size_t>(head)]; }
    int known() const;  ///< how many were read
    /// How many known heads have this name; nothing = those without one.
    int named(std::optional<HeadMeasure> name) const;
    /// Rows of the known heads, and those whose sum differs from 1.
    std::int64_t rows() const;
    std::int64_t rowsNotOne() const;
};

/// In which order the heads are shown.
enum class AtlasOrder { Layer, Name, Measure };

/// Which heads are shown. A name that is not wanted hides its heads.
struct AtlasFilter {
    AtlasOrder order = AtlasOrder::Layer;
    HeadMeasure measure = HeadMeasure::Previous;  ///< by which Measure sorts, largest first
    std::optional<std::size_t> only;              ///< a row of atlasNames(); nothing = all
    bool operator==(const AtlasFilter&) const = default;
};
/// The heads that a filter shows, in its order. Heads that are not known yet are last.
std::vector<int> shownHeads(const RecordedHeads& heads, const AtlasFilter& filter);

/// A name that the atlas gives to heads: the measures, then "mixed" for heads without one.
struct AtlasName {
    std::optional<HeadMeasure> measure;
    QString text, tip;
    Role role;
};
/// The names in the language of the interface.
std::vector<AtlasName> atlasNames();
const AtlasName& nameOf(const std::vector<AtlasName>& names, std::optional<HeadMeasure> measure);

/// "Layer 3, head 5"
QString headTitle(const RecordedHeads& heads, int head);

}  // namespace headscope
