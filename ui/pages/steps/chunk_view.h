// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/explain/chunk_steps.h"
#include "ui/state/draft.h"
#include "ui/state/followed_place.h"

class QBoxLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;

namespace headscope {

class ChoiceEdit;
class HeadCard;
class IndexBox;
class ProblemNote;
class RowProgress;
class Session;
class TileOverlay;
class Transport;

/// Steps through the tiles of the present chunk sizes in one head: which is computed, which the mask empties, and how
/// the running maximum, sum and context of a row change with each. Works only while it is in sight.
class ChunkView : public QWidget {
    Q_OBJECT
public:
    explicit ChunkView(Session& session, QWidget* parent = nullptr);

    /// Null where there is nothing to step through.
    const std::shared_ptr<const ChunkStory>& story() const { return story_; }
    std::size_t step() const;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeHeader();
    QWidget* makeEmpty();
    QWidget* makePicture();
    ChoiceEdit* addSize(QLayout* row, QLabel* label, Field field, const QString& name);
    QPushButton* suggestion(QWidget* parent, const QString& name);
    void connectMap();

    void retranslate();
    void refresh();
    void refreshHeader();
    QString tell();
    void showMap();
    void showStep();
    void suggest();
    void arrange();
    void applyLook();

    Session& session_;
    FollowedPlace place_;
    std::shared_ptr<const ChunkStory> story_;
    QStackedWidget* pages_;
    QScrollArea* scroll_;
    QBoxLayout* columns_;
    IndexBox *head_, *query_;
    QLabel *size_label_, *key_size_label_, *keys_label_;
    ChoiceEdit *size_, *key_size_;
    ProblemNote* problem_;
    QPushButton *suggest_, *suggest_empty_;
    QLabel *empty_, *tile_text_, *row_text_, *closing_, *legend_;
    Transport* transport_;
    HeadCard* card_;
    TileOverlay* overlay_;
    RowProgress* row_;
};

}  // namespace headscope
