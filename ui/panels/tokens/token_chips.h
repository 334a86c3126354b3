// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QFontMetrics>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ui/panels/tokens/token_lines.h"
#include "ui/state/session.h"

class QKeyEvent;

namespace headscope {

/// Lines of tokens as chips with their index, a row for each sequence and two rows high. The dot before a row shows
/// that sequence; the query and the key of the hovered or locked cell are marked; [PAD] is greyed and dashed. Indexes
/// run from left to right beside every script. Only what is in sight is measured and painted.
class TokenChips : public QAbstractScrollArea {
    Q_OBJECT
public:
    TokenChips(Session& session, const TokenLines& lines, QWidget* parent = nullptr);

    /// To be called when the lines changed, and with the line over which an editor lies.
    void showLines(std::optional<int> edited);

    int rowCount() const;
    int chipCount() const { return lines_.length(); }  ///< of every row
    /// What a chip shows: the token with its white space made visible, shortened at a grapheme. Empty where there is
    /// none.
    QString chipText(int row, int index) const;
    bool isPadding(int row, int index) const { return lines_.isPadding(row, index); }
    /// Is it the query or the key of the hovered (Hovered) or locked (Locked) cell?
    enum class Mark { None, Hovered, Locked };
    Mark mark(int row, int index) const;
    int shownRow() const;
    /// In the viewport's coordinates, also where it is scrolled out of sight.
    QRect rowRect(int row) const;
    QRect chipRect(int row, int index) const;
    QRect editRect(int row) const;  ///< where an editor lies over a row

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void pressed(int row, qsizetype column);  ///< a click into a line, and the place in its text
    void typed(QKeyEvent* event);             ///< a key that means an editor
    void linesMoved();                        ///< editRect() may be another

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    struct Place {
        int row, index;
        bool operator==(const Place&) const = default;
    };

    const std::vector<int>& lefts(int row, int chips, int x = 0) const;
    int chipWidth(int row, int index) const;
    int rowWidth(int row) const;
    std::optional<Place> chipAt(QPoint position) const;
    qsizetype columnAt(int row, int x) const;
    int rowAt(QPoint position) const;  ///< -1 where there is none
    int rowHeight() const;
    int gutter() const;  ///< room for the dot and the number of a sequence; it doesn't scroll sideways
    QFont indexFont() const;
    QFont boldFont() const;
    void measureFonts();
    void forgetLayout();
    void updateScrollBars();
    void showRow(int row);
    void hoverTo(std::optional<Place> place);
    void showMarks();
    void describe();
    QString toolTipAt(QPoint position) const;

    void paintRow(QPainter& painter, int row, const QRegion& dirty);
    void paintChip(QPainter& painter, const QRect& box, Place place);
    void paintHint(QPainter& painter, int row);
    void paintGutter(QPainter& painter, int row);

    Session& session_;
    const TokenLines& lines_;
    std::optional<int> edited_;
    QFontMetrics bold_{font()};
    int digit_width_ = 0;
    mutable std::unordered_map<std::string, int> token_widths_;
    /// Of each row: where its chips begin, from the start of the row, and where the next would. As many as were asked
    /// for.
    mutable std::vector<std::vector<int>> lefts_;
    std::optional<Place> hovered_;
    std::vector<std::pair<int, Mark>> marks_;  ///< of the shown row, by index
    int marked_row_ = 0;
};

}  // namespace headscope
