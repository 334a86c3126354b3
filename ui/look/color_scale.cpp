// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/color_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/attention/preview.h"
#include "core/attention/region.h"
#include "core/attention/row_reader.h"
#include "ui/look/number_text.h"
#include "ui/look/theme.h"

namespace headscope {

namespace {

constexpr double kLogFloor = 1e-6;

struct Extent {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    void add(const Extent& other) {
        low = std::min(low, other.low);
        high = std::max(high, other.high);
    }
};

/// Smallest and largest value of the allowed, finite cells.
template <typename T>
Extent extentOf(const MatrixView& matrix) {
    Extent extent;
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
        const T* values = static_cast<const T*>(matrix.data) + row * matrix.stride;
        const std::uint8_t* allowed = matrix.mask ? matrix.mask + row * matrix.columns : nullptr;
        T low = std::numeric_limits<T>::infinity(), high = -low;
        for (std::int64_t column = 0; column < matrix.columns; ++column) {
            const T value = values[column];
            const bool counts = (!allowed || allowed[column]) && std::isfinite(value);
            low = counts && value < low ? value : low;
            high = counts && value > high ? value : high;
        }
        extent.add({static_cast<double>(low), static_cast<double>(high)});
    }
    return extent;
}

Extent extentOf(const MatrixView& matrix) {
    if (!matrix || !matrix.data) return {};
    return matrix.type == Tensor::Type::Float64 ? extentOf<double>(matrix) : extentOf<float>(matrix);
}

/// Of a sample of the cells of a matrix that is not kept: a grid, its diagonal with the two keys on either side, and
/// the first keys, where most heads have their largest weights. All cells would take as long as the whole map.
Extent sampledExtent(const Trace& trace, const Selection& selection, int head) {
    constexpr std::int64_t kRows = 128, kBeside = 2, kFirst = 4;
    const std::int64_t size = trace.dims().sequence_length;
    Region sample{.stage = selection.stage, .sequence = selection.sequence, .head = head, .sampled = true};
    sample.row_edges = even_edges(0, size, kRows);
    std::set<std::int64_t> edges{0, size};
    const auto add_cell = [&](std::int64_t key) {
        if (key >= 0 && key < size) edges.insert({key, key + 1});
    };
    for (std::int64_t key = 0; key < kFirst; ++key) add_cell(key);
    for (std::size_t row = 0; row + 1 < sample.row_edges.size(); ++row) {
        const std::int64_t middle = sampled_query(size, sample.row_edges[row], sample.row_edges[row + 1]);
        for (std::int64_t key = middle - kBeside; key <= middle + kBeside; ++key) add_cell(key);
    }
    sample.column_edges.assign(edges.begin(), edges.end());
    Extent extent;
    const auto cells = region(trace, sample);
    for (std::size_t n = 0; cells && n < cells->values.size(); ++n)
        if (cells->states[n] != RegionCells::State::Masked && std::isfinite(cells->values[n]))
            extent.add({cells->values[n], cells->values[n]});
    return extent;
}

Extent extentOf(const Trace& trace, const Selection& selection, int head) {
    if (scaleIsSampled(trace, selection)) return sampledExtent(trace, selection, head);
    return extentOf(shownMatrix(trace, selection, head));
}

ColorScale scaleOf(const Extent& extent, const Selection& selection) {
    ColorScale scale;
    scale.palette = selection.shownPalette();
    const bool nothing = !(extent.low <= extent.high);
    if (isSigned(selection.stage)) {
        scale.high = nothing ? 0 : std::max(std::abs(extent.low), std::abs(extent.high));
        scale.low = -scale.high;
    } else if (!nothing) {
        scale.low = extent.low;
        scale.high = extent.high;
    }
    return scale;
}

/// Scales that don't depend on the numbers.
std::optional<ColorScale> fixedScale(const Selection& selection) {
    const bool logarithmic = selection.shownRange() == Range::Log;
    if (selection.stage != Stage::Mask && selection.shownRange() != Range::Unit && !logarithmic) return std::nullopt;
    return ColorScale{logarithmic ? kLogFloor : 0, 1, logarithmic, selection.shownPalette()};
}

}  // namespace

double ColorScale::position(double value) const {
    if (std::isnan(value)) return value;
    if (!(high > low)) return 0.5;
    if (logarithmic) {
        const double floor = std::log(std::max(low, kLogFloor));
        const double place = (std::log(std::max(value, kLogFloor)) - floor) / (std::log(high) - floor);
        return std::clamp(place, 0.0, 1.0);
    }
    // Halves each term, so that a range of nearly all doubles doesn't overflow.
    return std::clamp((value / 2 - low / 2) / (high / 2 - low / 2), 0.0, 1.0);
}

QRgb ColorScale::color(double value) const {
    return ColorOf(*this)(value);
}

MatrixView shownMatrix(const Trace& trace, const Selection& selection, int head) {
    MatrixView matrix = trace.matrix(selection.stage, selection.sequence, head);
    if (selection.stage == Stage::Scores) matrix.mask = nullptr;
    return matrix;
}

bool scaleIsSampled(const Trace& trace, const Selection& selection) {
    return !fixedScale(selection) && is_square(selection.stage) &&
           !trace.matrix(selection.stage, selection.sequence, 0) &&
           has_rows(trace, selection.stage, selection.sequence, 0);
}

ColorScale colorScale(const Trace& trace, const Selection& selection, int head) {
    if (const auto fixed = fixedScale(selection)) return *fixed;
    Extent extent;
    const bool own = selection.shownRange() == Range::Head || !has_heads(selection.stage, trace.request);
    const int first = own ? head : 0;
    const int last = own ? head : static_cast<int>(trace.dims().num_heads) - 1;
    for (int h = first; h <= last; ++h) extent.add(extentOf(trace, selection, h));
    return scaleOf(extent, selection);
}

std::vector<ColorScale> colorScales(const Trace& trace, const Selection& selection) {
    const auto heads = has_heads(selection.stage, trace.request) ? static_cast<std::size_t>(trace.dims().num_heads) : 1;
    if (selection.shownRange() != Range::Head) return {heads, colorScale(trace, selection, 0)};
    std::vector<ColorScale> scales;
    for (std::size_t head = 0; head < heads; ++head)
        scales.push_back(colorScale(trace, selection, static_cast<int>(head)));
    return scales;
}

QString scaleLabel(double value) {
    if (value == 0) return QStringLiteral("0");  // not "-0"
    return forPeople(QString::number(value, 'g', 3));
}

}  // namespace headscope
