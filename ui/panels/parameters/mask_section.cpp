// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/parameters/mask_section.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>

#include "core/masks/head_expression.h"
#include "ui/controls/text_difference.h"
#include "ui/controls/tool_tip.h"
#include "ui/look/plural.h"
#include "ui/maps/cell_explanation.h"
#include "ui/state/mask_presets.h"
#include "ui/state/phrase.h"

namespace headscope {
namespace {

using Kind = MaskPattern::Kind;

constexpr qsizetype kMostNumbers = 4;  // number boxes beside the list of sparse patterns

/// Converts "LEFT" to "Left", for the object names of controls.
QString capitalised(const char* word) {
    QString name = QString::fromLatin1(word).toLower();
    return name.replace(0, 1, name[0].toUpper());
}

std::vector<std::string_view> wordsOf(PatternBox box) {
    std::vector<std::string_view> words;
    for (const PatternType& type : pattern_types())
        if (type.box == box) words.emplace_back(type.word);
    return words;
}

/// The definition of the number at index `which`; the last number of a pattern may repeat.
const PatternNumber* numberAt(const PatternType& type, std::size_t which) {
    if (which < type.numbers.size()) return &type.numbers[which];
    return type.repeats ? &type.numbers.back() : nullptr;
}

}  // namespace

MaskSection::MaskSection(Session& session, QWidget* parent) : Section(session, tr("MASK"), parent) {
    titleNote()->setObjectName(QStringLiteral("allowedCells"));
    for (const PatternType& type : pattern_types()) {
        if (type.box == PatternBox::Own) addOwn(type);
        if (type.kind == Kind::Padding) padding_note_ = addNote(QStringLiteral("paddingNote"));
    }
    addSparse();
    addFileBox();
    addPaintedBox();
    addExpression();
    addFill();
    forget();
    refreshAll();
    connect(&session, &Session::draftChanged, this, [this] {
        if (edits_ || this->session().draft() != Draft()) return;
        forget();  // started over
        refreshAll();
    });
}

/// The kind of the sparse pattern and all numbers are those of the first start again.
void MaskSection::forget() {
    numbers_.clear();
    for (const PatternType& type : pattern_types())
        for (const PatternNumber& number : type.numbers) numbers_[&type].push_back(std::to_string(number.start));
    sparse_->setCurrentIndex(0);
}

QCheckBox* MaskSection::addBox(const QString& label, const QString& objectName, const QString& tip,
                               std::vector<std::string_view> words, std::function<std::string()> pattern) {
    auto* check = new QCheckBox(label, this);
    name(check, {label, objectName, tip});
    boxes_ << Box{check, std::move(words), tip, std::move(pattern)};
    const auto index = boxes_.size() - 1;
    connect(check, &QCheckBox::clicked, this, [this, index] { toggle(boxes_[index]); });
    return check;
}

QCheckBox* MaskSection::addBox(const QString& objectName, const PatternType& type) {
    return addBox(translated(type.label), objectName, translated(type.tip), {type.word}, [] { return std::string(); });
}

StepEdit* MaskSection::addMaskNumber(const QString& label, const QString& objectName, const QString& tip, qint64 low) {
    auto* edit = new StepEdit(integerSteps(low, kLargestPatternNumber), 3, this);
    edit->setButtonSymbols(QAbstractSpinBox::NoButtons);  // the arrow keys step; buttons would widen the panel
    name(edit, {label, objectName, tip});
    return edit;
}

void MaskSection::addOwn(const PatternType& type) {
    const QString objectName = QStringLiteral("mask") + capitalised(type.word), label = translated(type.label);
    auto* check =
        addBox(label, objectName, translated(type.tip), {type.word}, [this, &type] { return remembered(type); });
    if (type.numbers.empty()) return addWide(check);
    auto* numbers = new QWidget(this);
    auto* row = new QHBoxLayout(numbers);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    OwnNumbers own{&type, {}};
    for (std::size_t which = 0; which < type.numbers.size(); ++which) {
        const PatternNumber& number = type.numbers[which];
        const QString tip = translated(number.tip);
        auto* edit = addMaskNumber(tip, objectName + capitalised(number.name), tip, number.least);
        row->addWidget(new QLabel(translated(number.label), numbers));
        row->addWidget(edit);
        connect(edit, &StepEdit::edited, this,
                [this, &type, which](const QString& typed) { typeNumber(type, which, typed); });
        own.edits << edit;
    }
    own_numbers_ << own;
    addPair(check, numbers);
}

void MaskSection::addSparse() {
    sparse_ = new WordChoice(this);
    QStringList tips;
    for (const PatternType& type : pattern_types()) {
        if (type.box != PatternBox::Sparse) continue;
        sparse_->addItem(translated(type.label), QLatin1StringView(type.word));
        tips << translated(type.tip);
    }
    sparse_->setCurrentIndex(0);
    name(sparse_, {tr("sparse pattern"), QStringLiteral("maskSparsePattern"), tips.join(u'\n')});
    auto* check = addBox(tr("Sp&arse"), QStringLiteral("maskSparse"),
                         tr("A query attends to a sparse pattern of keys; the pattern and its numbers are on the "
                            "right."),
                         wordsOf(PatternBox::Sparse), [this] {
                             const PatternType* type = sparseType();
                             return type ? remembered(*type) : std::string();
                         });
    addPair(check, sparse_);
    connect(sparse_, &WordChoice::edited, this, [this] {
        if (const PatternType* type = sparseType()) put(wordsOf(PatternBox::Sparse), remembered(*type));
    });
    addSparseNumbers();
}

void MaskSection::addSparseNumbers() {
    sparse_row_ = new QWidget(this);
    sparse_layout_ = new QBoxLayout(QBoxLayout::LeftToRight, sparse_row_);
    sparse_layout_->setContentsMargins(24, 0, 0, 0);
    sparse_layout_->setSpacing(4);
    sparse_label_ = new QLabel(sparse_row_);
    sparse_layout_->addWidget(sparse_label_, 1);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    row->addStretch(1);
    sparse_layout_->addLayout(row);
    for (qsizetype i = 0; i < kMostNumbers; ++i) {
        auto* edit = addMaskNumber({}, QStringLiteral("maskSparse%1").arg(i), {}, 0);
        sparse_numbers_ << edit;
        row->addWidget(edit);
        connect(edit, &StepEdit::edited, this, [this, i](const QString& typed) {
            if (const PatternType* type = sparseType()) typeNumber(*type, static_cast<std::size_t>(i), typed);
        });
    }
    addWide(sparse_row_);
}

const PatternType* MaskSection::sparseType() const {
    return type_of(sparse_->currentData().toString().toStdString());
}

std::string MaskSection::remembered(const PatternType& type) const {
    return pattern_text(type.word, numbers_.value(&type));
}

void MaskSection::addFileBox() {
    file_button_ = new QPushButton(tr("Choose…"), this);
    name(file_button_, {tr("Choose a mask file"), QStringLiteral("maskFileChoose"), {}});
    connect(file_button_, &QPushButton::clicked, this, &MaskSection::chooseFile);
    addPair(addBox(QStringLiteral("maskFile"), type_of(Kind::File)), file_button_);
}

void MaskSection::addPaintedBox() {
    painted_ = addBox(QStringLiteral("maskPainted"), type_of(Kind::Painted));
    auto* paint = new QPushButton(tr("Paint…"), this);
    name(paint, {tr("Paint the mask"), QStringLiteral("maskPaint"), tr("Opens the mask editor")});
    connect(paint, &QPushButton::clicked, this, &MaskSection::paintWanted);
    addPair(painted_, paint);
}

void MaskSection::addExpression() {
    line_ = addLine({tr("E&xpression"), QStringLiteral("maskExpression"),
                     tr("Layers joined by “,” must all allow a cell; in a layer, of patterns joined by “+” one must: "
                        "causal,local:4:0+global:1. Patterns: %1 (JSON, CSV or npy); or none. Rules of the scores: %2. "
                        "By head: head 0-3: causal; other heads: causal,alibi.")
                         .arg(QString::fromStdString(pattern_forms()), QString::fromStdString(score_rule_forms()))});
    connect(line_, &QLineEdit::textEdited, this, [this](const QString& typed) { session().edit(Field::Mask, typed); });
    bind(Field::Mask, line_, [this](const QString& shown) { showText(line_, shown); });
    heads_note_ = addNote(QStringLiteral("maskHeads"));
    empty_note_ = addNote(QStringLiteral("fullyMaskedRows"));
}

void MaskSection::addFill() {
    addWords(Field::Fill,
             {tr("f&ill"), QStringLiteral("fill"),
              tr("The value of a masked score before the softmax. It decides what becomes of a fully masked row.")},
             {{tr("safe (−inf)"), QStringLiteral("safe")},
              {tr("raw −inf"), QStringLiteral("inf")},
              {tr("−1e9"), QStringLiteral("1e9")}});
    fill_note_ = addNote(QStringLiteral("fillNote"));
}

std::string MaskSection::text() const {
    const QString& typed = value(Field::Mask);
    const auto& file = session().reading().file;
    return typed.isEmpty() && file && file->mask ? *file->mask : typed.toStdString();
}

MaskText MaskSection::mask() const {
    const std::string whole = text();
    return MaskText(is_by_head(whole) ? std::string() : whole);
}

void MaskSection::put(const MaskText& mask) {
    const QScopedValueRollback own(edits_, true);
    session().edit(Field::Mask, QString::fromStdString(mask.str()));
}

void MaskSection::put(const std::vector<std::string_view>& words, const std::string& pattern) {
    MaskText changed = mask();
    changed.put(words, pattern);
    put(changed);
}

void MaskSection::toggle(const Box& box) {
    MaskText changed = mask();
    if (changed.presence(box.words) != MaskText::Presence::Absent) {
        if (box.check == painted_)
            changed.switch_layers(box.words, false);  // a click must not discard painted cells
        else
            changed.remove(box.words);
    } else if (!changed.switch_layers(box.words, true)) {
        const std::string pattern = box.pattern();
        if (pattern.empty()) return chooseFile();
        changed.put(box.words, pattern);
    }
    put(changed);
    refreshAll();  // the click already changed the box, and the session emits nothing if the draft didn't change
}

/// Keeps the other numbers as written, including those without a box.
void MaskSection::typeNumber(const PatternType& type, std::size_t which, const QString& typed) {
    std::vector<std::string> numbers = numbers_.value(&type);
    if (numbers.size() <= which) numbers.resize(which + 1);
    numbers[which] = typed.toStdString();
    while (type.repeats && numbers.size() > type.numbers.size() && numbers.back().empty()) numbers.pop_back();
    put(type.box == PatternBox::Sparse ? wordsOf(PatternBox::Sparse) : std::vector<std::string_view>{type.word},
        pattern_text(type.word, numbers));
}

void MaskSection::chooseFile() {
    refreshAll();
    const std::string_view word = type_of(Kind::File).word;
    const QString present = QString::fromStdString(file_path(mask().pattern({&word, 1})));
    auto* dialog = new QFileDialog(this, tr("Open a mask"), QFileInfo(present).path(), maskFileFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, word](const QString& path) { put({word}, file_pattern(path.toStdString())); });
    dialog->open();
}

