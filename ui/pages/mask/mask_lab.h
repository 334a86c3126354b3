// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "core/masks/mask_edit.h"
#include "ui/controls/page.h"

class QStackedWidget;

namespace headscope {

class CheckPanel;
class CodePage;
class HeadGrid;
class LayerList;
class MaskGrid;
class MaskNotes;
class MaskPainter;
class PaintBar;
class ProblemNote;
class ReachPanel;
class Segments;
struct MaskPicture;

/// The laboratory for masks: a grid of tokens to paint on, the layers that make up the mask, and beside them the heads
/// that follow while the hand moves, or the mask as PyTorch writes it.
class MaskLab : public Page {
    Q_OBJECT
public:
    explicit MaskLab(Session& session, QWidget* parent = nullptr);

    /// A fault is answered below the buttons, and nothing changes.
    void loadMask(const QString& path);
    void saveMask(const QString& path);

protected:
    void refresh() override;
    void refreshHover() override;

private:
    QWidget* makeEditor();
    QWidget* makeSide();
    QWidget* makeSidePages(QWidget* parent);
    void connectGrid();
    void hover(const std::optional<paint::Cell>& cell);
    void toggleLock(const paint::Cell& cell);
    void lockCell(const paint::Cell& cell);
    void showOverlay();
    void chooseLoad();
    void chooseSave();

    MaskPainter* painter_;
    PaintBar* bar_;
    MaskGrid* grid_;
    LayerList* layers_;
    HeadGrid* heads_;
    CodePage* code_;
    CheckPanel* check_;
    ReachPanel* reach_;
    QStackedWidget* side_pages_;
    ProblemNote* problem_;  ///< of a file
    MaskNotes* notes_;
    std::shared_ptr<const MaskPicture> picture_;
    std::optional<paint::Cell> pointed_;  ///< in the grid, also where the shown stage has no keys
    QString folder_;                      ///< of the last file
};

}  // namespace headscope
