// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_format.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/files/npz_file.h"
#include "core/files/safetensors_file.h"
#include "ui/export/save_file.h"
#include "ui/export/script.h"

namespace headscope {
namespace {

const ExportFormat kFormats[] = {
    {.ending = ".png",
     .name = QT_TRANSLATE_NOOP("ExportFormat", "Picture (.png)"),
     .pixels = true,
     .picture = drawingPng},
    {.ending = ".svg",
     .name = QT_TRANSLATE_NOOP("ExportFormat", "Vectors (.svg)"),
     .picture = [](const Drawing& draw, const FigureStyle& style) -> Result<QByteArray> {
         return drawingSvg(draw, style);
     }},
    {.ending = ".pdf",
     .name = QT_TRANSLATE_NOOP("ExportFormat", "Vectors (.pdf)"),
     .picture = [](const Drawing& draw, const FigureStyle& style) -> Result<QByteArray> {
         return drawingPdf(draw, style);
     }},
    {.ending = ".csv", .name = QT_TRANSLATE_NOOP("ExportFormat", "Table (.csv)"), .table = writeCsv},
    {.ending = ".json", .name = QT_TRANSLATE_NOOP("ExportFormat", "Numbers (.json)"), .table = writeJson},
    {.ending = ".npz", .name = QT_TRANSLATE_NOOP("ExportFormat", "Every tensor (.npz)"), .tensors = write_npz},
    {.ending = ".safetensors",
     .name = QT_TRANSLATE_NOOP("ExportFormat", "Every tensor (.safetensors)"),
     .tensors = write_safetensors},
    {.ending = ".py", .name = QT_TRANSLATE_NOOP("ExportFormat", "PyTorch script (.py)"), .script = writeScript},
};

}  // namespace

QString ExportFormat::title() const {
    return QCoreApplication::translate("ExportFormat", name);
}

std::span<const ExportFormat> export_formats() {
    return kFormats;
}

const ExportFormat* formatOf(const QString& path) {
    const QString ending = endingOf(path);
    const auto found = std::find_if(std::begin(kFormats), std::end(kFormats), [&](const ExportFormat& format) {
        return ending == QLatin1StringView(format.ending);
    });
    return found == std::end(kFormats) ? nullptr : found;
}

QStringList exportEndings(bool only_pictures) {
    QStringList endings;
    for (const ExportFormat& format : kFormats)
        if (format.picture || !only_pictures) endings << QLatin1StringView(format.ending);
    return endings;
}

}  // namespace headscope
