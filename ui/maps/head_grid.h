// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/attention/trace.h"
#include "ui/look/color_scale.h"
#include "ui/state/selection.h"

class QLabel;
class QScrollArea;
class QStackedWidget;
class QToolButton;

namespace headscope {

class HeadCard;
class HeatMap;
class Session;
class WeightStory;

/// All heads of the shown stage, or one enlarged, with the story of the locked cell and a hint below.
class HeadGrid : public QWidget {
    Q_OBJECT
public:
    /// Beside another view there are the cards alone, and small: no hints and no story below them.
    enum class Place { Alone, Beside };
    explicit HeadGrid(Session& session, QWidget* parent = nullptr, Place place = Place::Alone);

    /// Those that are seen, in order.
    std::vector<HeatMap*> maps() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void makePicture();
    QLayout* makeHints();
    void refresh();
    void refreshCards();
    void refreshCrosshair();
    void refreshHints();
    void placeCards();
    void placeCardsOnce();
    QSize cardRoom() const;
    bool isCompact() const;
    bool hasRoomForStory() const;
    void useCards(const std::vector<int>& heads);
    HeadCard* makeCard(std::size_t index);
    std::vector<int> wantedHeads() const;
    std::optional<int> focusedHead() const;
    const std::vector<ColorScale>& scales();
    QString cardTitle(int head) const;
    QString cardSubtitle(int head) const;

    void toggleLock(const Cell& cell);

    Session& session_;
    QStackedWidget* pages_;
    QLabel *empty_, *hint_, *gesture_hint_;
    QScrollArea* scroll_;
    QWidget *picture_, *canvas_, *bar_;
    QToolButton* back_;
    WeightStory* story_;
    std::vector<HeadCard*> cards_;
    std::vector<int> heads_;  ///< of the cards that are seen, in order; 0 where the stage has no heads
    const bool brief_;
    bool placing_ = false;
    TracePtr scaled_;             ///< whose scales_ these are
    Selection scaled_selection_;  ///< under which they are
    std::vector<ColorScale> scales_;
};

}  // namespace headscope
