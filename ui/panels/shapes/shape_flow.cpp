// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shapes/shape_flow.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/memory.h"
#include "ui/controls/tool_tip.h"
#include "ui/panels/shapes/stage_words.h"

namespace headscope {
namespace {

constexpr int kMargin = 12;  // left of the boxes
constexpr int kBypass = 16;  // right of the boxes, where V goes past the scores
constexpr int kMinGap = 10;  // room for an arrow
constexpr int kMaxGap = 28;
constexpr int kHighlightMs = 700;

const QList<QList<Stage>>& stageRows() {
    static const QList<QList<Stage>> rows{
        {Stage::X},      {Stage::Qkv},    {Stage::Heads},   {Stage::Q, Stage::K, Stage::V},
        {Stage::Scores}, {Stage::Masked}, {Stage::Weights}, {Stage::HeadContext},
        {Stage::Concat}, {Stage::Output}};
    return rows;
}

}  // namespace

/// Holds the boxes and draws the arrows between them.
class ShapeFlow::Canvas : public QWidget {
public:
    Canvas(const ShapeFlow& flow, QWidget* parent) : QWidget(parent), flow_(flow) {}

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const auto& rows = flow_.rows_;
        for (qsizetype row = 0; row + 1 < rows.size(); ++row) {
            for (const StageBox* from : rows[row]) {
                for (const StageBox* to : rows[row + 1]) {
                    if (from->stage() == Stage::V) continue;  // it meets the weights
                    const int x = rows[row].size() > rows[row + 1].size() ? from->geometry().center().x()
                                                                          : to->geometry().center().x();
                    arrow(painter, {x, from->geometry().bottom() + 1}, {x, to->geometry().top()}, Role::Muted);
                }
            }
        }
        paintBypass(painter);
    }

private:
    void arrow(QPainter& painter, QPoint from, QPoint to, Role role) const {
        const QColor ink = color(role, currentTheme());
        const QPointF tip(to);
        const QPointF along = from.x() == to.x() ? QPointF(0, 1) : QPointF(-1, 0);
        const QPointF across(along.y(), along.x());
        painter.setPen(QPen(ink, 1));
        painter.drawLine(QPointF(from), tip - along * 5);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink);
        painter.drawPolygon(QPolygonF({tip, tip - along * 6 + across * 4, tip - along * 6 - across * 4}));
    }

    void paintBypass(QPainter& painter) const {
        const QRect v = flow_.box(Stage::V)->geometry(), context = flow_.box(Stage::HeadContext)->geometry();
        const int x = v.right() + kBypass / 2 + 1;
        painter.setPen(QPen(color(Role::Value, currentTheme()), 1));
        painter.drawPolyline(
            QPolygon({{v.right() + 1, v.center().y()}, {x, v.center().y()}, {x, context.center().y()}}));
        arrow(painter, {x, context.center().y()}, {context.right() + 1, context.center().y()}, Role::Value);
    }

    const ShapeFlow& flow_;
};

