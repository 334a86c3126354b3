// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QTimer>

#include "ui/export/figure.h"
#include "ui/export/tables.h"
#include "ui/state/background.h"
#include "ui/state/session_file.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPrinter;
class QProgressBar;
class QPushButton;

namespace headscope {

struct ExportFormat;
class FigurePreview;
class ProblemNote;
class Session;
class StepEdit;

/// Writes what the session shows to a file: a figure (with a preview), a table, or every tensor. It remembers the
/// choices. Writing runs off the GUI thread and can be cancelled.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    explicit ExportDialog(Session& session, QWidget* parent = nullptr);
    ~ExportDialog() override;  ///< cancels a write and waits

    /// Pictures can carry the session that this gives; without it they carry none.
    void carry(std::function<SavedSession()> session) {
        session_to_carry_ = std::move(session);
        follow();
    }
    /// Begins with the settings of a picture that was opened, so that it can be written again.
    void begin(const SavedFigure& figure);

    /// Writes to a path with any supported file name extension, using the current choices; emits saved() or failed().
    void save(const QString& path);
    bool isSaving() const { return work_.isBusy(); }

Q_SIGNALS:
    void saved(const QString& path);
    void failed(const QString& sentence);

public Q_SLOTS:
    void reject() override;  ///< cancels the write first if one is running

private:
    const ExportFormat& format() const;
    void buildControls();
    QComboBox* addBox(const QString& object, const QString& tip);
    void fillChoices();
    void restoreChoices();
    void rememberChoices() const;
    void follow();  ///< updates the preview and the text below it from the controls
    void chooseFile();
    void finish(const QString& path, const Result<void>& result);
    FigureStyle chosenStyle() const;
    Result<FigureStyle> style() const;
    QByteArray state() const;
    Selection selection() const;
    TableChoice tableChoice() const;
    QString sizeText(const Trace& trace) const;
    void copy();

    Session& session_;
    QComboBox *kind_, *stage_, *head_, *sequence_, *theme_;
    StepEdit *width_, *height_, *dpi_;
    QLineEdit* title_;
    QCheckBox *caption_, *numbers_, *trim_, *state_;
    std::function<SavedSession()> session_to_carry_;
    QSizeF begun_size_{};  ///< of begin(), which the fields show rounded, until they are changed
    QLabel* note_;
    ProblemNote* problem_;
    FigurePreview* preview_;
    QProgressBar* progress_;
    QPushButton *save_, *copy_, *close_;
    std::atomic<bool> cancelled_ = false;
    std::atomic<double> done_ = 0;  ///< the part of a table or dump that is written
    QTimer ticks_;                  ///< shows it
    Background work_;               ///< last member: running work must not outlive the others
};

/// Copies what the session shows to the clipboard, as an image and as SVG. Returns an error if there is no trace yet.
Result<void> copyPictureToClipboard(const Session& session);
Result<void> copyPictureToClipboard(const Trace& trace, const Selection& selection, const FigureStyle& style);

/// Opens the print dialog and prints what the session shows, scaled to the page.
void printPicture(const Session& session, QWidget* parent);
/// Prints on the given printer; FileUnwritable if printing fails.
Result<void> printFigure(QPrinter& printer, const Trace& trace, const Selection& selection);

}  // namespace headscope
