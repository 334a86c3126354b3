// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/files/model_layers.h"
#include "ui/controls/step_edit.h"

namespace headscope {

class Recording;

/// The layers of a model's file, each with its number, name and heads. Those that can't be computed are greyed, and
/// their tooltip says why. The word of a layer is its number.
class LayerChoice : public WordChoice {
    Q_OBJECT
public:
    explicit LayerChoice(QWidget* parent = nullptr);
    void setLayers(const ModelLayersPtr& layers);
    void setLayers(const Recording& recording);
    /// typed: shown if it is no layer.
    void display(std::optional<std::size_t> layer, const QString& typed);
    void showPopup() override;

private:
    ModelLayersPtr layers_;
};

}  // namespace headscope
