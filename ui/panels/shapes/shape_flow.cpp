// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shapes/shape_flow.h"

#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QRegularExpression>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/memory.h"
#include "ui/controls/text_color.h"
#include "ui/controls/tool_tip.h"
#include "ui/look/empty_state.h"
#include "ui/state/phrase.h"

namespace headscope {
namespace {

constexpr int kMargin = 10;      // left of the boxes
constexpr int kHeadingEdge = 4;  // right of the button that folds
constexpr int kBypass = 14;      // right of the boxes, for the arrow of V that bypasses the scores
constexpr int kMinGap = 8;       // room for an arrow
constexpr int kMaxGap = 20;
constexpr int kHighlightMs = 700;

/// One stage a row, but q, k and v side by side. The box of the masked scores stands for the mask, too.
QList<QList<Stage>> stageRows() {
    QList<QList<Stage>> rows;
    for (const StageType& type : stage_types()) {
        if (!type.tensor) continue;
        const bool beside = !rows.isEmpty() && has_heads(type.stage, Request{}) && !is_square(type.stage) &&
                            type.dims.data() == type_of(rows.last().first()).dims.data();
        if (!beside) rows << QList<Stage>();
        rows.last() << type.stage;
    }
    return rows;
}

/// The memory of a stage's numbers.
QString memoryOf(const StageType& type, const Trace& trace) {
    if (type.stage == Stage::Heads) return ShapeFlow::tr("a view");
    if (!type.stored || !trace.keeps(type.stage)) return ShapeFlow::tr("not stored");
    return QString::fromStdString(format_bytes(static_cast<std::uint64_t>(trace.tensor(type.stage)->bytes())));
}

}  // namespace

/// Contains the boxes and draws the arrows between them.
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
                    if (from->stage() == Stage::V) continue;  // V is multiplied with the weights
                    const int x = rows[row].size() > rows[row + 1].size() ? from->geometry().center().x()
                                                                          : to->geometry().center().x();
                    const int top = from->geometry().bottom() + 1 + (rows[row].size() > 1 ? flow_.captionHeight() : 0);
                    arrow(painter, {x, top}, {x, to->geometry().top()}, Role::Muted);
                }
            }
        }
        paintBypass(painter);
        paintCaption(painter);
    }

