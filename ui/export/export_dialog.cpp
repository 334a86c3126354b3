// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>

#include "core/base/memory.h"
#include "ui/controls/problem_note.h"
#include "ui/controls/step_edit.h"
#include "ui/export/dump.h"
#include "ui/export/export_format.h"
#include "ui/export/figure_preview.h"
#include "ui/export/picture_state.h"
#include "ui/export/save_file.h"
#include "ui/state/draft.h"
#include "ui/state/phrase.h"
#include "ui/state/session.h"
#include "ui/state/settings.h"

namespace headscope {
namespace {

const settings::Setting<QString> kKind{"export/kind", QStringLiteral(".png")};
const settings::Setting<QString> kWidth{"export/width", QStringLiteral("960")};
const settings::Setting<QString> kHeight{"export/height", QStringLiteral("640")};
const settings::Setting<QString> kDpi{"export/dpi", QStringLiteral("192")};
const settings::Setting<QString> kFolder{"export/folder", QString()};
const settings::Setting<Theme> kTheme{"export/theme", Theme::Light};
const settings::Setting<bool> kCaption{"export/caption", true};
const settings::Setting<bool> kNumbers{"export/numbers", false};
const settings::Setting<bool> kTrim{"export/trim", true};
const settings::Setting<bool> kState{"export/state", true};

}  // namespace

const ExportFormat& ExportDialog::format() const {
    return export_formats()[static_cast<std::size_t>(std::max(0, kind_->currentIndex()))];
}

ExportDialog::ExportDialog(Session& session, QWidget* parent) : QDialog(parent), session_(session) {
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export"));
    buildControls();
    fillChoices();
    restoreChoices();
    for (QComboBox* box : {kind_, stage_, head_, sequence_, theme_})
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::follow);
    for (StepEdit* edit : {width_, height_, dpi_}) connect(edit, &StepEdit::edited, this, &ExportDialog::follow);
    connect(title_, &QLineEdit::textChanged, this, &ExportDialog::follow);
    for (QCheckBox* box : {caption_, numbers_, trim_, state_})
        connect(box, &QCheckBox::toggled, this, &ExportDialog::follow);
    connect(&work_, &Background::failed, this, [this](const Error& error) { finish({}, tl::unexpected(error)); });
    connect(&session_, &Session::traceChanged, this, [this] {
        fillChoices();
        follow();
    });
    follow();
}

ExportDialog::~ExportDialog() {
    cancelled_ = true;
}

QComboBox* ExportDialog::addBox(const QString& object, const QString& tip) {
    auto* box = new QComboBox(this);
    box->setObjectName(object);
    box->setToolTip(tip);
    return box;
}

