// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QHash>
#include <optional>
#include <vector>

#include "ui/state/session.h"

namespace headscope {

/// The tokens of the newest picture as chips with their index, a row for each sequence. A click on a row shows that
/// sequence; [PAD] is greyed and dashed. Indexes run from left to right beside every script. Only what is in sight is
/// measured and painted, so that 512 sequences scroll as one does.
class TokenChips : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TokenChips(Session& session, QWidget* parent = nullptr);

    int rowCount() const;
    int chipCount() const;  ///< of every row
    /// What a chip shows: the token with its white space made visible, shortened at a grapheme. Empty where there is
    /// none.
    QString chipText(int row, int index) const;
    bool isPadding(int row, int index) const;
    int shownRow() const { return session_.selection().sequence; }
    /// In the viewport's coordinates, also where it is scrolled out of sight.
    QRect rowRect(int row) const;
    QRect chipRect(int row, int index) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    struct Chip {
        int left = 0, width = 0;  ///< from the start of the row
        QString text;
    };
    struct Place {
        int row, index;
        bool operator==(const Place&) const = default;
    };

    void takeTrace();
    void forgetLayout();
    const std::vector<Chip>& chips(int row) const;
    std::optional<Place> chipAt(QPoint position) const;
    int rowAt(QPoint position) const;  ///< -1 where there is none
    int rowHeight() const;
    int gutter() const;  ///< room for the dot and the number of a sequence; it doesn't scroll sideways
    QFont indexFont() const;
    void updateScrollBars();
    void showRow();
    void hoverTo(std::optional<Place> place);
    void describe();

    void paintRow(QPainter& painter, int row, const QRect& clip);
    void paintChip(QPainter& painter, const QRect& box, Place place, const QString& text);
    void paintGutter(QPainter& painter, int row);

    Session& session_;
    TracePtr trace_;
    mutable std::vector<std::vector<Chip>> layout_;  ///< empty rows were not in sight yet
    mutable int widest_ = 0;                         ///< of the rows that were
    std::optional<Place> hovered_;
};

}  // namespace headscope
