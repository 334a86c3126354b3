// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/attention/trace.h"
#include "core/weights/textbook.h"

class QPainter;

namespace headscope {

class HeatMap;

/// One heat map with its title: "Head 3", and the role of the head at the right. A frameless card, as used in the grid,
/// has the title "3", followed by the role.
class HeadCard : public QWidget {
    Q_OBJECT
public:
    explicit HeadCard(QWidget* parent = nullptr);

    HeatMap* map() const { return map_; }
    void setTitles(const QString& title, const QString& subtitle);
    QString title() const { return title_; }
    QString subtitle() const { return subtitle_; }
    void setFrameless(bool frameless);
    /// Height of a card above its map.
    static int headerHeight(const QFont& font, bool frameless);
    /// The height at which the map uses the whole width.
    int neededHeight(int width) const;

Q_SIGNALS:
    void titleClicked();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent*) override {}  // its first press is a click
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void place();
    void drawFrame(QPainter& painter) const;
    int padding() const { return frameless_ ? 0 : 8; }

    bool frameless_ = false;
    QString title_, subtitle_;
    HeatMap* map_;
};

/// "previous token", translated.
QString roleName(TextbookRole role);

}  // namespace headscope
