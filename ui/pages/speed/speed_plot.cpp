// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/speed/speed_plot.h"

#include <QCoreApplication>
#include <QEvent>
#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/memory.h"
#include "ui/look/theme.h"

namespace headscope {

namespace {

constexpr int kWays = static_cast<int>(std::size(kArticleClaims));
constexpr Role kRoles[] = {Role::Text, Role::Query, Role::Key, Role::Value};  // plain attention first

/// Never let a colour be the only sign: each line has a shape of its own.
constexpr QCPScatterStyle::ScatterShape kShapes[] = {QCPScatterStyle::ssDisc, QCPScatterStyle::ssSquare,
                                                     QCPScatterStyle::ssDiamond, QCPScatterStyle::ssTriangle};

/// "10 MB" in the place of 10^7.
class BytesTicker : public QCPAxisTickerLog {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return QString::fromStdString(format_bytes(static_cast<std::uint64_t>(tick)));
    }
};

std::array<double, 2> valuesOf(const BenchLine& line) {
    return {line.median_ms, static_cast<double>(line.peak_bytes)};
}

}  // namespace

int wayOf(const ArticleRow& row) {
    const auto found = std::find_if(std::begin(kArticleClaims), std::end(kArticleClaims),
                                    [&](const auto& claim) { return std::string_view(claim.name) == row.claim.name; });
    return static_cast<int>(found - std::begin(kArticleClaims));
}

QString wayName(int way) {
    switch (way) {
        case 0:
            return QCoreApplication::translate("SpeedPlot", "memory-efficient");
        case 1:
            return QCoreApplication::translate("SpeedPlot", "mixed precision");
        case 2:
            return QCoreApplication::translate("SpeedPlot", "sparse");
        default:
            return QCoreApplication::translate("SpeedPlot", "plain");
    }
}

SpeedPlot::SpeedPlot(QWidget* parent) : QCustomPlot(parent) {
    plotLayout()->clear();
    time_ = addPanel(0, tr("milliseconds"));
    memory_ = addPanel(1, tr("memory"));
    memory_->axis(QCPAxis::atLeft)->setTicker(QSharedPointer<BytesTicker>::create());
    key_ = new QCPLegend;  // in a row of its own: wherever it lay in a panel, a line could run below it
    plotLayout()->addElement(0, 0, key_);
    plotLayout()->setRowStretchFactor(0, 0.001);
    key_->setLayer(QStringLiteral("legend"));
    key_->setFillOrder(QCPLayoutGrid::foColumnsFirst);
    key_->setBorderPen(Qt::NoPen);
    for (int i = 0; i <= kWays; ++i) graph(i)->addToLegend(key_);
    setMinimumHeight(200);
    applyColors();
}

QCPAxisRect* SpeedPlot::addPanel(int column, const QString& title) {
    auto* panel = new QCPAxisRect(this);
    plotLayout()->addElement(1, column, panel);
    for (const auto type : {QCPAxis::atBottom, QCPAxis::atLeft}) {
        QCPAxis* axis = panel->axis(type);
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
        axis->setNumberFormat(QStringLiteral("gb"));
        axis->setLabel(type == QCPAxis::atLeft ? title : tr("tokens"));
    }
    for (int way = -1; way < kWays; ++way) {
        auto* graph = addGraph(panel->axis(QCPAxis::atBottom), panel->axis(QCPAxis::atLeft));
        graph->setName(wayName(way));
    }
    return panel;
}

void SpeedPlot::show(const std::vector<ArticleRow>& rows) {
    rows_ = rows;
    for (int i = 0; i < graphCount(); ++i) graph(i)->data()->clear();
    for (const ArticleRow& row : rows_) {
        const int index = wayOf(row) + 1;
        const auto tokens = static_cast<double>(row.way.sequence_length);
        for (std::size_t panel = 0; panel < 2; ++panel) {
            const int first = static_cast<int>(panel) * (kWays + 1);
            if (index == 1) graph(first)->addData(tokens, valuesOf(row.plain)[panel]);
            graph(first + index)->addData(tokens, valuesOf(row.way)[panel]);
        }
    }
    for (QCPAxisRect* panel : {time_, memory_}) {
        for (QCPAxis* axis : panel->axes()) {
            if (rows_.empty()) break;
            axis->rescale(true);
            axis->setRange(axis->range().lower / 1.3, axis->range().upper * 1.3);
        }
    }
    replot(QCustomPlot::rpQueuedReplot);
}

void SpeedPlot::applyColors() {
    const Theme theme = currentTheme();
    const QColor text = color(Role::Text, theme);
    setBackground(QBrush(color(Role::Raised, theme)));
    for (QCPAxisRect* panel : {time_, memory_}) {
        for (QCPAxis* axis : panel->axes()) {
            axis->setBasePen(QPen(text));
            axis->setTickPen(QPen(text));
            axis->setSubTickPen(QPen(color(Role::Border, theme)));
            axis->setTickLabelColor(text);
            axis->setLabelColor(text);
            axis->setLabelFont(font());
            axis->setTickLabelFont(font());
            axis->grid()->setPen(QPen(color(Role::Border, theme), 0, Qt::DotLine));
        }
    }
    for (int i = 0; i < graphCount(); ++i) {
        const int line = i % (kWays + 1);
        const QColor own = color(kRoles[line], theme);
        graph(i)->setPen(QPen(own, 1.5));
        graph(i)->setScatterStyle(QCPScatterStyle(kShapes[line], own, own, 7));
    }
    key_->setBrush(color(Role::Raised, theme));
    key_->setTextColor(text);
    key_->setFont(font());
    replot(QCustomPlot::rpQueuedReplot);
}

void SpeedPlot::changeEvent(QEvent* event) {
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyColors();
}

}  // namespace headscope
