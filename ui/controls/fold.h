// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace headscope {

/// A heading that shows or hides the widget below it. While the widget is hidden, the heading shows a summary of it.
class Fold : public QWidget {
    Q_OBJECT
public:
    Fold(const QString& title, QWidget* content, QWidget* parent = nullptr);
    void setSummary(const QString& summary);
    QString summary() const;
    bool isOpen() const;
    void setOpen(bool open);

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyLook();

    QToolButton* heading_;
    QLabel* summary_;
    QWidget* content_;
};

}  // namespace headscope
