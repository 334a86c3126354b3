// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QList>
#include <optional>

#include "core/attention/trace.h"
#include "ui/look/theme.h"

namespace headscope {

/// A part of a shape: "512" in the colour of E, or ", " without a colour.
struct ShapePart {
    QString text;
    std::optional<Role> role;
    bool operator==(const ShapePart&) const = default;
};
/// (B, S, E) as the numbers of dims, or as letters if there are none yet.
QList<ShapePart> shapeParts(Stage stage, const std::optional<Dims>& dims);

/// The texts of a box.
struct StageText {
    QString name;            ///< "scores"
    QList<ShapePart> shape;  ///< (2, 8, 10, 10)
    QString memory;          ///< "6.4 KB"
    QString line;            ///< line of PyTorch code
    bool operator==(const StageText&) const = default;
};

/// Draws the parts of a shape in their colours, centred in the room, with a smaller font if needed.
void paintShape(QPainter& painter, const QRect& room, const QList<ShapePart>& parts, const QFont& font);

/// One step of the shape flow: a one-line button that shows the step's values in the grid.
class StageBox : public QAbstractButton {
    Q_OBJECT
public:
    StageBox(Stage stage, QWidget* parent);
    Stage stage() const { return stage_; }

    void setStageText(const StageText& text);
    const StageText& stageText() const { return text_; }
    QString shapeText() const;
    void setCurrent(bool current);  ///< whether the grid shows this step
    bool isCurrent() const { return current_; }
    void setShowsShape(bool shows);  ///< whether the shape is drawn beside the name
    bool showsShape() const { return shows_shape_; }
    void setHighlighted(bool highlighted);  ///< marks a shape that just changed

    QSize sizeHint() const override;

Q_SIGNALS:
    /// Emitted for an arrow key: rows and columns to move by.
    void moveRequested(int rows, int columns);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QList<ShapePart> parts() const;
    void paintFrame(QPainter& painter) const;

    Stage stage_;
    StageText text_;
    bool current_ = false, shows_shape_ = true, highlighted_ = false;
};

}  // namespace headscope
