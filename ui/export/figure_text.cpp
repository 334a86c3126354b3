// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figure_text.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "core/files/recording.h"
#include "core/masks/mask_layers.h"
#include "core/weights/textbook.h"
#include "ui/maps/cell_explanation.h"

namespace headscope {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(Figure)
};

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString chunkText(const std::optional<std::int64_t>& size) {
    return size ? QString::number(*size) : Tr::tr("whole");
}

QString recordingText(const Request& request) {
    const Recording& recording = *request.recording;
    const QString name = plainLine(QFileInfo(QString::fromStdString(recording.path())).fileName());
    const QString text = recording.layers() > 1
                             ? Tr::tr("recording %1, layer %2").arg(name, QString::number(request.recorded_layer))
                             : Tr::tr("recording %1").arg(name);
    return request.mask.empty() ? text : Tr::tr("%1, renormalised under the mask").arg(text);
}

QString weightsText(const Request& request) {
    switch (request.source) {
        case WeightSource::Textbook:
            return Tr::tr("textbook heads, seed %1").arg(request.seed);
        case WeightSource::Seed:
            return Tr::tr("seed %1").arg(request.seed);
        case WeightSource::Recording:
            return recordingText(request);
        case WeightSource::File:
            break;
    }
    const QString path = request.file ? QString::fromStdString(request.file->path) : QString();
    const QString name = plainLine(QFileInfo(path).fileName());
    if (!request.file || request.file->layers.size() < 2) return Tr::tr("weights %1").arg(name);
    return Tr::tr("weights %1, layer %2 (%3)")
        .arg(name, QString::number(request.file->number), plainLine(QString::fromStdString(request.file->title)));
}

}  // namespace

QString plainLine(const QString& text) {
    QList<uint> characters = text.toUcs4();
    for (uint& c : characters) {
        const QChar::Category category = QChar::category(c);
        if (category == QChar::Other_Control || category == QChar::Separator_Line ||
            category == QChar::Separator_Paragraph)
            c = u' ';
        else if (category == QChar::Other_Surrogate || QChar::isNonCharacter(c))
            c = QChar::ReplacementCharacter;
    }
    return QString::fromUcs4(reinterpret_cast<const char32_t*>(characters.constData()), characters.size());
}

QStringList noteTexts(const FigureNotes& notes) {
    QStringList texts{notes.square ? Tr::tr("rows are queries, columns are keys")
                                   : Tr::tr("rows are tokens, columns are dimensions")};
    if (notes.row_labels_every > 1 && notes.row_labels_every == notes.column_labels_every) {
        texts += Tr::tr("labels: 1 in %1").arg(notes.row_labels_every);
    } else {
        if (notes.row_labels_every > 1) texts += Tr::tr("row labels: 1 in %1").arg(notes.row_labels_every);
        if (notes.column_labels_every > 1) texts += Tr::tr("column labels: 1 in %1").arg(notes.column_labels_every);
    }
    if (notes.masked) texts += Tr::tr("hatched: masked");
    if (notes.leaked) texts += Tr::tr("square in the hatching: leaked weight on a masked key");
    if (notes.nan) texts += Tr::tr("crossed: NaN");
    if (notes.fully_masked_rows) texts += Tr::tr("◂ fully masked row");
    if (notes.rows_each > 1 || notes.columns_each > 1)
        texts += (notes.reduction == Reduction::Maximum ? Tr::tr("each cell drawn is the largest of %1×%2")
                                                        : Tr::tr("each cell drawn is the mean of %1×%2"))
                     .arg(notes.rows_each)
                     .arg(notes.columns_each);
    if (notes.bitmap_cells)
        texts += Tr::tr("%1 cells, more than %2: drawn as a bitmap").arg(notes.bitmap_cells).arg(65536);
    return texts;
}

QString notKeptText() {
    return Tr::tr("not kept in memory");
}

QStringList configurationTexts(const Request& request) {
    const bool billion = request.fill == Fill::MinusBillion;
    const QString fill = billion ? numberText(-1e9) : fromView(to_string(request.fill));
    const double effective = effective_fill(request.fill, request.precision);
    QStringList texts{
        QStringLiteral("embed_dim %1").arg(request.embed_dim),
        QStringLiteral("num_heads %1").arg(request.num_heads),
        QStringLiteral("head_dim %1").arg(request.dims().head_dim()),
        weightsText(request),
        Tr::tr("mask %1").arg(plainLine(QString::fromStdString(short_text(request.mask)))),
        billion && effective != -1e9 ? Tr::tr("fill %1 (%2)").arg(fill, numberText(effective, 9))
                                     : Tr::tr("fill %1").arg(fill),
        Tr::tr("scale %1").arg(numberText(request.scale_value(), 6)),
        fromView(to_string(request.precision)),
        Tr::tr("chunks %1 × %2").arg(chunkText(request.chunk_size), chunkText(request.key_chunk_size)),
    };
    return texts;
}

QStringList wrapPieces(const QStringList& pieces, const FigureType& type, double width, int most_lines) {
    const QString dot = QStringLiteral(" · ");
    QStringList lines;
    for (const QString& piece : pieces) {
        const QString longer = lines.isEmpty() ? piece : lines.last() + dot + piece;
        if (!lines.isEmpty() && (lines.size() >= most_lines || type.width(longer) <= width)) {
            lines.last() = longer;
        } else {
            lines += piece;
        }
    }
    for (QString& line : lines) line = type.elided(line, width);
    return lines.mid(0, most_lines);
}

QString sectionHeading(const Trace& trace, Stage stage, int sequence) {
    const QString what = QStringLiteral("%1 %2").arg(
        fromView(to_string(stage)), QString::fromStdString(to_string(stage_shape(stage, trace.request))));
    return Tr::tr("%1 · sequence %2 of %3").arg(what).arg(sequence).arg(trace.dims().batch);
}

QString rangeName(const Selection& selection) {
    const QString palette = toWord(selection.shownPalette());
    switch (selection.shownRange()) {
        case Range::Unit:
            return Tr::tr("0 to 1 · %1").arg(palette);
        case Range::Head:
            return Tr::tr("per head · %1").arg(palette);
        case Range::Shared:
            return Tr::tr("shared · %1").arg(palette);
        case Range::Log:
            return Tr::tr("logarithmic · %1").arg(palette);
    }
    return palette;
}

QString panelTitle(const Trace& trace, Stage stage, int head) {
    return has_heads(stage, trace.request) ? Tr::tr("Head %1").arg(head) : fromView(to_string(stage));
}

QString panelRole(const Trace& trace, Stage stage, int head) {
    if (trace.request.source != WeightSource::Textbook || !has_heads(stage, trace.request)) return {};
    return QCoreApplication::translate("headscope", to_string(textbook_role(head)).data());
}

}  // namespace headscope
