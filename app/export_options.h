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
    QList<int> heads, sequences;                       ///< those of a list; empty = all, or the one above
    FigureStyle style;
    Cut rows, columns;  ///< of tables
    QString language = QStringLiteral("en");
    SavedSession session{};  ///< of --session
    bool trim = false;       ///< the picture's margins, as its session has it
    bool carries_state = true;

    bool isPicture() const;
    /// One job for each head and sequence where OUT has %h and %s, which stand for their numbers; else the job itself.
    /// InvalidValue for a list without its %h or %s, and for these in the name of what holds all heads anyway.
    Result<QList<ExportJob>> eachFile(const Dims& dims) const;
};

/// The options of `headscope export`, in the order of the help.
QList<OptionSpec> exportOptions();

/// InvalidValue for an illegal value or an unknown file name extension of OUT; FileMissing, FileUnreadable or
/// FileContent for a tokens file. readDraft() reads the fields of the draft.
Result<ExportJob> readExportJob(const Arguments& arguments);

/// Reads the text of a tokens file, without a byte-order mark; "-" is standard input.
Result<QString> readTokensFile(const QString& path);

}  // namespace headscope
