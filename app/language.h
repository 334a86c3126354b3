// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTranslator>
#include <memory>
#include <vector>

namespace headscope {

/// Sets the language of the application: "en", "zh_CN", or "" for the language of the system (English if there is no
/// translation for it). Needs an application object. The language is in effect as long as the returned translators
/// exist.
[[nodiscard]] std::vector<std::unique_ptr<QTranslator>> installLanguage(const QString& language);

}  // namespace headscope
