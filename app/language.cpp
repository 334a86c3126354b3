// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

// The translations are in a static library: without this call the linker would omit them. Not allowed in a namespace.
static void initialiseTranslations() {
    Q_INIT_RESOURCE(translations);
}

namespace headscope {
namespace {

/// The first of the system's languages for which there is a translation.
QString systemLanguage() {
    for (const QString& name : QLocale::system().uiLanguages()) {
        const QLocale locale(name);
        if (locale.language() == QLocale::English) break;
        if (locale.script() == QLocale::SimplifiedHanScript) return QStringLiteral("zh_CN");
    }
    return QStringLiteral("en");
}

}  // namespace

std::vector<std::unique_ptr<QTranslator>> installLanguage(const QString& language) {
    initialiseTranslations();
    const QString name = language.isEmpty() ? systemLanguage() : language;
    std::vector<std::unique_ptr<QTranslator>> translators;
    const auto install = [&](const QString& file, const QString& folder) {
        auto translator = std::make_unique<QTranslator>();
        if (!translator->load(file, folder)) return;
        QCoreApplication::installTranslator(translator.get());
        translators.push_back(std::move(translator));
    };
    // Qt's own texts, such as those of its file dialog; they may not be installed.
    if (name != u"en") install(QStringLiteral("qtbase_") + name, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    install(QStringLiteral("headscope_") + name, QStringLiteral(":/translations"));
    return translators;
}

}  // namespace headscope