void ExportDialog::buildControls() {
    const auto number = [this](const char* object, int low, int high, const QString& tip) {
        auto* edit = new StepEdit(integerSteps(low, high), 6, this);
        edit->setObjectName(QLatin1String(object));
        edit->setToolTip(tip);
        return edit;
    };
    auto* form = new QFormLayout;
    kind_ = addBox(QStringLiteral("kind"), tr("What kind of file is written"));
    for (const ExportFormat& one : export_formats()) kind_->addItem(one.title());
    stage_ = addBox(QStringLiteral("stage"), tr("Which numbers to show"));
    head_ = addBox(QStringLiteral("head"), tr("One head, or all of them"));
    sequence_ = addBox(QStringLiteral("sequence"), tr("One sequence of the batch, or all of them"));
    width_ = number("width", kSmallestFigure, kLargestFigure, tr("In 1/96 inch, as on a screen at 100 %"));
    height_ = number("height", kSmallestFigure, kLargestFigure, tr("In 1/96 inch, as on a screen at 100 %"));
    dpi_ = number("dpi", kSmallestDpi, kLargestDpi, tr("Pixels per inch: 96 as on a screen, 300 for print"));
    theme_ = addBox(QStringLiteral("theme"), tr("Colours for paper or for a dark slide"));
    theme_->addItems({tr("Light"), tr("Dark")});
    title_ = new QLineEdit(this);
    title_->setObjectName(QStringLiteral("title"));
    title_->setToolTip(tr("A line above the picture"));
    auto* size = new QHBoxLayout;
    size->addWidget(width_);
    size->addWidget(new QLabel(QStringLiteral("×"), this));
    size->addWidget(height_);
    size->addStretch();
    form->addRow(tr("&File format"), kind_);
    form->addRow(tr("Sta&ge"), stage_);
    form->addRow(tr("&Head"), head_);
    form->addRow(tr("&Sequence"), sequence_);
    auto* size_label = new QLabel(tr("S&ize"), this);
    size_label->setBuddy(width_);
    form->addRow(size_label, size);
    form->addRow(tr("Resolution (&DPI)"), dpi_);
    form->addRow(tr("&Background"), theme_);
    form->addRow(tr("T&itle"), title_);
    const auto check = [this, form](const char* object, const QString& text, const QString& tip) {
        auto* box = new QCheckBox(text, this);
        box->setObjectName(QLatin1String(object));
        box->setToolTip(tip);
        form->addRow(QString(), box);
        return box;
    };
    caption_ = check("caption", tr("Ca&ption"), tr("Notes and the configuration below the maps"));
    numbers_ = check("numbers", tr("&Numbers"), tr("The number of each cell, where it fits"));
    trim_ = check("trim", tr("Tri&m margins"), tr("Cuts the empty margins beside the maps"));
    state_ = check("state", tr("Carry the s&tate"),
                   tr("The file can be dropped on the window, which then shows this again; it holds the text and the "
                      "names of your files"));

    note_ = new QLabel(this);
    note_->setObjectName(QStringLiteral("note"));
    note_->setTextFormat(Qt::PlainText);
    note_->setWordWrap(true);
    problem_ = new ProblemNote(this);
    problem_->setObjectName(QStringLiteral("problem"));
    progress_ = new QProgressBar(this);
    ticks_.setInterval(100);
    connect(&ticks_, &QTimer::timeout, this, [this] {
        if (done_ > 0) progress_->setRange(0, 1000);
        progress_->setValue(static_cast<int>(1000 * done_));
    });
    progress_->hide();
    preview_ = new FigurePreview(this);
    auto* buttons = new QDialogButtonBox(this);
    save_ = buttons->addButton(tr("&Save as…"), QDialogButtonBox::AcceptRole);
    copy_ = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    close_ = buttons->addButton(QDialogButtonBox::Close);
    connect(save_, &QPushButton::clicked, this, &ExportDialog::chooseFile);
    connect(copy_, &QPushButton::clicked, this, &ExportDialog::copy);
    connect(close_, &QPushButton::clicked, this, &ExportDialog::reject);

    auto* left = new QVBoxLayout;
    left->addLayout(form);
    left->addWidget(note_);
    left->addWidget(problem_);
    left->addStretch();
    auto* top = new QHBoxLayout;
    top->addLayout(left);
    top->addWidget(preview_, 1);
    auto* whole = new QVBoxLayout(this);
    whole->addLayout(top, 1);
    whole->addWidget(progress_);
    whole->addWidget(buttons);
    resize(880, 480);
}

/// Updates the choices that depend on the trace; keeps the current choices that still exist.
void ExportDialog::fillChoices() {
    const TracePtr trace = session_.trace();
    const auto fill = [](QComboBox* box, const QString& all, const QString& one, std::int64_t count, int chosen) {
        const QSignalBlocker quiet(box);
        const int before = box->count() ? box->currentIndex() : chosen + 1;
        box->clear();
        box->addItem(all);
        for (std::int64_t i = 0; i < count; ++i) box->addItem(one.arg(i));
        box->setCurrentIndex(before < box->count() ? before : 0);
    };
    const Selection& shown = session_.selection();
    const Dims dims = trace ? trace->dims() : Dims{};
    fill(head_, tr("All heads"), tr("Head %1"), dims.num_heads, shown.head.value_or(-1));
    fill(sequence_, tr("All sequences"), tr("Sequence %1"), dims.batch, shown.sequence);
    if (stage_->count()) return;
    const QSignalBlocker quiet(stage_);
    for (const StageType& type : stage_types()) stage_->addItem(stageTitle(type.stage));
    stage_->setCurrentText(stageTitle(shown.stage));
}

void ExportDialog::restoreChoices() {
    if (const ExportFormat* last = formatOf(kKind.get()))
        kind_->setCurrentIndex(static_cast<int>(last - export_formats().data()));
    width_->display(kWidth.get());
    height_->display(kHeight.get());
    dpi_->display(kDpi.get());
    theme_->setCurrentIndex(kTheme.get() == Theme::Dark ? 1 : 0);
    caption_->setChecked(kCaption.get());
    numbers_->setChecked(kNumbers.get());
    trim_->setChecked(kTrim.get());
    state_->setChecked(kState.get());
}

