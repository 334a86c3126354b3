// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/mask/check_panel.h"

#include <QComboBox>
#include <QCompleter>
#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/files/mask_file.h"
#include "ui/controls/plain_label.h"
#include "ui/controls/problem_note.h"
#include "ui/controls/text_color.h"
#include "ui/look/theme.h"
#include "ui/state/draft.h"
#include "ui/state/mask_presets.h"

namespace headscope {

namespace {

constexpr std::int64_t kAtOnce = 128;  // masks of fewer tokens are checked before the next event

QString fullSentence(const Sentence& said) {
    QString text = sentence(said);
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return QCoreApplication::translate("headscope", "%1.", "a full sentence").arg(text);
}

QString words(const MaskDiagnosis& diagnosis) {
    QStringList sentences;
    for (const Sentence& said : explain(diagnosis)) sentences << fullSentence(said);
    return sentences.join(u' ');
}

}  // namespace

CheckPanel::CheckPanel(QWidget* parent)
    : QWidget(parent),
      problem_(new ProblemNote(this)),
      answer_(plainParagraph(this, QStringLiteral("maskAnswer"))),
      go_(new QToolButton(this)) {
    setObjectName(QStringLiteral("checkPanel"));
    problem_->setObjectName(QStringLiteral("meantProblem"));
    answer_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    go_->setText(tr("Go to the first wrong cell"));
    go_->setToolTip(tr("Locks the first wrong cell, which is framed in the mask"));
    go_->setObjectName(QStringLiteral("goToWrong"));
    go_->setProperty("segment", QStringLiteral("only"));
    go_->setFocusPolicy(Qt::StrongFocus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(6);
    column->addWidget(makeLine());
    column->addWidget(problem_);
    column->addWidget(answer_);
    column->addWidget(go_, 0, Qt::AlignLeft);
    column->addStretch(1);
    connect(go_, &QToolButton::clicked, this, [this] {
        if (diagnosis_ && diagnosis_->first_wrong) Q_EMIT cellWanted(*diagnosis_->first_wrong);
    });
    connect(&work_, &Background::failed, this, [this](const Error& error) { received(tl::unexpected(error)); });
    showAnswer();
}

QWidget* CheckPanel::makeLine() {
    auto* row = new QWidget(this);
    auto* label = new QLabel(tr("&What was meant"), row);
    line_ = new QComboBox(row);
    line_->setObjectName(QStringLiteral("meant"));
    line_->setAccessibleName(tr("What was meant"));
    line_->setToolTip(
        tr("The expression that the mask should equal, typed or chosen; empty: the closest expression is "
           "searched for"));
    line_->setEditable(true);
    line_->setInsertPolicy(QComboBox::NoInsert);
    line_->setFocusPolicy(Qt::StrongFocus);
    line_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    line_->setMinimumContentsLength(10);
    line_->addItem(QString());
    for (const NamedMask& preset : maskPresets()) {
        line_->addItem(preset.expression);
        line_->setItemData(line_->count() - 1, QString(preset.name).remove(u'&'), Qt::ToolTipRole);
    }
    line_->completer()->setCompletionMode(QCompleter::PopupCompletion);
    line_->completer()->setFilterMode(Qt::MatchContains);
    line_->lineEdit()->setPlaceholderText(tr("empty: the closest expression"));
    line_->setCurrentIndex(0);
    label->setBuddy(line_);
    auto* layout = new QVBoxLayout(row);
    layout->setContentsMargins({});
    layout->setSpacing(2);
    layout->addWidget(label);
    layout->addWidget(line_);
    connect(line_, &QComboBox::currentTextChanged, this, [this] {
        readMeaning();
        check();
    });
    return row;
}

void CheckPanel::setPicture(std::shared_ptr<const MaskPicture> picture) {
    if (picture_ && picture && sameMask(*picture_, *picture)) return;
    picture_ = std::move(picture);
    diagnosis_.reset();  // is of another mask
    error_.reset();
    if (isVisible()) check();
}

void CheckPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    check();
}

void CheckPanel::readMeaning() {
    const QString text = line_->currentText().trimmed();
    meant_.reset();
    problem_->clear();
    if (text.isEmpty()) return;
    const auto meant = parse_mask(text.toStdString());
    if (meant)
        meant_ = *meant;
    else
        problem_->showProblem(sentence(meant.error()));
}

/// While what was meant is not legal, there is no answer.
void CheckPanel::check() {
    const bool illegal = !meant_ && !line_->currentText().trimmed().isEmpty();
    if (!picture_ || illegal) {
        work_.cancel();
        diagnosis_.reset();
        error_.reset();
        return showAnswer();
    }
    if (picture_->tooLarge()) {
        work_.cancel();
        return received(fail(ErrorCode::InvalidMask,
                             QT_TRANSLATE_NOOP("Error", "the mask has {} tokens; at most {} can be checked here"),
                             picture_->size, kMostPaintedTokens));
    }
    if (picture_->size > kAtOnce) showAnswer();  // the old answer until the new one comes, or none
    work_.run(
        [this, picture = picture_, meant = meant_](const std::atomic<bool>& cancel) -> Background::Finish {
            const CheckedMask mask{allowedCells(*picture), picture->batch.real};
            Result<MaskDiagnosis> result = meant ? load_mask_files(*meant).and_then([&](const MaskExpression& loaded) {
                return diagnose(mask, loaded, &cancel);
            })
                                                 : diagnose(mask, std::nullopt, &cancel);
            return [this, result] { received(result); };
        },
        picture_->size <= kAtOnce);
}

void CheckPanel::received(const Result<MaskDiagnosis>& result) {
    diagnosis_ = result ? std::make_shared<const MaskDiagnosis>(*result) : nullptr;
    error_ = result ? std::nullopt : std::optional(result.error());
    showAnswer();
}

void CheckPanel::showAnswer() {
    const bool wrong = diagnosis_ && !diagnosis_->equal();
    answer_->setText(diagnosis_ ? words(*diagnosis_) : error_ ? sentence(*error_) : QString());
    setTextColor(answer_, wrong && diagnosis_->stated ? Role::Error : error_ ? Role::Warning : Role::Text);
    go_->setVisible(wrong);
    Q_EMIT diagnosed();
}

void CheckPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) showAnswer();
}

}  // namespace headscope
