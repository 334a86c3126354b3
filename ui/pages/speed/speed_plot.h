// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/measure/article.h"
#include "ui/maps/custom_plot.h"

namespace headscope {

/// Milliseconds and bytes over the tokens, both logarithmic: a straight line of slope 1 grows as the tokens do, one of
/// slope 2 as their square.
class SpeedPlot : public QCustomPlot {
    Q_OBJECT
public:
    explicit SpeedPlot(QWidget* parent = nullptr);
    void show(const std::vector<ArticleRow>& rows);

protected:
    void changeEvent(QEvent* event) override;

private:
    QCPAxisRect* addPanel(int column, const QString& title);
    void applyColors();

    QCPAxisRect *time_, *memory_;
    QCPLegend* key_;
    std::vector<ArticleRow> rows_;
};

/// Which of kArticleClaims a row is about.
int wayOf(const ArticleRow& row);
/// "memory-efficient" and so on, in the reader's language; plain attention for -1.
QString wayName(int way);

}  // namespace headscope
