// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headscope {

/// A number of a file or of code as people are shown it: "-28" becomes "−28" with a minus sign, "-1e+09" "−1e9".
QString forPeople(QString number);

}  // namespace headscope
