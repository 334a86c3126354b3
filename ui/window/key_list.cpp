// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/key_list.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

namespace headscope {

void showKeyList(const QString& title, const QStringList& lines, QWidget* parent) {
    QDialog dialog(parent);
    dialog.setObjectName(QStringLiteral("keyList"));
    dialog.setWindowTitle(title);
    auto* scroll = new QScrollArea(&dialog);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* content = new QWidget;
    auto* grid = new QGridLayout(content);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(1);
    for (int row = 0; row < lines.size(); ++row) {
        const QStringList parts = lines[row].split(u'\t');
        for (int column = 0; column < parts.size(); ++column) {
            auto* label = new QLabel(parts[column], content);
            label->setTextFormat(Qt::PlainText);
            grid->addWidget(label, row, column, 1, parts.size() == 1 ? 2 : 1);
        }
    }
    scroll->setWidget(content);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    auto* column = new QVBoxLayout(&dialog);
    column->addWidget(scroll, 1);
    column->addWidget(buttons);
    const int frame = 2 * column->contentsMargins().left() + scroll->verticalScrollBar()->sizeHint().width();
    const QSize all = content->sizeHint() + QSize(frame, buttons->sizeHint().height() + frame);
    dialog.resize(all.boundedTo(parent->screen()->availableSize() * 0.85));
    dialog.exec();
}

}  // namespace headscope
