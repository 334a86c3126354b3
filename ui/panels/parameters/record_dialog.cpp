// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/parameters/record_dialog.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/files/record_code.h"
#include "ui/controls/plain_label.h"

namespace headscope {

RecordDialog::RecordDialog(const LayerInfo& layer, QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("recordDialog"));
    setWindowTitle(tr("Record x in Python"));
    auto* column = new QVBoxLayout(this);
    auto* text = plainParagraph(this, QStringLiteral("recordText"));
    text->setText(
        tr("These lines run the model on a text and save layer.safetensors: the input x of this layer, its "
           "weights and the tokens. Open that file here."));
    column->addWidget(text);
    auto* lines = new QPlainTextEdit(QString::fromStdString(record_code(layer)), this);
    lines->setObjectName(QStringLiteral("recordLines"));
    lines->setAccessibleName(tr("Python lines"));
    lines->setReadOnly(true);
    lines->setLineWrapMode(QPlainTextEdit::NoWrap);
    lines->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    column->addWidget(lines, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("copyRecordLines"));
    copy->setToolTip(tr("Copies the Python lines"));
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(copy, &QPushButton::clicked, lines,
            [lines] { QGuiApplication::clipboard()->setText(lines->toPlainText()); });
    resize(fontMetrics().averageCharWidth() * 110, fontMetrics().lineSpacing() * 34);
}

}  // namespace headscope
