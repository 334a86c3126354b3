// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "ui/pages/mask/mask_overlay.h"
#include "ui/pages/mask/mask_picture.h"
#include "ui/state/background.h"

class QLabel;
class QSlider;

namespace headscope {

class ReachLegend;

/// What a query reaches after several layers with the present mask: the number of layers, what the colours mean, how
/// many keys the chosen query reaches, the path of the chosen pair, and the pairs that leak.
class ReachPanel : public QWidget {
    Q_OBJECT
public:
    static constexpr int kMostLayers = 12;
    explicit ReachPanel(QWidget* parent = nullptr);

    void setPicture(std::shared_ptr<const MaskPicture> picture);
    /// What the mask should forbid at any depth; without it, what the expression's own layers forbid.
    void setMeant(const std::optional<MaskExpression>& meant);
    void setCell(const std::optional<paint::Cell>& cell);
    int layers() const;
    /// What the grid draws; nothing before it was computed.
    MaskOverlay overlay() const;

Q_SIGNALS:
    void changed();  ///< overlay() is another

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// Of one mask and one intention.
    struct Depth {
        Reach reach;
        BitMatrix forbidden;
    };
    void compute();
    void received(const Result<std::shared_ptr<const Depth>>& depth);
    void countLeaks();
    void refresh();
    QString countText() const;
    QString pathText() const;
    QString leakText() const;

    std::shared_ptr<const MaskPicture> picture_;
    std::optional<MaskExpression> meant_;
    std::optional<paint::Cell> cell_;
    std::shared_ptr<const Depth> depth_;
    std::optional<Error> error_;      ///< why there is none
    std::int64_t leaking_pairs_ = 0;  ///< after layers()
    paint::Cell first_leak_;
    QSlider* slider_;
    ReachLegend* legend_;
    QLabel *layers_text_, *count_, *path_, *leaks_;
    Background work_;
};

}  // namespace headscope
