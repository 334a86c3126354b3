// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/weight_story.h"

#include <QEvent>
#include <QPainter>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "ui/look/color_scale.h"
#include "ui/look/elided.h"
#include "ui/maps/cell_raster.h"
#include "ui/maps/cell_story.h"
#include "ui/state/tokenizer.h"

namespace headscope {

namespace {

constexpr int kEdge = 10;
const QString kArrow = QStringLiteral(" → ");

QString subscript(int number) {
    QString text = QString::number(number);
    for (QChar& digit : text) digit = QChar(0x2080 + digit.digitValue());
    return text;
}

MatrixView viewOf(const std::vector<double>& numbers) {
    return {1, static_cast<std::int64_t>(numbers.size()), Tensor::Type::Float64, numbers.data(), 0};
}

ColorScale symmetric(const std::vector<double>& numbers) {
    ColorScale scale{0, 0, false, Palette::Diverging};
    for (const double number : numbers)
        if (std::isfinite(number)) scale.high = std::max(scale.high, std::abs(number));
    scale.low = -scale.high;
    return scale;
}

/// In brackets where it would otherwise stand as "28 − −3".
QString subtrahend(double value) {
    return value < 0 ? QLatin1Char('(') + numberText(value) + QLatin1Char(')') : numberText(value);
}

}  // namespace

WeightStory::WeightStory(QWidget* parent) : QWidget(parent), fold_(new QToolButton(this)) {
    setObjectName(QStringLiteral("weightStory"));
    fold_->setObjectName(QStringLiteral("weightStoryFold"));
    fold_->setAutoRaise(true);
    fold_->setCheckable(true);
    fold_->setArrowType(Qt::DownArrow);
    connect(fold_, &QToolButton::toggled, this, &WeightStory::setCollapsed);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    retranslate();
}

void WeightStory::retranslate() {
    fold_->setToolTip(isCollapsed() ? tr("Show how the locked weight came to be") : tr("Fold this panel"));
    fold_->setAccessibleName(fold_->toolTip());
    setAccessibleName(tr("How this weight came to be"));
}

bool WeightStory::isCollapsed() const {
    return fold_->isChecked();
}

void WeightStory::setCollapsed(bool collapsed) {
    fold_->setArrowType(collapsed ? Qt::RightArrow : Qt::DownArrow);
    retranslate();
    updateGeometry();
    update();
}

void WeightStory::setCell(const TracePtr& trace, int sequence, const std::optional<Cell>& cell) {
    if (trace_ == trace && sequence_ == sequence && cell_ == cell) return;
    trace_ = trace;
    if (trace && !trace->keeps(Stage::Scores) && sequence_ == sequence && cell_ == cell) return;  // soon there again
    sequence_ = sequence;
    cell_ = cell;
    account_.reset();
    if (trace && cell)
        if (auto account = cell_account(*trace, sequence, cell->head, cell->query, cell->key)) account_ = *account;
    setAccessibleDescription(formula());
    update();
}

int WeightStory::line() const {
    return fontMetrics().height() + 4;
}

int WeightStory::heightForWidth(int width) const {
    if (isCollapsed()) return line() + 12;
    const int formula_lines = width < 110 * fontMetrics().averageCharWidth() ? 2 : 1;
    return (4 + formula_lines) * line() + 18;
}

QSize WeightStory::sizeHint() const {
    return {640, heightForWidth(width())};
}
QSize WeightStory::minimumSizeHint() const {
    return {200, heightForWidth(width())};
}

void WeightStory::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fold_->setGeometry(4, 5, line(), line());
}

void WeightStory::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
    if (event->type() == QEvent::FontChange) {
        fold_->setGeometry(4, 5, line(), line());
        updateGeometry();
    }
}

QString WeightStory::token(int position) const {
    return tokenInSentence(
        trace_->batch().tokens[static_cast<std::size_t>(sequence_)][static_cast<std::size_t>(position)]);
}

QString WeightStory::cellTitle() const {
    return tr("head %1 · query %2 “%3” · key %4 “%5”")
        .arg(QString::number(cell_->head), QString::number(cell_->query), token(cell_->query),
             QString::number(cell_->key), token(cell_->key));
}

/// From the scores as the softmax sees them to the weight.
QList<WeightStory::Piece> WeightStory::weightPieces() const {
    const CellAccount& cell = *account_;
    const bool masked = !cell.shut_by.empty();
    const bool empty_row = trace_->mask->open_in_row(sequence_, cell_->query) == 0;
    const Piece arrow{kArrow, Role::Muted};
    QList<Piece> all;
    all << Piece{masked ? tr("mask: shut, %1").arg(numberText(cell.masked_score)) : tr("mask: open")} << arrow;
    if (empty_row && trace_->request.fill == Fill::Safe)
        all << Piece{tr("the row may attend to nothing")};
    else if (masked && cell.quotient == 0)
        all << Piece{tr("exp(−∞) = 0")};
    else
        all << Piece{QStringLiteral("exp(%1 − %2) / %3")
                         .arg(numberText(cell.masked_score), subtrahend(cell.maximum), numberText(cell.row_sum))};
    all << arrow << Piece{numberText(cell.weight), Role::Text, true} << arrow;
    const QString query = token(cell_->query);
    if (cell.weight == 0) return all << Piece{tr("adds nothing to the context of “%1”").arg(query), Role::Muted};
    return all << Piece{tr("adds %1 · ").arg(numberText(cell.weight)), Role::Muted}
               << Piece{QLatin1Char('v') + subscript(cell_->key), Role::Value, true}
               << Piece{tr(" to the context of “%1”").arg(query), Role::Muted};
}

