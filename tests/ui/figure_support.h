// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <map>

#include "core/attention/compute.h"
#include "ui/export/figure.h"
#include "ui/state/draft.h"

namespace headscope {

inline const QString kTwoLines = QStringLiteral("the cat sat on the mat\n[PAD] a dog ran");

/// Parses the numbers of a figure from typed text; fails the test if the text is illegal.
inline TracePtr traceOf(const QString& text, const QString& mask = QString(), const QString& fill = QString(),
                        const QString& embed_dim = QStringLiteral("32"), const QString& num_heads = QStringLiteral("8"),
                        const QString& precision = QStringLiteral("float32")) {
    Draft draft;
    draft.set(Field::Text, text);
    draft.set(Field::Mask, mask);
    if (!fill.isEmpty()) draft.set(Field::Fill, fill);
    draft.set(Field::EmbedDim, embed_dim);
    draft.set(Field::NumHeads, num_heads);
    draft.set(Field::Precision, precision);
    const Reading reading = readDraft(draft);
    for (const Problem& problem : reading.problems) qWarning("%s", problem.error.message().c_str());
    if (!reading.request) return nullptr;
    const auto trace = compute(*reading.request);
    if (!trace) qWarning("%s", trace.error().message().c_str());
    return trace.value_or(nullptr);
}

inline std::int64_t allowedCells(const Trace& trace, int sequence) {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < trace.mask.of(0).size(); ++i)
        for (std::int64_t j = 0; j < trace.mask.of(0).size(); ++j) count += trace.mask.of(0).allowed(sequence, i, j);
    return count;
}

inline QString words(int count) {
    QStringList list;
    for (int i = 0; i < count; ++i) list += QStringLiteral("w%1").arg(i);
    return list.join(u' ');
}

inline QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The content of an SVG file: the count of each element, the fills of the rectangles, and the texts, joined if
/// adjacent.
struct SvgContents {
    bool well_formed = false;
    QSizeF size;  ///< of the view box
    std::map<QString, int> elements;
    QStringList texts;
    QStringList rect_fills;
};

inline SvgContents readSvg(const QByteArray& bytes) {
    SvgContents svg;
    QXmlStreamReader xml(bytes);
    QStringList fills;  // including fills inherited from enclosing groups
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::EndElement) fills.removeLast();
        if (!xml.isStartElement()) continue;
        const QString name = xml.name().toString();
        const QString fill = xml.attributes().value(QLatin1String("fill")).toString();
        fills += fill.isEmpty() && !fills.isEmpty() ? fills.last() : fill;
        ++svg.elements[name];
        if (name == u"svg") {
            const QStringList box = xml.attributes().value(QLatin1String("viewBox")).toString().split(u' ');
            svg.size = QSizeF(box.value(2).toDouble(), box.value(3).toDouble());
        }
        if (name == u"rect") svg.rect_fills += fills.last();
        if (name == u"text") {
            svg.texts += xml.readElementText(QXmlStreamReader::IncludeChildElements);
            fills.removeLast();
        }
    }
    svg.well_formed = !xml.hasError();
    return svg;
}

/// Draws the figure of a trace through an SVG file.
inline SvgContents svgOf(const Trace& trace, const Selection& selection = {}, const FigureStyle& style = {}) {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("of.svg"));
    const auto written = writeFigure(file, trace, selection, style);
    if (!written) qWarning("%s", written.error().message().c_str());
    return written ? readSvg(contents(file)) : SvgContents{};
}

/// The decompressed page descriptions of a PDF file.
inline QByteArray pdfStreams(const QByteArray& pdf) {
    QByteArray all;
    for (qsizetype at = pdf.indexOf("stream\n"); at >= 0; at = pdf.indexOf("stream\n", at)) {
        at += 7;
        const qsizetype end = pdf.indexOf("endstream", at);
        QByteArray packed = pdf.mid(at, end - at);
        const auto size = quint32{1 << 26};  // qUncompress needs an estimate of the size first
        QByteArray head(4, '\0');
        for (int i = 0; i < 4; ++i) head[i] = static_cast<char>(size >> (8 * (3 - i)));
        if (packed.startsWith('\x78')) all += qUncompress(head + packed) + '\n';
        at = end + 9;
    }
    return all;
}

/// Output of a system program, or nothing if it isn't installed.
inline std::optional<QByteArray> outputOf(const QString& program, const QStringList& arguments) {
    const QString path = QStandardPaths::findExecutable(program);
    if (path.isEmpty()) return std::nullopt;
    QProcess process;
    process.start(path, arguments);
    if (!process.waitForFinished(60000) || process.exitCode() != 0) return std::nullopt;
    return process.readAllStandardOutput();
}

}  // namespace headscope
