// SPDX-License-Identifier: GPL-3.0-or-later
// The set-up of tests that open the window.
#pragma once

#include <QCoreApplication>
#include <QSettings>
#include <QTemporaryDir>

#include "ui/look/theme.h"
#include "ui/look/type_size.h"

namespace headscope::testing {

/// Settings in a folder of the test's own, and the appearance of a first start, set before the window as the program
/// does. False if there is no folder.
inline bool beginAsAtFirstStart(const QTemporaryDir& folder) {
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
    QCoreApplication::setOrganizationName(QStringLiteral("HeadScope"));
    applyTheme(Theme::Light);
    applyTypeSize(10);
    return folder.isValid();
}

}  // namespace headscope::testing
