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

/// Lines of tokens as chips with their index, one row per sequence, two rows high. The dot before a row shows that
/// sequence. The query and the key of the hovered or locked cell are marked; [PAD] is grey and dashed. Indices run from
/// left to right for every script. Only visible chips are measured and painted.
class TokenChips : public QAbstractScrollArea {
    Q_OBJECT
public:
    TokenChips(Session& session, const TokenLines& lines, QWidget* parent = nullptr);

    /// Call this if the lines changed; also takes the line that an editor covers.
    void showLines(std::optional<int> edited);

    int rowCount() const;
    int chipCount() const { return lines_.length(); }  ///< chips per row
    /// The text of a chip: the token with visible white space, shortened at a grapheme boundary. Empty if there is no
    /// such chip.
    QString chipText(int row, int index) const;
    bool isPadding(int row, int index) const { return lines_.isPadding(row, index); }
    /// Whether the token is the query or the key of the hovered (Hovered) or locked (Locked) cell.
    enum class Mark { None, Hovered, Locked };
    Mark mark(int row, int index) const;
    int shownRow() const;
    void showSequence(int row);
    QString lineText(int row) const;  ///< the tokens of a row, for assistive technology
    /// In viewport coordinates, also if it is scrolled out of the visible area.
    QRect rowRect(int row) const;
    QRect chipRect(int row, int index) const;
    QRect dotRect(int row) const;   ///< the dot and the number of a sequence
    QRect editRect(int row) const;  ///< where an editor is placed over a row

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void pressed(int row, qsizetype column);  ///< a click on a line, and the position in its text
    void typed(QKeyEvent* event);             ///< a key that should open an editor
    void linesMoved();                        ///< editRect() may have changed

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
    int rowAt(QPoint position) const;  ///< -1 if there is none
    int rowHeight() const;
    int gutter() const;  ///< width of the dot and the number of a sequence; it doesn't scroll horizontally
    QFont indexFont() const;
    QFont boldFont() const;
    void measureFonts();
    void forgetLayout();
    void updateScrollBars();
    void showRow(int row);
    void showLocked();
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
    /// For each row: the start of each chip, measured from the start of the row, and the start of the next one.
    /// Contains only the chips that were measured so far.
    mutable std::vector<std::vector<int>> lefts_;
    std::optional<Place> hovered_;
    std::vector<std::pair<int, Mark>> marks_;  ///< marks of the shown row, by index
    int marked_row_ = 0;
    std::optional<Cell> locked_;  ///< the cell to whose query the line was scrolled
};

}  // namespace headscope
