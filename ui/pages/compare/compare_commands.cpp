// SPDX-License-Identifier: GPL-3.0-or-later
// What the comparison can be told: copy, swap, and give away A, B, or both with their difference as a picture.
#include <QAction>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>

#include "core/attention/row_reader.h"
#include "ui/export/export_format.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/compare/compare_words.h"
#include "ui/state/session.h"

namespace headscope {

QAction* CompareView::addCommand(const QString& name, const QKeySequence& keys) {
    auto* action = new QAction(this);
    action->setObjectName(name);
    action->setShortcut(keys);
    commands_ << action;
    return action;
}

void CompareView::makeCommands() {
    copy_ = addCommand(QStringLiteral("copyAToB"), QKeySequence(Qt::CTRL | Qt::Key_B));
    swap_ = addCommand(QStringLiteral("swapAAndB"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B));
    show_settings_ = addCommand(QStringLiteral("showBSettings"), {});
    show_settings_->setCheckable(true);
    show_settings_->setChecked(true);
    export_a_ = addCommand(QStringLiteral("exportA"), {});
    export_b_ = addCommand(QStringLiteral("exportB"), {});
    export_all_ = addCommand(QStringLiteral("exportTriptych"), {});
    addActions(commands_);
    connect(copy_, &QAction::triggered, this, &CompareView::copyAToB);
    connect(swap_, &QAction::triggered, this, &CompareView::swap);
    connect(export_a_, &QAction::triggered, this, [this] { saveAs(Part::A); });
    connect(export_b_, &QAction::triggered, this, [this] { saveAs(Part::B); });
    connect(export_all_, &QAction::triggered, this, [this] { saveAs(Part::All); });
}

void CompareView::copyAToB() {
    setB(a_.draft(), tr("copy A to B"));
}

void CompareView::setB(const Draft& draft, const QString& what) {
    beginB();
    b_->edit(draft, what);
}

void CompareView::swap() {
    beginB();
    const Draft a = a_.draft(), b = b_->draft();
    if (a == b) return;
    a_.undoStack()->beginMacro(tr("swap A and B"));
    a_.edit(b, {});
    b_->edit(a, {});
    a_.undoStack()->endMacro();
}

Triptych CompareView::triptych() const {
    const auto settings = differing_settings(shown_.a->request, shown_.b->request);
    return {.a = shown_.a,
            .b = shown_.b,
            .selection = shown_.selection,
            .scale = compared_.scale,
            .a_name = sideName(true, shown_.a->request, settings),
            .b_name = sideName(false, shown_.b->request, settings),
            .difference = compared_.difference,
            .computes_difference = compared_.tiled && compared_.facts.has_value(),
            .difference_scale = compared_.difference_scale,
            .difference_name = tr("A − B"),
            .remarks = {difference_text_->text(), settings_text_->text()}};
}

Result<void> CompareView::exportTo(const QString& path, Part part) const {
    if (!shown_.a)
        return fail(ErrorCode::NoTokens, QT_TRANSLATE_NOOP("Error", "there is no picture yet; type a text first"));
    FigureStyle style;
    style.dpi = 192;  // stays sharp on a slide
    if (session_to_carry_) style.state = sessionJson(session_to_carry_());
    const Triptych all = triptych();
    if (part == Part::All) {
        style.size = {1440, 600};
        style.title = a_.hasHeads(shown_.selection.stage)
                          ? tr("Head %1: %2").arg(shown_.head).arg(settings_text_->text())
                          : settings_text_->text();
        return writeTriptych(path, all, style);
    }
    const Trace& one = part == Part::A ? *all.a : *all.b;
    if (!has_rows(one, shown_.selection.stage, shown_.selection.sequence, shown_.head))
        return fail(ErrorCode::InvalidValue, QT_TRANSLATE_NOOP("Error", "B has no head {}; choose one from 0 to {}"),
                    shown_.head, one.dims().num_heads - 1);
    style.title = part == Part::A ? all.a_name : all.b_name;
    return writeFigure(path, one, shown_.selection, style);
}

void CompareView::saveAs(Part part) {
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export"),
                                     part == Part::A   ? QStringLiteral("a.png")
                                     : part == Part::B ? QStringLiteral("b.png")
                                                       : QStringLiteral("a-and-b.png"),
                                     tr("Pictures (%1)").arg(u'*' + exportEndings(true).join(QStringLiteral(" *"))));
    if (path.isEmpty()) return;
    if (const auto written = exportTo(path, part); !written)
        QMessageBox::warning(this, tr("Export"), sentence(written.error()));
}

}  // namespace headscope
