// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIODevice>
#include <QString>
#include <QStringList>
#include <atomic>
#include <span>

#include "core/files/safetensors_file.h"
#include "ui/export/figure.h"
#include "ui/export/tables.h"

namespace headscope {

/// The description of a file format: it writes a picture, a table of chosen numbers, every tensor, or a script. To add
/// a format, add a row of the table in export_format.cpp and its writer.
struct ExportFormat {
    const char* ending;   ///< of the file's name, in lower case with the dot: ".png"
    const char* name;     ///< in the dialog; translated in the context "ExportFormat"
    bool pixels = false;  ///< has a resolution

    // Exactly one of these writes it.
    Result<QByteArray> (*picture)(const Drawing&, const FigureStyle&) = nullptr;
    Result<void> (*table)(QIODevice&, const Trace&, const TableChoice&, const std::atomic<bool>* cancel,
                          std::atomic<double>* done) = nullptr;
    bool (*tensors)(const std::vector<TensorWriter>&, const std::map<std::string, std::string>& metadata,
                    const ByteSink&) = nullptr;
    /// A file of its own, and where it needs tensors one beside it.
    Result<void> (*script)(const QString& path, const Trace&, const std::atomic<bool>* cancel,
                           std::atomic<double>* done) = nullptr;

    QString title() const;  ///< "Picture (.png)", translated
};

/// In the order of the dialog.
std::span<const ExportFormat> export_formats();
/// By the ending of a file's name; null if no format has it.
const ExportFormat* formatOf(const QString& path);
/// All endings, or those of pictures.
QStringList exportEndings(bool only_pictures = false);

}  // namespace headscope
