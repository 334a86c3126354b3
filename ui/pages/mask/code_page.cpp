// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/mask/code_page.h"

#include <QClipboard>
#include <QEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/controls/plain_label.h"
#include "ui/controls/segments.h"
#include "ui/controls/text_color.h"
#include "ui/look/theme.h"
#include "ui/maps/flow_layout.h"
#include "ui/pages/mask/layer_words.h"
#include "ui/state/session.h"

namespace headscope {

namespace {

constexpr int kRestMs = 120;

/// A name of PyTorch's is longer than a narrow window is wide: its parts may begin a new line.
QString breakable(QString text) {
    for (const QChar sign : {u'_', u'.', u'('}) text.replace(sign, QString(sign) + QChar(0x200B));
    return text;
}

}  // namespace

CodePage::CodePage(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      meaning_(plainParagraph(this, QStringLiteral("conventionMeaning"))),
      line_(plainParagraph(this, QStringLiteral("conventionLine"))),
      note_(plainParagraph(this, QStringLiteral("conventionNote"))),
      code_(new QPlainTextEdit(this)),
      copy_(new QToolButton(this)) {
    setObjectName(QStringLiteral("codePage"));
    conventions_ = new Segments(
        {{tr("1 =\nallowed"), tr("What F.scaled_dot_product_attention means by a boolean mask"),
          QStringLiteral("conventionMayAttend")},
         {tr("True =\nmasked"), tr("What nn.MultiheadAttention means by a boolean mask: the opposite"),
          QStringLiteral("conventionIgnored")},
         {tr("0 and\n−∞"), tr("A mask that is added to the scores"), QStringLiteral("conventionAdditive")}},
        tr("Convention of the mask"), this);
    forms_ = new Segments(
        {{tr("one call"), tr("One call of F.scaled_dot_product_attention"), QStringLiteral("formFunction")},
         {tr("by hand"), tr("masked_fill and softmax, step by step, in any PyTorch"), QStringLiteral("formByHand")},
         {QStringLiteral("Flex"), tr("FlexAttention: mask_mod and score_mod, functions of one cell"),
          QStringLiteral("formFlex")}},
        tr("How the code computes"), this);
    copy_->setText(tr("Copy code"));
    copy_->setToolTip(
        tr("The whole code for the present mask, from x and the two linear layers to weights and output"));
    copy_->setObjectName(QStringLiteral("copyCode"));
    copy_->setProperty("segment", QStringLiteral("only"));
    copy_->setFocusPolicy(Qt::StrongFocus);
    const QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    line_->setFont(fixed);
    line_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    code_->setObjectName(QStringLiteral("maskCode"));
    code_->setAccessibleName(tr("PyTorch code"));
    code_->setReadOnly(true);
    code_->setFont(fixed);
    code_->setLineWrapMode(QPlainTextEdit::NoWrap);
    code_->setMinimumHeight(60);

    auto* buttons = new QWidget(this);
    auto* flow = new FlowLayout(buttons, 8, 4);
    flow->setContentsMargins({});
    for (QWidget* button : {static_cast<QWidget*>(copy_), static_cast<QWidget*>(forms_)}) flow->addWidget(button);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins({});
    column->setSpacing(4);
    for (QLabel* label : {meaning_, line_, note_}) column->addWidget(label);
    column->addWidget(code_, 1);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins({});
    whole->setSpacing(4);
    whole->addWidget(conventions_);
    whole->addWidget(scroll, 1);
    whole->addWidget(buttons);

    conventions_->setCurrent(0);
    forms_->setCurrent(0);
    connect(conventions_, &Segments::chosen, this, [this] {
        refresh();
        Q_EMIT conventionChanged(convention());
    });
    connect(forms_, &Segments::chosen, this, &CodePage::refresh);
    connect(copy_, &QToolButton::clicked, this, &CodePage::copy);
    soon_.setSingleShot(true);
    soon_.setInterval(kRestMs);
    connect(&soon_, &QTimer::timeout, this, &CodePage::refresh);
    connect(&session_, &Session::traceChanged, this, [this] {
        if (isVisible()) soon_.start();
    });
    refresh();
}

MaskConvention CodePage::convention() const {
    return static_cast<MaskConvention>(conventions_->current());
}

MaskForm CodePage::form() const {
    switch (convention()) {
        case MaskConvention::Ignored:
            return MaskForm::MultiheadAttention;
        case MaskConvention::Additive:
            return MaskForm::Additive;
        case MaskConvention::MayAttend:
            break;
    }
    constexpr MaskForm kForms[] = {MaskForm::ScaledDotProduct, MaskForm::MaskedFill, MaskForm::Flex};
    return kForms[std::clamp(forms_->current(), 0, 2)];
}

QString CodePage::code() const {
    return session_.trace() ? QString::fromStdString(mask_code(*session_.trace(), form()).code) : QString();
}

void CodePage::refresh() {
    soon_.stop();
    meaning_->setText(breakable(sentence(meaning(convention()))));
    forms_->setVisible(convention() == MaskConvention::MayAttend);
    const TracePtr& trace = session_.trace();
    if (!trace) return;
    const MaskCode made = mask_code(*trace, form());
    line_->setText(breakable(QString::fromStdString(made.line)));
    QStringList notes;
    if (made.impossible) notes << sentence(*made.impossible);
    for (const Sentence& note : made.notes) notes << sentence(note);
    note_->setText(breakable(notes.join(u'\n')));
    note_->setVisible(!notes.isEmpty());
    setTextColor(note_, made.impossible ? Role::Error : Role::Muted);
    const QString code = QString::fromStdString(made.code);
    if (code_->toPlainText() != code) code_->setPlainText(code);
    copy_->setEnabled(!code.isEmpty());
}

/// Of the picture on the screen, also where the box waits for the hand to rest.
void CodePage::copy() {
    refresh();
    if (const QString text = code(); !text.isEmpty()) QGuiApplication::clipboard()->setText(text);
}

void CodePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void CodePage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

}  // namespace headscope
