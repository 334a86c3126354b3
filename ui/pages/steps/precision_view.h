// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <optional>

#include "ui/pages/steps/lens.h"
#include "ui/state/background.h"
#include "ui/state/followed_place.h"

class QLabel;
class QStackedWidget;
class QToolButton;

namespace headscope {

class FaultOverlay;
class HeadCard;
class IndexBox;
class PrecisionTable;
class Session;

/// The present request in float32, bfloat16, float16 and float64 against each other: a heat map of each one's distance
/// from float64, and a table. Computed off the GUI thread, and only while it is in sight; what was computed is let go
/// when it is hidden, as four computations take much memory.
class PrecisionView : public QWidget {
    Q_OBJECT
public:
    explicit PrecisionView(Session& session, QWidget* parent = nullptr);

    /// Null until there is something to see.
    const LensPtr& lens() const { return lens_; }
    bool isBusy() const { return work_.isBusy(); }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeHeader();
    QWidget* makePicture();
    void connectMap(int index);
    void retranslate();
    void refresh();
    void refreshHeader();
    void look();
    void received(const Result<LensPtr>& lens);
    void showLens();
    void showCell();
    void say(const QString& empty);
    void applyLook();

    struct Map {
        HeadCard* card;
        FaultOverlay* faults;
    };
    /// What was asked for last.
    struct Question {
        TracePtr trace;
        Stage stage = Stage::Weights;
        int sequence = 0, head = 0;
        bool operator==(const Question&) const = default;
    };

    Session& session_;
    FollowedPlace place_;
    Stage stage_ = Stage::Weights;
    LensPtr lens_;
    Question question_;
    std::optional<Error> error_;
    std::optional<Cell> hover_;
    QStackedWidget* pages_;
    QLabel *empty_, *busy_, *legend_;
    IndexBox* head_;
    QToolButton *scores_, *weights_;
    std::array<Map, 3> maps_{};
    PrecisionTable* table_;
    Background work_;  ///< last: what runs may not outlive the rest
};

}  // namespace headscope
