// SPDX-License-Identifier: GPL-3.0-or-later
#include <QBuffer>
#include <QImage>
#include <QImageWriter>
#include <QPageLayout>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <cmath>

#include "core/base/memory.h"
#include "core/base/sentence.h"
#include "ui/export/figure.h"
#include "ui/export/figure_layout.h"
#include "ui/export/figure_text.h"
#include "ui/export/save_file.h"
#include "ui/look/theme.h"
#include "ui/state/draft.h"

namespace headscope {
namespace {

#define SENTENCE(text) QT_TRANSLATE_NOOP("Error", text)

constexpr int kMostPixels = 32767;  // of a side: what Qt's painter can reach

/// A figure of numbers that aren't there would be none.
Result<void> checkKept(const Trace& trace, const Selection& selection, const FigureStyle& style) {
    for (const int sequence : figureSequences(trace, selection, style)) {
        if (trace.matrix(selection.stage, sequence, 0)) continue;
        const Dims dims = trace.dims();
        const auto one = static_cast<std::uint64_t>(dims.num_heads * dims.sequence_length * dims.sequence_length) *
                         (trace.x->type() == Tensor::Type::Float64 ? 8 : 4);
        return fail(ErrorCode::OutOfMemory,
                    SENTENCE("the {} of one sequence are {}, too much to keep those of all {}; choose one sequence"),
                    to_string(selection.stage), format_bytes(one), dims.batch);
    }
    return {};
}

Drawing drawingOf(const Trace& trace, const Selection& selection, const FigureStyle& style) {
    return [&](QPainter& painter) { drawFigure(painter, trace, selection, style); };
}

QByteArray pdfOf(const Drawing& draw, const FigureStyle& style) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setCreator(QStringLiteral("HeadScope"));
    writer.setTitle(plainLine(style.title));
    writer.setResolution(96);
    writer.setPageSize(QPageSize(style.size * 72 / 96, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter(&writer);
    draw(painter);
    painter.end();
    return buffer.data();
}

Result<QByteArray> pngOf(const Drawing& draw, const FigureStyle& style) {
    const auto image = drawingImage(draw, style);
    if (!image) return tl::unexpected(image.error());
    QBuffer buffer;
    QImageWriter writer(&buffer, "png");
    if (!writer.write(*image))
        return fail(ErrorCode::OutOfMemory, SENTENCE("the picture of {}x{} pixels can't be encoded: {}"),
                    image->width(), image->height(), writer.errorString().toStdString());
    return buffer.data();
}

}  // namespace

Result<void> checkFigureStyle(const FigureStyle& style) {
    const auto legal = [](double side) { return side >= kSmallestFigure && side <= kLargestFigure; };
    if (!legal(style.size.width()) || !legal(style.size.height()))
        return fail(ErrorCode::InvalidValue,
                    SENTENCE("the size {}x{} is out of bounds; each side must be from {} to {}"), style.size.width(),
                    style.size.height(), kSmallestFigure, kLargestFigure);
    if (style.dpi < kSmallestDpi || style.dpi > kLargestDpi)
        return fail(ErrorCode::InvalidValue, SENTENCE("dpi is {}; it must be from {} to {}"), style.dpi, kSmallestDpi,
                    kLargestDpi);
    return {};
}

Result<QSize> pixelSize(const FigureStyle& style) {
    if (auto checked = checkFigureStyle(style); !checked) return tl::unexpected(checked.error());
    const QSizeF exact = style.size * style.dpi / 96;
    const QSize pixels(qRound(exact.width()), qRound(exact.height()));
    if (std::max(pixels.width(), pixels.height()) > kMostPixels)
        return fail(ErrorCode::InvalidValue,
                    SENTENCE("{}x{} at {} dpi is {}x{} pixels; a picture has at most {} on each side"),
                    style.size.width(), style.size.height(), style.dpi, pixels.width(), pixels.height(), kMostPixels);
    // The image, and about as much again while it is encoded.
    const auto bytes =
        std::uint64_t{8} * static_cast<std::uint64_t>(pixels.width()) * static_cast<std::uint64_t>(pixels.height());
    if (auto fits = require_memory(bytes, phrase("the picture")); !fits) return tl::unexpected(fits.error());
    return pixels;
}

Result<QImage> drawingImage(const Drawing& draw, const FigureStyle& style) {
    const auto pixels = pixelSize(style);
    if (!pixels) return tl::unexpected(pixels.error());
    QImage image(*pixels, QImage::Format_RGB32);
    if (image.isNull())
        return fail(ErrorCode::OutOfMemory, SENTENCE("there is no memory for a picture of {}x{} pixels"),
                    pixels->width(), pixels->height());
    image.setDotsPerMeterX(qRound(style.dpi / 0.0254));
    image.setDotsPerMeterY(qRound(style.dpi / 0.0254));
    image.fill(color(Role::Panel, style.theme));
    QPainter painter(&image);
    painter.scale(style.dpi / 96.0, style.dpi / 96.0);
    draw(painter);
    return image;
}

QByteArray drawingSvg(const Drawing& draw, const FigureStyle& style) {
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);
    generator.setSize(style.size.toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), style.size));
    generator.setTitle(plainLine(style.title).toHtmlEscaped());
    generator.setDescription(QStringLiteral("HeadScope"));
    QPainter painter(&generator);
    draw(painter);
    painter.end();
    // The generator names one family of type and can't ask for sharp edges; a style sheet in its empty <defs> does
    // both.
    QByteArray svg = buffer.data();
    const QByteArray sheet =
        "<defs>\n<style>rect,path{shape-rendering:crispEdges}image{image-rendering:pixelated}text{"
        "font-family:" +
        fontFamilies().join(u',').toUtf8() + ",sans-serif}</style>";
    const qsizetype defs = svg.indexOf("<defs>");
    return defs < 0 ? svg : svg.replace(defs, 6, sheet);
}

Result<void> writeDrawing(const QString& path, const Drawing& draw, const FigureStyle& style) {
    if (auto checked = checkFigureStyle(style); !checked) return checked;
    const QString ending = endingOf(path);
    if (ending == u".png") {
        const auto png = pngOf(draw, style);
        return png ? saveFile(path, *png) : tl::unexpected(png.error());
    }
    if (ending == u".svg") return saveFile(path, drawingSvg(draw, style));
    if (ending == u".pdf") return saveFile(path, pdfOf(draw, style));
    return fail(ErrorCode::InvalidValue, SENTENCE("{} is no picture's name; it must end in .png, .svg or .pdf"),
                path.toStdString());
}

Result<QImage> figureImage(const Trace& trace, const Selection& selection, const FigureStyle& style) {
    return drawingImage(drawingOf(trace, selection, style), style);
}

QByteArray figureSvg(const Trace& trace, const Selection& selection, const FigureStyle& style) {
    return drawingSvg(drawingOf(trace, selection, style), style);
}

Result<void> writeFigure(const QString& path, const Trace& trace, const Selection& selection,
                         const FigureStyle& style) {
    const auto ready = checkFigureStyle(style).and_then([&] { return checkKept(trace, selection, style); });
    return ready ? writeDrawing(path, drawingOf(trace, selection, style), style) : ready;
}

}  // namespace headscope
