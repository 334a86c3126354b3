// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/b_settings.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

#include "ui/controls/text_difference.h"
#include "ui/panels/parameters/layer_section.h"
#include "ui/state/mask_presets.h"

namespace headscope {
namespace {

const QStringList& chunkSizes() {
    static const QStringList sizes = [] {
        QStringList all;
        for (int size = 1; size <= 4096; size *= 2) all << QString::number(size);
        return all << QStringLiteral("whole");
    }();
    return sizes;
}

constexpr qint64 kLargestDim = 1 << 20;

}  // namespace

BSettings::BSettings(Session& session, QWidget* parent) : Section(session, tr("SETTINGS OF B"), parent) {
    addMask();
    addWords(Field::Fill, {tr("fill"), QStringLiteral("bFill"), tr("What B's masked scores become")},
             {{tr("safe (−inf)"), QStringLiteral("safe")},
              {tr("raw −inf"), QStringLiteral("inf")},
              {tr("−1e9"), QStringLiteral("1e9")}});
    addWords(Field::Precision, {tr("precision"), QStringLiteral("bPrecision"), tr("The format of B's numbers")},
             precisionWords());
    addChoice(Field::Scale,
              {tr("scale"), QStringLiteral("bScale"),
               tr("What B's products of queries and keys are multiplied by: “auto” is 1/√head_dim")},
              {QStringLiteral("1"), QStringLiteral("auto")});
    addWeights();
    addNumber(Field::Seed, {tr("seed"), QStringLiteral("bSeed"), tr("Seeds B's token vectors and seeded weights")},
              seedSteps());
    addNumber(Field::NumHeads, {tr("num_heads"), QStringLiteral("bNumHeads"), tr("How many heads B has")},
              integerSteps(1, kLargestDim));
    addNumber(Field::EmbedDim, {tr("embed_dim"), QStringLiteral("bEmbedDim"), tr("Size of B's token vectors")},
              integerSteps(1, kLargestDim));
    addChoice(Field::ChunkSize,
              {tr("chunk size"), QStringLiteral("bChunkSize"), tr("Queries that B processes at a time")}, chunkSizes());
    addChoice(Field::KeyChunkSize,
              {tr("key chunk"), QStringLiteral("bKeyChunkSize"), tr("Keys that B processes at a time")}, chunkSizes());
    refreshAll();
}

void BSettings::addMask() {
    auto* row = new QWidget(this);
    auto* inside = new QHBoxLayout(row);
    inside->setContentsMargins(0, 0, 0, 0);
    inside->setSpacing(4);
    auto* line = new QLineEdit(row);
    line->setPlaceholderText(QStringLiteral("none"));
    auto* presets = new QToolButton(row);
    presets->setArrowType(Qt::DownArrow);
    presets->setPopupMode(QToolButton::InstantPopup);
    presets->setObjectName(QStringLiteral("bMaskPresets"));
    presets->setToolTip(tr("Common masks"));
    presets->setAccessibleName(presets->toolTip());
    auto* menu = new QMenu(presets);
    for (const NamedMask& preset : maskPresets() + rulePresets())
        menu->addAction(preset.name, this,
                        [this, expression = preset.expression] { session().edit(Field::Mask, expression); });
    presets->setMenu(menu);
    inside->addWidget(line, 1);
    inside->addWidget(presets);
    const ControlText text{tr("mask"), QStringLiteral("bMask"),
                           tr("B's mask as an expression: layers joined by , must all allow a cell, of patterns joined "
                              "by + one must, as in causal,local:4:0+global:1")};
    name(line, text);
    auto* label = new QLabel(text.label, this);
    label->setBuddy(line);
    label->setToolTip(text.tip);
    addWide(label);
    addWide(row);
    connect(line, &QLineEdit::textEdited, this, [this](const QString& typed) { session().edit(Field::Mask, typed); });
    bind(Field::Mask, line, [line](const QString& shown) { showText(line, shown); });
}

void BSettings::addWeights() {
    weights_ = new WordChoice(this);
    weights_->addItem(tr("Textbook heads"), QStringLiteral("textbook"));
    weights_->addItem(tr("Seeded"), QStringLiteral("seed"));
    addRow(weights_, {tr("weights"), QStringLiteral("bWeights"), tr("Where B's weights come from")});
    connect(weights_, &WordChoice::edited, this, [this](const QString& weights) {
        session().edit(withWeights(session().draft(), weights), fieldLabel(Field::Weights));
    });
    bind(Field::Weights, weights_, [this](const QString& weights) { weights_->display(weights); });
}

QList<Offer> BSettings::offers(Field field) const {
    if (field != Field::NumHeads) return {};
    const QStringList legal = nearestNumHeads(value(Field::EmbedDim).toLongLong(), value(Field::NumHeads).toLongLong());
    return legal.isEmpty() ? QList<Offer>() : QList<Offer>{{Field::NumHeads, legal}};
}

/// A file, which only a copy of A brings here, is a choice as long as B uses it.
void BSettings::refresh() {
    if (!weights_) return;
    while (weights_->count() > 2) weights_->removeItem(2);
    const QString& weights = value(Field::Weights);
    if (usesWeightsFile(session().draft())) {
        weights_->addItem(QFileInfo(weights).fileName(), weights);
        weights_->display(weights);
    }
}

}  // namespace headscope
