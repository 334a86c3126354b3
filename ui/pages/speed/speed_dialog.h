// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "core/measure/article.h"
#include "ui/state/background.h"

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTableWidget;

namespace headscope {

class ProblemNote;
class SpeedPlot;

/// The article's table, measured on this machine: for each size what it claims, what came out and why; and how time and
/// memory grow with the tokens. Measuring goes on off the GUI thread, shows how far it is and can be stopped; what was
/// measured until then stays.
class SpeedDialog : public QDialog {
    Q_OBJECT
public:
    explicit SpeedDialog(QWidget* parent = nullptr);

    bool isMeasuring() const { return work_.isBusy(); }
    const std::vector<ArticleRow>& rows() const { return rows_; }
    QString csv() const;

Q_SIGNALS:
    void finished();  ///< with all sizes, or stopped, or with a problem that is shown

public Q_SLOTS:
    void start();
    void stop();
    void reject() override;  ///< while it measures: stops that first

private:
    struct Job;
    void buildControls();
    QTableWidget* makeTable();
    void follow();
    void add(const std::vector<ArticleRow>& rows);
    void end(const Result<void>& result);
    void save();

    QLineEdit *sizes_, *threads_, *embed_dim_, *num_heads_;
    ProblemNote* problem_;
    QProgressBar* progress_;
    QPushButton *start_, *copy_, *save_;
    QStackedWidget* pages_;  ///< what to do, or the table and the plot
    QLabel* empty_;
    QTableWidget* table_;
    SpeedPlot* plot_;
    std::vector<ArticleRow> rows_;
    Background work_;  ///< last: what runs must not outlive the rest
};

}  // namespace headscope
