// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/parameters/mask_section.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "ui/controls/text_difference.h"
#include "ui/controls/tool_tip.h"
#include "ui/look/plural.h"
#include "ui/maps/cell_story.h"
#include "ui/state/mask_presets.h"

namespace headscope {
namespace {

constexpr qint64 kMaxTokens = 1'000'000'000;
constexpr QLatin1StringView kLocal("local"), kStrided("strided"), kDilated("dilated"), kGlobal("global"),
    kBlock("block"), kFile("file"), kPainted("painted");

const QStringList& sparseNames() {
    static const QStringList names{kStrided, kDilated, kGlobal, kBlock};
    return names;
}

QString patternOf(const QString& name, const QStringList& numbers) {
    return (QStringList{name} + numbers).join(u':');
}

}  // namespace

MaskSection::MaskSection(Session& session, QWidget* parent) : Section(session, tr("MASK"), parent) {
    titleNote()->setObjectName(QStringLiteral("openCells"));
    remembered_ = {{kLocal, {QStringLiteral("2"), QStringLiteral("0")}},
                   {kStrided, {QStringLiteral("4")}},
                   {kDilated, {QStringLiteral("2"), QStringLiteral("2"), QStringLiteral("2")}},
                   {kGlobal, {QStringLiteral("1")}},
                   {kBlock, {QStringLiteral("4")}}};
    addSimple();
    addLocal();
    addSparse();
    addFileBox();
    addPaintedBox();
    addExpression();
    addFill();
    refreshAll();
}

QCheckBox* MaskSection::addBox(const QString& label, const QString& objectName, const QString& tip,
                               const QStringList& names, std::function<QString()> pattern) {
    auto* check = new QCheckBox(label, this);
    name(check, {label, objectName, tip});
    boxes_ << Box{check, names, tip, std::move(pattern)};
    const auto index = boxes_.size() - 1;
    connect(check, &QCheckBox::clicked, this, [this, index] { toggle(boxes_[index]); });
    return check;
}

void MaskSection::addSimple() {
    addWide(addBox(tr("&Padding"), QStringLiteral("maskPadding"),
                   tr("No query attends to a [PAD] key. A query at a [PAD] position is still computed."),
                   {QStringLiteral("padding")}, [] { return QStringLiteral("padding"); }));
    addWide(addBox(tr("&Causal"), QStringLiteral("maskCausal"),
                   tr("A query attends to itself and to what stands before it, never to the future."),
                   {QStringLiteral("causal")}, [] { return QStringLiteral("causal"); }));
}

StepEdit* MaskSection::addMaskNumber(const QString& label, const QString& objectName, const QString& tip, qint64 low) {
    auto* edit = new StepEdit(integerSteps(low, kMaxTokens), 3, this);
    name(edit, {label, objectName, tip});
    return edit;
}

void MaskSection::addLocal() {
    auto* numbers = new QWidget(this);
    auto* row = new QHBoxLayout(numbers);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    local_ << addMaskNumber(tr("local left"), QStringLiteral("maskLocalLeft"),
                            tr("How many tokens before the query it attends to"), 0)
           << addMaskNumber(tr("local right"), QStringLiteral("maskLocalRight"),
                            tr("How many tokens after the query it attends to"), 0);
    for (StepEdit* edit : std::as_const(local_)) {
        row->addWidget(new QLabel(edit == local_[0] ? QStringLiteral("←") : QStringLiteral("→"), numbers));
        row->addWidget(edit);
        connect(edit, &StepEdit::edited, this, [this, edit](const QString& typed) {
            QStringList both{local_[0]->text(), local_[1]->text()};
            both[local_.indexOf(edit)] = typed;
            put({kLocal}, patternOf(kLocal, both));
        });
    }
    auto* check = addBox(tr("&Local"), QStringLiteral("maskLocal"),
                         tr("A query attends to a window of tokens to its left and right, both inclusive, and always "
                            "to itself."),
                         {kLocal}, [this] { return patternOf(kLocal, remembered_[kLocal]); });
    addPair(check, numbers);
}

void MaskSection::addSparse() {
    sparse_ = new WordChoice(this);
    for (const auto& [label, word] : {std::pair(tr("strided"), kStrided), std::pair(tr("dilated"), kDilated),
                                      std::pair(tr("global"), kGlobal), std::pair(tr("block"), kBlock)})
        sparse_->addItem(label, word);
    name(sparse_,
         {tr("sparse pattern"), QStringLiteral("maskSparsePattern"),
          tr("strided N: the last N tokens and every N-th. dilated: a window in which only every STEP-th "
             "token counts. global N: the first N tokens see and are seen by all. block N: blocks of N tokens, "
             "each to itself.")});
    addPair(addBox(tr("Sp&arse"), QStringLiteral("maskSparse"),
                   tr("Only a sparse pattern of keys is attended to; the pattern and its numbers stand beside."),
                   sparseNames(), [this] { return sparsePattern(); }),
            sparse_);
    connect(sparse_, &WordChoice::edited, this,
            [this](const QString& kind) { put(sparseNames(), patternOf(kind, remembered_[kind])); });

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
    for (int i = 0; i < 3; ++i) {
        auto* edit = addMaskNumber(tr("sparse number %1").arg(i + 1), QStringLiteral("maskSparse%1").arg(i), {}, 0);
        sparse_numbers_ << edit;
        row->addWidget(edit);
        connect(edit, &StepEdit::edited, this, [this, i](const QString& typed) {
            const QString kind = sparse_->currentData().toString();
            QStringList numbers = remembered_[kind];
            for (qsizetype n = 0; n < numbers.size(); ++n) numbers[n] = n == i ? typed : sparse_numbers_[n]->text();
            put(sparseNames(), patternOf(kind, numbers));
        });
    }
    addWide(sparse_row_);
}

QString MaskSection::sparsePattern() const {
    const QString kind = sparse_->currentData().toString();
    return patternOf(kind, remembered_[kind]);
}

void MaskSection::addFileBox() {
    file_button_ = new QPushButton(tr("Choose…"), this);
    name(file_button_, {tr("Choose a mask file"), QStringLiteral("maskFileChoose"), {}});
    connect(file_button_, &QPushButton::clicked, this, &MaskSection::chooseFile);
    addPair(addBox(tr("&Given by a file"), QStringLiteral("maskFile"),
                   tr("Which cells are open is read from a file: S×S of 0 and 1, as JSON, CSV or npy; 1 = may attend."),
                   {kFile}, [] { return QString(); }),
            file_button_);
}

void MaskSection::addPaintedBox() {
    painted_ = addBox(tr("Painted"), QStringLiteral("maskPainted"),
                      tr("The cells that were painted by hand. Switched off they are kept for later."), {kPainted},
                      [] { return QString(); });
    auto* paint = new QPushButton(tr("Paint…"), this);
    name(paint, {tr("Paint the mask"), QStringLiteral("maskPaint"), tr("Opens the mask editor")});
    connect(paint, &QPushButton::clicked, this, &MaskSection::paintWanted);
    addPair(painted_, paint);
}

void MaskSection::addExpression() {
    line_ = addLine({tr("as an e&xpression"), QStringLiteral("maskExpression"),
                     tr("Layers joined by “,” must all allow a cell; in a layer, of patterns joined by “+” one must: "
                        "causal,local:4:0+global:1. Patterns: padding, causal, local:LEFT:RIGHT, strided:N, "
                        "dilated:LEFT:RIGHT:STEP, global:N, block:N, file:PATH (JSON, CSV or npy); or none.")});
    connect(line_, &QLineEdit::textEdited, this, [this](const QString& typed) { session().edit(Field::Mask, typed); });
    bind(Field::Mask, line_, [this](const QString& shown) { showText(line_, shown); });
    empty_note_ = addNote(QStringLiteral("emptyRows"));
}

void MaskSection::addFill() {
    addWords(Field::Fill,
             {tr("f&ill"), QStringLiteral("fill"),
              tr("What stands in a masked cell before the softmax, and with it what becomes of a query that may attend "
                 "to nothing.")},
             {{tr("safe (−inf)"), QStringLiteral("safe")},
              {tr("raw −inf"), QStringLiteral("inf")},
              {tr("−1e9"), QStringLiteral("1e9")}});
    fill_note_ = addNote(QStringLiteral("fillNote"));
}

QString MaskSection::expression() const {
    const QString& typed = value(Field::Mask);
    const auto& file = session().reading().file;
    return typed.isEmpty() && file && file->mask ? QString::fromStdString(*file->mask) : typed;
}

void MaskSection::toggle(const Box& box) {
    MaskText mask(expression());
    if (mask.presence(box.names) != MaskText::Presence::Absent) {
        if (box.check == painted_)
            mask.switchLayers(box.names, false);  // nobody should lose a painting to a click
        else
            mask.remove(box.names);
    } else if (!mask.switchLayers(box.names, true)) {
        const QString pattern = box.pattern();
        if (pattern.isEmpty()) return chooseFile();
        mask.put(box.names, pattern);
    }
    session().edit(Field::Mask, mask.text());
    refreshAll();  // the box has moved on by itself, and the session says nothing where nothing changed
}

void MaskSection::put(const QStringList& names, const QString& pattern) {
    MaskText mask(expression());
    mask.put(names, pattern);
    session().edit(Field::Mask, mask.text());
}

void MaskSection::chooseFile() {
    refreshAll();
    const QString present = filePath(MaskText(expression()).pattern({kFile}));
    auto* dialog = new QFileDialog(this, tr("Open a mask"), QFileInfo(present).path(), maskFileFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { put({kFile}, filePattern(path)); });
    dialog->open();
}

void MaskSection::refresh() {
    const MaskText mask(expression());
    line_->setPlaceholderText(mask.text());
    showBoxes(mask);
    showLocal(mask);
    showSparse(mask);
    painted_->setVisible(!mask.pattern({kPainted}).isEmpty());
    const QString path = filePath(mask.pattern({kFile}));
    file_button_->setToolTip(path.isEmpty() ? tr("Choose a JSON, CSV or npy file") : plainToolTip(path));
    showCount();
    showFill();
}

void MaskSection::showBoxes(const MaskText& mask) {
    for (const Box& box : std::as_const(boxes_)) {
        const auto presence = mask.presence(box.names);
        box.check->setTristate(false);
        box.check->setCheckState(presence == MaskText::Presence::Absent  ? Qt::Unchecked
                                 : presence == MaskText::Presence::Alone ? Qt::Checked
                                                                         : Qt::PartiallyChecked);
        box.check->setToolTip(presence == MaskText::Presence::Within
                                  ? tr("Set by the expression, beside other patterns. A click takes it out.") + u'\n' +
                                        box.tip
                                  : box.tip);
    }
}

void MaskSection::showLocal(const MaskText& mask) {
    const QString pattern = mask.pattern({kLocal});
    if (!pattern.isEmpty()) remembered_[kLocal] = patternNumbers(pattern);
    for (int i = 0; i < 2; ++i) local_[i]->display(remembered_[kLocal].value(i));
}

void MaskSection::showSparse(const MaskText& mask) {
    const QString pattern = mask.pattern(sparseNames());
    if (!pattern.isEmpty()) {
        sparse_->display(patternName(pattern));
        remembered_[patternName(pattern)] = patternNumbers(pattern);
    }
    const QString kind = sparse_->currentData().toString();
    const QStringList numbers = remembered_[kind];
    const qsizetype wanted = kind == kDilated ? 3 : 1;
    for (qsizetype i = 0; i < 3; ++i) {
        sparse_numbers_[i]->setVisible(i < wanted);
        sparse_numbers_[i]->display(numbers.value(i));
    }
    const QStringList names = kind == kDilated  ? QStringList{tr("left"), tr("right"), tr("step")}
                              : kind == kGlobal ? QStringList{tr("tokens")}
                              : kind == kBlock  ? QStringList{tr("tokens a block")}
                                                : QStringList{tr("stride")};
    sparse_layout_->setDirection(wanted > 1 ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    sparse_label_->setText(names.join(QStringLiteral(" · ")));
    for (qsizetype i = 0; i < wanted; ++i) {
        sparse_numbers_[i]->setAccessibleName(names[i]);
        sparse_numbers_[i]->setToolTip(names[i]);
    }
}

void MaskSection::showCount() {
    const TracePtr& trace = session().trace();
    const int sequence = session().selection().sequence;
    if (!trace || !trace->mask || sequence >= trace->batch().size()) return titleNote()->clear();
    const auto size = trace->mask->size();
    titleNote()->setText(tr("%1 of %2 cells open", nullptr, counted(size * size))
                             .arg(trace->mask->open_cells(sequence))
                             .arg(size * size));
    const int empty = counted(trace->mask->empty_rows(sequence).size());
    setNote(empty_note_, empty ? tr("%n queries may attend to nothing", nullptr, empty) : QString());
}

void MaskSection::showFill() {
    const auto fill = parse_fill(value(Field::Fill).toStdString());
    const auto precision = parse_precision(value(Field::Precision).toStdString());
    if (!fill || !precision) return setNote(fill_note_, {});
    if (*fill == Fill::Safe) return setNote(fill_note_, tr("Masked cells hold −∞; a query with no key gets zeros."));
    if (*fill == Fill::Inf) return setNote(fill_note_, tr("Masked cells hold −∞; a query with no key becomes NaN."));
    const double effective = effective_fill(*fill, *precision);
    if (std::isinf(effective))
        return setNote(fill_note_, tr("Masked cells hold −∞, for %1 has no −1e9; a query with no key becomes NaN.")
                                       .arg(value(Field::Precision)));
    setNote(fill_note_,
            tr("Masked cells hold %1; a query with no key is spread evenly over all.").arg(numberText(effective, 9)));
}

}  // namespace headscope
