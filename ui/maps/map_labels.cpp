// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/map_labels.h"

#include <QTransform>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <unordered_map>
#include <vector>

#include "ui/state/tokenizer.h"

namespace headscope {

namespace {

constexpr int kMostGraphemes = 12;
constexpr std::int64_t kMeasured = 256;

/// Text starts at the origin with its middle on the axis; none of its corners is below `bottom`.
QTransform columnTransform(const QFontMetricsF& metrics, double centre, double bottom) {
    const double dip = metrics.height() / 2 * std::cos(kLabelAngle * std::numbers::pi / 180);
    return QTransform().translate(centre, bottom - dip).rotate(-kLabelAngle);
}

/// Distance from the middle of a line down to its baseline.
double toBaseline(const QFontMetricsF& metrics) {
    return (metrics.ascent() - metrics.descent()) / 2;
}

/// The painted area of a text relative to the start of its baseline, with a margin of one pixel for antialiasing.
QRectF inked(const QFontMetricsF& metrics, const QString& text) {
    return metrics.tightBoundingRect(text).adjusted(-1, -1, 1, 1);
}

/// The font of rotated labels: hinting is for upright letters, and rotated ones would be misaligned.
QFont unhinted(QFont font) {
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

/// Tells fonts apart without measuring a text.
using FontKey = std::array<double, 3>;
struct Widths {
    std::vector<double> of;  ///< of each token; negative if not measured yet
    double widest = -1;
};

/// Labels laid out in one font.
struct LaidOut {
    QFont font;
    double room = 0;
    bool turned = false;
    std::unordered_map<std::int64_t, std::shared_ptr<const LabelText>> labels;
};

}  // namespace

LabelText::LabelText(const QString& text, const QFont& font, bool turned)
    : layout_(text, turned ? unhinted(font) : font), metrics_(font), turned_(turned) {
    layout_.setCacheEnabled(true);
    layout_.beginLayout();
    layout_.createLine();
    layout_.endLayout();
}

void LabelText::draw(QPainter& painter, const QPointF& at) const {
    layout_.draw(&painter, at - QPointF(0, layout_.lineAt(0).ascent()));
}

struct MapLabels::Tokens {
    std::vector<std::string> tokens;
    std::vector<std::uint8_t> real;      ///< 0 = padding, drawn grey
    mutable std::vector<QString> shown;  ///< results of displayToken(), computed on first use
    mutable std::map<FontKey, Widths> measured;
    mutable std::vector<LaidOut> laid_out;

    const QString& text(std::size_t index) const {
        if (shown[index].isEmpty()) shown[index] = displayToken(tokens[index], kMostGraphemes);
        return shown[index];
    }

    Widths& widths(const QFontMetricsF& metrics) const {
        constexpr std::size_t kMostFonts = 8;  // normal and bold, and some type sizes
        const FontKey key{metrics.height(), metrics.averageCharWidth(), metrics.maxWidth()};
        if (measured.size() >= kMostFonts && !measured.contains(key)) measured.clear();
        Widths& widths = measured[key];
        widths.of.resize(tokens.size(), -1);
        return widths;
    }

    LaidOut& laidOut(const QFont& font, double room, bool turned) const {
        constexpr std::size_t kMostFonts = 8, kMostLabels = 2048;
        const auto found = std::find_if(laid_out.begin(), laid_out.end(), [&](const LaidOut& set) {
            return set.room == room && set.turned == turned && set.font == font;
        });
        if (found != laid_out.end()) {
            if (found->labels.size() >= kMostLabels) found->labels.clear();
            return *found;
        }
        if (laid_out.size() >= kMostFonts) laid_out.clear();
        return laid_out.emplace_back(LaidOut{font, room, turned, {}});
    }

