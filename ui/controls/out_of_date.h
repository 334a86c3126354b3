// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace headscope {

class Session;

/// Dims a view while the settings can't be computed, and says at its foot why not: the picture is still that of the
/// last settings that were computed. Hidden if the picture is up to date; transparent for the mouse.
class OutOfDate : public QWidget {
    Q_OBJECT
public:
    OutOfDate(Session& session, QWidget* view);
    QString sentence() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QString why() const;
    void refresh();
    void place();
    void applyLook();

    Session& session_;
    QLabel* sentence_;
};

}  // namespace headscope
