// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

#include "ui/maps/label_band.h"

namespace headscope {

/// The labels that a row or a column of maps has in common, drawn once and shown beside each map of the other
/// direction: the keys above every column of maps, or the queries to the left of every row.
class LabelStrip : public QWidget {
    Q_OBJECT
public:
    explicit LabelStrip(QWidget* parent = nullptr);

    /// origins: where the cells of each map begin along the strip. edge: where they lie across it, with the labels
    /// before it.
    void setBand(const LabelBand& band, const std::vector<int>& origins, int edge);
    void setEmphasis(const Emphasis& emphasis);
    const LabelBand& band() const { return band_; }
    const Emphasis& emphasis() const { return emphasis_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void renew();
    QImage drawn() const;
    double overlap() const;

    LabelBand band_;
    std::vector<int> origins_;
    int edge_ = 0;
    Emphasis emphasis_;
    QImage image_;  ///< of one map; null where it is to be drawn anew
};

}  // namespace headscope
