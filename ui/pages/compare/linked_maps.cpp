// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/linked_maps.h"

#include <QEvent>
#include <QLabel>
#include <algorithm>
#include <utility>

#include "ui/maps/card_layout.h"
#include "ui/maps/head_card.h"

namespace headscope {

namespace {

constexpr int kGap = 8;
constexpr int kLeastInRow = 200;  // pixels of a map, so that three stand side by side

}  // namespace

LinkedMaps::LinkedMaps(QWidget* parent) : QWidget(parent) {
    static constexpr const char* names[kSides] = {"mapA", "mapB", "mapDifference"};
    for (int i = 0; i < kSides; ++i) {
        Place& place = places_[static_cast<std::size_t>(i)];
        place.card = new HeadCard(this);
        HeatMap* map = place.card->map();
        map->setObjectName(QLatin1StringView(names[i]));
        map->setDetailed(true);
        place.why = new QLabel(place.card);
        place.why->setTextFormat(Qt::PlainText);
        place.why->setWordWrap(true);
        place.why->setAlignment(Qt::AlignCenter);
        place.why->hide();
        connect(map, &HeatMap::hovered, this, &LinkedMaps::hovered);
        connect(map, &HeatMap::clicked, this, &LinkedMaps::clicked);
        connect(map, &HeatMap::doubleClicked, this, &LinkedMaps::resetZoom);
        // The map keeps its view inside the matrix before this is called.
        for (QCPAxis* axis : {map->xAxis, map->yAxis})
            connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
                    [this, i] { follow(static_cast<Side>(i)); });
    }
}

HeatMap* LinkedMaps::map(Side side) const {
    return places_[side].card->map();
}

QString LinkedMaps::title(Side side) const {
    return places_[side].card->title();
}

QString LinkedMaps::why(Side side) const {
    return places_[side].why->text();
}

void LinkedMaps::showMap(Side side, const HeatMap::Content& content, const QString& title, const QString& subtitle) {
    Place& place = places_[side];
    place.card->setTitles(title, subtitle);
    place.why->clear();
    place.why->hide();
    const Dims dims = content.trace->dims();
    place.size = {dims.sequence_length, stage_shape(content.selection.stage, dims).back()};
    place.card->map()->setContent(content);
    place.card->map()->show();
    for (const Side other : {A, B, Difference})  // one that comes later looks at what the others do
        if (other != side && places_[other].size == place.size && map(other)->isZoomed()) return follow(other);
    arrange();
}

void LinkedMaps::showWhy(Side side, const QString& title, const QString& why) {
    Place& place = places_[side];
    place.card->setTitles(title, {});
    place.size = {};
    place.card->map()->setContent({});
    place.card->map()->hide();
    place.why->setText(why);
    place.why->show();
}

void LinkedMaps::setCrosshair(const std::optional<Cell>& hovered, const std::optional<Cell>& locked) {
    for (const Place& place : places_) place.card->map()->setCrosshair(hovered, locked);
}

void LinkedMaps::resetZoom() {
    for (const Place& place : places_) place.card->map()->resetZoom();
}

void LinkedMaps::follow(Side side) {
    if (std::exchange(following_, true)) return;
    for (const Side other : {A, B, Difference}) {
        if (other == side || places_[side].size[0] == 0 || places_[other].size != places_[side].size) continue;
        map(other)->xAxis->setRange(map(side)->xAxis->range());
        map(other)->yAxis->setRange(map(side)->yAxis->range());
    }
    following_ = false;
}

void LinkedMaps::arrange() {
    const auto& size = places_[A].size;
    const double aspect =
        size[0] ? std::clamp(static_cast<double>(size[1]) / static_cast<double>(size[0]), 0.5, 2.0) : 1;
    CardLayout cards = layoutCards(kSides, this->size(), kGap, aspect, HeadCard::headerHeight(font(), false));
    const int third = (width() - (kSides - 1) * kGap) / kSides;
    if (third >= kLeastInRow) cards = {kSides, 1, QSize(third, height())};
    if (size[0])
        cards.card.rheight() = std::min(cards.card.height(), places_[A].card->neededHeight(cards.card.width()));
    for (int i = 0; i < kSides; ++i) {
        const QPoint corner(i % cards.columns * (cards.card.width() + kGap),
                            i / cards.columns * (cards.card.height() + kGap));
        const Place& place = places_[static_cast<std::size_t>(i)];
        place.card->setGeometry(QRect(corner, cards.card));
        place.why->setGeometry(place.card->rect().adjusted(12, 30, -12, -12));
    }
}

void LinkedMaps::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void LinkedMaps::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) arrange();
}

}  // namespace headscope
