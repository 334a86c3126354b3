// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window_command.h"

#include <QApplication>
#include <QFileInfo>

#include "app/language.h"
#include "ui/look/theme.h"
#include "ui/look/type_size.h"
#include "ui/state/session.h"
#include "ui/state/settings.h"
#include "ui/window/autosave.h"
#include "ui/window/main_window.h"
#include "ui/window/python_server.h"

namespace headscope {
namespace {

bool displayIsNamed() {
    return qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY") ||
           !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

}  // namespace

Error noDisplay() {
    return {ErrorCode::Unsupported, "there is no display to open the window on; headscope export OUT needs none", {}};
}

Result<LessonPtr> namedLesson(const QString& name) {
    QStringList names;
    for (const ShippedLesson& shipped : shippedLessons()) {
        if (shipped.key == name) return shipped.lesson;
        names << shipped.key;
    }
    if (QFileInfo::exists(name)) return readLesson(name);
    return fail(ErrorCode::InvalidValue, "--lesson is '{}'; it must be a lesson file or one of {}", name.toStdString(),
                names.join(QStringLiteral(", ")).toStdString());
}

Result<int> openWindow(int argc, char** argv, const Opening& opening) {
    if (!displayIsNamed()) return tl::unexpected(noDisplay());
    QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("HeadScope"));
    QApplication::setApplicationName(QStringLiteral("HeadScope"));
    QApplication::setDesktopFileName(QStringLiteral("org.headscope.HeadScope"));
    const auto translators = installLanguage(settings::language.get());
    applyTheme(settings::theme.get());
    applyTypeSize(settings::fontSize.get());
    Session session;
    session.replace(settings::lastDraft(), settings::lastSelection());
    MainWindow window(session);
    window.keepAutosave(Autosave::ownFolder());
    if (!opening.layer.isEmpty())
        session.openFile(opening.file, opening.layer);
    else if (!opening.file.isEmpty())
        window.openPath(opening.file);
    PythonServer python(session, &window);
    (void)python.listen(PythonServer::ownPath());  // without it the window works, and headscope.py finds none
    window.show();
    if (opening.lesson)
        window.startLesson(opening.lesson);
    else
        window.showCallOut();
    if (!opening.lesson && opening.file.isEmpty()) window.offerLastState();
    return QApplication::exec();
}

}  // namespace headscope
