// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figure_fit.h"

#include <algorithm>
#include <cmath>

namespace headscope {
namespace {

constexpr double kGap = 8, kLabelGap = 4, kMarkRoom = 9, kTitle = 16;
constexpr double kLargestCell = 96;
constexpr double kSlant = 0.866025403784438647;  // sine of the 60 degree angle of column labels
constexpr double kLine = 1.2;                    // distance between labels, in multiples of the text size
constexpr double kSmallestType = 9;
constexpr double kVectorGrain = 4;  // resolution of a bitmap in a vector file, in pixels per unit

/// Fits the cells along one axis.
struct AxisFit {
    int count = 0, each = 1;
    double cell = 0;
};

/// Returns whole units if possible, else the largest fraction that the surface can draw exactly.
AxisFit fitAxis(double room, int count, const Subject& subject) {
    const Surface& surface = subject.surface;
    const bool holds_units = surface.vectors || surface.pixels_per_unit >= 1;
    if (room >= count && holds_units) return {count, 1, std::min(kLargestCell, std::floor(room / count))};
    room = std::max(room, 1.0);
    if (surface.vectors && !subject.bitmap) {
        double parts = 4;
        while (room * parts < count) parts *= 4;
        return {count, 1, std::floor(room * parts / count) / parts};
    }
    // An image can't draw less than one pixel: if there are more cells than pixels, cells share a pixel.
    const double grain = surface.vectors ? kVectorGrain : surface.pixels_per_unit;
    const double pixels = std::max(1.0, std::floor(room * grain));
    const int each = static_cast<int>(std::ceil(count / pixels));
    const int drawn = (count + each - 1) / each;
    return {drawn, each, std::min(std::floor(kLargestCell * grain), std::floor(pixels / drawn)) / grain};
}

MapGrid fitMap(const Subject& subject, double width, double height) {
    if (subject.square) width = height = std::min(width, height);
    const AxisFit across = fitAxis(width, subject.columns, subject);
    const AxisFit down = fitAxis(height, subject.rows, subject);
    return {down.count, across.count, down.each, across.each, across.cell, down.cell, false};
}

int niceStep(double least) {
    for (const int step : {1, 2, 3, 4, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000})
        if (step >= least) return step;
    return 2000;
}

/// How far slanted labels extend beyond the right end of a map.
double overhang(const Subject& subject, double cell, const LabelPlan& plan) {
    double most = 0;
    const auto count = static_cast<int>(subject.column_labels.size());
    for (int j = std::max(0, count - 40); j < count; ++j) {
        const double length = std::min(plan.room, subject.column_labels[static_cast<std::size_t>(j)] * plan.pixels);
        most = std::max(most, length / 2 + plan.pixels / 2 - (count - j - 0.5) * cell);
    }
    return most;
}

/// A candidate layout and its size.
struct Frame {
    const Subject& subject;
    QSizeF room;  // for all maps
    int across, down;

