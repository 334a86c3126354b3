// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "core/explain/row_account.h"
#include "ui/maps/map_labels.h"

namespace headscope {

/// One row as bars over its keys, before and after the mask: the scores, the weights, and beside these, where it is
/// asked for, what multiplying by 0 after the softmax would give. Masked keys are hatched.
class RowBars : public QWidget {
    Q_OBJECT
public:
    explicit RowBars(QWidget* parent = nullptr);

    void setRow(const TracePtr& trace, const std::shared_ptr<const RowAccount>& row, bool wrong_way);
    void setKeys(const std::optional<int>& hovered, const std::optional<int>& locked);

    /// The key whose column this is.
    std::optional<int> keyAt(const QPointF& position) const;
    /// Where a key's bar stands in a panel: 0 the scores, 1 the weights, 2 the wrong way.
    QRectF columnRect(int panel, int key) const;
    int panels() const { return wrong_.empty() ? 2 : 3; }
    /// All numbers of a key, exact: what the tooltip says.
    QString keyText(int key) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void hovered(const std::optional<int>& key);
    void clicked(int key);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Bars;
    QRectF panelRect(int panel) const;
    double pitch() const;
    QFont small() const;
    double labelRoom() const;
    Bars barsOf(int panel) const;
    QString titleOf(int panel) const;
    void drawPanel(QPainter& painter, int panel) const;
    void drawColumn(QPainter& painter, const Bars& bars, const QRectF& column, std::int64_t first,
                    std::int64_t last) const;
    void drawBar(QPainter& painter, const Bars& bars, const QRectF& column, double value, const QColor& fill) const;
    void drawLabels(QPainter& painter) const;

    TracePtr trace_;
    std::shared_ptr<const RowAccount> row_;
    std::vector<double> wrong_;  ///< empty where it isn't asked for
    MapLabels labels_;
    std::optional<int> hovered_, locked_;
};

}  // namespace headscope
