// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <array>
#include <optional>

#include "core/attention/request.h"
#include "core/base/sentence.h"

namespace headscope {

/// One thing that a person can set, in the window or as an option of the command line.
enum class Field {
    Text,       ///< --tokens: a line per sequence
    Tokenizer,  ///< space, words, characters
    EmbedDim,   ///< empty = what a weights file says; legal only with one
    NumHeads,   ///< empty = what a weights file says; legal only with one
    Weights,    ///< textbook, seed, or the path of a safetensors file
    Layout,     ///< empty = by the names in the file; interleaved, blocks, transposed, separate
    Seed,
    Mask,  ///< an expression of core/masks/mask.h; empty = the weights file's, else none
    Fill,
    Scale,  ///< auto or a number
    Precision,
    ChunkSize,     ///< whole or a number
    KeyChunkSize,  ///< whole or a number
    Count
};

/// "--embed-dim"
QString optionName(Field field);
/// What a person calls it, translated: "embed_dim", "mask", "text".
QString fieldLabel(Field field);

/// What the controls say, word for word, legal or not. Starts as the program's first start: the defaults of PRODUCT §6.
class Draft {
public:
    Draft();
    const QString& value(Field field) const { return values_[static_cast<std::size_t>(field)]; }
    void set(Field field, const QString& value) { values_[static_cast<std::size_t>(field)] = value; }
    bool operator==(const Draft&) const = default;

private:
    std::array<QString, static_cast<std::size_t>(Field::Count)> values_;
};

/// Do the weights come from a file?
bool usesWeightsFile(const Draft& draft);
/// The draft with other weights: a file brings its own embed_dim, num_heads and layout (those fields become empty), and
/// where formulas take over from a file they are the defaults again.
Draft withWeights(const Draft& draft, const QString& weights);

/// Why a draft is not legal: the control that it is about, and the error to show beside it.
struct Problem {
    Field field;
    Error error;
};

struct Reading {
    std::optional<Request> request;      ///< nothing where there are problems, or where a file is still being read
    QList<Problem> problems;             ///< one a field at most, in the order of Field
    LayerFilePtr file;                   ///< the weights file, where it could be read
    std::optional<MaskExpression> mask;  ///< with the cells of its files, where it is legal
    bool waits = false;                  ///< a file is being read: FileStore::arrived() follows

    const Problem* problem(Field field) const;  ///< null where the field is legal
};

class FileStore;

/// Reads a draft: the one place where text becomes a Request, for the window and the command line alike. shown: of the
/// picture that is there, whose parts take no memory again where they are reused.
Reading readDraft(const Draft& draft, FileStore& files, const Request* shown = nullptr);
/// With files that are read at once and not kept.
Reading readDraft(const Draft& draft);

/// An error's sentence in the language of the interface, on one line: what it quotes is shortened where it is very
/// long, and its control characters are made visible.
QString sentence(const Error& error);
/// The same for what is said beside a picture.
QString sentence(const Sentence& said);
/// Of what one of several does: "window: 2 to the left, 0 to the right, or blocks of 4".
QString sentence(const std::vector<Sentence>& alternatives);

}  // namespace headscope
