// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

#include "ui/maps/label_band.h"

namespace headscope {

/// The labels that a row or a column of maps shares, rendered once and painted beside each map in the other direction:
/// keys above every column of maps, or queries to the left of every row.
class LabelStrip : public QWidget {
    Q_OBJECT
public:
    explicit LabelStrip(QWidget* parent = nullptr);

    /// origins: where the cells of each map start along the strip. edge: where they start across it, after the labels.
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
    QImage image_;  ///< for one map; null if it must be rendered again
};

}  // namespace headscope
