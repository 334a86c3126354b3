// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/label_band.h"

#include <algorithm>
#include <cmath>

#include "ui/maps/map_layout.h"

namespace headscope {

namespace {

constexpr double kLabelSize = 0.85;  // of the widget's text size: 11 pixels for 10 points

const Span* spanOf(const LabelBand& band, std::int64_t index) {
    const auto after = std::upper_bound(band.spans.begin(), band.spans.end(), index,
                                        [](std::int64_t place, const Span& span) { return place < span.cell; });
    if (after == band.spans.begin()) return nullptr;
    const Span& span = *std::prev(after);
    return index < span.cell + span.cells ? &span : nullptr;
}

/// Draws the labels of one band one by one.
class BandPainter {
public:
    BandPainter(QPainter& painter, const LabelBand& band, const QPointF& corner, const QFont& font, double pixel_ratio)
        : painter_(painter),
          band_(band),
          corner_(corner),
          thin_(labelFont(font)),
          bold_(labelFont(font, true)),
          thin_metrics_(thin_),
          bold_metrics_(bold_),
          ratio_(pixel_ratio) {}

    void draw(std::int64_t index, bool bold, const QColor& pen) const {
        painter_.setPen(pen);
        const auto label = band_.labels.laidOut(index, bold ? bold_ : thin_, band_.room, band_.turned);
        if (band_.rows)
            drawRowLabel(painter_, *label, corner_.x() - kLabelGap, middle(index));
        else
            drawColumnLabel(painter_, *label, middle(index), corner_.y() - kLabelGap);
    }

    bool overlap(std::int64_t index, std::int64_t bold) const {
        const auto width = [&](std::int64_t i) {
            return bold_metrics_.horizontalAdvance(band_.labels.text(i, bold_metrics_, band_.room));
        };
        const bool lines = band_.rows || band_.turned;
        const double needed = lines ? thin_metrics_.height() * kLineShare : (width(index) + width(bold)) / 2 + 2;
        return std::abs(middle(index) - middle(bold)) < needed - 0.01;
    }

private:
    double middle(std::int64_t index) const {
        const Span* span = spanOf(band_, index);
        return (band_.rows ? corner_.y() : corner_.x()) + (span->pixel + span->pixels / 2.0) / ratio_;
    }

    QPainter& painter_;
    const LabelBand& band_;
    QPointF corner_;
    QFont thin_, bold_;
    QFontMetricsF thin_metrics_, bold_metrics_;
    double ratio_;
};

}  // namespace

QFont labelFont(const QFont& font, bool bold) {
    QFont small = font;
    small.setBold(bold);
    if (small.pointSizeF() > 0)
        small.setPointSizeF(small.pointSizeF() * kLabelSize);
    else
        small.setPixelSize(std::max(1, qRound(small.pixelSize() * kLabelSize)));
    return small;
}

std::int64_t labelStep(const LabelBand& band, const QFontMetricsF& metrics, double pitch) {
    const bool lines = band.rows || band.turned;
    return band.labels.step(lines ? metrics.height() * kLineShare : band.room + metrics.averageCharWidth(), pitch);
}

void drawLabels(QPainter& painter, const LabelBand& band, const QPointF& corner, const QFont& font,
                const Emphasis& emphasis, Theme theme, double pixel_ratio) {
    if (band.room <= 0 || band.spans.empty()) return;
    const BandPainter labels(painter, band, corner, font, pixel_ratio);
    std::vector<std::int64_t> bold;
    const auto is_free = [&](std::int64_t index) {
        return std::none_of(bold.begin(), bold.end(), [&](auto other) { return labels.overlap(index, other); });
    };
    for (const auto& index : {emphasis[1], emphasis[0]}) {  // the hovered label first
        if (!index || !spanOf(band, *index) || !is_free(*index)) continue;
        labels.draw(*index, true, color(Role::Text, theme));
        bold.push_back(*index);
    }
    for (const Span& span : band.spans) {
        const std::int64_t index = (span.cell + band.step - 1) / band.step * band.step;  // the first one with a label
        if (index >= span.cell + span.cells || !is_free(index)) continue;
        labels.draw(index, false, color(band.labels.isPadding(index) ? Role::Muted : Role::Text, theme));
    }
}

}  // namespace headscope
