// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/attention/trace.h"
#include "core/weights/textbook.h"

namespace headscope {

class HeatMap;

/// One heat map under its name: "Head 3", and at the right what the head was built to do.
class HeadCard : public QWidget {
    Q_OBJECT
public:
    explicit HeadCard(QWidget* parent = nullptr);

    HeatMap* map() const { return map_; }
    void setTitles(const QString& title, const QString& subtitle);
    QString title() const { return title_; }
    QString subtitle() const { return subtitle_; }
    /// Less room around the map and smaller type above it, where there are many.
    void setCompact(bool compact);
    /// What a card takes above its map.
    static int headerHeight(const QFont& font, bool compact);
    /// What the card needs so that its map is as large as this width allows.
    int neededHeight(int width) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void place();
    int padding() const { return compact_ ? 3 : 8; }
    static QFont titleFont(QFont font, bool compact);

    bool compact_ = false;
    QString title_, subtitle_;
    HeatMap* map_;
};

/// "weights", "Q", in the language of the interface.
QString stageTitle(Stage stage);

/// "previous token", in the language of the interface.
QString roleName(TextbookRole role);

}  // namespace headscope
