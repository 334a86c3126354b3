// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>

#include "ui/controls/page.h"
#include "ui/pages/steps/lens.h"
#include "ui/state/background.h"

class QLabel;
class QToolButton;

namespace headscope {

class FaultOverlay;
class HeadCard;
class IndexBox;
class PrecisionTable;

/// The present request in float32, bfloat16, float16 and float64 against each other: a heat map of each one's distance
/// from float64, and a table. Computed off the GUI thread, and only while it is visible; freed when it is hidden, as
/// four computations take much memory.
class PrecisionView : public Page {
    Q_OBJECT
public:
    explicit PrecisionView(Session& session, QWidget* parent = nullptr);

    /// Null until there is something to see.
    const LensPtr& lens() const { return lens_; }
    bool isBusy() const { return work_.isBusy(); }

protected:
    void retranslate() override;
    void refresh() override;
    void refreshHover() override;
    void applyLook() override;
    void release() override;

private:
    QWidget* makeHeader();
    QWidget* makePicture();
    void connectMap(int index);
    void refreshHeader();
    void look();
    void received(const Result<LensPtr>& lens);
    void showLens();
    void showCell();

    struct Map {
        HeadCard* card;
        FaultOverlay* faults;
        QLabel* refusal;  ///< why the precision was not computed
    };
    /// What was asked for last.
    struct Question {
        TracePtr trace;
        Stage stage = Stage::Weights;
        int sequence = 0, head = 0;
        bool operator==(const Question&) const = default;
    };

    Stage stage_ = Stage::Weights;
    LensPtr lens_;
    Question question_;
    std::optional<Error> error_;
    std::optional<Cell> hover_;
    QLabel *busy_, *legend_;
    IndexBox* head_;
    QToolButton *scores_, *weights_;
    std::array<Map, kPrecisions.size() - 1> maps_{};
    PrecisionTable* table_;
    Background work_;  ///< last: what runs may not outlive the rest
};

}  // namespace headscope