void MaskSection::refresh() {
    const MaskText shown = mask();
    line_->setPlaceholderText(QString::fromStdString(is_by_head(text()) ? text() : shown.str()));
    showBoxes(shown);
    for (const OwnNumbers& own : std::as_const(own_numbers_)) {
        remember(shown, *own.type);
        const std::vector<std::string> numbers = numbers_.value(own.type);
        for (qsizetype i = 0; i < own.edits.size(); ++i) {
            const auto which = static_cast<std::size_t>(i);
            own.edits[i]->display(which < numbers.size() ? QString::fromStdString(numbers[which]) : QString());
        }
    }
    showSparse(shown);
    const std::string_view painted = type_of(Kind::Painted).word, file = type_of(Kind::File).word;
    painted_->setVisible(!shown.pattern({&painted, 1}).empty());
    const QString path = QString::fromStdString(file_path(shown.pattern({&file, 1})));
    file_button_->setToolTip(path.isEmpty() ? tr("Choose a JSON, CSV or npy file") : plainToolTip(path));
    showPadding(shown);
    showHeads();
    showCount();
    showFill();
}

void MaskSection::remember(const MaskText& mask, const PatternType& type) {
    const std::string_view word = type.word;
    const std::string pattern = mask.pattern({&word, 1});
    if (!pattern.empty()) numbers_[&type] = pattern_numbers(pattern);
}

