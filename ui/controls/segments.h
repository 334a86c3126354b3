// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

class QButtonGroup;
class QToolButton;

namespace headscope {

/// A row of joined buttons of which one is checked. The arrow keys move between them.
class Segments : public QWidget {
    Q_OBJECT
public:
    struct Choice {
        QString text, tip;
        QString name;  ///< object name of the button, for tests
    };
    Segments(const QList<Choice>& choices, const QString& accessible_name, QWidget* parent = nullptr);

    int current() const;  ///< -1 if none is checked
    /// Doesn't emit chosen(); -1 unchecks all.
    void setCurrent(int index);
    QToolButton* button(int index) const { return buttons_[index]; }

Q_SIGNALS:
    void chosen(int index);  ///< emitted when the user checks a button

private:
    QButtonGroup* group_;
    QList<QToolButton*> buttons_;
};

}  // namespace headscope
