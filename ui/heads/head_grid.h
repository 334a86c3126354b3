// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/trace.h"
#include "ui/color_scale.h"
#include "ui/selection.h"

class QLabel;
class QScrollArea;
class QStackedWidget;
class QToolButton;

namespace headscope {

class HeadCard;
class HeatMap;
class Session;
class WeightStory;

/// Cards in rows and columns that leave each cell as large as the room allows.
struct CardLayout {
    int columns = 1, rows = 1;
    QSize card;  ///< never below the least that can be looked at: then the grid is higher than its room
};
/// aspect: width of a matrix over its height; header: what a card takes above its map.
CardLayout layoutCards(int count, const QSize& room, int gap, double aspect, int header);

/// All heads of the shown stage, or one enlarged, with the story of the locked cell and a hint below.
class HeadGrid : public QWidget {
    Q_OBJECT
public:
    explicit HeadGrid(Session& session, QWidget* parent = nullptr);

    /// Those that are seen, in order.
    std::vector<HeatMap*> maps() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();
    void refreshCards();
    void refreshCrosshair();
    void refreshHints();
    void placeCards();
    void placeCardsOnce();
    QSize cardRoom() const;
    bool isCompact() const;
    bool hasRoomForStory() const;
    void useCards(std::size_t count);
    HeadCard* makeCard(std::size_t index);
    std::vector<int> shownHeads() const;
    const std::vector<ColorScale>& scales();
    QString cardTitle(int head) const;
    QString cardSubtitle(int head) const;
    QString emptyText() const;

    void toggleLock(const Cell& cell);
    void toggleEnlarged(int head);
    bool moveBy(int queries, int keys, int head);
    bool handleKey(int key, int head);

    Session& session_;
    QStackedWidget* pages_;
    QLabel *empty_, *hint_, *gesture_hint_;
    QScrollArea* scroll_;
    QWidget *picture_, *canvas_, *bar_;
    QToolButton* back_;
    WeightStory* story_;
    std::vector<HeadCard*> cards_;
    std::size_t shown_cards_ = 0;
    bool placing_ = false;
    TracePtr scaled_;             ///< whose scales_ these are
    Selection scaled_selection_;  ///< under which they are
    std::vector<ColorScale> scales_;
};

}  // namespace headscope
