// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/atlas/head_details.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/controls/plain_label.h"
#include "ui/look/theme.h"
#include "ui/maps/cell_explanation.h"

namespace headscope {

/// The thumbnail in whole pixels per cell.
class HeadDetails::Map : public QWidget {
public:
    using QWidget::QWidget;
    void setContent(const RecordedHead* head, const ColorScale& scale) {
        image_ = QImage();
        if (head) {
            const auto side = static_cast<int>(head->side);
            image_ = QImage(side, side, QImage::Format_RGB32);
            for (int cell = 0; cell < side * side; ++cell)
                image_.setPixel(cell % side, cell / side,
                                scale.color(static_cast<double>(head->thumbnail[static_cast<std::size_t>(cell)])));
        }
        update();
    }
    QSize sizeHint() const override { return {200, 200}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return std::min(width, 240); }

protected:
    void paintEvent(QPaintEvent*) override {
        if (image_.isNull()) return;
        const int room = std::min(width(), height());
        const int side = std::max(1, room / image_.width()) * image_.width();
        QPainter(this).drawImage(QRect(0, 0, std::min(side, room), std::min(side, room)), image_);
    }

private:
    QImage image_;
};

/// A line for each measure: its name, a bar and the number.
class HeadDetails::Bars : public QWidget {
public:
    using QWidget::QWidget;
    void setMeasures(const HeadMeasures* measures) {
        rows_.clear();
        if (measures) {
            for (const AtlasName& name : atlasNames())
                if (name.measure) rows_.push_back({name, measures->of(*name.measure)});
            std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
                return !std::isnan(a.value) && (std::isnan(b.value) || a.value > b.value);
            });
        }
        QStringList texts;
        for (const Row& row : rows_) texts << row.name.text + u' ' + valueText(row.value);
        setAccessibleDescription(texts.join(QStringLiteral(", ")));
        updateGeometry();
        update();
    }
    QSize sizeHint() const override { return {180, static_cast<int>(kHeadMeasures) * lineHeight()}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const Theme theme = currentTheme();
        int name_width = 0;
        for (const Row& row : rows_) name_width = std::max(name_width, fontMetrics().horizontalAdvance(row.name.text));
        const int number_width = fontMetrics().horizontalAdvance(QStringLiteral("0.000"));
        const int bar = std::max(20, width() - name_width - number_width - 16);
        int y = 0;
        for (const Row& row : rows_) {
            painter.setPen(color(Role::Text, theme));
            painter.drawText(QRect(0, y, name_width, lineHeight()), Qt::AlignVCenter, row.name.text);
            const QRect place(name_width + 8, y + 4, bar, lineHeight() - 8);
            painter.fillRect(place, color(Role::Masked, theme));
            const double part = std::isnan(row.value) ? 0 : std::clamp(row.value, 0.0, 1.0);
            painter.fillRect(QRect(place.topLeft(), QSize(qRound(part * bar), place.height())),
                             color(row.name.role, theme));
            painter.drawText(QRect(place.right() + 6, y, number_width, lineHeight()), Qt::AlignVCenter,
                             valueText(row.value));
            y += lineHeight();
        }
    }

private:
    struct Row {
        AtlasName name;
        double value;
    };
    static QString valueText(double value) {
        return std::isnan(value) ? QStringLiteral("–") : QString::number(value, 'f', 2);
    }
    int lineHeight() const { return fontMetrics().height() + 4; }
    std::vector<Row> rows_;
};

HeadDetails::HeadDetails(QWidget* parent)
    : QWidget(parent),
      title_(plainLabel(this, QStringLiteral("atlasTitle"))),
      map_(new Map(this)),
      bars_(new Bars(this)),
      sentence_(plainParagraph(this, QStringLiteral("atlasSentence"))),
      open_(new QPushButton(this)) {
    setObjectName(QStringLiteral("headDetails"));
    bars_->setObjectName(QStringLiteral("atlasBars"));
    open_->setObjectName(QStringLiteral("atlasOpen"));
    QFont bold = font();
    bold.setBold(true);
    title_->setFont(bold);
    title_->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(title_);
    column->addWidget(map_);
    column->addWidget(bars_);
    column->addWidget(sentence_);
    column->addWidget(open_, 0, Qt::AlignLeft);
    column->addStretch(1);
    connect(open_, &QPushButton::clicked, this, &HeadDetails::openWanted);
    retranslate();
}

void HeadDetails::retranslate() {
    open_->setText(tr("Open"));
    open_->setToolTip(tr("Shows this head on page Heads, with its tokens and numbers"));
}

void HeadDetails::setHead(const RecordedHeads* heads, int head, const ColorScale& scale) {
    const RecordedHead* known = heads && head >= 0 && heads->of(head) ? &*heads->of(head) : nullptr;
    map_->setContent(known, scale);
    map_->setVisible(known);
    bars_->setMeasures(known ? &known->measures : nullptr);
    bars_->setVisible(known);
    open_->setVisible(heads && head >= 0);
    if (!known) {
        title_->setText(heads && head >= 0 ? headTitle(*heads, head) : QString());
        sentence_->setText(tr("Click a head to see what it does; double-click to open it."));
        return;
    }
    const std::vector<AtlasName> names = atlasNames();
    const auto measured = known->measures.name();
    const AtlasName& name = nameOf(names, measured);
    title_->setText(QStringLiteral("%1 · %2").arg(headTitle(*heads, head), name.text));
    sentence_->setText(measured ? QStringLiteral("%1: %2").arg(name.tip, percentText(known->measures.of(*measured)))
                                : name.tip);
}

}  // namespace headscope
