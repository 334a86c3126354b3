// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/number_text.h"

#include <QRegularExpression>

namespace headscope {

QString forPeople(QString number) {
    static const QRegularExpression exponent(QStringLiteral("e\\+?(-?)0*(?=\\d)"));
    number.replace(exponent, QStringLiteral("e\\1"));
    return number.replace(u'-', QChar(0x2212));
}

}  // namespace headscope
