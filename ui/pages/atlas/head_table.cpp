// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/atlas/head_table.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>
#include <cmath>

#include "core/weights/textbook.h"
#include "ui/look/theme.h"
#include "ui/maps/cell_explanation.h"
#include "ui/maps/head_card.h"

namespace headscope {

namespace {

constexpr int kBar = Qt::UserRole;  // 0 to 1; below 0 there is none

class BarDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const double bar = index.data(kBar).toDouble();
        if (bar >= 0) {
            const QRectF all = QRectF(option.rect).adjusted(2, 3, -2, -3);
            painter->fillRect(QRectF(all.topLeft(), QSizeF(all.width() * std::min(bar, 1.0), all.height())),
                              color(Role::Border, currentTheme()));
        }
        QStyledItemDelegate::paint(painter, option, index);
    }
};

}  // namespace

QString groupName(int group) {
    return group < 26 ? QString(QChar(u'A' + static_cast<char16_t>(group))) : QString::number(group + 1);
}

HeadTable::HeadTable(QWidget* parent) : QTableWidget(0, Columns, parent) {
    setObjectName(QStringLiteral("headTable"));
    setEditTriggers(NoEditTriggers);
    setSelectionMode(NoSelection);
    setWordWrap(false);
    setItemDelegate(new BarDelegate(this));
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(1);
    verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setSectionsClickable(true);
    retranslate();
}

void HeadTable::retranslate() {
    const std::pair<QString, QString> titles[] = {
        {tr("head"), tr("Click to sort by number")},
        {tr("role"), tr("The role of a textbook head; click to sort")},
        {tr("entropy"),
         tr("Mean over the rows, in bits: 0 = each query attends to one key, log2 of the number of tokens = "
            "at all alike. The bar goes to that. Click to sort")},
        {tr("distance"),
         tr("Mean of weight times |query − key|, in tokens; the largest has a full bar. Click to sort")},
        {tr("group"), tr("Similar heads; the number is the divergence at which a head joined those above it")}};
    for (int column = 0; column < Columns; ++column) {
        auto* item = new QTableWidgetItem(titles[column].first);
        item->setToolTip(titles[column].second);
        setHorizontalHeaderItem(column, item);
    }
    setAccessibleName(tr("Heads in numbers"));
}

void HeadTable::set(int row, Column column, const QString& text, double bar) {
    if (!item(row, column)) setItem(row, column, new QTableWidgetItem);
    item(row, column)->setText(text);
    item(row, column)->setData(kBar, bar);
}

void HeadTable::setHeads(const SummaryPtr& summary, const std::vector<int>& order, const std::vector<int>& groups) {
    setRowCount(static_cast<int>(order.size()));
    setColumnHidden(Group, groups.empty());
    if (!summary) return;
    const Trace& trace = *summary->trace;
    const bool textbook = trace.request.source == WeightSource::Textbook;
    setColumnHidden(Role, !textbook);
    const double most_bits = std::log2(static_cast<double>(std::max<std::int64_t>(trace.dims().sequence_length, 2)));
    double farthest = 0;
    for (const HeadSummary& head : summary->heads)
        if (head.mean_distance > farthest) farthest = head.mean_distance;
    const auto share = [](double value, double of) { return std::isfinite(value) && of > 0 ? value / of : -1; };
    for (int row = 0; row < rowCount(); ++row) {
        const int head = order[static_cast<std::size_t>(row)];
        const HeadSummary& told = summary->heads[static_cast<std::size_t>(head)];
        set(row, Head, QString::number(head));
        set(row, Role, textbook ? roleName(textbook_role(head)) : QString());
        set(row, Entropy, numberText(told.entropy_bits, 3), share(told.entropy_bits, most_bits));
        set(row, Distance, numberText(told.mean_distance, 3), share(told.mean_distance, farthest));
        if (groups.empty()) continue;
        const auto place = static_cast<std::size_t>(row);
        const QString name = groupName(groups[place]);
        set(row, Group, row == 0 ? name : tr("%1 · %2").arg(name, numberText(summary->order.joined_at[place], 2)));
    }
}

void HeadTable::changeEvent(QEvent* event) {
    QTableWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

}  // namespace headscope