void MaskSection::showBoxes(const MaskText& mask) {
    for (const Box& box : std::as_const(boxes_)) {
        const auto presence = mask.presence(box.words);
        box.check->setTristate(false);
        box.check->setCheckState(presence == MaskText::Presence::Absent  ? Qt::Unchecked
                                 : presence == MaskText::Presence::Alone ? Qt::Checked
                                                                         : Qt::PartiallyChecked);
        box.check->setToolTip(presence == MaskText::Presence::Within
                                  ? tr("Set by the expression, beside other patterns. A click removes it.") + u'\n' +
                                        box.tip
                                  : box.tip);
    }
}

void MaskSection::showSparse(const MaskText& mask) {
    const std::string pattern = mask.pattern(wordsOf(PatternBox::Sparse));
    if (!pattern.empty()) {
        const std::string_view word = pattern_word(pattern);
        sparse_->display(QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size())));
        numbers_[type_of(word)] = pattern_numbers(pattern);
    }
    const PatternType* type = sparseType();
    const std::vector<std::string> numbers = numbers_.value(type);
    // For a pattern whose last number repeats, an empty box allows one more number.
    const std::size_t wanted = !type ? 0 : type->repeats ? numbers.size() + 1 : type->numbers.size();
    QStringList labels;
    for (qsizetype i = 0; i < sparse_numbers_.size(); ++i) {
        const auto which = static_cast<std::size_t>(i);
        StepEdit* edit = sparse_numbers_[i];
        edit->setVisible(which < wanted);
        edit->display(which < numbers.size() ? QString::fromStdString(numbers[which]) : QString());
        const PatternNumber* number = which < wanted ? numberAt(*type, which) : nullptr;
        if (!number) continue;
        if (which < type->numbers.size()) labels << translated(number->label);
        edit->setAccessibleName(translated(number->label));
        edit->setToolTip(translated(number->tip));
    }
    sparse_row_->setVisible(wanted > 0);
    sparse_layout_->setDirection(wanted > 1 ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    sparse_label_->setText(labels.join(QStringLiteral(" · ")));
}

}  // namespace headscope
