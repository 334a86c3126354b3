// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <optional>

#include "core/attention/trace.h"
#include "core/explain/cell_account.h"
#include "ui/look/theme.h"
#include "ui/state/selection.h"

class QLabel;
class QToolButton;

namespace headscope {

class StripTable;

/// Lines of text in pieces, some of them bold or coloured. A line that doesn't fit is elided.
class PieceLines : public QWidget {
    Q_OBJECT
public:
    struct Piece {
        QString text;
        Role role = Role::Text;
        bool bold = false;
    };
    using Line = QList<Piece>;
    explicit PieceLines(QWidget* parent = nullptr) : QWidget(parent) {}

    void setLines(const QList<Line>& lines);
    /// Line as plain text.
    QString text(qsizetype line) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    double lineHeight() const;
    QList<Line> lines_;
};

/// The strip below the grid that explains the locked cell: q, k and their products, and the steps from their sum to the
/// weight and to the context.
class ExplainedCell : public QWidget {
    Q_OBJECT
public:
    explicit ExplainedCell(QWidget* parent = nullptr);

    /// Visible if there is a cell to explain. Keeps the explanation while the scores are recomputed.
    void setCell(const TracePtr& trace, int sequence, const std::optional<Cell>& cell);
    /// "q · k = 224 · × 1/√64 → 28 → allowed → exp(28 − 28) / 1.091 → 0.9164 · adds ...", or nothing.
    QString formula() const;

Q_SIGNALS:
    void moreWanted();
    void closed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void explain();

    TracePtr trace_;
    int sequence_ = 0;
    std::optional<Cell> cell_;
    std::optional<CellAccount> account_;
    QLabel* title_;
    QToolButton *more_, *close_;
    StripTable* strips_;
    PieceLines* lines_;
};

}  // namespace headscope