QList<WeightStory::Piece> WeightStory::pieces() const {
    if (!account_) return {};
    const QString scale =
        account_->divided ? QStringLiteral("1/√%1").arg(account_->q.size()) : numberText(account_->scale, 6);
    return QList<Piece>{{numberText(account_->rounded_sum)},
                        {QStringLiteral(" × ") + scale, Role::Muted},
                        {kArrow, Role::Muted},
                        {numberText(account_->score), Role::Text, true},
                        {kArrow, Role::Muted}} +
           weightPieces();
}

QString WeightStory::formula() const {
    QString text;
    for (const Piece& piece : pieces()) text += piece.text;
    return text;
}

void WeightStory::paintEvent(QPaintEvent*) {
    const Theme theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(color(Role::Border, theme));
    painter.setBrush(color(Role::Raised, theme));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.setRenderHint(QPainter::Antialiasing, false);

    const QRect header(kEdge + line(), 6, width() - 2 * kEdge - line(), line());
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(color(Role::Text, theme));
    const QString title = tr("How this weight came to be");
    painter.drawText(header, Qt::AlignLeft | Qt::AlignVCenter, title);
    const int room = header.width() - QFontMetrics(bold).horizontalAdvance(title) - 12;
    painter.setFont(font());
    painter.setPen(color(Role::Muted, theme));
    const QString right = account_ ? cellTitle() : QString();
    painter.drawText(header, Qt::AlignRight | Qt::AlignVCenter, elided(right, fontMetrics(), room));
    if (isCollapsed()) return;
    if (!account_) {
        painter.drawText(rect().adjusted(kEdge, line(), -kEdge, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Click a cell: q · k, scaled, masked and put through the softmax, number by number."));
        return;
    }
    drawStrips(painter, 8 + line());
    drawFormula(painter, 10 + 4 * line());
}

void WeightStory::drawStrips(QPainter& painter, int top) const {
    const CellAccount& cell = *account_;
    const auto dims = static_cast<std::int64_t>(cell.products.size());
    const QString count = QStringLiteral(" (%1)").arg(dims);
    const QString q = QLatin1Char('q') + subscript(cell_->query), k = QLatin1Char('k') + subscript(cell_->key);
    struct Strip {
        QString name;
        Role role;
        const std::vector<double>& numbers;
    };
    const Strip strips[] = {{q + count, Role::Query, cell.q},
                            {k + count, Role::Key, cell.k},
                            {q + QStringLiteral(" ⊙ ") + k, Role::Text, cell.products}};
    const QString sum = QStringLiteral("Σ = ") + numberText(cell.rounded_sum);
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics metrics(bold);
    int left = 0;
    for (const Strip& strip : strips) left = std::max(left, metrics.horizontalAdvance(strip.name));
    left += kEdge + 12;
    const double ratio = devicePixelRatioF();
    const int width_of_all = width() - left - fontMetrics().horizontalAdvance(sum) - 2 * kEdge;
    // Cells of equal width, but never wider than a few letters: a short vector stays a strip.
    int pixels = static_cast<int>(std::min<double>(width_of_all, static_cast<double>(dims) * 40) * ratio);
    if (pixels < 1) return;
    if (pixels >= 8 * dims) pixels = static_cast<int>(pixels / dims * dims);
    const std::vector<Span> columns = spansOf(-0.5, static_cast<double>(dims) - 0.5, pixels, dims);
    const int height = line() - 6;
    const Theme theme = currentTheme();
    for (const Strip& strip : strips) {
        painter.setFont(bold);
        painter.setPen(color(strip.role, theme));
        painter.drawText(QRect(kEdge, top, left - kEdge, line()), Qt::AlignLeft | Qt::AlignVCenter, strip.name);
        const std::vector<Span> row{{0, static_cast<int>(height * ratio), 0, 1}};
        QImage image =
            rasterise(viewOf(strip.numbers), symmetric(strip.numbers), row, columns, Reduction::Mean, theme, ratio);
        image.setDevicePixelRatio(ratio);
        painter.drawImage(QPointF(left, top + 3), image);
        top += line();
    }
    painter.setFont(font());
    painter.setPen(color(Role::Text, theme));
    painter.drawText(QRect(left + static_cast<int>(pixels / ratio) + kEdge, top - line(), width(), line()),
                     Qt::AlignLeft | Qt::AlignVCenter, sum);
}

/// Wraps between pieces; what doesn't fit the lines that there are is shortened.
void WeightStory::drawFormula(QPainter& painter, int top) const {
    const Theme theme = currentTheme();
    const int right = width() - kEdge, bottom = height() - 4;
    int x = kEdge, y = top;
    for (const Piece& piece : pieces()) {
        QFont face = font();
        face.setBold(piece.bold);
        const QFontMetrics metrics(face);
        int advance = metrics.horizontalAdvance(piece.text);
        if (x + advance > right && x > kEdge && y + 2 * line() <= bottom) {
            x = kEdge;
            y += line();
        }
        const QString text = elided(piece.text, metrics, right - x);
        painter.setFont(face);
        painter.setPen(color(piece.role, theme));
        painter.drawText(QRect(x, y, right - x + 1, line()), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += advance;
        if (x >= right && y + 2 * line() > bottom) return;
    }
}

}  // namespace headscope
