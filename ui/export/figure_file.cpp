// SPDX-License-Identifier: GPL-3.0-or-later
#include <QBuffer>
#include <QHashFunctions>
#include <QImage>
#include <QImageWriter>
#include <QPageLayout>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSvgGenerator>
#include <cmath>

#include "core/base/memory.h"
#include "core/base/sentence.h"
#include "ui/export/export_format.h"
#include "ui/export/figure.h"
#include "ui/export/figure_layout.h"
#include "ui/export/figure_text.h"
#include "ui/export/picture_state.h"
#include "ui/export/save_file.h"
#include "ui/look/theme.h"
#include "ui/state/draft.h"

namespace headscope {
namespace {

#define SENTENCE(text) QT_TRANSLATE_NOOP("Error", text)

constexpr int kMostPixels = 32767;  // largest side that QPainter supports

Drawing drawingOf(const Trace& trace, const Selection& selection, const FigureStyle& style) {
    return [&](QPainter& painter) { drawFigure(painter, trace, selection, style); };
}

/// Removes the creation time, which Qt writes into a PDF and which would make every file differ. The offsets in the
/// cross-reference table at the end of the file are reduced accordingly.
QByteArray withoutDate(QByteArray pdf) {
    const qsizetype date = pdf.indexOf("/CreationDate (");  // the user's texts are UTF-16, so they can't match
    qsizetype table = pdf.lastIndexOf("\nxref\n");
    if (date < 0 || table < date) return pdf;
    const qsizetype length = pdf.indexOf('\n', date) + 1 - date;
    const auto moveNumber = [&](qsizetype at, qsizetype digits) {
        const qlonglong offset = pdf.mid(at, digits).toLongLong();
        if (offset > date) pdf.replace(at, digits, QByteArray::number(offset - length).rightJustified(digits, '0'));
    };
    const auto isEntry = [&](qsizetype at) {  // "0000012084 00000 n \n", or f for a free object
        return at + 20 <= pdf.size() && (pdf[at + 17] == 'n' || pdf[at + 17] == 'f');
    };
    for (table = pdf.indexOf('\n', table + 6) + 1; isEntry(table); table += 20) moveNumber(table, 10);
    if (const qsizetype start = pdf.lastIndexOf("startxref\n"); start > date) {
        const qsizetype number = start + 10;
        qsizetype end = number;
        while (end < pdf.size() && pdf[end] >= '0' && pdf[end] <= '9') ++end;
        moveNumber(number, end - number);
    }
    return pdf.remove(date, length);
}

/// Programs that draw SVG with Pango ignore font-variant-ligatures and would draw "->" as an arrow and "10x20" with a
/// multiplication sign, as Inter does. Letters in separate elements are never joined.
QString withSignsApart(QString svg) {
    static const QRegularExpression text(QStringLiteral("(<text[^>]*>)([^<]*)(?=</text>)"));
    static const QRegularExpression joined(
        QStringLiteral("(?<=[!-/:-@\\[-`{-~])(&\\w+;|[!-%'-/:-@\\[-`{-~])|(?<=[0-9])(x)(?=[0-9])"));
    QList<QRegularExpressionMatch> texts;
    for (auto all = text.globalMatch(svg); all.hasNext();) texts.append(all.next());
    for (auto match = texts.crbegin(); match != texts.crend(); ++match) {
        QString content = match->captured(2);
        content.replace(joined, QStringLiteral("<tspan>\\1\\2</tspan>"));
        svg.replace(match->capturedStart(2), match->capturedLength(2), content);
    }
    return svg;
}

/// QSvgGenerator rounds the size to whole units of 1/96 inch. A size that is not whole is written in millimetres.
QByteArray withExactSize(QByteArray svg, const QSizeF& size) {
    if (size == size.toSize()) return svg;
    const qsizetype begin = svg.indexOf("width=\""), end = svg.indexOf("\n", begin);
    const auto mm = [](double side) { return QByteArray::number(side * 25.4 / 96, 'g', 8); };
    if (begin < 0 || end < 0 || !svg.mid(begin, end - begin).contains("height=\"")) return svg;
    const QByteArray exact = "width=\"" + mm(size.width()) + "mm\" height=\"" + mm(size.height()) + "mm\"";
    return svg.replace(begin, end - begin, exact);
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
    // The image, and about as much again for encoding.
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

Result<QByteArray> drawingPng(const Drawing& draw, const FigureStyle& style) {
    const auto image = drawingImage(draw, style);
    if (!image) return tl::unexpected(image.error());
    QBuffer buffer;
    QImageWriter writer(&buffer, "png");
    if (!writer.write(*image))
        return fail(ErrorCode::OutOfMemory, SENTENCE("the picture of {}x{} pixels can't be encoded: {}"),
                    image->width(), image->height(), writer.errorString().toStdString());
    return pngWithState(buffer.data(), style.state);
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
    // QSvgGenerator writes a single font family and can't request sharp edges or disable ligatures; a style sheet in
    // its empty <defs> does both.
    QByteArray svg = withExactSize(buffer.data(), style.size);
    const QByteArray sheet =
        "<defs>\n<style>rect,path{shape-rendering:crispEdges}image{image-rendering:pixelated}text{"
        "font-variant-ligatures:none;font-family:" +
        fontFamilies().join(u',').toUtf8() + ",sans-serif}</style>";
    if (const qsizetype defs = svg.indexOf("<defs>"); defs >= 0) svg.replace(defs, 6, sheet);
    return svgWithState(withSignsApart(QString::fromUtf8(svg)).toUtf8(), style.state);
}

QByteArray drawingPdf(const Drawing& draw, const FigureStyle& style) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    // Qt writes fonts in the order of a hash, which differs between processes unless its seed is fixed.
    QHashSeed::setDeterministicGlobalSeed();
    const auto random_again = qScopeGuard([] { QHashSeed::resetRandomGlobalSeed(); });
    QPdfWriter writer(&buffer);
    writer.setCreator(QStringLiteral("HeadScope"));
    writer.setTitle(plainLine(style.title));
    attachState(writer, style.state);
    writer.setResolution(96);
    writer.setPageSize(QPageSize(style.size * 72 / 96, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter(&writer);
    draw(painter);
    painter.end();
    return withoutDate(buffer.data());
}

Result<void> writeDrawing(const QString& path, const Drawing& draw, const FigureStyle& style,
                          const std::atomic<bool>* cancel) {
    if (auto checked = checkFigureStyle(style); !checked) return checked;
    const ExportFormat* format = formatOf(path);
    if (!format || !format->picture)
        return fail(ErrorCode::InvalidValue, SENTENCE("{} is not a picture file; its name must end in one of {}"),
                    path.toStdString(), exportEndings(true).join(QStringLiteral(", ")).toStdString());
    const auto bytes = format->picture(draw, style);
    if (!bytes) return tl::unexpected(bytes.error());
    if (cancel && *cancel) return fail(ErrorCode::Cancelled, SENTENCE("cancelled"));
    return saveFile(path, *bytes);
}

Result<QImage> figureImage(const Trace& trace, const Selection& selection, const FigureStyle& style) {
    return drawingImage(drawingOf(trace, selection, style), style);
}

QByteArray figureSvg(const Trace& trace, const Selection& selection, const FigureStyle& style) {
    return drawingSvg(drawingOf(trace, selection, style), style);
}

Result<void> writeFigure(const QString& path, const Trace& trace, const Selection& selection, const FigureStyle& style,
                         const std::atomic<bool>* cancel) {
    FigureStyle own = style;
    own.cancel = cancel;
    return writeDrawing(path, drawingOf(trace, selection, own), own, cancel);
}

}  // namespace headscope
