// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figure_type.h"

#include <QGlyphRun>
#include <QPaintEngine>
#include <QRawFont>
#include <QTextLayout>
#include <algorithm>

#include "ui/look/elided.h"
#include "ui/look/theme.h"

namespace headscope {
namespace {

constexpr double kSharpness = 8;  // pixels per page unit in the image of a letter

QFont fontOf(double pixels, bool bold) {
    QFont font;
    font.setFamilies(fontFamilies());
    font.setPixelSize(std::max(1, qRound(pixels)));
    font.setBold(bold);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

/// Whether the letters of a font are bitmaps: such a font has a table that locates them.
bool hasBitmaps(const QRawFont& font) {
    return !font.fontTable("CBLC").isEmpty() || !font.fontTable("sbix").isEmpty();
}

void drawBitmaps(QPainter& painter, const QGlyphRun& run) {
    const QRectF box = run.boundingRect().adjusted(-1, -1, 1, 1);
    QImage image(box.size().toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter letters(&image);
    letters.setRenderHint(QPainter::SmoothPixmapTransform);
    letters.drawGlyphRun(-box.topLeft(), run);
    letters.end();
    painter.drawImage(box.topLeft(), image);
}

}  // namespace

FigureType::FigureType(double pixels, bool bold) : font_(fontOf(pixels, bold)), metrics_(font_) {}

QString FigureType::elided(const QString& text, double width) const {
    return headscope::elided(text, metrics_, width);
}

double FigureType::draw(QPainter& painter, const QPointF& left, const QString& text, const QColor& color) const {
    painter.setFont(font_);
    painter.setPen(color);
    const bool pdf = painter.paintEngine()->type() == QPaintEngine::Pdf;
    if (!pdf || !drawWithBitmaps(painter, left, text)) painter.drawText(left, text);
    return width(text);
}

bool FigureType::drawWithBitmaps(QPainter& painter, const QPointF& left, const QString& text) const {
    if (std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() < 0x2000; })) return false;
    QFont large = font_;
    large.setPixelSize(qRound(font_.pixelSize() * kSharpness));
    QTextLayout layout(text, large);
    layout.beginLayout();
    const QTextLine line = layout.createLine();
    layout.endLayout();
    const QList<QGlyphRun> runs = layout.glyphRuns();
    if (std::none_of(runs.begin(), runs.end(), [](const auto& run) { return hasBitmaps(run.rawFont()); })) return false;
    painter.save();
    painter.setRenderHints(QPainter::LosslessImageRendering | QPainter::SmoothPixmapTransform);
    painter.translate(left);
    painter.scale(1 / kSharpness, 1 / kSharpness);
    painter.translate(0, -line.ascent());
    for (const QGlyphRun& run : runs) {
        // As text in a PDF they would be blank, and Qt would then draw them blank on the screen too.
        if (hasBitmaps(run.rawFont()))
            drawBitmaps(painter, run);
        else
            painter.drawGlyphRun({}, run);
    }
    painter.restore();
    return true;
}

}  // namespace headscope
