// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/example_gallery.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QScreen>
#include <QVBoxLayout>

#include "core/attention/compute.h"
#include "ui/controls/plain_label.h"
#include "ui/export/figure.h"
#include "ui/pages/compare/compared_maps.h"

namespace headscope {

namespace {

constexpr QSize kPicture(188, 104);
constexpr int kColumns = 4;

}  // namespace

QImage exampleThumbnail(const Example& example, const Request& a, const std::optional<Request>& b, const QSize& size,
                        Theme theme, double ratio, const std::atomic<bool>& cancel) {
    const auto of_a = compute(a, nullptr, &cancel);
    const auto of_b = b ? compute(*b, nullptr, &cancel) : of_a;
    if (!of_a || !of_b) return {};
    QImage image(size * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    QPainter painter(&image);
    FigureStyle style;
    style.size = size;
    style.theme = theme;
    style.maps_only = true;
    FigureInstead instead;
    Selection selection = example.selection;
    if (b) {
        const ComparedMaps maps = compareMaps(**of_a, **of_b, selection, selection.head.value_or(0));
        instead.numbers = maps.difference;
        instead.scale = maps.difference_scale;
    } else if (selection.locked) {
        selection.head = selection.locked->head;
    }
    drawFigure(painter, **of_a, selection, style, instead);
    return image;
}

ExampleGallery::ExampleGallery(QWidget* parent) : QDialog(parent), examples_(examples()), list_(new QListWidget(this)) {
    setObjectName(QStringLiteral("exampleGallery"));
    setWindowTitle(tr("Examples"));
    list_->setObjectName(QStringLiteral("exampleList"));
    list_->setViewMode(QListView::IconMode);
    list_->setMovement(QListView::Static);
    list_->setResizeMode(QListView::Adjust);
    list_->setIconSize(kPicture);
    list_->setSpacing(6);
    list_->setWordWrap(true);
    list_->setAccessibleName(tr("Examples"));
    QPixmap blank(kPicture);
    blank.fill(Qt::transparent);
    for (const Example& example : examples_) {
        auto* item = new QListWidgetItem(blank, example.name, list_);
        item->setToolTip(example.sentence);
        item->setSizeHint(QSize(kPicture.width() + 12, kPicture.height() + 2 * fontMetrics().height() + 14));
    }
    auto* sentence = plainParagraph(this, QStringLiteral("exampleSentence"));
    sentence->setMinimumHeight(2 * fontMetrics().lineSpacing());
    sentence->setText(tr("Each example replaces the text and all settings. Undo brings yours back."));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* column = new QVBoxLayout(this);
    column->addWidget(list_, 1);
    column->addWidget(sentence);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(list_, &QListWidget::currentRowChanged, sentence, [this, sentence](int row) {
        if (row >= 0) sentence->setText(examples_[row].sentence);
    });
    const auto choose = [this](const QListWidgetItem* item) {
        Q_EMIT chosen(examples_[list_->row(item)]);
        accept();
    };
    connect(list_, &QListWidget::itemClicked, this, choose);
    connect(list_, &QListWidget::itemActivated, this, [this, choose](const QListWidgetItem* item) {
        if (isVisible()) choose(item);  // a click may activate too
    });
    const QSize item = list_->item(0)->sizeHint() + QSize(2 * list_->spacing(), 2 * list_->spacing());
    const int rows = (static_cast<int>(examples_.size()) + kColumns - 1) / kColumns;
    resize(QSize(kColumns * item.width() + 60, rows * item.height() + 130).boundedTo(screen()->availableSize() * 0.9));
    draw();
}

/// Reading drafts is for this thread, computing and drawing for another.
void ExampleGallery::draw() {
    struct Job {
        Example example;
        Request a;
        std::optional<Request> b;
    };
    QList<Job> jobs;
    for (const Example& example : examples_)
        jobs << Job{example, *readDraft(example.draft).request,
                    example.b ? readDraft(*example.b).request : std::nullopt};
    work_.run([this, jobs, theme = currentTheme(),
               ratio = devicePixelRatioF()](const std::atomic<bool>& cancel) -> Background::Finish {
        for (int i = 0; i < jobs.size() && !cancel; ++i) {
            const QImage image =
                exampleThumbnail(jobs[i].example, jobs[i].a, jobs[i].b, kPicture, theme, ratio, cancel);
            work_.report(cancel, [this, i, image] { list_->item(i)->setIcon(QPixmap::fromImage(image)); });
        }
        return {};
    });
}

}  // namespace headscope
