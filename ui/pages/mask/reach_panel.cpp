// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/mask/reach_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QVBoxLayout>

#include "core/files/mask_file.h"
#include "core/masks/mask_row.h"
#include "ui/controls/plain_label.h"
#include "ui/controls/text_color.h"
#include "ui/look/plural.h"
#include "ui/look/theme.h"
#include "ui/pages/mask/layer_words.h"
#include "ui/pages/mask/reach_legend.h"
#include "ui/state/draft.h"

namespace headscope {

namespace {

constexpr std::int64_t kAtOnce = 256;  // masks of fewer tokens are computed before the next event

void display(QLabel* label, const QString& text) {
    label->setText(text);
    label->setVisible(!text.isEmpty());
}

}  // namespace

ReachPanel::ReachPanel(QWidget* parent)
    : QWidget(parent),
      slider_(new QSlider(Qt::Horizontal, this)),
      legend_(new ReachLegend(this)),
      layers_text_(plainLabel(this, QStringLiteral("reachLayersText"))),
      count_(plainParagraph(this, QStringLiteral("reachCount"))),
      path_(plainParagraph(this, QStringLiteral("reachPath"))),
      leaks_(plainParagraph(this, QStringLiteral("reachLeaks"))) {
    setObjectName(QStringLiteral("reachPanel"));
    slider_->setObjectName(QStringLiteral("reachLayers"));
    slider_->setRange(1, kMostLayers);
    slider_->setPageStep(1);
    slider_->setValue(3);
    slider_->setAccessibleName(tr("Number of layers"));
    slider_->setToolTip(
        tr("How many layers with this mask follow each other. A query depends on a key if a path of "
           "allowed cells, one for each layer, leads to it."));
    auto* row = new QHBoxLayout;
    row->setContentsMargins({});
    row->addWidget(slider_, 1);
    row->addWidget(layers_text_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(6);
    column->addLayout(row);
    column->addWidget(legend_);
    for (QLabel* label : {path_, count_, leaks_}) column->addWidget(label);
    column->addStretch(1);
    connect(slider_, &QSlider::valueChanged, this, [this] {
        countLeaks();
        refresh();
    });
    connect(&work_, &Background::failed, this, [this](const Error& error) { received(tl::unexpected(error)); });
    refresh();
}

int ReachPanel::layers() const {
    return slider_->value();
}

void ReachPanel::setPicture(std::shared_ptr<const MaskPicture> picture) {
    if (picture_ && picture && sameMask(*picture_, *picture)) return;
    picture_ = std::move(picture);
    depth_.reset();  // is of another mask
    error_.reset();
    if (isVisible()) compute();
}

void ReachPanel::setMeant(const std::optional<MaskExpression>& meant) {
    meant_ = meant;
    if (isVisible()) compute();
}

void ReachPanel::setCell(const std::optional<paint::Cell>& cell) {
    cell_ = cell;
    if (isVisible()) refresh();
}

void ReachPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    compute();
}

/// All layers at once: the slider only chooses what is drawn.
void ReachPanel::compute() {
    if (!picture_ || picture_->tooLarge()) {
        work_.cancel();
        return received(std::shared_ptr<const Depth>());
    }
    if (picture_->size > kAtOnce) refresh();
    work_.run(
        [this, picture = picture_, meant = meant_](const std::atomic<bool>& cancel) -> Background::Finish {
            const BitMatrix cells = allowedCells(*picture);
            MaskExpression intention = intention_of(picture->expression);
            if (meant) {
                auto loaded = load_mask_files(*meant);
                if (!loaded) return [this, error = loaded.error()] { received(tl::unexpected(error)); };
                intention = *std::move(loaded);
            }
            auto depth = std::make_shared<Depth>();
            depth->reach = Reach(cells, kMostLayers, &cancel);
            if (check_patterns(intention, picture->size))
                depth->forbidden = forbidden_pairs(BitMatrix(intention, picture->batch.real));
            return [this, depth] { received(depth); };
        },
        picture_->size <= kAtOnce);
}

void ReachPanel::received(const Result<std::shared_ptr<const Depth>>& depth) {
    depth_ = depth.value_or(nullptr);
    error_ = depth ? std::nullopt : std::optional(depth.error());
    countLeaks();
    refresh();
}

void ReachPanel::countLeaks() {
    leaking_pairs_ = 0;
    const MaskOverlay shown = overlay();
    for (std::int64_t i = 0; shown.reach && i < shown.reach->size(); ++i)
        for (std::int64_t j = 0; j < shown.reach->size(); ++j)
            if (shown.leaks(i, j) && leaking_pairs_++ == 0) first_leak_ = {i, j};
}

MaskOverlay ReachPanel::overlay() const {
    MaskOverlay overlay;
    if (!depth_) return overlay;
    overlay.reach = std::shared_ptr<const Reach>(depth_, &depth_->reach);
    overlay.forbidden = std::shared_ptr<const BitMatrix>(depth_, &depth_->forbidden);
    overlay.layers = layers();
    const bool inside = cell_ && std::max(cell_->query, cell_->key) < depth_->reach.size();
    if (inside && depth_->reach.steps(cell_->query, cell_->key) <= layers())
        overlay.path = depth_->reach.path(cell_->query, cell_->key);
    return overlay;
}

QString ReachPanel::countText() const {
    const Reach& reach = depth_->reach;
    QStringList counts;
    for (int n = 1; n <= layers(); ++n) counts << QString::number(reach.count(cell_->query, n));
    return tr("%1 depends on %2 of %3 tokens after %n layers; layer by layer: %4.", nullptr, layers())
        .arg(tokenWords(*picture_, cell_->query), counts.last(), QString::number(reach.size()),
             counts.join(QStringLiteral(", ")));
}

QString ReachPanel::pathText() const {
    const Reach& reach = depth_->reach;
    const QString query = tokenWords(*picture_, cell_->query), key = tokenWords(*picture_, cell_->key);
    const int steps = reach.steps(cell_->query, cell_->key);
    if (steps == 0) return tr("%1 does not reach %2, not even after %n layers.", nullptr, kMostLayers).arg(query, key);
    if (steps > layers()) return tr("%1 reaches %2 only after %n layers.", nullptr, steps).arg(query, key);
    QStringList path;
    for (const std::int64_t position : reach.path(cell_->query, cell_->key)) path << tokenWords(*picture_, position);
    return tr("%1: %n layers.", "a path of tokens", steps).arg(path.join(QStringLiteral(" → ")));
}

QString ReachPanel::leakText() const {
    const MaskExpression intention = meant_.value_or(intention_of(picture_->expression));
    if (intention.layers.empty() || depth_->forbidden.queries() == 0)
        return tr(
            "No layer of this mask forbids pairs at any depth, as causal, padding, documents and block do. State what "
            "was meant under Check to find leaks.");
    const QString forbids = QString::fromStdString(short_text(intention));
    if (leaking_pairs_ == 0)
        return tr("No pair leaks: after %n layers, no query depends on a key that %1 forbids at any depth.", nullptr,
                  layers())
            .arg(forbids);
    return tr("%n pairs leak: %1 forbids them at any depth. The first is %2 → %3.", nullptr, counted(leaking_pairs_))
        .arg(forbids, tokenWords(*picture_, first_leak_.query), tokenWords(*picture_, first_leak_.key));
}

void ReachPanel::refresh() {
    layers_text_->setText(tr("%n layers", nullptr, layers()));
    const bool known = depth_ && picture_ && !picture_->tooLarge() && depth_->reach.size() == picture_->size;
    const bool pair = known && cell_ && picture_->inside(cell_->query, cell_->key);
    const QString leaks = known ? leakText() : error_ ? sentence(*error_) : QString();
    display(path_, pair    ? pathText()
                   : known ? tr("Point at a cell for the path from its query to its key; a click keeps it.")
                           : QString());
    display(count_, pair ? countText() : QString());
    display(leaks_, leaks);
    const bool any_leak = known && leaking_pairs_ > 0;
    setTextColor(leaks_, any_leak ? Role::Error : error_ ? Role::Warning : Role::Text);
    legend_->display(layers(), any_leak);
    Q_EMIT changed();
}

void ReachPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

}  // namespace headscope
