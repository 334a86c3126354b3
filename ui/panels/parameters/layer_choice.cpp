// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/parameters/layer_choice.h"

#include <QAbstractItemView>
#include <QScrollBar>
#include <QStandardItemModel>

#include "core/files/recording.h"
#include "ui/controls/tool_tip.h"
#include "ui/look/plural.h"
#include "ui/state/draft.h"

namespace headscope {
namespace {

/// "12 heads, head_dim 64", "32 heads, 8 key/value heads, head_dim 128"
QString headsText(const LayerInfo& layer) {
    if (!layer.num_heads || !check_heads(layer, *layer.num_heads))
        return LayerChoice::tr("embed_dim %1, num_heads not given").arg(layer.embed_dim);
    const auto heads = *layer.num_heads;
    QStringList parts{LayerChoice::tr("%n heads", nullptr, counted(heads))};
    if (layer.group() > 1) parts << LayerChoice::tr("%n key/value heads", nullptr, counted(heads / layer.group()));
    parts << LayerChoice::tr("head_dim %1").arg(layer.embed_dim / heads);
    return parts.join(QStringLiteral(", "));
}

}  // namespace

LayerChoice::LayerChoice(QWidget* parent) : WordChoice(parent) {
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(12);
}

void LayerChoice::setLayers(const ModelLayersPtr& layers) {
    if (layers == layers_) return;
    layers_ = layers;
    clear();
    if (!layers) return;
    auto* items = qobject_cast<QStandardItemModel*>(model());
    for (std::size_t n = 0; n < layers->size(); ++n) {
        const ListedLayer& layer = (*layers)[n];
        const QString place = QStringLiteral("%1 · %2").arg(QString::number(n), QString::fromStdString(layer.title));
        const auto row = static_cast<int>(n);
        if (layer.info) {
            addItem(QStringLiteral("%1 · %2").arg(place, headsText(*layer.info)), QString::number(n));
        } else {
            addItem(tr("%1 · can't be computed").arg(place), QString::number(n));
            items->item(row)->setEnabled(false);
        }
        setItemData(row, plainToolTip(layer.info ? itemText(row) : sentence(layer.info.error())), Qt::ToolTipRole);
    }
}

void LayerChoice::setLayers(const Recording& recording) {
    const auto layers = static_cast<int>(recording.layers());
    if (!layers_ && count() == layers) return;
    layers_.reset();
    clear();
    for (int n = 0; n < layers; ++n) addItem(tr("%1 · recorded").arg(n), QString::number(n));
}

void LayerChoice::display(std::optional<std::size_t> layer, const QString& typed) {
    WordChoice::display(layer ? QString::number(*layer) : typed);
}

/// The list is as wide as its longest line, however narrow the panel is.
void LayerChoice::showPopup() {
    const int width = view()->sizeHintForColumn(0) + view()->verticalScrollBar()->sizeHint().width() + 8;
    view()->setMinimumWidth(std::max(width, this->width()));
    WordChoice::showPopup();
}

}  // namespace headscope
