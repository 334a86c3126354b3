// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headscope {

/// Formats a number from a file or from code for display: "-28" becomes "−28" with a minus sign, "-1e+09" becomes
/// "−1e9".
QString forPeople(QString number);

}  // namespace headscope
