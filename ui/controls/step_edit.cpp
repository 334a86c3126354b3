// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/step_edit.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QStyleOptionSpinBox>
#include <QWheelEvent>
#include <algorithm>
#include <limits>

#include "ui/controls/text_difference.h"

namespace headscope {
namespace {

/// Order of choices by size: a word such as "whole" or "auto" is larger than every number.
double sizeOf(const QString& text) {
    bool isNumber = false;
    const double number = text.toDouble(&isNumber);
    return isNumber ? number : std::numeric_limits<double>::infinity();
}

}  // namespace

Stepper integerSteps(qint64 low, qint64 high, qint64 stride) {
    return [=](const QString& text, int steps) {
        bool isNumber = false;
        const qint64 number = text.trimmed().toLongLong(&isNumber);
        if (!isNumber) return QString::number(low);
        // From a value between two multiples, the first step goes to the adjacent multiple.
        const qint64 from = std::clamp(number, low, high) - low;
        const qint64 below = from / stride, above = below + (from % stride != 0);
        const qint64 next = steps > 0 ? below + steps : above + steps;
        return QString::number(low + std::clamp<qint64>(next, 0, (high - low) / stride) * stride);
    };
}

Stepper seedSteps() {
    return [](const QString& text, int steps) {
        bool isNumber = false;
        const quint64 seed = text.trimmed().toULongLong(&isNumber);
        if (!isNumber) return QStringLiteral("0");
        const auto distance = static_cast<quint64>(std::abs(steps));
        const quint64 highest = std::numeric_limits<quint64>::max();
        if (steps < 0) return QString::number(seed - std::min(seed, distance));
        return QString::number(seed + std::min(highest - seed, distance));
    };
}

StepEdit::StepEdit(Stepper stepper, int characters, QWidget* parent)
    : QAbstractSpinBox(parent), stepper_(std::move(stepper)), characters_(characters) {
    setAlignment(Qt::AlignRight);
    setFocusPolicy(Qt::StrongFocus);
    connect(lineEdit(), &QLineEdit::textEdited, this, &StepEdit::edited);
}

QString StepEdit::text() const {
    return lineEdit()->text();
}

void StepEdit::setPlaceholderText(const QString& text) {
    lineEdit()->setPlaceholderText(text);
}

void StepEdit::display(const QString& text) {
    showText(lineEdit(), text);
}

void StepEdit::stepBy(int steps) {
    Q_EMIT edited(stepper_(text(), steps));
}

QSize StepEdit::sizeHint() const {
    QStyleOptionSpinBox option;
    initStyleOption(&option);
    const QSize contents(fontMetrics().horizontalAdvance(QString(characters_, u'0')) + 4,
                         lineEdit()->sizeHint().height());
    return style()->sizeFromContents(QStyle::CT_SpinBox, &option, contents, this);
}

void StepEdit::wheelEvent(QWheelEvent* event) {
    event->ignore();
}  // so that the wheel scrolls the panel

ChoiceEdit::ChoiceEdit(QWidget* parent) : QComboBox(parent) {
    setEditable(true);
    setCompleter(nullptr);
    setInsertPolicy(NoInsert);
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(5);
    lineEdit()->setAlignment(Qt::AlignRight);
    connect(lineEdit(), &QLineEdit::textEdited, this, &ChoiceEdit::edited);
    connect(this, &QComboBox::textActivated, this, &ChoiceEdit::edited);
}

void ChoiceEdit::setChoices(const QStringList& ascending) {
    QStringList present;
    for (int i = 0; i < count(); ++i) present << itemText(i);
    if (present == ascending) return;
    const QString text = currentText();
    const QSignalBlocker quiet(this);
    QComboBox::clear();
    addItems(ascending);
    setCurrentIndex(findText(text));
    setEditText(text);
}

void ChoiceEdit::display(const QString& text) {
    const QSignalBlocker quiet(this);
    const int index = findText(text);
    if (index != currentIndex() && text != currentText()) setCurrentIndex(index);
    showText(lineEdit(), text);
}

void ChoiceEdit::keyPressEvent(QKeyEvent* event) {
    const bool up = event->key() == Qt::Key_Up, down = event->key() == Qt::Key_Down;
    if ((!up && !down) || event->modifiers() & Qt::AltModifier) return QComboBox::keyPressEvent(event);
    const double present = sizeOf(currentText());
    QString next;
    for (int i = 0; i < count(); ++i) {
        const double size = sizeOf(itemText(i));
        if (down && size < present) next = itemText(i);
        if (up && size > present && next.isEmpty()) next = itemText(i);
    }
    if (!next.isEmpty()) Q_EMIT edited(next);
}

void ChoiceEdit::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

WordChoice::WordChoice(QWidget* parent) : QComboBox(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(AdjustToContents);
    connect(this, &QComboBox::activated, this, [this](int index) { Q_EMIT edited(itemData(index).toString()); });
}

void WordChoice::display(const QString& word) {
    const int index = findData(word);
    setPlaceholderText(word);  // shows a value from a session file even if it is none of the choices
    setCurrentIndex(index);
}

void WordChoice::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

}  // namespace headscope
