// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/heads/explained_cell.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>
#include <algorithm>

#include "ui/controls/elided_label.h"
#include "ui/controls/tool_tip.h"
#include "ui/look/elided.h"
#include "ui/maps/cell_steps.h"
#include "ui/maps/strip_table.h"

namespace headscope {

namespace {

constexpr int kEdge = 12;
const QString kArrow = QStringLiteral(" → ");

QToolButton* flatButton(QWidget* parent, const QString& name) {
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setAutoRaise(true);
    return button;
}

}  // namespace

void PieceLines::setLines(const QList<Line>& lines) {
    lines_ = lines;
    QStringList all;
    for (qsizetype i = 0; i < lines.size(); ++i) all << text(i);
    setToolTip(plainToolTip(all.join(QLatin1Char('\n'))));
    updateGeometry();
    update();
}

QString PieceLines::text(qsizetype line) const {
    QString text;
    for (const Piece& piece : lines_[line]) text += piece.text;
    return text;
}

double PieceLines::lineHeight() const {
    return StripTable::lineHeight(fontMetrics());
}

QSize PieceLines::sizeHint() const {
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics metrics(bold);
    int widest = 0;
    for (qsizetype i = 0; i < lines_.size(); ++i) widest = std::max(widest, metrics.horizontalAdvance(text(i)));
    return {widest, static_cast<int>(static_cast<double>(lines_.size()) * lineHeight())};
}

void PieceLines::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) updateGeometry();
}

void PieceLines::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    double top = 0;
    for (const Line& line : lines_) {
        int x = 0;
        for (const Piece& piece : line) {
            QFont face = font();
            face.setBold(piece.bold);
            const QFontMetrics metrics(face);
            painter.setFont(face);
            painter.setPen(color(piece.role, currentTheme()));
            const QString shown = elided(piece.text, metrics, width() - x);
            painter.drawText(QRectF(x, top, width() - x, lineHeight()), Qt::AlignLeft | Qt::AlignVCenter, shown);
            x += metrics.horizontalAdvance(piece.text);
        }
        top += lineHeight();
    }
}

ExplainedCell::ExplainedCell(QWidget* parent)
    : QWidget(parent),
      title_(new ElidedLabel(this)),
      more_(flatButton(this, QStringLiteral("explainedMore"))),
      close_(flatButton(this, QStringLiteral("explainedClose"))),
      strips_(new StripTable(this)),
      lines_(new PieceLines(this)) {
    setObjectName(QStringLiteral("explainedCell"));
    title_->setObjectName(QStringLiteral("explainedTitle"));
    QFont bold;
    bold.setBold(true);
    title_->setFont(bold);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    QSizePolicy wide(QSizePolicy::Expanding, QSizePolicy::Fixed);
    lines_->setSizePolicy(wide);
    auto* head = new QHBoxLayout;
    head->setSpacing(4);
    head->addWidget(title_, 1);
    head->addWidget(more_);
    head->addWidget(close_);
    auto* body = new QHBoxLayout;
    body->setSpacing(8);
    body->addWidget(strips_, 2);
    body->addWidget(lines_, 3);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kEdge, 3, kEdge, 2);
    column->setSpacing(0);
    column->addLayout(head);
    column->addLayout(body);
    connect(more_, &QToolButton::clicked, this, &ExplainedCell::moreWanted);
    connect(close_, &QToolButton::clicked, this, &ExplainedCell::closed);
    hide();
    retranslate();
}

void ExplainedCell::retranslate() {
    more_->setText(tr("more ▸"));
    more_->setToolTip(tr("Every step of this cell and of its row"));
    close_->setText(QStringLiteral("✕"));
    close_->setToolTip(tr("Unlock the cell (Esc)"));
    close_->setAccessibleName(tr("Unlock the cell"));
    setAccessibleName(tr("The explained cell"));
    explain();
}

void ExplainedCell::setCell(const TracePtr& trace, int sequence, const std::optional<Cell>& cell) {
    if (trace_ == trace && sequence_ == sequence && cell_ == cell) return;
    trace_ = trace;
    sequence_ = sequence;
    cell_ = cell;
    account_.reset();
    if (trace && cell)
        if (auto account = cell_account(*trace, sequence, cell->head, cell->query, cell->key)) account_ = *account;
    explain();
    setVisible(account_.has_value());
}

void ExplainedCell::explain() {
    if (!account_) return;
    title_->setText(cellTitle(*trace_, *account_));
    strips_->setStrips(scoreStrips(*account_), storage_type(trace_->request.precision));
    const QList<CellStep> steps = cellSteps(*trace_, *account_);
    const qsizetype count = steps.size();  // between the product and the mask: the score and the rules that change it
    const CellStep &product = steps[0], &mask = steps[count - 3], &power = steps[count - 2], &weight = steps[count - 1];
    QString softmax = power.brief;
    if (!weight.brief.isEmpty()) softmax += QLatin1Char(' ') + weight.brief;
    // The last of them begins the second line, so that the weight at its end stays in sight.
    PieceLines::Line first{{product.brief + QStringLiteral(" = "), Role::Muted}, {product.text, Role::Text, true}};
    for (qsizetype i = 1; i < count - 4; ++i)
        first << PieceLines::Piece{kArrow + steps[i].brief + kArrow, Role::Muted}
              << PieceLines::Piece{steps[i].text, Role::Text, true};
    const CellStep& score = steps[count - 4];
    lines_->setLines({first,
                      {{score.brief + kArrow, Role::Muted},
                       {score.text, Role::Text, true},
                       {kArrow + mask.brief + kArrow + softmax + kArrow, Role::Muted},
                       {weight.text, weight.warn ? Role::Warning : Role::Text, true}},
                      {{cellContribution(*trace_, *account_), Role::Muted}}});
    setAccessibleDescription(formula());
}

QString ExplainedCell::formula() const {
    if (!account_) return {};
    return lines_->text(0) + QLatin1Char(' ') + lines_->text(1) + QStringLiteral(" · ") + lines_->text(2);
}

void ExplainedCell::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

void ExplainedCell::paintEvent(QPaintEvent*) {
    const Theme theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Window, theme));
    painter.fillRect(QRect(0, 0, width(), 1), color(Role::Border, theme));
}

}  // namespace headscope
