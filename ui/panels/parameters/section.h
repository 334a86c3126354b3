// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <functional>

#include "ui/controls/problem_note.h"
#include "ui/controls/step_edit.h"
#include "ui/state/session.h"

class QLabel;
class QVBoxLayout;

namespace headscope {

class UndoKeys;

/// The names of one control: its label (with a mnemonic), its object name for tests, and its tooltip.
struct ControlText {
    QString label, name, tip;
};

/// A part of the parameter panel: an optional title, and rows of label and control, each bound to one field of the
/// draft. A control sends its text on every change, shows the draft's text, and has the error of its field below it.
class Section : public QWidget {
    Q_OBJECT
public:
    Section(Session& session, const QString& title, QWidget* parent);

protected:
    StepEdit* addNumber(Field field, const ControlText& text, Stepper stepper);
    ChoiceEdit* addChoice(Field field, const ControlText& text, const QStringList& choices);
    using Words = QList<std::pair<QString, QString>>;  ///< label and word
    WordChoice* addWords(Field field, const ControlText& text, const Words& words);
    static Words precisionWords();
    QLineEdit* addLine(const ControlText& text);

    /// The parts of the add functions, for custom controls: names and undo keys; a row with a label; a field.
    void name(QWidget* control, const ControlText& text);
    QLabel* addRow(QWidget* control, const ControlText& text);
    void addPair(QWidget* left, QWidget* right);
    void addWide(QWidget* widget);
    void bind(Field field, QWidget* control, std::function<void(const QString&)> display);
    QLabel* addNote(const QString& name);  ///< a line of muted text, hidden while it is empty
    static void setNote(QLabel* note, const QString& text);
    QLabel* titleNote() const { return title_note_; }

    Session& session() const { return session_; }
    const QString& value(Field field) const { return session_.draft().value(field); }
    /// Values that would resolve the problem of a field.
    virtual QList<Offer> offers(Field) const { return {}; }
    /// Called if the draft, the trace or the selection changed.
    virtual void refresh() = 0;
    void refreshAll();

    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Bound {
        Field field;
        QWidget* control;
        ProblemNote* note;
        std::function<void(const QString&)> display;
    };
    void showProblem(const Bound& bound);
    bool takeOffer(const QObject* control);
    void applyLook();

    Session& session_;
    UndoKeys* undo_keys_;
    QVBoxLayout* column_;
    QLabel* title_;
    QLabel* title_note_;
    QList<QLabel*> notes_;
    QList<Bound> bound_;
};

}  // namespace headscope
