// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

#include "core/base/result.h"

namespace headscope {

/// An option as it is typed and as the help tells it.
struct OptionSpec {
    QString name;   ///< "--embed-dim"
    QString value;  ///< "N"; empty where the option stands alone
    QString help;
    bool may_be_empty = false;
};

/// What was typed, sorted into operands and options. `--name value` and `--name=value` are the same.
struct Arguments {
    QStringList operands;
    QList<std::pair<QString, QString>> options;  ///< in the order typed

    bool has(const QString& name) const;
    /// Of a repeated option the last counts.
    std::optional<QString> value(const QString& name) const;
};

/// InvalidValue for an unknown option (with the nearest one that exists), a missing value (an option in its place is
/// not one, though a negative number is) and a value for an option that takes none.
Result<Arguments> readArguments(const QStringList& typed, const QList<OptionSpec>& specs);

/// Text from the raw bytes of argument number `place`. InvalidValue where they are not UTF-8.
Result<QString> decodeArgument(const QByteArray& bytes, int place);

/// "; did you mean --mask?", or nothing where no candidate is near.
std::string suggestion(const QString& typed, const QStringList& candidates);

}  // namespace headscope
