// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/parameters/weights_section.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <utility>

#include "core/files/recording.h"
#include "core/weights/textbook.h"
#include "ui/controls/text_difference.h"
#include "ui/controls/tool_tip.h"
#include "ui/maps/head_card.h"
#include "ui/panels/parameters/layer_choice.h"
#include "ui/panels/parameters/record_dialog.h"

namespace headscope {
namespace {

constexpr QLatin1StringView kTextbook("textbook"), kSeed("seed"), kFile("file");

}  // namespace

WeightsSection::WeightsSection(Session& session, QWidget* parent) : Section(session, {}, parent) {
    from_ = new WordChoice(this);
    from_->addItem(tr("Textbook"), kTextbook);
    from_->addItem(tr("Seeded"), kSeed);
    from_->addItem(tr("File…"), kFile);
    addRow(from_,
           {tr("&weights"), QStringLiteral("weights"),
            tr("Textbook heads are built by formula so that each of eight heads has a known role. Seeded weights are "
               "those of torch.manual_seed(seed). A weights file (safetensors or npz) or a model's folder contains "
               "layers of a real model, or attention that another program recorded.")});
    connect(from_, &WordChoice::edited, this, &WeightsSection::choose);
    addPath();
    addLayer();
    addLayout();
    addInput();
    assumption_ = addNote(QStringLiteral("assumption"));
    limit_ = addNote(QStringLiteral("textbookLimit"));
    refreshAll();
}

void WeightsSection::addPath() {
    file_row_ = new QWidget(this);
    auto* row = new QHBoxLayout(file_row_);
    row->setContentsMargins(0, 0, 0, 0);
    path_ = new QLineEdit(file_row_);
    name(path_, {tr("weights file"), QStringLiteral("weightsFile"), {}});
    auto* browse = new QPushButton(tr("…"), file_row_);
    name(browse, {tr("Choose a weights file"), QStringLiteral("weightsBrowse"), tr("Choose another file")});
    browse->setFixedWidth(browse->fontMetrics().horizontalAdvance(u'…') + 20);
    row->addWidget(path_, 1);
    row->addWidget(browse);
    addWide(file_row_);
    connect(path_, &QLineEdit::textEdited, this, &WeightsSection::setWeights);
    connect(browse, &QPushButton::clicked, this, &WeightsSection::chooseFile);
    bind(Field::Weights, path_, [this](const QString& weights) {
        const bool file = weights != kTextbook && weights != kSeed;
        from_->display(file ? kFile : weights);
        showText(path_, file ? weights : QString());
        // Show the end of the path: the file name is more useful than the folder.
        if (!path_->hasFocus()) path_->end(false);
    });
}

void WeightsSection::addLayer() {
    layer_row_ = new QWidget(this);
    auto* row = new QHBoxLayout(layer_row_);
    row->setContentsMargins(0, 0, 0, 0);
    layer_ = new LayerChoice(layer_row_);
    const ControlText text{tr("la&yer"), QStringLiteral("layer"),
                           tr("The layers of the file, by their number and the prefix of their names. Only the bytes "
                              "of the chosen one are read.")};
    name(layer_, text);
    auto* label = new QLabel(text.label, layer_row_);
    label->setBuddy(layer_);
    label->setToolTip(text.tip);
    row->addWidget(label);
    row->addWidget(layer_, 1);
    addWide(layer_row_);
    connect(layer_, &WordChoice::edited, this, [this](const QString& word) { session().edit(Field::Layer, word); });
    bind(Field::Layer, layer_, [this](const QString& word) {
        const Reading& reading = session().reading();
        if (reading.recording)
            layer_->setLayers(*reading.recording);
        else if (reading.layers || !reading.waits)
            layer_->setLayers(reading.layers);
        layer_->display(reading.layer, word);
    });
}

void WeightsSection::addLayout() {
    layout_row_ = new QWidget(this);
    auto* layout = new QHBoxLayout(layout_row_);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* choice = new WordChoice(layout_row_);
    choice->addItem(tr("by the names"), QString());
    choice->addItem(tr("interleaved by head"), QStringLiteral("interleaved"));
    choice->addItem(tr("[Q; K; V] blocks"), QStringLiteral("blocks"));
    choice->addItem(tr("blocks, transposed"), QStringLiteral("transposed"));
    choice->addItem(tr("separate"), QStringLiteral("separate"));
    name(choice, {tr("layout"), QStringLiteral("layout"),
                  tr("The layout of the file's fused weights. All layouts have the same shape, so only the tensors' "
                     "names distinguish them; choose here if the names mislead.")});
    auto* label = new QLabel(tr("layo&ut"), layout_row_);
    label->setBuddy(choice);
    layout->addWidget(label);
    layout->addWidget(choice, 1);
    addWide(layout_row_);
    connect(choice, &WordChoice::edited, this, [this](const QString& word) { session().edit(Field::Layout, word); });
    bind(Field::Layout, choice, [choice](const QString& word) { choice->display(word); });
}

void WeightsSection::addInput() {
    input_note_ = addNote(QStringLiteral("inputNote"));
    record_ = new QToolButton(this);
    name(record_, {tr("Python that records x…"), QStringLiteral("recordCode"),
                   tr("Lines to copy: they run the model and save the input of this layer beside its weights")});
    record_->setText(record_->accessibleName());
    record_->setProperty("segment", QStringLiteral("only"));
    record_->setFocusPolicy(Qt::StrongFocus);
    addWide(record_);
    connect(record_, &QToolButton::clicked, this, &WeightsSection::showRecordCode);
}

/// A layer without a recorded x is fed with vectors that the model never saw, and that must be said.
void WeightsSection::showInput() {
    const LayerFilePtr& file = session().reading().file;
    const bool drawn = file && !file->x;
    record_->setVisible(drawn);
    if (!drawn) return setNote(input_note_, {});
    const QString typed = tr("Typed tokens feed this layer, with vectors that are drawn from the seed.");
    const QString needed = file->number == 0
                               ? tr("For what the model computes on a text, a recorded x is needed.")
                               : tr("Its input in the model is the output of the layers before it: for what the model "
                                    "computes on a text, a recorded x is needed.");
    setNote(input_note_, typed + u' ' + needed);
}

void WeightsSection::showRecordCode() {
    if (const LayerFilePtr& file = session().reading().file) {
        auto* dialog = new RecordDialog(*file, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    }
}

void WeightsSection::choose(const QString& from) {
    if (from == kFile) return chooseFile();
    setWeights(from);
}

void WeightsSection::setWeights(const QString& weights) {
    const Draft next = withWeights(session().draft(), weights);
    Draft only_path = session().draft();
    only_path.set(Field::Weights, weights);
    // Editing a single field merges the keystrokes of a path into one undo step.
    if (next == only_path) return session().edit(Field::Weights, weights);
    session().edit(next, tr("weights"));
}

void WeightsSection::chooseFile() {
    refreshAll();  // restores the box until a file is chosen
    auto* dialog = new QFileDialog(this, tr("Open weights"), QFileInfo(path_->text()).path(),
                                   tr("Weights (*.safetensors *.npz *.index.json);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { session().openFile(path); });
    dialog->open();
}

/// The roles that the textbook heads can't play at this head_dim, and an embed_dim that is large enough; empty if they
/// can play all.
QString WeightsSection::limitText(std::int64_t embed_dim, std::int64_t num_heads) {
    const auto limit = textbook_limit(embed_dim, num_heads);
    if (!limit) return {};
    QStringList roles;
    for (const TextbookRole role : limit->unclear) roles << roleName(role);
    return tr("With head_dim %1 these roles blur within %2 tokens: %3. With num_heads %4, embed_dim %5 is large "
              "enough.")
        .arg(QString::number(embed_dim / num_heads), QString::number(limit->tokens), roles.join(QStringLiteral(", ")),
             QString::number(num_heads), QString::number(limit->clear_embed_dim));
}

void WeightsSection::refresh() {
    const bool file = from_->currentData().toString() == kFile;
    file_row_->setVisible(file);
    const Reading& reading = session().reading();
    const auto& recording = reading.recording;
    const bool several = (reading.layers && reading.layers->size() > 1) || (recording && recording->layers() > 1);
    layer_row_->setVisible(file && (several || reading.problem(Field::Layer)));
    layout_row_->setVisible(file && !recording);
    showInput();
    path_->setToolTip(plainToolTip(path_->text()));
    const auto& read = session().reading().file;
    QStringList assumptions;
    if (file && read) {
        for (const Sentence& missing : read->not_computed) assumptions << sentence(missing);
        for (const Sentence& assumed : read->assumptions) assumptions << sentence(assumed);
    }
    if (file && recording) {
        assumptions << tr(
            "recorded attention: the weights of another program, without the layer that computed them; "
            "under a mask they are renormalised");
        for (const Sentence& assumed : recording->assumptions()) assumptions << sentence(assumed);
    }
    setNote(assumption_, assumptions.join(QStringLiteral("; ")));

    const auto& request = session().reading().request;
    if (!request) return;  // keep the note while the user types
    const bool textbook = request->source == WeightSource::Textbook;
    const std::pair shape{textbook ? request->embed_dim : 0, request->num_heads};
    if (std::exchange(limit_of_, shape) == shape) return;
    setNote(limit_, textbook ? limitText(request->embed_dim, request->num_heads) : QString());
}

}  // namespace headscope
