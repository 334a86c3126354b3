// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSpinBox>
#include <QComboBox>
#include <functional>

namespace headscope {

/// From the text of a field and a number of steps (up is positive) to a legal text.
using Stepper = std::function<QString(const QString& text, int steps)>;

/// Whole numbers from low to high, `stride` apart. What is no number steps to the one nearest to `low`.
Stepper integerSteps(qint64 low, qint64 high, qint64 stride = 1);
/// All of 64 bits, for seeds.
Stepper seedSteps();

/// A number with buttons and arrow keys that step through legal values, in which anything can be typed: an illegal
/// value stays as it is and is answered by a sentence, while a ranged spin box would change it silently.
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
    void edited(const QString& text);  ///< by a person, at every key

protected:
    StepEnabled stepEnabled() const override { return isReadOnly() ? StepNone : StepUpEnabled | StepDownEnabled; }
    void wheelEvent(QWheelEvent* event) override;

private:
    Stepper stepper_;
    int characters_;
};

/// An editable box with a list of legal values, in which anything can be typed. The arrow keys step through the list by
/// size, from whatever number stands there; "whole" is larger than every number.
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

/// A box with words to choose from; the session knows them by their word, the person by a label.
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
