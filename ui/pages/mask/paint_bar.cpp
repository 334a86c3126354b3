// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/mask/paint_bar.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

#include "ui/controls/segments.h"
#include "ui/maps/flow_layout.h"
#include "ui/pages/mask/mask_painter.h"
#include "ui/state/mask_presets.h"

namespace headscope {

PaintBar::PaintBar(MaskPainter& painter, QWidget* parent) : QWidget(parent), painter_(painter) {
    setObjectName(QStringLiteral("paintBar"));
    auto* flow = new FlowLayout(this, 12, 6);
    flow->setContentsMargins({});
    flow->addWidget(makeTools());
    flow->addWidget(makeInks());
    flow->addWidget(makeMenus());
}

QWidget* PaintBar::makeTools() {
    auto* tools = new Segments(
        {{tr("Cells"), tr("Drag over cells to paint them"), QStringLiteral("toolCells")},
         {tr("Rectangle"), tr("Drag from corner to corner (Shift and drag does the same)"),
          QStringLiteral("toolRectangle")},
         {tr("Rows"),
          tr("Whole rows: the keys that a query can attend to (dragging along the row labels does the same)"),
          QStringLiteral("toolRows")},
         {tr("Columns"),
          tr("Whole columns: the queries that can attend to a key (dragging along the column labels does the same)"),
          QStringLiteral("toolColumns")}},
        tr("What a stroke covers"), this);
    tools->setCurrent(static_cast<int>(painter_.tool()));
    connect(tools, &Segments::chosen, this, [this](int tool) {
        painter_.setTool(static_cast<PaintTool>(tool));
        Q_EMIT toolChosen();
    });
    return tools;
}

QWidget* PaintBar::makeInks() {
    auto* inks =
        new Segments({{tr("Toggle"), tr("A stroke that begins on an allowed cell masks; on a masked cell it allows"),
                       QStringLiteral("inkOpposite")},
                      {tr("Allow"), tr("Every stroke allows"), QStringLiteral("inkAllow")},
                      {tr("Mask"), tr("Every stroke masks"), QStringLiteral("inkMask")}},
                     tr("What a stroke does"), this);
    inks->setCurrent(static_cast<int>(painter_.ink()));
    connect(inks, &Segments::chosen, this, [this](int ink) { painter_.setInk(static_cast<Ink>(ink)); });
    return inks;
}

QToolButton* PaintBar::makeButton(const QString& text, const QString& tip, const QString& name, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setProperty("segment", QStringLiteral("only"));
    button->setText(text);
    button->setToolTip(tip);
    button->setObjectName(name);
    button->setFocusPolicy(Qt::StrongFocus);
    parent->layout()->addWidget(button);
    return button;
}

QWidget* PaintBar::makeMenus() {
    auto* group = new QWidget(this);
    auto* row = new QHBoxLayout(group);
    row->setContentsMargins({});
    row->setSpacing(6);
    const auto menuButton = [&](const QString& text, const QString& tip, const QString& name, QMenu* menu) {
        auto* button = makeButton(text + QStringLiteral(" ▾"), tip, name, group);
        button->setPopupMode(QToolButton::InstantPopup);
        button->setMenu(menu);
    };
    menuButton(tr("Start from"), tr("Put a known mask in the painted layer and change it from there"),
               QStringLiteral("startFrom"), makeStarts(group));
    menuButton(tr("Change"), tr("Changes of the whole painted layer"), QStringLiteral("changeMask"),
               makeChanges(group));
    auto* load = makeButton(tr("Load…"), tr("Read the painted layer from a file: S×S of 0 and 1, as JSON, CSV or npy"),
                            QStringLiteral("loadMask"), group);
    auto* save = makeButton(tr("Save…"), tr("Write the mask as it stands, all layers together, as JSON, CSV or npy"),
                            QStringLiteral("saveMask"), group);
    connect(load, &QToolButton::clicked, this, &PaintBar::loadWanted);
    connect(save, &QToolButton::clicked, this, &PaintBar::saveWanted);
    return group;
}

QMenu* PaintBar::makeStarts(QWidget* parent) {
    auto* menu = new QMenu(parent);
    auto* present = menu->addAction(tr("The &present mask"), &painter_, &MaskPainter::startFromPresent);
    present->setObjectName(QStringLiteral("startFromPresent"));
    present->setToolTip(tr(
        "What all layers together allow, as one painted layer; the layers are switched off, so that every cell can be "
        "allowed and masked. Padding stays a layer where it differs from sequence to sequence."));
    menu->setToolTipsVisible(true);
    menu->addSeparator();
    for (const NamedMask& preset : maskPresets()) {
        if (preset.expression == u"none" || preset.expression.contains(u"padding")) continue;
        const QString name = QString(preset.name).remove(u'&');
        menu->addAction(preset.name, &painter_, [this, preset, name] { painter_.startFrom(preset.expression, name); })
            ->setObjectName(QStringLiteral("startFrom_") + preset.expression);
    }
    return menu;
}

QMenu* PaintBar::makeChanges(QWidget* parent) {
    auto* menu = new QMenu(parent);
    const auto add = [&](const QString& text, const char* name, auto does, const QKeySequence& keys = {}) {
        auto* action = menu->addAction(text, &painter_, does);
        action->setObjectName(QLatin1String(name));
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        parentWidget()->addAction(action);
    };
    add(
        tr("&Invert"), "invertMask", [this] { painter_.invert(); }, QKeySequence(Qt::CTRL | Qt::Key_I));
    add(
        tr("&Transpose"), "transposeMask", [this] { painter_.transpose(); }, QKeySequence(Qt::CTRL | Qt::Key_T));
    menu->addSeparator();
    add(tr("&Allow all cells"), "allowAll", [this] { painter_.fill(true); });
    add(tr("&Mask all cells"), "maskAll", [this] { painter_.fill(false); });
    add(tr("Allow the &diagonal"), "allowDiagonal", [this] { painter_.fillDiagonal(true); });
    add(tr("Mask the dia&gonal"), "maskDiagonal", [this] { painter_.fillDiagonal(false); });
    return menu;
}

}  // namespace headscope
