// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include <QFileInfo>
#include <cstdio>
#include <cstdlib>

#include "app/bench_command.h"
#include "app/check_command.h"
#include "app/describe_command.h"
#include "app/export_command.h"
#include "app/window_command.h"
#include "ui/export/picture_state.h"

namespace headscope {
namespace {

/// A subcommand, `headscope NAME ...`.
struct Command {
    const char* name;
    const char* synopsis;
    const char* summary;
    QList<OptionSpec> (*options)();
    Result<void> (*run)(const Arguments&);
};

const Command kCommands[] = {
    {"export", "headscope export OUT [options]",
     "writes a picture (.png .svg .pdf), a table (.csv .json), every tensor (.npz .safetensors) or a PyTorch script "
     "(.py)",
     exportOptions, runExport},
    {"bench", "headscope bench [options]", "measures, one JSON object per line", benchOptions, runBench},
};

QList<OptionSpec> windowOptions() {
    QList<OptionSpec> options{
        {QStringLiteral("--lesson"), QStringLiteral("NAME|FILE"),
         QStringLiteral("starts a lesson: layer, qkv, heads, padding, causal, fill, chunks, precision, or a file")}};
    options += describeOptions() + checkMaskOptions();
    return options << OptionSpec{QStringLiteral("--help"), {}, QStringLiteral("this text")}
                   << OptionSpec{QStringLiteral("--version"), {}, QStringLiteral("prints the version")};
}

/// The line that is printed to standard error.
int report(const Error& error) {
    std::fprintf(stderr, "%s\n", errorLine(error).c_str());
    return statusOf(error.code);
}

/// Suppresses Qt's messages: standard error contains only the program's own line. If the display can't be opened, Qt
/// aborts; the handler then prints that line first.
void hearQt(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type != QtFatalMsg) return;
    report(message.contains(u"platform plugin") ? noDisplay()
                                                : Error{ErrorCode::Unsupported, "{}", {message.toStdString()}});
    std::_Exit(1);
}

/// Wraps text into lines of at most 100 letters; lines after the first are indented.
QString wrapped(const QString& text, qsizetype indent) {
    QStringList lines{QString()};
    for (const QString& word : text.split(u' ')) {
        QString& line = lines.last();
        if (!line.isEmpty() && indent + line.size() + 1 + word.size() > 100) {
            lines += word;
        } else {
            line += line.isEmpty() ? word : u' ' + word;
        }
    }
    return lines.join(u'\n' + QString(indent, u' '));
}

void printOptions(const QList<OptionSpec>& options) {
    for (const OptionSpec& option : options) {
        const std::string name = option.name.toStdString() + " " + option.value.toStdString();
        std::printf("  %-24s %s\n", name.c_str(), qUtf8Printable(wrapped(option.help, 27)));
    }
}

int printHelp() {
    std::printf("HeadScope %s: see what each head of a multi-head attention layer attends to\n\n", HEADSCOPE_VERSION);
    std::printf("  %-34s %s\n", "headscope [FILE] [options]",
                "opens the window, with weights, a model, a recording, a session or a lesson");
    for (const Command& command : kCommands)
        std::printf("  %-34s %s\n", command.synopsis, qUtf8Printable(wrapped(QString::fromUtf8(command.summary), 37)));
    std::printf("  %-34s %s\n", "headscope --describe FILE", "says what is in a weights file or a model's folder");
    std::printf("  %-34s %s\n", "headscope --check-mask FILE", "says what is wrong with a mask file");
    std::printf("  %-34s %s\n", "headscope --help, --version", "");
    std::printf("\nOptions of the window, of --describe and of --check-mask:\n");
    printOptions(windowOptions());
    for (const Command& command : kCommands) {
        std::printf("\nOptions of %s (defaults in parentheses):\n", command.name);
        printOptions(command.options());
    }
    std::printf("\nExit status: 0; 1 where computing, reading or writing failed; 2 for a bad option or value.\n");
    return 0;
}

int printHelp(const Command& command) {
    std::printf("%s\n%s\n\nOptions (defaults in parentheses):\n", command.synopsis,
                qUtf8Printable(wrapped(QString::fromUtf8(command.summary), 0)));
    printOptions(command.options());
    return 0;
}

Result<QStringList> decodeArguments(int argc, char** argv) {
    QStringList words;
    for (int i = 1; i < argc; ++i) {
        const auto word = decodeArgument(QByteArray(argv[i]), i);
        if (!word) return tl::unexpected(word.error());
        words += *word;
    }
    return words;
}

int runCommand(const Command& command, const QStringList& words) {
    const auto arguments = readArguments(words, command.options());
    if (!arguments) return report(arguments.error());
    if (arguments->has(QStringLiteral("--help"))) return printHelp(command);
    const Result<void> done = command.run(*arguments);
    return done ? 0 : report(done.error());
}

Result<QString> fileToOpen(const Arguments& arguments) {
    if (arguments.operands.isEmpty()) return QString();
    const QString& file = arguments.operands.first();
    if (arguments.operands.size() > 1)
        return fail(ErrorCode::InvalidValue, "the window opens one file; '{}' is one too many",
                    arguments.operands[1].toStdString());
    if (QFileInfo::exists(file)) return file;
    QStringList names;
    for (const Command& command : kCommands) names += QString::fromLatin1(command.name);
    const std::string near = file.contains(u'/') ? std::string() : suggestion(file, names);
    if (!near.empty())
        return fail(ErrorCode::InvalidValue, "{}: there is no such command or file{}", file.toStdString(), near);
    return fail(ErrorCode::FileMissing, "{}: there is no such file; headscope --help says what can be done",
                file.toStdString());
}

int runWindow(int argc, char** argv, const QStringList& words) {
    const auto arguments = readArguments(words, windowOptions());
    if (!arguments) return report(arguments.error());
    if (arguments->has(QStringLiteral("--help"))) return printHelp();
    if (arguments->has(QStringLiteral("--version"))) {
        std::printf("headscope %s\n", HEADSCOPE_VERSION);
        return 0;
    }
    if (isCheckMask(*arguments)) {
        const auto checked = runCheckMask(*arguments);
        return checked ? 0 : report(checked.error());
    }
    if (isDescribe(*arguments)) {
        const auto described = runDescribe(*arguments);
        return described ? 0 : report(described.error());
    }
    const auto file = fileToOpen(*arguments);
    if (!file) return report(file.error());
    const bool is_lesson = isLessonName(*file);
    if (is_lesson && arguments->has(QStringLiteral("--lesson")))
        return report({ErrorCode::InvalidValue,
                       "{} is a lesson, and --lesson names another; give one of them",
                       {file->toStdString()}});
    const auto layer = arguments->value(QStringLiteral("--layer"));
    const bool is_session = isSessionName(*file) || isPictureName(*file);
    if (layer && (file->isEmpty() || is_lesson || is_session))
        return report({ErrorCode::InvalidValue, "--layer needs a weights file or a model's folder to open", {}});
    const auto name = is_lesson ? std::optional(*file) : arguments->value(QStringLiteral("--lesson"));
    const auto lesson = name ? namedLesson(*name) : Result<LessonPtr>(nullptr);
    if (!lesson) return report(lesson.error());
    if (is_session)
        if (const auto session = readAnySession(*file); !session) return report(session.error());
    const auto status = openWindow(argc, argv, {is_lesson ? QString() : *file, layer.value_or(QString()), *lesson});
    return status ? *status : report(status.error());
}

}  // namespace

std::string errorLine(const Error& error) {
    return "headscope: error: " + error.message();
}

int statusOf(ErrorCode code) {
    switch (code) {
        case ErrorCode::InvalidValue:
        case ErrorCode::InvalidPair:
        case ErrorCode::InvalidMask:
        case ErrorCode::NoTokens:
            return 2;
        default:
            return 1;
    }
}

int runCommandLine(int argc, char** argv) {
    const QtMessageHandler before = qInstallMessageHandler(hearQt);
    const auto words = decodeArguments(argc, argv);
    int status = 0;
    if (!words) {
        status = report(words.error());
    } else {
        const Command* command = nullptr;
        for (const Command& candidate : kCommands)
            if (!words->isEmpty() && words->first() == QLatin1String(candidate.name)) command = &candidate;
        status = command ? runCommand(*command, words->mid(1)) : runWindow(argc, argv, *words);
    }
    qInstallMessageHandler(before);
    return status;
}

}  // namespace headscope
