// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <optional>

#include "app/arguments.h"
#include "ui/export/figure.h"
#include "ui/state/draft.h"
#include "ui/state/selection.h"

namespace headscope {

/// What `headscope export` was asked for, each value legal by itself.
struct ExportJob {
    QString out;
    Draft draft;
    QString text_option = QStringLiteral("--tokens");  ///< the option that the text came from
    std::optional<int> sequence = 0;                   ///< nothing = all
    Selection selection;                               ///< head, stage, range, palette
    FigureStyle style;
    QString language = QStringLiteral("en");

    bool isPicture() const;
};

/// The options of PRODUCT §6, in its order.
QList<OptionSpec> exportOptions();

/// InvalidValue for a value that can't be meant or an OUT of an unknown ending; FileMissing, FileUnreadable or
/// FileContent for a tokens file. The fields of the draft are read by readDraft().
Result<ExportJob> readExportJob(const Arguments& arguments);

/// Tokens as the file holds them, without a byte-order mark; "-" is standard input.
Result<QString> readTokensFile(const QString& path);

}  // namespace headscope
