// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <optional>

#include "core/attention/trace.h"
#include "core/explain/cell_account.h"
#include "ui/look/theme.h"
#include "ui/state/selection.h"

class QToolButton;

namespace headscope {

/// The panel under the grid: q, k and their products as strips, and the way from their sum to the weight.
class WeightStory : public QWidget {
    Q_OBJECT
public:
    explicit WeightStory(QWidget* parent = nullptr);

    void setCell(const TracePtr& trace, int sequence, const std::optional<Cell>& cell);
    bool isCollapsed() const;
    /// The whole line as plain text: "224 × 1/√64 → 28 → mask: open → exp(28 − 28) / 1.091 → 0.9164 → ...".
    QString formula() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Piece {
        QString text;
        Role role = Role::Text;
        bool bold = false;
    };
    QList<Piece> pieces() const;
    QList<Piece> weightPieces() const;
    void drawStrips(QPainter& painter, int top) const;
    void drawFormula(QPainter& painter, int top) const;
    QString cellTitle() const;
    QString token(int position) const;
    int line() const;
    void setCollapsed(bool collapsed);
    void retranslate();

    TracePtr trace_;
    int sequence_ = 0;
    std::optional<Cell> cell_;
    std::optional<CellAccount> account_;
    QToolButton* fold_;
};

}  // namespace headscope
