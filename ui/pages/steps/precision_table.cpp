// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/precision_table.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <algorithm>

#include "ui/look/plural.h"
#include "ui/maps/cell_explanation.h"
#include "ui/state/draft.h"

namespace headscope {

namespace {

QString nameOf(Precision precision) {
    const std::string_view name = to_string(precision);
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

int rowOf(Precision precision) {
    return static_cast<int>(std::find(kPrecisions.begin(), kPrecisions.end(), precision) - kPrecisions.begin());
}

}  // namespace

PrecisionTable::PrecisionTable(QWidget* parent) : QTableWidget(static_cast<int>(kPrecisions.size()), Columns, parent) {
    setObjectName(QStringLiteral("precisionTable"));
    setEditTriggers(NoEditTriggers);
    setSelectionMode(NoSelection);
    setWordWrap(false);
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(1);
    verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setStretchLastSection(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    retranslate();
}

void PrecisionTable::retranslate() {
    const std::pair<QString, QString> heads[] = {
        {tr("precision"), tr("The same request in each; the one in use is bold")},
        {tr("cell"), tr("The number of the hovered cell, or of the locked one, as each precision holds it")},
        {tr("largest error"), tr("Largest distance from float64 in an allowed cell, and its query and key; click it to "
                                 "lock that cell")},
        {tr("mean error"), tr("Mean distance from float64 over the allowed cells")},
        {QStringLiteral("▲"), tr("Overflow: cells that are infinite here and finite in float64")},
        {QStringLiteral("▼"), tr("Underflow: cells that are 0 here and not in float64")},
        {QStringLiteral("✕"), tr("Cells that are NaN here or in float64, but not in both")},
        {tr("−1e9 is"), tr("What the fill value −1e9 becomes in each precision")}};
    for (int column = 0; column < Columns; ++column) {
        auto* item = new QTableWidgetItem(heads[column].first);
        item->setToolTip(heads[column].second);
        setHorizontalHeaderItem(column, item);
    }
    setAccessibleName(tr("Errors of the precisions"));
    setLens(lens_, present_);
}

void PrecisionTable::set(int row, Column column, const QString& text, const QString& tip) {
    if (!item(row, column)) setItem(row, column, new QTableWidgetItem);
    item(row, column)->setText(text);
    item(row, column)->setToolTip(tip);
    const bool number = column != Name && column != Here;
    item(row, column)->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

void PrecisionTable::setLens(const LensPtr& lens, Precision present) {
    lens_ = lens;
    present_ = present;
    for (const Precision precision : kPrecisions) showRow(rowOf(precision), precision);
    showCell();
    updateGeometry();
}

void PrecisionTable::showRow(int row, Precision precision) {
    set(row, Name, nameOf(precision));
    QFont face = font();
    face.setBold(precision == present_);
    item(row, Name)->setFont(face);
    set(row, Fill, numberText(effective_fill(headscope::Fill::MinusBillion, precision), 9));
    if (!lens_) {
        for (const Column column : {Largest, Mean, Overflow, Underflow, Nan}) set(row, column, {});
        return;
    }
    if (const auto& refusal = lens_->refusal(precision)) {
        set(row, Largest, tr("not computed"), sentence(*refusal));
        for (const Column column : {Mean, Overflow, Underflow, Nan}) set(row, column, {}, sentence(*refusal));
        return;
    }
    const PrecisionError& error = lens_->error(precision);
    const bool measure = precision == Precision::Float64;
    const QString place = tr("(%1, %2)").arg(error.largest_query).arg(error.largest_key);
    const QString largest = numberText(error.largest, 3);
    set(row, Largest,
        measure             ? tr("reference")
        : error.largest > 0 ? largest + QLatin1Char(' ') + place
                            : largest,
        measure ? QString()
                : tr("%1 in query %2, key %3, of %4 cells that are allowed and finite", nullptr, counted(error.cells))
                      .arg(numberText(error.largest, 17))
                      .arg(error.largest_query)
                      .arg(error.largest_key)
                      .arg(error.cells));
    set(row, Mean, measure ? QString() : numberText(error.mean, 3), measure ? QString() : numberText(error.mean, 17));
    set(row, Overflow, measure ? QString() : QString::number(error.overflows));
    set(row, Underflow, measure ? QString() : QString::number(error.underflows));
    set(row, Nan, measure ? QString() : QString::number(error.nans));
}

void PrecisionTable::setCell(const std::optional<Cell>& cell) {
    if (cell_ == cell) return;
    cell_ = cell;
    showCell();
}

void PrecisionTable::showCell() {
    const bool there = lens_ && cell_ && cell_->query < lens_->error(Precision::Float64).size &&
                       cell_->key < lens_->error(Precision::Float64).size;
    horizontalHeaderItem(Here)->setText(there ? tr("query %1, key %2").arg(cell_->query).arg(cell_->key) : tr("cell"));
    for (const Precision precision : kPrecisions)
        set(rowOf(precision), Here,
            there && lens_->traces.of(precision)
                ? exactText(lens_->value(precision, cell_->query, cell_->key), storage_type(precision))
                : QString());
}

QString PrecisionTable::text(Precision precision, Column column) const {
    return item(rowOf(precision), column)->text();
}

QSize PrecisionTable::sizeHint() const {
    int height = horizontalHeader()->sizeHint().height() + 2 * frameWidth();
    for (int row = 0; row < rowCount(); ++row) height += rowHeight(row);
    if (horizontalScrollBar()->maximum() > 0) height += horizontalScrollBar()->sizeHint().height();
    return {horizontalHeader()->length() + 2 * frameWidth(), height};
}

QSize PrecisionTable::minimumSizeHint() const {
    return {100, sizeHint().height()};
}

void PrecisionTable::changeEvent(QEvent* event) {
    QTableWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
    if (event->type() == QEvent::FontChange) setLens(lens_, present_);
}

}  // namespace headscope