ShapeFlow::ShapeFlow(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      legend_(new QLabel(this)),
      scroll_(new QScrollArea(this)),
      canvas_(new Canvas(*this, scroll_)) {
    legend_->setTextFormat(Qt::RichText);  // of our own words only
    legend_->setContentsMargins(kMargin, 8, kMargin, 0);
    legend_->setToolTip(
        tr("B: sequences of the batch · S: tokens of a sequence · E: embed_dim · H: num_heads · "
           "Dh: head_dim = E / H"));
    for (const auto& stages : stageRows()) {
        QList<StageBox*> row;
        for (const Stage stage : stages) {
            auto* box = new StageBox(stage, stages.size() > 1, canvas_);
            connect(box, &QAbstractButton::clicked, this, [this, stage] { session_.setStage(stage); });
            connect(box, &StageBox::moveRequested, this,
                    [this, box](int rows, int columns) { moveFocus(box, rows, columns); });
            row << box;
        }
        rows_ << row;
    }
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setWidget(canvas_);
    for (QWidget* ground : {static_cast<QWidget*>(this), scroll_->viewport(), static_cast<QWidget*>(canvas_)}) {
        ground->setAutoFillBackground(true);
        ground->setBackgroundRole(QPalette::Base);
    }
    scroll_->viewport()->installEventFilter(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(legend_);
    layout->addWidget(scroll_, 1);

    highlight_.setSingleShot(true);
    highlight_.setInterval(kHighlightMs);
    connect(&highlight_, &QTimer::timeout, this, [this] {
        for (const auto& row : std::as_const(rows_))
            for (StageBox* box : row) box->setHighlighted(false);
    });
    connect(&session, &Session::traceChanged, this, &ShapeFlow::showTrace);
    connect(&session, &Session::selectionChanged, this, &ShapeFlow::showSelection);
    showLegend();
    showTrace();
    showSelection();
    focusOnly(box(Stage::X));
}

StageBox* ShapeFlow::box(Stage stage) const {
    if (stage == Stage::Mask) stage = Stage::Masked;
    for (const auto& row : rows_)
        for (StageBox* box : row)
            if (box->stage() == stage) return box;
    return nullptr;
}

StageText ShapeFlow::textOf(Stage stage) const {
    StageText text{
        stageName(stage), shapeParts(stage, trace_ ? std::optional(trace_->dims()) : std::nullopt), {}, {}, {}};
    if (!trace_) return text;
    text.line = QString::fromStdString(pytorch_line(stage, trace_->request));
    text.memory = stageMemory(stage, *trace_);
    const qsizetype open = text.line.indexOf(u'['), shut = text.line.indexOf(u']');
    if (open >= 0 && shut > open) text.short_line = text.line.mid(open, shut - open + 1);
    return text;
}

void ShapeFlow::showTrace() {
    const bool first = !trace_;
    trace_ = session_.trace();
    bool changed = false;
    for (const auto& row : std::as_const(rows_)) {
        for (StageBox* box : row) {
            const StageText text = textOf(box->stage());
            if (text == box->stageText()) continue;
            const bool new_shape = !first && text.shape != box->stageText().shape;
            if (new_shape) box->setHighlighted(true);
            changed = changed || new_shape;
            box->setStageText(text);
            QStringList tip{stageSentence(box->stage())};
            if (!text.line.isEmpty()) tip << text.line;
            if (!text.memory.isEmpty()) tip << tr("memory: %1").arg(text.memory);
            box->setToolTip(plainToolTip(tip.join(u'\n')));
        }
    }
    if (changed) highlight_.start();
    if (first) updateGeometry();
}

void ShapeFlow::showSelection() {
    StageBox* shown = box(session_.selection().stage);
    for (const auto& row : std::as_const(rows_))
        for (StageBox* box : row) box->setCurrent(box == shown);
}

void ShapeFlow::showLegend() {
    const auto letter = [](const QString& text, Role role) {
        return QStringLiteral("<b style='color:%1'>%2</b>").arg(color(role, currentTheme()).name(), text);
    };
    legend_->setText(
        QStringLiteral("<b>%1</b> (%2)")
            .arg(tr("Shape flow"),
                 QStringList{letter(QStringLiteral("B"), Role::DimB), letter(QStringLiteral("S"), Role::DimS),
                             letter(QStringLiteral("E"), Role::DimE), letter(QStringLiteral("H"), Role::DimH),
                             letter(QStringLiteral("Dh"), Role::DimDh)}
                     .join(QStringLiteral(", "))));
}

int ShapeFlow::heightOfBoxes(bool with_lines) const {
    int height = 0;
    for (const auto& row : rows_) height += row.first()->heightFor(with_lines);
    return height;
}

void ShapeFlow::arrange() {
    const int gaps = static_cast<int>(rows_.size()) - 1, edge = 6;
    const QSize room = scroll_->viewport()->size();
    const bool lines = heightOfBoxes(true) + gaps * kMinGap + 2 * edge <= room.height();
    const int gap = std::clamp((room.height() - heightOfBoxes(lines) - 2 * edge) / gaps, kMinGap, kMaxGap);
    const int width = room.width() - kMargin - kBypass;
    int y = edge;
    for (const auto& row : std::as_const(rows_)) {
        const int height = row.first()->heightFor(lines), columns = static_cast<int>(row.size()), between = 6;
        const int each = (width - (columns - 1) * between) / columns;
        for (int column = 0; column < columns; ++column) {
            StageBox* box = row[column];
            const int x = column * (each + between);
            box->setShowsLine(lines);
            box->setGeometry(kMargin + x, y, column + 1 == columns ? width - x : each, height);
        }
        y += height + gap;
    }
    canvas_->resize(room.width(), std::max(room.height(), y - gap + edge));
    canvas_->update();
}

void ShapeFlow::moveFocus(StageBox* from, int rows, int columns) {
    qsizetype row = 0;
    while (!rows_[row].contains(from)) ++row;
    const qsizetype column = rows_[row].indexOf(from);
    const qsizetype next_row = std::clamp<qsizetype>(row + rows, 0, rows_.size() - 1);
    StageBox* next = rows_[next_row][std::clamp<qsizetype>(column + columns, 0, rows_[next_row].size() - 1)];
    focusOnly(next);
    next->setFocus(Qt::TabFocusReason);
    scroll_->ensureWidgetVisible(next, 0, kMinGap);
}

void ShapeFlow::focusOnly(StageBox* focused) {
    for (const auto& row : std::as_const(rows_))
        for (StageBox* box : row) box->setFocusPolicy(box == focused ? Qt::StrongFocus : Qt::ClickFocus);
}

bool ShapeFlow::eventFilter(QObject* watched, QEvent* event) {
    if (watched == scroll_->viewport() && event->type() == QEvent::Resize) arrange();
    return QWidget::eventFilter(watched, event);
}

void ShapeFlow::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) showLegend();
    if (event->type() == QEvent::FontChange) {
        arrange();
        updateGeometry();
    }
}

QSize ShapeFlow::sizeHint() const {
    const int gaps = static_cast<int>(rows_.size()) - 1;
    return {std::max(minimumSizeHint().width(), fontMetrics().averageCharWidth() * 38),
            legend_->sizeHint().height() + heightOfBoxes(true) + gaps * 18};
}

QSize ShapeFlow::minimumSizeHint() const {
    int widest = 0;
    for (const auto& row : rows_)
        widest = std::max(widest, row.first()->sizeHint().width() * static_cast<int>(row.size()));
    const int bar = scroll_->verticalScrollBar()->sizeHint().width();
    // Very long shapes shrink rather than push the grid aside.
    widest = std::min(widest, fontMetrics().averageCharWidth() * 36);
    return {std::max(widest, fontMetrics().averageCharWidth() * 30) + kMargin + kBypass + bar,
            fontMetrics().height() * 8};
}

}  // namespace headscope
