// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QProcess>
#include <QStringList>
#include <QTemporaryFile>
#include <QTest>

namespace headscope {

inline QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// What the program did.
struct Outcome {
    int status = -1;  ///< -1: it crashed or didn't end
    QByteArray out, error;

    /// True for one line on standard error that begins as an error does, and nothing on standard output.
    bool isOneErrorLine() const {
        return out.isEmpty() && error.startsWith("headscope: error: ") && error.endsWith('\n') &&
               error.count('\n') == 1 && error.size() > 30;
    }
    /// For the message of a failed check.
    QByteArray said(const QByteArray& missing = {}) const {
        return QByteArray("status " + QByteArray::number(status) + ", '" + missing +
                          "' missing, standard error: " + error + ", standard output: " + out);
    }
    bool isQuietSuccess() const { return status == 0 && out.isEmpty() && error.isEmpty(); }
};

/// Runs the program in a folder on raw bytes, with no display and nothing of ours in its environment. A script passes
/// the bytes on as they are, where QProcess would make text of them; `before` are commands of the shell.
inline Outcome runProgram(const QString& folder, const QList<QByteArray>& arguments, const QByteArray& input = {},
                          const QByteArray& before = {}) {
    QByteArray command = before + "exec '" HEADSCOPE_PROGRAM "'";
    for (QByteArray argument : arguments) command += " '" + argument.replace("'", "'\\''") + "'";
    QTemporaryFile script;
    Outcome outcome;
    if (!script.open() || script.write(command) != command.size() || !script.flush()) return outcome;
    QProcess process;
    process.setWorkingDirectory(folder);
    process.setProcessEnvironment([] {
        QProcessEnvironment environment;
        environment.insert(QStringLiteral("PATH"), QStringLiteral("/usr/bin:/bin"));
        environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
        environment.insert(QStringLiteral("HOME"), QStringLiteral("/nonexistent"));
        return environment;
    }());
    process.start(QStringLiteral("/bin/sh"), {script.fileName()});
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(120000) || process.exitStatus() != QProcess::NormalExit) return outcome;
    outcome.status = process.exitCode();
    outcome.out = process.readAllStandardOutput();
    outcome.error = process.readAllStandardError();
    return outcome;
}

}  // namespace headscope