private:
    void paintCaption(QPainter& painter) const {
        if (flow_.captionHeight() == 0) return;
        const QRect q = flow_.box(Stage::Q)->geometry(), v = flow_.box(Stage::V)->geometry();
        QList<ShapePart> parts{{ShapeFlow::tr("each") + u' ', {}}};
        parts += flow_.box(Stage::Q)->stageText().shape;
        paintShape(painter, {q.left(), q.bottom() + 1, v.right() - q.left(), flow_.captionHeight()}, parts, font());
    }

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
      fold_(new QToolButton(this)),
      legend_(new QLabel(this)),
      scroll_(new QScrollArea(this)),
      line_(new QLabel(this)),
      canvas_(new Canvas(*this, scroll_)) {
    fold_->setObjectName(QStringLiteral("foldShapes"));
    fold_->setAutoRaise(true);
    connect(fold_, &QToolButton::clicked, this, [this] { setFolded(!folded_); });
    legend_->setTextFormat(Qt::RichText);  // it contains only our own texts
    legend_->setToolTip(
        tr("B: sequences of the batch · S: tokens of a sequence · E: embed_dim · H: num_heads · "
           "Dh: head_dim = E / H"));
    for (const auto& stages : stageRows()) {
        QList<StageBox*> row;
        for (const Stage stage : stages) {
            auto* box = new StageBox(stage, canvas_);
            box->installEventFilter(this);
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
    line_->setObjectName(QStringLiteral("shapeLine"));
    line_->setTextFormat(Qt::PlainText);
    line_->setWordWrap(true);
    line_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    line_->setContentsMargins(kMargin, 0, 4, 4);
    auto* heading = new QHBoxLayout;
    heading->setContentsMargins(kMargin, 4, kHeadingEdge, 0);
    heading->setSpacing(0);
    heading->addWidget(legend_, 1);
    heading->addWidget(fold_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(heading);
    layout->addWidget(scroll_, 1);
    layout->addWidget(line_);

    highlight_.setSingleShot(true);
    highlight_.setInterval(kHighlightMs);
    connect(&highlight_, &QTimer::timeout, this, [this] {
        for (const auto& row : std::as_const(rows_))
            for (StageBox* box : row) box->setHighlighted(false);
    });
    connect(&session, &Session::traceChanged, this, &ShapeFlow::showTrace);
    connect(&session, &Session::selectionChanged, this, &ShapeFlow::showSelection);
    showTrace();
    showSelection();
    focusOnly(box(Stage::X));
    setFolded(false);
}

void ShapeFlow::setFolded(bool folded) {
    const bool changes = folded != folded_;
    folded_ = folded;
    fold_->setText(folded ? QStringLiteral("«") : QStringLiteral("»"));
    fold_->setToolTip(folded ? tr("Expand the shapes") : tr("Collapse the shapes"));
    fold_->setAccessibleName(fold_->toolTip());
    legend_->setVisible(!folded);
    line_->setVisible(!folded);
    for (const auto& row : std::as_const(rows_))
        for (StageBox* box : row) box->setShowsShape(!folded && row.size() == 1);
    showLegend();
    fit();
    arrange();
    if (changes) Q_EMIT foldedChanged(folded);
}

StageBox* ShapeFlow::box(Stage stage) const {
    if (stage == Stage::Mask) stage = Stage::Masked;
    for (const auto& row : rows_)
        for (StageBox* box : row)
            if (box->stage() == stage) return box;
    return nullptr;
}

StageText ShapeFlow::textOf(Stage stage) const {
    const StageType& type = type_of(stage);
    const bool there = trace_ && has_stage(trace_->request, stage);
    StageText text{QString::fromLatin1(type.name),
                   shapeParts(stage, there ? std::optional(trace_->dims()) : std::nullopt),
                   {},
                   {}};
    if (!there) return text;
    text.line = QString::fromStdString(pytorch_line(stage, trace_->request));
    text.memory = memoryOf(type, *trace_);
    return text;
}

void ShapeFlow::showTrace() {
    const bool first = !trace_;
    trace_ = session_.trace();
    bool changed = false, other_line = false;
    for (const auto& row : std::as_const(rows_)) {
        for (StageBox* box : row) {
            const StageText text = textOf(box->stage());
            if (text == box->stageText()) continue;
            const bool new_shape = !first && text.shape != box->stageText().shape;
            if (new_shape) box->setHighlighted(true);
            changed = changed || new_shape;
            other_line |= text.line != box->stageText().line;
            box->setStageText(text);
            QStringList tip{translated(type_of(box->stage()).sentence)};
            if (!text.line.isEmpty()) tip << text.line;
            if (!text.memory.isEmpty()) tip << tr("memory: %1").arg(text.memory);
            const bool there = !trace_ || has_stage(trace_->request, box->stage());
            box->setEnabled(there);
            if (!there) tip << missingStage();
            box->setToolTip(plainToolTip(tip.join(u'\n')));
        }
    }
    if (changed) highlight_.start();
    if (first || changed || other_line) fit();
    if (first || changed) canvas_->update();
    showLine();
}

void ShapeFlow::showSelection() {
    StageBox* shown = box(session_.selection().stage);
    for (const auto& row : std::as_const(rows_))
        for (StageBox* box : row) box->setCurrent(box == shown);
    showLine();
}

/// "weights = softmax(masked, dim=-1)": for the box under the mouse, else for the shown stage.
void ShapeFlow::showLine() {
    line_->setText(lineOf(*box(hovered_.value_or(session_.selection().stage))));
}

/// The PyTorch line of a box, with places where it may wrap: code has few spaces.
QString ShapeFlow::lineOf(const StageBox& box) const {
    const StageText& of = box.stageText();
    const bool assigns = of.line.isEmpty() || of.line.startsWith(of.name + QStringLiteral(" ="));
    QString text = assigns ? of.line : of.name + QStringLiteral(" = ") + of.line;
    static const QRegularExpression breaks(QStringLiteral("([.,(])"));
    return text.replace(breaks, QStringLiteral("\\1\u200b"));
}

void ShapeFlow::showLegend() {
    QFont mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    mono.setPixelSize(std::max(11, QFontInfo(font()).pixelSize() * 17 / 20));
    line_->setFont(mono);
    setTextColor(line_, Role::Muted);
    const auto letter = [](const QString& text, Role role) {
        return QStringLiteral("<b style='color:%1'>%2</b>").arg(color(role, currentTheme()).name(), text);
    };
    legend_->setText(
        QStringLiteral("<b>%1</b> (%2)")
            .arg(tr("Shapes"),
                 QStringList{letter(QStringLiteral("B"), Role::DimB), letter(QStringLiteral("S"), Role::DimS),
                             letter(QStringLiteral("E"), Role::DimE), letter(QStringLiteral("H"), Role::DimH),
                             letter(QStringLiteral("Dh"), Role::DimDh)}
                     .join(QStringLiteral(", "))));
}

int ShapeFlow::captionHeight() const {
    return folded_ ? 0 : fontMetrics().height();
}

int ShapeFlow::heightOfBoxes() const {
    return static_cast<int>(rows_.size()) * rows_.first().first()->sizeHint().height() + captionHeight();
}

void ShapeFlow::arrange() {
    const int gaps = static_cast<int>(rows_.size()) - 1, edge = 6;
    const QSize room = scroll_->viewport()->size();
    const int gap = std::clamp((room.height() - heightOfBoxes() - 2 * edge) / gaps, kMinGap, kMaxGap);
    const int width = room.width() - kMargin - kBypass, height = rows_.first().first()->sizeHint().height();
    int y = edge;
    for (const auto& row : std::as_const(rows_)) {
        const int columns = static_cast<int>(row.size()), between = folded_ ? 2 : 6;
        const int each = (width - (columns - 1) * between) / columns;
        for (int column = 0; column < columns; ++column) {
            const int x = column * (each + between);
            row[column]->setGeometry(kMargin + x, y, column + 1 == columns ? width - x : each, height);
        }
        y += height + (columns > 1 ? captionHeight() : 0) + gap;
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
    const auto* box = qobject_cast<StageBox*>(watched);
    if (box && (event->type() == QEvent::Enter || event->type() == QEvent::Leave)) {
        hovered_ = event->type() == QEvent::Enter ? std::optional(box->stage()) : std::nullopt;
        showLine();
    }
    return QWidget::eventFilter(watched, event);
}

void ShapeFlow::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) showLegend();
    if (event->type() == QEvent::FontChange) {
        showLegend();
        fit();
        arrange();
    }
}

int ShapeFlow::widthNeeded() const {
    int widest = 0;
    for (const auto& row : rows_)
        if (row.size() == 1) widest = std::max(widest, row.first()->sizeHint().width());
    const int character = fontMetrics().averageCharWidth();
    // Very long shapes get a smaller font instead of widening the panel.
    if (!folded_) widest = std::clamp(widest, character * 19, character * 32);
    const int boxes = widest + kMargin + kBypass;
    if (folded_) return boxes;
    const int heading = kMargin + legend_->sizeHint().width() + fold_->sizeHint().width() + kHeadingEdge;
    return std::max(boxes, heading);
}

/// The width, and room below the boxes for the longest line of code, so that nothing moves when another is shown.
void ShapeFlow::fit() {
    setFixedWidth(widthNeeded());
    const QFontMetrics metrics(line_->font());
    const QMargins margins = line_->contentsMargins();
    const QRect room(0, 0, width() - margins.left() - margins.right(), QWIDGETSIZE_MAX);
    int height = 0;
    for (const auto& row : std::as_const(rows_))
        for (const StageBox* box : row)
            height = std::max(height, metrics.boundingRect(room, Qt::TextWordWrap, lineOf(*box)).height());
    line_->setFixedHeight(height + margins.top() + margins.bottom());
}

QSize ShapeFlow::sizeHint() const {
    const int gaps = static_cast<int>(rows_.size()) - 1;
    return {widthNeeded(), fontMetrics().height() * 2 + heightOfBoxes() + gaps * kMinGap + line_->height()};
}

QSize ShapeFlow::minimumSizeHint() const {
    return {widthNeeded(), fontMetrics().height() * 8};
}

}  // namespace headscope
