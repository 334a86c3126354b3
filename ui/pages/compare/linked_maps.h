// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <optional>

#include "ui/maps/heat_map.h"

class QLabel;

namespace headscope {

class HeadCard;

/// A, B and their difference as large maps. What is zoomed or panned in one is in all, as long as their matrices have
/// one size.
class LinkedMaps : public QWidget {
    Q_OBJECT
public:
    enum Side { A, B, Difference };
    static constexpr int kSides = 3;

    explicit LinkedMaps(QWidget* parent = nullptr);

    void showMap(Side side, const HeatMap::Content& content, const QString& title, const QString& subtitle);
    /// In the place of a map: why there is none.
    void showWhy(Side side, const QString& title, const QString& why);
    void setCrosshair(const std::optional<Cell>& hovered, const std::optional<Cell>& locked);
    HeatMap* map(Side side) const;
    QString title(Side side) const;
    QString why(Side side) const;  ///< empty where a map is shown
    void resetZoom();
    /// Room for ten tokens of 8 pixels with their labels.
    QSize minimumSizeHint() const override { return {160, 96 + 8 * fontMetrics().height()}; }
    QSize sizeHint() const override { return minimumSizeHint(); }

Q_SIGNALS:
    void hovered(const std::optional<headscope::Cell>& cell);
    void clicked(const headscope::Cell& cell);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Place {
        HeadCard* card = nullptr;
        QLabel* why = nullptr;
        std::array<std::int64_t, 2> size{};  ///< rows and columns; 0 where no map is shown
    };
    void follow(Side side);
    void arrange();

    std::array<Place, kSides> places_;
    bool following_ = false;
};

}  // namespace headscope
