// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QGuiApplication>
#include <QMessageBox>
#include <QMimeData>
#include <QPrintDialog>
#include <QPrinter>

#include "ui/export/export_dialog.h"
#include "ui/state/draft.h"
#include "ui/state/session.h"

namespace headscope {
namespace {

#define SENTENCE(text) QT_TRANSLATE_NOOP("Error", text)

Result<TracePtr> shownTrace(const Session& session) {
    if (!session.trace()) return fail(ErrorCode::NoTokens, SENTENCE("there is no picture yet; type a text first"));
    if (const TracePtr trace = session.completeTrace()) return trace;
    return fail(ErrorCode::Cancelled, SENTENCE("the picture is still being computed; try again when it is complete"));
}

}  // namespace

Result<void> copyPictureToClipboard(const Trace& trace, const Selection& selection, const FigureStyle& style) {
    const auto image = figureImage(trace, selection, style);
    if (!image) return tl::unexpected(image.error());
    auto* data = new QMimeData;
    data->setImageData(*image);
    data->setData(QStringLiteral("image/svg+xml"), figureSvg(trace, selection, style));
    QGuiApplication::clipboard()->setMimeData(data);
    return {};
}

Result<void> copyPictureToClipboard(const Session& session) {
    const auto trace = shownTrace(session);
    if (!trace) return tl::unexpected(trace.error());
    FigureStyle style;
    style.dpi = 192;  // 192 DPI stays sharp on a slide
    style.theme = currentTheme();
    return copyPictureToClipboard(**trace, session.selection(), style);
}

void printPicture(const Session& session, QWidget* parent) {
    const auto trace = shownTrace(session);
    if (!trace) {
        QMessageBox::information(parent, QCoreApplication::translate("ExportDialog", "Print"), sentence(trace.error()));
        return;
    }
    QPrinter printer(QPrinter::HighResolution);
    printer.setPageOrientation(QPageLayout::Landscape);
    QPrintDialog dialog(&printer, parent);
    if (dialog.exec() != QDialog::Accepted) return;
    if (const auto printed = printFigure(printer, **trace, session.selection()); !printed)
        QMessageBox::warning(parent, QCoreApplication::translate("ExportDialog", "Print"), sentence(printed.error()));
}

Result<void> printFigure(QPrinter& printer, const Trace& trace, const Selection& selection) {
    QPainter painter;
    if (!painter.begin(&printer))
        return fail(ErrorCode::FileUnwritable, SENTENCE("{} can't be printed on; choose another printer"),
                    printer.printerName().isEmpty() ? printer.outputFileName().toStdString()
                                                    : printer.printerName().toStdString());
    FigureStyle style;  // the default style is light, as paper is
    style.size = printer.pageRect(QPrinter::Inch).size() * 96;
    painter.scale(printer.resolution() / 96.0, printer.resolution() / 96.0);
    drawFigure(painter, trace, selection, style);
    return {};
}

}  // namespace headscope
