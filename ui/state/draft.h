// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <array>
#include <optional>

#include "core/attention/request.h"
#include "core/base/sentence.h"
#include "core/files/model_layers.h"

namespace headscope {

/// One setting of the user, in the window or as an option of the command line.
enum class Field {
    Text,       ///< --tokens: one line per sequence
    Tokenizer,  ///< space, words, characters
    EmbedDim,   ///< empty = from the weights file; legal only with one
    NumHeads,   ///< empty = from the weights file; legal only with one
    Weights,    ///< textbook, seed, or the path of a weights file or a model's folder
    Layer,      ///< number or name of a layer of that file; empty = the first that can be computed
    Layout,     ///< empty = from the names in the file; interleaved, blocks, transposed, separate
    Seed,
    Mask,  ///< an expression of core/masks/head_expression.h; empty = from the weights file, else none
    Fill,
    Scale,  ///< auto or a number
    Precision,
    ChunkSize,     ///< whole or a number
    KeyChunkSize,  ///< whole or a number
    Count
};

/// "--embed-dim"
QString optionName(Field field);
/// The displayed name, translated: "embed_dim", "mask", "text".
QString fieldLabel(Field field);

/// The texts of the controls as typed, legal or not. A default-constructed draft has the default settings.
class Draft {
public:
    Draft();
    const QString& value(Field field) const { return values_[static_cast<std::size_t>(field)]; }
    void set(Field field, const QString& value) { values_[static_cast<std::size_t>(field)] = value; }
    bool operator==(const Draft&) const = default;

private:
    std::array<QString, static_cast<std::size_t>(Field::Count)> values_;
};

/// Whether the weights are read from a file.
bool usesWeightsFile(const Draft& draft);
/// The draft with other weights. With a file, embed_dim, num_heads, layer and layout become empty, because the file
/// provides them; when switching from a file to formulas they become the defaults again.
Draft withWeights(const Draft& draft, const QString& weights);

/// Why a draft is not legal: the control that caused it, and the error to show beside it.
struct Problem {
    Field field;
    Error error;
};

struct Reading {
    std::optional<Request> request;      ///< nothing if there are problems, or while a file is being read
    QList<Problem> problems;             ///< at most one per field, in the order of Field
    LayerFilePtr file;                   ///< the layer of the weights file, if it could be read
    ModelLayersPtr layers;               ///< all layers of the weights file, if they could be listed
    RecordingPtr recording;              ///< the attention of a file without layers, if it could be read
    std::optional<std::size_t> layer;    ///< the place of the chosen layer in the file or recording
    std::optional<HeadExpression> mask;  ///< with the cells of its files, if it is legal
    bool waits = false;                  ///< a file is being read: FileStore::arrived() will be emitted

    const Problem* problem(Field field) const;  ///< null if the field is legal
};

/// The tokens of a recording, or of a file with an x, which replace those of the text; null if the text counts.
const Batch* fileBatch(const Reading& reading);

class FileStore;

/// Reads a draft into a Request, for both the window and the command line. shown: the request of the displayed trace;
/// the parts of that trace that are reused need no further memory.
Reading readDraft(const Draft& draft, FileStore& files, const Request* shown = nullptr);
/// The same, with files that are read immediately and not kept.
Reading readDraft(const Draft& draft);

/// The text of an error in the language of the interface, on one line: very long quotations are shortened, and control
/// characters are made visible.
QString sentence(const Error& error);
/// The same for remarks beside a map.
QString sentence(const Sentence& said);
/// Describes a phrase: "window: 2 to the left, 0 to the right, or blocks of 4".
QString sentence(const std::vector<Sentence>& alternatives);

}  // namespace headscope