    double width(std::size_t index, const QFontMetricsF& metrics) const {
        double& width = widths(metrics).of[index];
        if (width < 0) width = metrics.horizontalAdvance(text(index));
        return width;
    }
};

MapLabels MapLabels::ofTokens(const Batch& batch, int sequence) {
    static std::weak_ptr<const Tokens> last;  // all heads of a grid use the same tokens, one after the other
    const auto& tokens = batch.tokens[static_cast<std::size_t>(sequence)];
    const auto begin = batch.real.begin() + sequence * batch.sequence_length(), end = begin + batch.sequence_length();
    MapLabels labels;
    labels.count = batch.sequence_length();
    labels.tokens_ = last.lock();
    if (labels.tokens_ && labels.tokens_->tokens == tokens &&
        std::equal(begin, end, labels.tokens_->real.begin(), labels.tokens_->real.end()))
        return labels;
    labels.tokens_ =
        std::make_shared<Tokens>(Tokens{tokens, {begin, end}, std::vector<QString>(tokens.size()), {}, {}});
    last = labels.tokens_;
    return labels;
}

MapLabels MapLabels::ofNumbers(std::int64_t count) {
    MapLabels labels;
    labels.count = count;
    return labels;
}

bool MapLabels::isPadding(std::int64_t index) const {
    return tokens_ && !tokens_->real[static_cast<std::size_t>(index)];
}

QString MapLabels::text(std::int64_t index, const QFontMetricsF& metrics, double room) const {
    if (!tokens_) return QString::number(index);
    QString shown = tokens_->text(static_cast<std::size_t>(index));
    if (tokens_->width(static_cast<std::size_t>(index), metrics) <= room) return shown;
    for (int graphemes = kMostGraphemes; graphemes > 1 && metrics.horizontalAdvance(shown) > room;)
        shown = displayToken(tokens_->tokens[static_cast<std::size_t>(index)], --graphemes);
    return shown;
}

std::shared_ptr<const LabelText> MapLabels::laidOut(std::int64_t index, const QFont& font, double room,
                                                    bool turned) const {
    const auto lay_out = [&] {
        return std::make_shared<LabelText>(text(index, QFontMetricsF(font), room), font, turned);
    };
    if (!tokens_) return lay_out();
    auto& label = tokens_->laidOut(font, room, turned).labels[index];
    if (!label) label = lay_out();
    return label;
}

double MapLabels::widest(const QFontMetricsF& metrics) const {
    if (!tokens_) return metrics.horizontalAdvance(QString::number(std::max<std::int64_t>(count - 1, 0)));
    if (const double known = tokens_->widths(metrics).widest; known >= 0) return known;
    const std::int64_t step = (count + kMeasured - 1) / kMeasured;
    double widest = 0;
    for (std::int64_t i = 0; i < count; i += step)
        widest = std::max(widest, tokens_->width(static_cast<std::size_t>(i), metrics));
    return tokens_->widths(metrics).widest = widest;
}

std::int64_t MapLabels::step(double needed, double pitch) const {
    if (!(pitch > 0)) return count;
    auto least = static_cast<std::int64_t>(std::ceil(needed / pitch));
    least = std::clamp<std::int64_t>(least, 1, std::max<std::int64_t>(count, 1));
    if (!numbers()) return least;
    std::int64_t round = 1;  // dimensions are labelled at powers of two
    while (round < least) round *= 2;
    return round;
}

void drawRowLabel(QPainter& painter, const LabelText& label, double right, double centre) {
    label.draw(painter, {right - label.width(), centre + toBaseline(label.metrics())});
}

void drawColumnLabel(QPainter& painter, const LabelText& label, double centre, double bottom) {
    const QFontMetricsF& metrics = label.metrics();
    if (!label.turned()) return label.draw(painter, {centre - label.width() / 2, bottom - metrics.descent()});
    painter.save();
    painter.setTransform(columnTransform(metrics, centre, bottom), true);
    label.draw(painter, {0, toBaseline(metrics)});
    painter.restore();
}

QPolygonF rowLabelArea(const QFontMetricsF& metrics, const QString& text, double right, double centre) {
    const QPointF origin(right - metrics.horizontalAdvance(text), centre + toBaseline(metrics));
    return QPolygonF(inked(metrics, text).translated(origin));
}

QPolygonF columnLabelArea(const QFontMetricsF& metrics, const QString& text, double centre, double bottom,
                          bool turned) {
    const QRectF ink = inked(metrics, text);
    if (!turned)
        return QPolygonF(ink.translated(centre - metrics.horizontalAdvance(text) / 2, bottom - metrics.descent()));
    return columnTransform(metrics, centre, bottom).map(QPolygonF(ink.translated(0, toBaseline(metrics))));
}

}  // namespace headscope
