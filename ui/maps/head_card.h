// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/attention/trace.h"
#include "core/weights/textbook.h"

class QPainter;

namespace headscope {

class HeatMap;

/// One heat map under its name: "Head 3", and at the right what the head was built to do. Frameless, among others of
/// its kind: the name alone, "3", with the role after it.
class HeadCard : public QWidget {
    Q_OBJECT
public:
    explicit HeadCard(QWidget* parent = nullptr);

    HeatMap* map() const { return map_; }
    void setTitles(const QString& title, const QString& subtitle);
    QString title() const { return title_; }
    QString subtitle() const { return subtitle_; }
    void setFrameless(bool frameless);
    /// What a card takes above its map.
    static int headerHeight(const QFont& font, bool frameless);
    /// What the card needs so that its map is as large as this width allows.
    int neededHeight(int width) const;

protected:
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

/// "weights", "Q", in the language of the interface.
QString stageTitle(Stage stage);

/// "previous token", in the language of the interface.
QString roleName(TextbookRole role);

}  // namespace headscope
