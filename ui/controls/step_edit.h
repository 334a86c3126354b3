// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSpinBox>
#include <QComboBox>
#include <functional>

namespace headscope {

/// Maps the text of a field and a number of steps (positive = up) to a legal text.
using Stepper = std::function<QString(const QString& text, int steps)>;

/// Steps through the whole numbers from low to high, `stride` apart. A text that is no number steps to the number
/// nearest to `low`.
Stepper integerSteps(qint64 low, qint64 high, qint64 stride = 1);
/// Steps through all 64-bit numbers, for seeds.
Stepper seedSteps();

/// A text field for a number, with buttons and arrow keys that step through legal values. An illegal text is kept and
/// its error is shown; a ranged spin box would change it silently.
class StepEdit : public QAbstractSpinBox {
    Q_OBJECT
public:
    StepEdit(Stepper stepper, int characters, QWidget* parent = nullptr);
    QString text() const;
    void display(const QString& text);
    void setPlaceholderText(const QString& text);
    using QAbstractSpinBox::lineEdit;
    void stepBy(int steps) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void edited(const QString& text);  ///< emitted for every change that the user makes

protected:
    StepEnabled stepEnabled() const override { return isReadOnly() ? StepNone : StepUpEnabled | StepDownEnabled; }
    void wheelEvent(QWheelEvent* event) override;

private:
    Stepper stepper_;
    int characters_;
};

/// An editable combo box with a list of legal values. Any text can be typed. The arrow keys step through the list by
/// size, starting from the typed number; "whole" is larger than every number.
class ChoiceEdit : public QComboBox {
    Q_OBJECT
public:
    explicit ChoiceEdit(QWidget* parent = nullptr);
    void setChoices(const QStringList& ascending);
    void display(const QString& text);

Q_SIGNALS:
    void edited(const QString& text);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
};

/// A combo box of words: the session stores the word, the list shows its label.
class WordChoice : public QComboBox {
    Q_OBJECT
public:
    explicit WordChoice(QWidget* parent = nullptr);
    void display(const QString& word);

Q_SIGNALS:
    void edited(const QString& word);

protected:
    void wheelEvent(QWheelEvent* event) override;
};

}  // namespace headscope
