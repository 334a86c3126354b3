// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>
#include <memory>

#include "core/attention/trace.h"

namespace headscope {

/// What stands beside the rows or columns of a matrix: tokens by index, or the numbers of dimensions. Copies share what
/// was found out about the tokens, and so do all that are made of the same tokens: every head has the same labels.
/// For the thread of the interface only.
class MapLabels {
public:
    std::int64_t count = 0;

    static MapLabels ofTokens(const Batch& batch, int sequence);
    static MapLabels ofNumbers(std::int64_t count);

    bool numbers() const { return !tokens_; }
    bool isPadding(std::int64_t index) const;
    /// As displayToken(), shortened at a grapheme until it is no wider than room.
    QString text(std::int64_t index, const QFontMetricsF& metrics, double room) const;
    /// The width of the widest; of thousands only so many are measured, as a longer one is shortened anyway.
    double widest(const QFontMetricsF& metrics) const;
    /// Every which label can be shown where labels take `needed` of the `pitch` from one cell to the next.
    std::int64_t step(double needed, double pitch) const;
    bool operator==(const MapLabels& other) const { return count == other.count && tokens_ == other.tokens_; }

private:
    struct Tokens;
    std::shared_ptr<const Tokens> tokens_;  ///< null where the labels are numbers
};

/// How column labels rise: by this angle from the horizontal, in degrees.
inline constexpr double kLabelAngle = 60;
/// So much of a line's height is enough from one label to the next.
inline constexpr double kLineShare = 0.85;

/// Right-aligned and centred on a row, ending at `right`. In one direction whatever the script.
void drawRowLabel(QPainter& painter, const QString& text, double right, double centre);
/// Turned by kLabelAngle, beginning above `centre`; or upright and centred. `bottom` is the lowest line of it.
void drawColumnLabel(QPainter& painter, const QString& text, double centre, double bottom, bool turned);
/// The area of either, to wipe before it is drawn again in bold.
QPolygonF rowLabelArea(const QFontMetricsF& metrics, const QString& text, double right, double centre);
QPolygonF columnLabelArea(const QFontMetricsF& metrics, const QString& text, double centre, double bottom, bool turned);

}  // namespace headscope
