// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/explain/chunk_steps.h"
#include "ui/controls/page.h"
#include "ui/state/background.h"
#include "ui/state/draft.h"

class QBoxLayout;
class QLabel;
class QPushButton;

namespace headscope {

class ChoiceEdit;
class HeadCard;
class IndexBox;
class ProblemNote;
class RowProgress;
class TileOverlay;
class Transport;

/// Steps through the tiles of one head: which is computed, which is skipped because it is fully masked, and how the
/// running maximum, sum and context of the explained row change with each. Where the chunk sizes make one tile, smaller
/// ones are shown in their place.
class ChunkView : public Page {
    Q_OBJECT
public:
    explicit ChunkView(Session& session, QWidget* parent = nullptr);

    /// Null where there is nothing to step through.
    const std::shared_ptr<const ChunkAccount>& account() const { return account_; }
    std::size_t step() const;
    bool isBusy() const { return work_.isBusy(); }

protected:
    void retranslate() override;
    void refresh() override;
    void refreshHover() override;
    void arrange() override;
    void applyLook() override;
    void release() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// What the steps are taken of; they are made anew only where this changes.
    struct Question {
        TracePtr trace;
        int sequence = 0;
        Cell cell;
        bool operator==(const Question&) const = default;
    };

    QWidget* makeHeader();
    QWidget* makePicture();
    ChoiceEdit* addSize(QLayout* row, QLabel* label, Field field, const QString& name);
    void connectMap();

    void refreshHeader();
    void look();
    void received(const Result<ChunkAccount>& account);
    void showMap();
    void showStep();
    void suggest();

    Question question_;
    TracePtr stepped_;  ///< the trace of the question, with smaller chunk sizes where its own make one tile
    std::shared_ptr<const ChunkAccount> account_;
    QBoxLayout* columns_;
    IndexBox *head_, *query_;
    QLabel *size_label_, *key_size_label_, *keys_label_;
    ChoiceEdit *size_, *key_size_;
    ProblemNote* problem_;
    QPushButton* suggest_;
    QLabel *preview_note_, *tile_text_, *row_text_, *closing_, *legend_;
    Transport* transport_;
    HeadCard* card_;
    TileOverlay* overlay_;
    RowProgress* row_;
    Background work_;  ///< last: what runs must not outlive the rest
};

}  // namespace headscope
