// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <string>
#include <vector>

#include "ui/state/session.h"
#include "ui/state/tokenizer.h"

namespace headscope {

/// The text of a draft as an editor represents it: every line end that Qt's documents recognise becomes "\n".
QString withPlainLineEnds(QString text);

/// The lines of a draft, one per sequence, or those of a weights file that contains x, which are read-only. A line is
/// split into tokens on first use, so that 512 lines cost no more than the visible ones.
class TokenLines {
public:
    /// A caret position in a line, in characters.
    struct Place {
        int line = 0;
        qsizetype column = 0;
    };

    /// Reads the session's draft. False if lines and tokens are unchanged.
    bool follow(const Session& session);

    bool isEditable() const { return !batch_; }
    /// The name of the weights file with the tokens; empty if they were typed.
    const QString& fileName() const { return file_name_; }

    QString text() const { return lines_.join(u'\n'); }
    const QString& line(int line) const { return lines_[line]; }
    /// The number of lines of text(), at least 1. An empty last line, after a final line end, is no sequence.
    int lineCount() const { return static_cast<int>(lines_.size()); }
    int sequenceCount() const;
    /// Tokens per sequence, S; 0 if there are none.
    int length() const { return length_; }

    /// The tokens of the line itself; padding follows them.
    const std::vector<std::string>& tokens(int line) const;
    const std::string& token(int line, int index) const;
    bool isPadding(int line, int index) const;

    Place placeAt(qsizetype offset) const;  ///< offset into text()
    qsizetype offsetOf(Place place) const;
    /// The start of a token in its line; the end of the line for padding.
    qsizetype columnOf(int line, int index) const;

private:
    QStringList lines_{QString()};
    Tokenizer tokenizer_ = Tokenizer::Space;
    std::shared_ptr<const Batch> batch_;  ///< of the file; null if the lines can be edited
    QString file_name_;
    int length_ = 0;
    mutable std::vector<std::optional<std::vector<std::string>>> tokens_;
};

}  // namespace headscope
