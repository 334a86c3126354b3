// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "ui/pages/atlas/summary.h"
#include "ui/state/background.h"

class QBoxLayout;
class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QScrollArea;
class QSlider;
class QStackedWidget;
class QToolButton;

namespace headscope {

class HeadCard;
class HeadTable;
class Session;

/// The heads in a few numbers, sorted or grouped by likeness, their mean, and their maps thinned out to the cells that
/// hold most of the weight. Worked out off the GUI thread, and only while it is in sight.
class SummaryView : public QWidget {
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
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeHeader();
    QWidget* makePicture();
    HeadCard* makeCard();
    void retranslate();
    void refresh();
    void say(const QString& empty);
    void received(const SummaryPtr& summary);
    void showOrder();
    void showCards();
    void sizeCards();
    void showLegend();
    void enlarge(std::optional<int> head);
    int headOf(std::size_t card) const;
    void showWords(const std::vector<int>& groups);
    void showCrosshair();
    void arrange();
    void applyLook();
    double share() const;

    /// Summaries come from the weights alone.
    struct Question {
        TensorPtr weights;
        MaskPtr mask;
        int sequence = 0;
        double share = 1;
        bool operator==(const Question&) const = default;
    };

    Session& session_;
    SummaryPtr summary_;
    Question question_;
    HeadKey key_ = HeadKey::Number;
    bool descending_ = false;
    std::vector<int> order_;
    std::optional<int> enlarged_;
    QStackedWidget* pages_;
    QBoxLayout* columns_;
    QLabel *empty_, *cut_label_, *groups_text_, *share_label_, *share_text_, *legend_;
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
