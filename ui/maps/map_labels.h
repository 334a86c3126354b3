// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>
#include <memory>

#include "core/attention/trace.h"

namespace headscope {

/// A label of the screen, laid out once: drawing it again doesn't shape its text again.
class LabelText {
public:
    /// turned: a column label rotated by kLabelAngle.
    LabelText(const QString& text, const QFont& font, bool turned = false);

    bool turned() const { return turned_; }
    double width() const { return layout_.lineAt(0).horizontalAdvance(); }
    const QFontMetricsF& metrics() const { return metrics_; }
    /// Draws with the painter's pen. `at` is where the baseline begins.
    void draw(QPainter& painter, const QPointF& at) const;

private:
    QTextLayout layout_;
    QFontMetricsF metrics_;
    bool turned_;
};

/// The labels of the rows or columns of a matrix: tokens by index, or the numbers of dimensions. Copies share the
/// measurements of the tokens, and so do all objects with the same tokens, because every head has the same labels. For
/// the GUI thread only.
class MapLabels {
public:
    std::int64_t count = 0;

    static MapLabels ofTokens(const Batch& batch, int sequence);
    static MapLabels ofNumbers(std::int64_t count);

    bool numbers() const { return !tokens_; }
    bool isPadding(std::int64_t index) const;
    /// Returns displayToken(), shortened at a grapheme boundary to at most `room`.
    QString text(std::int64_t index, const QFontMetricsF& metrics, double room) const;
    /// text() laid out in a font; kept for the next time by all objects with the same tokens.
    std::shared_ptr<const LabelText> laidOut(std::int64_t index, const QFont& font, double room,
                                             bool turned = false) const;
    /// The width of the widest label. Of thousands, only a limited number is measured; longer labels are shortened
    /// anyway.
    double widest(const QFontMetricsF& metrics) const;
    /// Step between labels that fit if a label takes `needed` and cells are `pitch` apart.
    std::int64_t step(double needed, double pitch) const;
    bool operator==(const MapLabels& other) const { return count == other.count && tokens_ == other.tokens_; }

private:
    struct Tokens;
    std::shared_ptr<const Tokens> tokens_;  ///< null if the labels are numbers
};

/// Angle of rotated column labels above the horizontal, in degrees.
inline constexpr double kLabelAngle = 60;
/// Smallest distance between labels, as a fraction of the line height.
inline constexpr double kLineShare = 0.85;

/// Draws a row label, right-aligned to end at `right` and vertically centred. The alignment doesn't depend on the
/// script.
void drawRowLabel(QPainter& painter, const LabelText& label, double right, double centre);
/// Draws a column label: rotated by kLabelAngle and starting above `centre`, or upright and centred. `bottom` is its
/// lowest line.
void drawColumnLabel(QPainter& painter, const LabelText& label, double centre, double bottom);
/// The area of either label, to erase it before it is drawn in bold.
QPolygonF rowLabelArea(const QFontMetricsF& metrics, const QString& text, double right, double centre);
QPolygonF columnLabelArea(const QFontMetricsF& metrics, const QString& text, double centre, double bottom, bool turned);

}  // namespace headscope
