// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTranslator>
#include <memory>
#include <vector>

namespace headscope {

/// Makes the application speak a language: "en", "zh_CN", or "" for what the system asks for, English where that is
/// neither. An application object must be there. The language holds as long as the translators that are given back.
[[nodiscard]] std::vector<std::unique_ptr<QTranslator>> installLanguage(const QString& language);

}  // namespace headscope
