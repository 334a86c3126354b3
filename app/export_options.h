// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <optional>

#include "app/arguments.h"
#include "ui/export/figure.h"
#include "ui/export/tables.h"
#include "ui/state/draft.h"
#include "ui/state/selection.h"
#include "ui/state/session_file.h"

namespace headscope {

/// The options of `headscope export`, each value legal by itself.
struct ExportJob {
    QString out;
    Draft draft;
    QString text_option = QStringLiteral("--tokens");  ///< the option that gave the text
    std::optional<int> sequence = 0;                   ///< nothing = all
    Selection selection;                               ///< head, stage, range, palette
    FigureStyle style;
    Cut rows, columns;  ///< of tables
    QString language = QStringLiteral("en");
    SavedSession session{};  ///< of --session
    bool trim = false;       ///< the picture's margins, as its session has it
    bool carries_state = true;

    bool isPicture() const;
};

/// The options of `headscope export`, in the order of the help.
QList<OptionSpec> exportOptions();

/// InvalidValue for an illegal value or an unknown file name extension of OUT; FileMissing, FileUnreadable or
/// FileContent for a tokens file. readDraft() reads the fields of the draft.
Result<ExportJob> readExportJob(const Arguments& arguments);

/// Reads the text of a tokens file, without a byte-order mark; "-" is standard input.
Result<QString> readTokensFile(const QString& path);

}  // namespace headscope
