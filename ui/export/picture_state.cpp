// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/picture_state.h"

#include <zlib.h>

#include <QFile>
#include <QRegularExpression>
#include <QXmlStreamReader>
#include <QtEndian>
#include <algorithm>

#include "ui/export/export_format.h"

namespace headscope {
namespace {

#define SENTENCE(text) QT_TRANSLATE_NOOP("Error", text)

constexpr qint64 kLargestPicture = qint64{256} << 20;
constexpr const char* kNamespace = "urn:headscope:session";
const QString kAttachment = QStringLiteral("session.headscope");

// --- PNG: chunks of length, type, content and CRC (the PNG specification, 5.3)

constexpr qsizetype kSignature = 8, kChunkFrame = 12;
const QByteArray kKeyword("headscope\0\0\0\0\0", 14);  // iTXt: keyword, not compressed, no language, no other keyword

QByteArray bigEndian(quint32 number) {
    QByteArray bytes(4, Qt::Uninitialized);
    qToBigEndian(number, bytes.data());
    return bytes;
}

quint32 checksum(QByteArrayView bytes) {
    return static_cast<quint32>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

/// The text of the chunk; empty if there is none before the pixels, or it is damaged.
QByteArray stateInPng(const QByteArray& png) {
    if (!png.startsWith("\x89PNG\r\n\x1a\n")) return {};
    for (qsizetype at = kSignature; at + kChunkFrame <= png.size();) {
        const qsizetype length = qFromBigEndian<quint32>(png.constData() + at);
        if (length > png.size() - at - kChunkFrame) return {};
        const QByteArrayView chunk = QByteArrayView(png).sliced(at + 4, length + 4);  // its type and content
        if (chunk.startsWith("IDAT")) return {};
        const QByteArrayView content = chunk.sliced(4);
        if (chunk.startsWith("iTXt") && content.startsWith(kKeyword) &&
            checksum(chunk) == qFromBigEndian<quint32>(png.constData() + at + 8 + length))
            return content.sliced(kKeyword.size()).toByteArray();
        at += kChunkFrame + length;
    }
    return {};
}

// --- SVG

QByteArray stateInSvg(const QByteArray& svg) {
    QXmlStreamReader reader(svg);
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == u"session" &&
            reader.namespaceUri() == QLatin1StringView(kNamespace))
            return reader.readElementText().toUtf8();
    return {};
}

// --- PDF: the object that the attachment's file specification names, deflated

QByteArray stateInPdf(const QByteArray& pdf) {
    const qsizetype specification = pdf.indexOf("/F (session.headscope)");
    if (!pdf.startsWith("%PDF-") || specification < 0) return {};
    static const QRegularExpression reference(QStringLiteral("/EF *<< */F +([0-9]{1,9}) 0 R"));
    const auto match = reference.match(QString::fromLatin1(pdf.mid(specification, 200)));
    const qsizetype object = pdf.indexOf(QByteArray("\n" + match.captured(1).toLatin1() + " 0 obj"));
    const QByteArray begin("stream\n");
    const qsizetype stream = pdf.indexOf(begin, object);
    if (!match.hasMatch() || object < 0 || stream < 0) return {};
    const qsizetype first = stream + begin.size();
    QByteArray state(kLargestSession, Qt::Uninitialized);  // what is longer is none of ours
    auto size = static_cast<uLongf>(state.size());
    auto read = static_cast<uLong>(pdf.size() - first);
    const auto* source = reinterpret_cast<const Bytef*>(pdf.constData() + first);
    if (uncompress2(reinterpret_cast<Bytef*>(state.data()), &size, source, &read) != Z_OK) return {};
    state.truncate(static_cast<qsizetype>(size));
    return state;
}

/// A way to carry a state, by the ending of the file.
struct Carrier {
    const char* ending;
    QByteArray (*state)(const QByteArray& picture);
};
constexpr Carrier kCarriers[] = {{".png", stateInPng}, {".svg", stateInSvg}, {".pdf", stateInPdf}};

const Carrier* carrierOf(const QString& path) {
    const auto* const found = std::find_if(std::begin(kCarriers), std::end(kCarriers), [&](const Carrier& carrier) {
        return path.endsWith(QLatin1StringView(carrier.ending), Qt::CaseInsensitive);
    });
    return found == std::end(kCarriers) ? nullptr : found;
}

/// JSON in ASCII: other characters stand only in its texts, where they can be escaped.
QByteArray inAscii(const QByteArray& json) {
    QByteArray ascii;
    for (const QChar c : QString::fromUtf8(json)) {
        if (c.unicode() < 0x80)
            ascii += static_cast<char>(c.unicode());
        else
            ascii += "\\u" + QByteArray::number(c.unicode(), 16).rightJustified(4, '0');
    }
    return ascii;
}

}  // namespace

/// The chunk follows IHDR, which is always the first and 13 bytes long.
QByteArray pngWithState(const QByteArray& png, const QByteArray& state) {
    if (state.isEmpty()) return png;
    constexpr qsizetype after_header = kSignature + kChunkFrame + 13;
    const QByteArray content = kKeyword + inAscii(state);
    const QByteArray chunk = "iTXt" + content;
    QByteArray changed = png;
    return changed.insert(after_header,
                          bigEndian(static_cast<quint32>(content.size())) + chunk + bigEndian(checksum(chunk)));
}

QByteArray svgWithState(const QByteArray& svg, const QByteArray& state) {
    const qsizetype place = svg.indexOf("<defs>");
    if (state.isEmpty() || place < 0) return svg;
    QByteArray changed = svg;
    return changed.insert(place, QByteArray("<metadata>\n<session xmlns=\"") + kNamespace + "\">" +
                                     QString::fromLatin1(inAscii(state)).toHtmlEscaped().toLatin1() +
                                     "</session>\n</metadata>\n");
}

void attachState(QPdfWriter& writer, const QByteArray& state) {
    if (!state.isEmpty()) writer.addFileAttachment(kAttachment, inAscii(state), QStringLiteral("application/json"));
}

bool isPictureName(const QString& path) {
    return carrierOf(path) != nullptr;
}

Result<SavedSession> readAnySession(const QString& path) {
    const Carrier* carrier = carrierOf(path);
    if (!carrier) return readSession(path);
    const std::string name = path.toStdString();
    QFile file(path);
    if (!file.exists()) return fail(ErrorCode::FileMissing, SENTENCE("{}: there is no such file"), name);
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorCode::FileUnreadable, SENTENCE("{}: the file can't be read: {}"), name,
                    file.errorString().toStdString());
    if (file.size() > kLargestPicture)
        return fail(ErrorCode::FileContent, SENTENCE("{}: the file has {} bytes; at most {} are read"), name,
                    file.size(), kLargestPicture);
    const QByteArray state = carrier->state(file.readAll());
    if (state.isEmpty())
        return fail(
            ErrorCode::FileContent,
            SENTENCE("{}: the picture carries no state; only those that HeadScope exports with their state can be "
                     "opened"),
            name);
    return parseSession(state, path);
}

FigureStyle styleOf(const SavedFigure& figure) {
    FigureStyle style;
    style.size = QSizeF(figure.width, figure.height);
    style.dpi = figure.dpi;
    style.theme = figure.dark ? Theme::Dark : Theme::Light;
    style.title = figure.title;
    style.all_sequences = figure.all_sequences;
    style.caption = figure.caption;
    style.numbers = figure.numbers;
    return style;
}

SavedFigure savedFigure(const FigureStyle& style, bool trim, const QString& language) {
    return {style.size.width(),
            style.size.height(),
            style.dpi,
            style.theme == Theme::Dark,
            style.title,
            style.all_sequences,
            style.caption,
            style.numbers,
            trim,
            language};
}

}  // namespace headscope
