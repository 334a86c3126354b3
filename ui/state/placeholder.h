// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

#include "core/attention/trace.h"
#include "core/base/result.h"

namespace headscope {

/// A part of a lesson's sentence that reads the present trace: {weight:head=6,query=3,key=2}. What is not given is that
/// of the step's locked cell; a negative query or key is counted from the end.
struct Placeholder {
    qsizetype begin = 0, length = 0;  ///< in the text, with the braces
    QString name;
    std::optional<int> head{}, query{}, key{}, dim{};
    std::optional<Stage> stage{};
};

/// Every name of a placeholder, with the arguments that it takes.
struct PlaceholderName {
    const char* name;
    QStringList arguments;
};
const QList<PlaceholderName>& placeholderNames();

/// The placeholders of a text. FileContent if one is not closed, not known or has an argument that it does not take;
/// messages begin with `place`.
Result<QList<Placeholder>> placeholdersOf(const QString& text, const std::string& place);

}  // namespace headscope
