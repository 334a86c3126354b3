// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/mask/layer_list.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/controls/elided_label.h"
#include "ui/controls/plain_label.h"
#include "ui/controls/text_color.h"
#include "ui/controls/tool_tip.h"
#include "ui/look/plural.h"
#include "ui/pages/mask/layer_hatch.h"
#include "ui/pages/mask/layer_words.h"

namespace headscope {

namespace {

constexpr QSize kSwatch(28, 16);
constexpr int kGraphemes = 200;
constexpr int kRowGap = 2;
constexpr qsizetype kMostRows = 5;  // without scrolling
const QString kMark = QStringLiteral("◀");

}  // namespace

LayerList::LayerList(QWidget* parent)
    : QWidget(parent),
      title_(plainParagraph(this, QStringLiteral("layerTitle"))),
      empty_(plainParagraph(this, QStringLiteral("layersEmpty"))),
      scroll_(new QScrollArea(this)) {
    setObjectName(QStringLiteral("layerList"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    empty_->setText(tr("No layer: every query can attend to every key."));
    empty_->setForegroundRole(QPalette::PlaceholderText);
    auto* rows = new QWidget;
    column_ = new QVBoxLayout(rows);
    column_->setContentsMargins({});
    column_->setSpacing(kRowGap);
    scroll_->setWidget(rows);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setWidgetResizable(true);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins({});
    whole->setSpacing(kRowGap);
    for (QWidget* part : {static_cast<QWidget*>(title_), static_cast<QWidget*>(empty_), static_cast<QWidget*>(scroll_)})
        whole->addWidget(part);
}

void LayerList::setPicture(std::shared_ptr<const MaskPicture> picture) {
    picture_ = std::move(picture);
    refresh();
}

void LayerList::setMasking(std::uint32_t bits) {
    if (std::exchange(masking_, bits) == bits || !picture_) return;
    for (std::size_t place = 0; place < picture_->layers.size(); ++place)
        show(rows_[static_cast<qsizetype>(place)], place);
}

LayerList::Row LayerList::makeRow(int place) {
    auto* whole = new QWidget(scroll_->widget());
    const Row row{whole, new QCheckBox(whole), new QLabel(whole), new ElidedLabel(whole), new QLabel(whole)};
    row.on->setObjectName(QStringLiteral("layer%1").arg(place));
    row.name->setObjectName(QStringLiteral("layerName%1").arg(place));
    row.name->setBuddy(row.on);
    row.mark->setObjectName(QStringLiteral("layerMark%1").arg(place));
    row.mark->setFixedWidth(row.mark->fontMetrics().horizontalAdvance(kMark));
    auto* line = new QHBoxLayout(row.whole);
    line->setContentsMargins({});
    line->setSpacing(6);
    line->addWidget(row.on);
    line->addWidget(row.swatch);
    line->addWidget(row.name, 1);
    line->addWidget(row.mark);
    column_->addWidget(row.whole);
    connect(row.on, &QCheckBox::clicked, this, [this, place](bool on) { Q_EMIT switched(place, on); });
    return row;
}

void LayerList::show(const Row& row, std::size_t place) const {
    const MaskLayer& layer = picture_->layers[place];
    const bool masks = layer.on && (masking_ & layerBit(place));
    const QString name = layerName(layer);
    row.on->setChecked(layer.on);
    row.on->setAccessibleName(name);
    row.on->setToolTip(layer.on ? tr("Switch this layer off; keeps it in the list") : tr("Switch this layer on"));
    row.name->setText(name);
    row.mark->setText(masks ? kMark : QString());
    row.mark->setToolTip(masks ? tr("This layer masks the cell") : QString());
    setTextColor(row.mark, Role::Crosshair);
    row.name->setToolTip(plainToolTip(name + u'\n' + QString::fromStdString(to_string(layer.patterns)), kGraphemes));
    row.name->setEnabled(layer.on);
    row.swatch->setEnabled(layer.on);
}

void LayerList::refresh() {
    const std::size_t count = picture_ ? picture_->layers.size() : 0;
    while (rows_.size() < static_cast<qsizetype>(count)) rows_ << makeRow(static_cast<int>(rows_.size()));
    const auto hatches = picture_ ? layerHatches(picture_->layers) : std::vector<LayerHatch>();
    for (int place = 0; place < rows_.size(); ++place) {
        const auto at = static_cast<std::size_t>(place);
        rows_[place].whole->setVisible(at < count);
        if (at >= count) continue;
        rows_[place].swatch->setPixmap(hatchSwatch(hatches[at], kSwatch, devicePixelRatioF(), currentTheme()));
        show(rows_[place], at);
    }
    empty_->setVisible(count == 0);
    scroll_->setVisible(count > 0);
    if (count > 0) {
        const auto seen = static_cast<int>(std::min(static_cast<qsizetype>(count), kMostRows));
        scroll_->setFixedHeight(seen * (rows_.front().whole->sizeHint().height() + kRowGap));
    }
    QFont bold = font();
    bold.setBold(true);
    title_->setFont(bold);
    title_->setText(picture_ && !picture_->tooLarge()
                        ? tr("Layers: %1 of %2 cells allowed", nullptr, counted(picture_->size * picture_->size))
                              .arg(picture_->allowedCells())
                              .arg(picture_->size * picture_->size)
                        : tr("Layers"));
}

void LayerList::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) refresh();
}

}  // namespace headscope
