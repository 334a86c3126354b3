// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/controls/page.h"
#include "ui/look/color_scale.h"
#include "ui/pages/atlas/recorded_heads.h"
#include "ui/state/background.h"

class QLabel;
class QProgressBar;
class QScrollArea;
class QToolButton;

namespace headscope {

class HeadDetails;
class ThumbnailGrid;
class WordChoice;

/// All layers and heads of a recording at once, each named by what it was measured to do. Read in the background, layer
/// by layer; reading can be stopped and continued.
class RecordedView : public Page {
    Q_OBJECT
public:
    explicit RecordedView(Session& session, QWidget* parent = nullptr);

    const RecordedHeads* heads() const { return heads_.get(); }
    bool isBusy() const { return work_.isBusy(); }
    ThumbnailGrid* grid() const { return grid_; }

Q_SIGNALS:
    void headsWanted();  ///< a head was opened: show page Heads

protected:
    void refresh() override;
    void retranslate() override;
    void arrange() override;
    void applyLook() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeHeader();
    QWidget* makeNames();
    void read();
    void stopOrContinue();
    void received(std::vector<std::pair<int, RecordedHead>>& portion);
    void stopped(const Error& error);
    void showHeads();
    void showWords();
    void choose(int head);
    void open(int head);
    ColorScale scale() const;

    std::shared_ptr<RecordedHeads> heads_;
    AtlasFilter filter_;
    std::optional<Error> error_;
    WordChoice* order_;
    std::vector<QToolButton*> names_;  ///< rows of atlasNames()
    QProgressBar* progress_;
    QToolButton* stop_;
    QLabel* words_;
    QScrollArea* scroll_;
    ThumbnailGrid* grid_;
    HeadDetails* details_;
    QScrollArea* details_room_;
    Background work_;  ///< last: what runs may not outlive the rest
};

}  // namespace headscope