void ExportDialog::rememberChoices() const {
    kKind.set(QLatin1StringView(format().ending));
    kWidth.set(width_->text());
    kHeight.set(height_->text());
    kDpi.set(dpi_->text());
    kTheme.set(theme_->currentIndex() == 1 ? Theme::Dark : Theme::Light);
    kCaption.set(caption_->isChecked());
    kNumbers.set(numbers_->isChecked());
    kTrim.set(trim_->isChecked());
    kState.set(state_->isChecked());
}

FigureStyle ExportDialog::chosenStyle() const {
    const auto side = [](const StepEdit* field, double begun) {  // 0 if the text is no number
        return field->text() == QString::number(begun) ? begun : field->text().toDouble();
    };
    FigureStyle style;
    style.title = title_->text();
    style.theme = theme_->currentIndex() == 1 ? Theme::Dark : Theme::Light;
    style.all_sequences = sequence_->currentIndex() == 0;
    style.size = QSizeF(side(width_, begun_size_.width()), side(height_, begun_size_.height()));
    style.dpi = dpi_->text().toInt();
    style.caption = caption_->isChecked();
    style.numbers = numbers_->isChecked();
    return style;
}

Result<FigureStyle> ExportDialog::style() const {
    FigureStyle style = chosenStyle();
    const Result<void> legal = format().pixels ? pixelSize(style).map([](const QSize&) {}) : checkFigureStyle(style);
    if (!legal) return tl::unexpected(legal.error());
    if (const TracePtr trace = session_.completeTrace(); trace && trim_->isChecked())
        style.size = trimmedSize(*trace, selection(), style);
    return style;
}

/// The session with what is chosen here, so that it shows this picture when it is opened.
QByteArray ExportDialog::state() const {
    if (!session_to_carry_ || !state_->isChecked()) return {};
    SavedSession session = session_to_carry_();
    const Selection chosen = selection();
    Selection& look = session.state.selection;
    look.stage = chosen.stage;
    look.head = chosen.head;
    look.sequence = chosen.sequence;
    if (look.head && look.locked) look.locked->head = *look.head;
    session.figure = savedFigure(chosenStyle(), trim_->isChecked(), interfaceLanguage());
    return sessionJson(session);
}

void ExportDialog::begin(const SavedFigure& figure) {
    begun_size_ = QSizeF(figure.width, figure.height);
    width_->display(QString::number(figure.width));
    height_->display(QString::number(figure.height));
    dpi_->display(QString::number(figure.dpi));
    theme_->setCurrentIndex(figure.dark ? 1 : 0);
    title_->setText(figure.title);
    caption_->setChecked(figure.caption);
    numbers_->setChecked(figure.numbers);
    trim_->setChecked(figure.trim);
    if (figure.all_sequences) sequence_->setCurrentIndex(0);
    state_->setChecked(true);
    follow();
}

Selection ExportDialog::selection() const {
    Selection selection = session_.selection();
    selection.locked.reset();
    selection.stage = stage_types()[static_cast<std::size_t>(std::max(0, stage_->currentIndex()))].stage;
    selection.head = head_->currentIndex() > 0 ? std::optional(head_->currentIndex() - 1) : std::nullopt;
    selection.sequence = std::max(0, sequence_->currentIndex() - 1);
    return selection;
}

TableChoice ExportDialog::tableChoice() const {
    const Selection shown = selection();
    const bool all = sequence_->currentIndex() == 0;
    return {all ? std::nullopt : std::optional(shown.sequence), shown.head, shown.stage};
}