    double gap() const { return std::min(kGap, 0.1 * std::min(room.width() / across, room.height() / down)); }
    double gaps_x() const { return gap() * (across - 1); }
    double gaps_y() const { return gap() * (down - 1); }
    double width() const { return (room.width() - gaps_x()) / across; }
    double height() const { return (room.height() - gaps_y()) / down; }
    Arrangement start() const {
        Arrangement plan;
        plan.across = across;
        plan.down = down;
        plan.title = subject.labels && height() >= 48 && width() >= 32 ? kTitle : 0;
        return plan;
    }
    bool holds(const Arrangement& plan) const {
        const QSizeF panel = plan.panel();
        const double left = plan.outer ? plan.left : 0, top = plan.outer ? plan.top : 0;
        return left + panel.width() * across + gaps_x() <= room.width() + 0.01 &&
               top + panel.height() * down + gaps_y() <= room.height() + 0.01;
    }
    Arrangement bare() const;
    Arrangement labelled(double pixels, double share) const;
    Arrangement outer(double pixels) const;
    Arrangement best() const;

private:
    void planLabels(Arrangement& plan, double pixels, double share) const;
    void thinLabels(Arrangement& plan) const;
};

/// Lays out without labels, and without titles if even the gaps don't fit.
Arrangement Frame::bare() const {
    Arrangement plan = start();
    plan.right = subject.marks ? std::min(kMarkRoom, 0.1 * width()) : 0;
    plan.grid = fitMap(subject, width() - plan.right, height() - plan.title);
    return plan;
}

void Frame::planLabels(Arrangement& plan, double pixels, double share) const {
    plan.rows.pixels = plan.columns.pixels = pixels;
    plan.rows.room = std::min(subject.row_label * pixels, share * width());
    plan.columns.room = std::min(subject.column_label * pixels, share * height());
    plan.left = std::ceil(plan.rows.room + kLabelGap);
    plan.top = std::ceil(plan.columns.room + 2 * kLabelGap);
    plan.right = subject.marks ? kMarkRoom : 0;
}

void Frame::thinLabels(Arrangement& plan) const {
    plan.rows.every = niceStep(plan.rows.pixels * kLine / plan.grid.pitch_y());
    plan.columns.every = niceStep(plan.columns.pixels * kLine / plan.grid.pitch_x());
}

/// Lays out labels at each map, which take at most a fraction of its frame.
Arrangement Frame::labelled(double pixels, double share) const {
    Arrangement plan = start();
    planLabels(plan, pixels, share);
    const double marks = plan.right;
    plan.grid = fitMap(subject, width() - plan.left - marks, height() - plan.title - plan.top);
    thinLabels(plan);
    plan.columns.slanted = plan.columns.every == 1;
    if (!plan.columns.slanted) return plan;
    // Slanted labels are lower, but extend to the right: reduce the width until both fit.
    plan.top = std::ceil(plan.columns.room * kSlant + pixels / 2 + kLabelGap);
    double reserve = 0;
    for (int tries = 0; tries < 4; ++tries) {
        plan.grid = fitMap(subject, width() - plan.left - std::max(marks, reserve), height() - plan.title - plan.top);
        plan.right = std::max(marks, std::ceil(overhang(subject, plan.grid.pitch_x(), plan.columns)));
        if (plan.panel().width() <= width()) break;
        reserve = plan.right;
    }
    return plan;
}

/// Lays out labels at the edges of the whole grid only, which leaves more room for the maps.
Arrangement Frame::outer(double pixels) const {
    Arrangement plan = start();
    plan.outer = true;
    planLabels(plan, pixels, 0.35);
    const double w = (room.width() - plan.left - gaps_x()) / across;
    const double h = (room.height() - plan.top - gaps_y()) / down;
    plan.grid = fitMap(subject, w - plan.right, h - plan.title);
    thinLabels(plan);
    return plan;
}

/// Rates a layout: labels justify a smaller map, the more so the larger their text size and the more of their text is
/// visible. If the cells are too small for one label each, layouts with labels at the edges of the whole grid
/// are considered too.
Arrangement Frame::best() const {
    Arrangement best = bare();
    if (!subject.labels || std::min(width(), height()) < 24) return best;
    double most = best.area();
    bool thinned = true;
    const auto consider = [&](const Arrangement& plan, double worth) {
        const double pixels = plan.rows.pixels;
        const bool thin = plan.rows.every > 1 || (subject.square && plan.columns.every > 1);
        const bool fits_cells = !thin && plan.grid.cell_height >= 1.4 * pixels;
        const double legible = 0.05 * (std::min(pixels, 12.0) - kSmallestType) + 0.02 * (pixels - kSmallestType);
        const double whole = std::min(1.0, plan.rows.room / (subject.row_label * pixels));  // visible fraction
        const double value = worth * (1 + legible) * (0.4 + 0.6 * whole) * plan.area();
        if ((!fits_cells && pixels > kSmallestType) || !holds(plan) || value <= most) return;
        best = plan;
        most = value;
        thinned = thin;
    };
    constexpr double types[] = {15, 13, 12, 11, 10, kSmallestType};
    if (width() >= 64 && height() >= 64)
        for (const double pixels : types)
            for (const double share : {0.35, 0.25, 0.16}) consider(labelled(pixels, share), 2);
    if (thinned && across * down > 1)
        for (const double pixels : types) consider(outer(pixels), 1.2);
    return best;
}

}  // namespace

QSizeF Arrangement::panel() const {
    const double labels_left = outer ? 0 : left, labels_top = outer ? 0 : top;
    return {labels_left + grid.size().width() + right, title + labels_top + grid.size().height()};
}

Arrangement arrange(const Subject& subject, const QSizeF& room) {
    Arrangement best;
    double most = -1;
    for (int across = 1; across <= subject.maps; ++across) {
        const int down = (subject.maps + across - 1) / across;
        if (across > 1 && (subject.maps + across - 2) / (across - 1) == down) continue;  // same rows with fewer columns
        Arrangement plan = Frame{subject, room, across, down}.best();
        const double holes = across * down - subject.maps;
        const double labels = plan.rows.every == 0 ? 1 : plan.outer ? 1.2 : 2;
        const double worth = plan.area() * labels * (1 - 0.01 * holes / subject.maps);
        if (worth <= most) continue;
        best = plan;
        most = worth;
    }
    return best;
}

}  // namespace headscope
