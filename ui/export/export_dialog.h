// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "ui/export/figure.h"
#include "ui/export/tables.h"
#include "ui/state/background.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPrinter;
class QProgressBar;
class QPushButton;

namespace headscope {

class FigurePreview;
class ProblemNote;
class Session;
class StepEdit;

/// Writes what the session shows into a file: a picture with its preview, a table, or every tensor. Choices are
/// remembered; writing goes on off the GUI thread and can be cancelled.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    explicit ExportDialog(Session& session, QWidget* parent = nullptr);

    /// Writes to a path of any ending that can be written, as the controls say; answered by saved() or failed().
    void save(const QString& path);
    bool isSaving() const { return work_.isBusy(); }

Q_SIGNALS:
    void saved(const QString& path);
    void failed(const QString& sentence);

public Q_SLOTS:
    void reject() override;  ///< while a file is written: gives that up first

private:
    struct Kind;
    static QList<Kind> kinds();
    Kind kind() const;
    void buildControls();
    QComboBox* addBox(const QString& object, const QString& tip);
    void fillChoices();
    void restoreChoices();
    void rememberChoices() const;
    void follow();  ///< what the controls say, in the preview and the sentence below
    void chooseFile();
    void finish(const QString& path, const Result<void>& result);
    Result<FigureStyle> style() const;
    Selection selection() const;
    TableChoice tableChoice() const;
    void copy();

    Session& session_;
    QComboBox *kind_, *stage_, *head_, *sequence_, *theme_;
    StepEdit *width_, *height_, *dpi_;
    QLineEdit* title_;
    QCheckBox *caption_, *numbers_, *trim_;
    QLabel* note_;
    ProblemNote* problem_;
    FigurePreview* preview_;
    QProgressBar* progress_;
    QPushButton *save_, *copy_, *close_;
    Background work_;  ///< last: what runs must not outlive the rest
};

/// Puts what the session shows on the clipboard, as an image and as SVG. An error where there is no picture yet.
Result<void> copyPictureToClipboard(const Session& session);
Result<void> copyPictureToClipboard(const Trace& trace, const Selection& selection, const FigureStyle& style);

/// Asks for a printer and prints what the session shows, as large as the page.
void printPicture(const Session& session, QWidget* parent);
/// The page of a printer that was chosen; FileUnwritable where it can't be printed on.
Result<void> printFigure(QPrinter& printer, const Trace& trace, const Selection& selection);

}  // namespace headscope
