// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

#include "core/base/result.h"

namespace headscope {

/// An option as it is typed and as the help lists it.
struct OptionSpec {
    QString name;   ///< "--embed-dim"
    QString value;  ///< "N"; empty if the option takes no value
    QString help;
    bool may_be_empty = false;
};

/// The arguments, sorted into operands and options. `--name value` and `--name=value` are equivalent.
struct Arguments {
    QStringList operands;
    QList<std::pair<QString, QString>> options;  ///< in the order typed

    bool has(const QString& name) const;
    /// If an option is repeated, the last one counts.
    std::optional<QString> value(const QString& name) const;
};

/// InvalidValue for an unknown option (names the nearest known one), for a missing value (another option is not taken
/// as the value, a negative number is) and for a value of an option that takes none.
Result<Arguments> readArguments(const QStringList& typed, const QList<OptionSpec>& specs);

/// Decodes the raw bytes of argument number `place`. InvalidValue if they are not UTF-8.
Result<QString> decodeArgument(const QByteArray& bytes, int place);

/// "; did you mean --mask?", or nothing if no candidate is similar.
std::string suggestion(const QString& typed, const QStringList& candidates);

}  // namespace headscope