void ExportDialog::follow() {
    const TracePtr trace = session_.completeTrace();
    const bool picture = format().picture, choice = picture || format().table;
    for (QWidget* widget :
         {static_cast<QWidget*>(width_), static_cast<QWidget*>(height_), static_cast<QWidget*>(theme_),
          static_cast<QWidget*>(title_), static_cast<QWidget*>(caption_), static_cast<QWidget*>(numbers_),
          static_cast<QWidget*>(trim_)})
        widget->setEnabled(picture);
    state_->setEnabled(picture && session_to_carry_);
    progress_->setVisible(isSaving());
    close_->setText(isSaving() ? tr("Cancel") : tr("Close"));
    dpi_->setEnabled(format().pixels);
    for (QComboBox* box : {stage_, head_, sequence_}) box->setEnabled(choice);
    const auto wanted = style();
    const bool legal = !picture || wanted;
    save_->setEnabled(trace && legal && !isSaving());
    copy_->setEnabled(trace && picture && legal && !isSaving());
    problem_->showProblem(legal ? QString() : sentence(wanted.error()));
    preview_->setVisible(picture);
    if (picture && trace && wanted) preview_->show(trace, selection(), *wanted);
    if (!trace) {
        note_->setText(session_.trace() ? tr("The picture is still being computed")
                                        : tr("There is no picture yet: type a text first"));
    } else if (format().pixels && wanted) {
        const QSize pixels = (wanted->size * wanted->dpi / 96).toSize();
        note_->setText(tr("%1 × %2 pixels").arg(pixels.width()).arg(pixels.height()));
    } else if (picture) {
        note_->setText(tr("Cells are vectors up to %L1 per figure").arg(kMostVectorCells));
    } else {
        note_->setText(sizeText(*trace));
    }
}

/// What a table or dump holds, and how much that is.
QString ExportDialog::sizeText(const Trace& trace) const {
    if (format().tensors)
        return tr("x, the weights, and every stage, with the configuration and the tokens: %1")
            .arg(QString::fromStdString(format_bytes(dumpBytes(trace))));
    if (format().script)
        return tr(
            "Builds the layer in PyTorch and asserts these weights; what no seed gives is read from a .npz file "
            "beside it");
    return tr("One line or number for each of %L1 cells").arg(tableCells(trace, tableChoice()));
}

void ExportDialog::chooseFile() {
    QFileDialog dialog(this, tr("Export"), kFolder.get());
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    const QString ending = QLatin1StringView(format().ending);
    dialog.setDefaultSuffix(ending.mid(1));
    dialog.setNameFilter(QStringLiteral("%1 (*%2)").arg(format().title().section(QStringLiteral(" ("), 0, 0), ending));
    dialog.selectFile(QStringLiteral("heads") + ending);
    if (dialog.exec() == QDialog::Accepted) save(dialog.selectedFiles().first());
}

void ExportDialog::save(const QString& path) {
    const TracePtr trace = session_.completeTrace();
    auto wanted = style();
    if (wanted) wanted->state = state();
    if (!trace || isSaving()) return;
    const ExportFormat* named = formatOf(path);
    const bool picture = named && named->picture;
    if (picture && !wanted) return finish(path, tl::unexpected(wanted.error()));
    cancelled_ = false;
    done_ = 0;
    progress_->setRange(0, 0);  // of a picture the duration is unknown
    ticks_.start();
    work_.run([this, path, picture, trace, shown = selection(), choice = tableChoice(),
               style = wanted.value_or(FigureStyle{})](const std::atomic<bool>&) -> Background::Finish {
        const auto write = [&]() -> Result<void> {
            if (!picture) return writeTable(path, *trace, choice, &cancelled_, &done_);
            return writeFigure(path, *trace, shown, style, &cancelled_);
        };
        const Result<void> result = write();
        return [this, path, result] { finish(path, result); };
    });
    follow();
}

void ExportDialog::finish(const QString& path, const Result<void>& result) {
    ticks_.stop();
    follow();
    if (result) {
        rememberChoices();
        kFolder.set(QFileInfo(path).absolutePath());
        note_->setText(tr("Written: %1").arg(QDir::toNativeSeparators(path)));
        Q_EMIT saved(path);
    } else if (result.error().code == ErrorCode::Cancelled) {
        note_->setText(tr("Cancelled"));
        Q_EMIT failed(note_->text());
    } else {
        problem_->showProblem(sentence(result.error()));
        Q_EMIT failed(sentence(result.error()));
    }
}

void ExportDialog::copy() {
    const TracePtr trace = session_.completeTrace();
    const auto wanted = style();
    if (!trace || !wanted) return;
    const auto copied = copyPictureToClipboard(*trace, selection(), *wanted);
    if (copied) {
        note_->setText(tr("Copied to the clipboard"));
    } else {
        problem_->showProblem(sentence(copied.error()));
    }
}

void ExportDialog::reject() {
    if (isSaving()) {  // finish() says what became of the file
        cancelled_ = true;
        return note_->setText(tr("Cancelling …"));
    }
    rememberChoices();
    QDialog::reject();
}

}  // namespace headscope
