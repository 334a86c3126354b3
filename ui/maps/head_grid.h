// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/attention/trace.h"
#include "ui/look/color_scale.h"
#include "ui/maps/label_band.h"
#include "ui/state/selection.h"

class QLabel;
class QScrollArea;
class QToolButton;

namespace headscope {

class HeadCard;
class HeatMap;
class LabelStrip;
class Session;
class TileStore;
struct Multiples;
struct MultiplesLayout;

/// All heads of the shown stage as small multiples: query labels once per row of maps, key labels once per column. Or a
/// single matrix with its own labels and numbers: an enlarged head, or a stage without heads.
class HeadGrid : public QWidget {
    Q_OBJECT
public:
    /// map_names: the prefix of the object names of the maps, followed by their number.
    explicit HeadGrid(Session& session, QWidget* parent = nullptr,
                      const QString& map_names = QStringLiteral("heatMap"));

    /// The visible maps, in order.
    std::vector<HeatMap*> maps() const;
    /// What the maps omit, such as "labels: 1 in 4". Empty if nothing.
    QString note() const;

Q_SIGNALS:
    void noteChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void makeParts();
    void refresh();
    void refreshCards();
    void refreshCrosshair();
    QString scaleNote() const;
    void announceNote();
    void place();
    void placeOne(const QRect& room);
    void placeMany(const QRect& room);
    void placeLabels(const Multiples& maps, const MultiplesLayout& layout);
    bool isAlone() const { return heads_.size() == 1; }
    void useCards(const std::vector<int>& heads);
    HeadCard* makeCard(std::size_t index);
    std::vector<int> wantedHeads() const;
    std::optional<int> focusedHead() const;
    const std::vector<ColorScale>& scales();
    void setTitles(HeadCard* card, int head) const;
    void toggleLock(const Cell& cell);

    Session& session_;
    QString map_names_;
    std::shared_ptr<TileStore> tiles_;
    QLabel* empty_;
    QToolButton* back_;
    LabelStrip *keys_, *queries_;  ///< above and to the left of the maps
    QScrollArea* scroll_;
    QWidget* canvas_;
    std::vector<HeadCard*> cards_;
    std::vector<int> heads_;  ///< of the visible cards, in order; 0 if the stage has no heads
    std::int64_t step_ = 1;   ///< one label per this many is shown; 0 = none
    QString shown_note_;
    std::optional<Cell> revealed_;  ///< the locked cell to which the view was moved
    TracePtr scaled_;               ///< the trace from which scales_ were computed
    Selection scaled_selection_;    ///< the selection for which scales_ were computed
    std::vector<ColorScale> scales_;
};

}  // namespace headscope
