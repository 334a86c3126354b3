// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export_command.h"

#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/language.h"
#include "core/attention/compute.h"
#include "core/files/recording.h"
#include "ui/export/export_format.h"
#include "ui/export/picture_state.h"
#include "ui/export/save_file.h"
#include "ui/export/tables.h"
#include "ui/look/font_coverage.h"

namespace headscope {
namespace {

/// Fonts need an application object. The command paints into images and files only, so it runs on the offscreen
/// platform.
std::unique_ptr<QGuiApplication> offscreenApplication() {
    if (qobject_cast<QGuiApplication*>(QCoreApplication::instance())) return nullptr;
    static char name[] = "headscope";
    static char* argv[] = {name, nullptr};
    static int argc = 1;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    return std::make_unique<QGuiApplication>(argc, argv);
}

Result<void> checkStage(const Request& request, Stage stage) {
    if (has_stage(request, stage)) return {};
    return fail(ErrorCode::InvalidValue, "--stage is {}; a recording has weights and mask", to_string(stage));
}

Result<void> checkNumber(const char* option, std::optional<int> number, std::int64_t count) {
    if (!number || *number < count) return {};
    return fail(ErrorCode::InvalidValue, "{} is {}; it must be a number from 0 to {}, or all", option, *number,
                count - 1);
}

/// The window shows the first layer of several and lists them; a file that is written must not guess.
Result<void> checkLayer(const ExportJob& job, const Reading& reading) {
    if (!reading.layers || !job.draft.value(Field::Layer).trimmed().isEmpty()) return {};
    if (reading.recording && reading.recording->layers() > 1)
        return fail(ErrorCode::InvalidValue, "--layer: {} holds {} layers; give a number from 0 to {}",
                    reading.recording->path(), reading.recording->layers(), reading.recording->layers() - 1);
    if (reading.layers->size() < 2) return {};
    const ModelLayers& layers = *reading.layers;
    return fail(ErrorCode::InvalidValue,
                "--layer: {} holds {} attention layers, from 0 ({}) to {} ({}); give one of them",
                job.draft.value(Field::Weights).toStdString(), layers.size(), layers.front().title, layers.size() - 1,
                layers.back().title);
}

/// The user's texts that a figure shows.
QString textsOf(const ExportJob& job, const Trace& trace) {
    QString texts = job.style.title;
    for (const auto& tokens : trace.batch().tokens)
        for (const std::string& token : tokens) texts += QString::fromStdString(token);
    return texts;
}

/// Warns on standard error about what was written all the same: text that no installed font can draw, attention that
/// the model of a weights file computes in another way.
void printNote(const QString& note) {
    std::fprintf(stderr, "headscope: note: %s\n", qUtf8Printable(note));
}

/// What the picture carries: the session, or that of a first start, with what was computed and drawn.
QByteArray stateOf(const ExportJob& job) {
    SavedSession session = job.session;
    Draft draft = job.draft;
    if (usesWeightsFile(draft))  // to be found from any folder
        draft.set(Field::Weights, QDir::cleanPath(QFileInfo(draft.value(Field::Weights)).absoluteFilePath()));
    const auto b = session.state.b;
    session.state = savedState(draft, job.selection, std::nullopt);
    session.state.b = b;
    session.figure = savedFigure(job.style, job.trim, job.language);
    return sessionJson(session);
}

Result<void> write(const ExportJob& job, const Trace& trace) {
    if (!job.isPicture())
        return writeTable(job.out, trace,
                          {job.sequence, job.selection.head, job.selection.stage, job.rows, job.columns});
    const QStringList notes = fontNotes(textsOf(job, trace));
    const auto translators = installLanguage(job.language);
    FigureStyle style = job.style;
    Selection drawn = job.selection;
    drawn.locked.reset();
    if (job.trim) style.size = trimmedSize(trace, drawn, style);
    if (job.carries_state) style.state = stateOf(job);
    const auto written = writeFigure(job.out, trace, drawn, style);
    if (written) std::for_each(notes.begin(), notes.end(), printNote);
    return written;
}

}  // namespace

Result<Request> readRequest(const ExportJob& job) {
    Reading reading = readDraft(job.draft);
    if (auto chosen = checkLayer(job, reading); !chosen) return tl::unexpected(chosen.error());
    if (reading.request) return std::move(*reading.request);
    const Problem& problem = reading.problems.first();
    const QString option = problem.field == Field::Text ? job.text_option : optionName(problem.field);
    const bool no_file = problem.field == Field::Weights && problem.error.code == ErrorCode::FileMissing;
    return fail(problem.error.code, no_file ? "{}: {}; give textbook, seed or a weights file" : "{}: {}",
                option.toStdString(), problem.error.message());
}

namespace {

/// Errors that can be found before the computation.
Result<void> checkJob(const ExportJob& job, const Request& request) {
    const Dims dims = request.dims();
    return checkNumber("--sequence", job.sequence, dims.batch)
        .and_then([&] { return checkNumber("--head", job.selection.head, dims.num_heads); })
        .and_then([&] { return checkStage(request, job.selection.stage); })
        .and_then([&] { return checkPlace(job.out); })
        .and_then([&]() -> Result<void> {
            if (!formatOf(job.out)->pixels) return {};
            return pixelSize(job.style).map([](const QSize&) {}).map_error([](Error error) {
                const bool size = error.code == ErrorCode::InvalidValue;
                return size ? Error{error.code, "--size, --dpi: {}", {error.message()}} : error;
            });
        });
}

}  // namespace

Result<void> runExport(const Arguments& arguments) {
    const auto job = readExportJob(arguments);
    if (!job) return tl::unexpected(job.error());
    auto request = readRequest(*job);
    if (!request) return tl::unexpected(request.error());
    const auto jobs = job->eachFile(request->dims());
    if (!jobs) return tl::unexpected(jobs.error());
    for (const ExportJob& one : *jobs)
        if (auto ready = checkJob(one, *request); !ready) return ready;
    request->kept_sequence = jobs->front().selection.sequence;
    const auto trace = compute(*request);
    if (!trace) return tl::unexpected(trace.error());
    const auto application = job->isPicture() ? offscreenApplication() : nullptr;  // one for all files
    for (const ExportJob& one : *jobs)
        if (auto written = write(one, **trace); !written) return written;
    if (request->file)
        for (const Sentence& missing : request->file->not_computed) printNote(QString::fromStdString(missing.str()));
    return {};
}

}  // namespace headscope
