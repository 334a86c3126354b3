// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/controls/page.h"
#include "ui/pages/atlas/summary.h"
#include "ui/state/background.h"

class QBoxLayout;
class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QScrollArea;
class QSlider;
class QToolButton;

namespace headscope {

class HeadCard;
class HeadTable;

/// The heads in a few numbers, sorted or grouped by likeness, their mean, and their maps thinned out to the cells that
/// hold most of the weight. Computed off the GUI thread.
class SummaryView : public Page {
    Q_OBJECT
public:
    explicit SummaryView(Session& session, QWidget* parent = nullptr);

    const SummaryPtr& summary() const { return summary_; }
    bool isBusy() const { return work_.isBusy(); }
    /// Heads as they are shown, from the top.
    const std::vector<int>& order() const { return order_; }
    /// The head whose map has the whole room, kMean for their mean.
    const std::optional<int>& enlarged() const { return enlarged_; }
    static constexpr int kMean = -1;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void retranslate() override;
    void refresh() override;
    void refreshHover() override;
    void arrange() override;
    void applyLook() override;
    void release() override;

private:
    QWidget* makeHeader();
    QWidget* makePicture();
    HeadCard* makeCard();
    void received(const SummaryPtr& summary);
    void showOrder();
    void showCards();
    void sizeCards();
    void showLegend();
    void enlarge(std::optional<int> head);
    int headOf(std::size_t card) const;
    void showWords(const std::vector<int>& groups);
    double share() const;

    /// Summaries come from the weights alone.
    struct Question {
        TensorPtr weights;
        MaskPtr mask;  ///< of head 0
        int sequence = 0;
        double share = 1;
        bool operator==(const Question&) const = default;
    };

    SummaryPtr summary_;
    Question question_;
    HeadKey key_ = HeadKey::Number;
    bool descending_ = false;
    std::vector<int> order_;
    std::optional<int> enlarged_;
    QBoxLayout* columns_;
    QLabel *cut_label_, *groups_text_, *share_label_, *share_text_, *legend_;
    QCheckBox* grouped_;
    QDoubleSpinBox* cut_;
    QSlider* share_;
    QToolButton* back_;
    HeadTable* table_;
    QScrollArea* scroll_;
    QWidget* canvas_;
    std::vector<HeadCard*> cards_;  ///< the mean, then a head each in the order shown
    Background work_;               ///< last: what runs may not outlive the rest
};

}  // namespace headscope
