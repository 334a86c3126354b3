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

/// The text of a draft as an editor holds it: every line end that Qt's documents know becomes "\n".
QString withPlainLineEnds(QString text);

/// The lines of a draft, one a sequence, or those of a weights file with its own x, which can't be edited. A line is
/// split into tokens when it is asked for, so that 512 lines cost as much as those in sight.
class TokenLines {
public:
    /// A caret in a line, counted in characters.
    struct Place {
        int line = 0;
        qsizetype column = 0;
    };

    /// Takes over the session's draft. False where lines and tokens are as they were.
    bool follow(const Session& session);

    bool isEditable() const { return !file_; }
    /// The name of the weights file that the tokens are from; empty where they were typed.
    QString fileName() const;

    QString text() const { return lines_.join(u'\n'); }
    const QString& line(int line) const { return lines_[line]; }
    /// The lines of text(), at least 1. An empty last line, behind a final line end, is no sequence.
    int lineCount() const { return static_cast<int>(lines_.size()); }
    int sequenceCount() const;
    /// Tokens a sequence, S; 0 where there is no token.
    int length() const { return length_; }

    /// Those of the line itself; its padding comes behind them.
    const std::vector<std::string>& tokens(int line) const;
    const std::string& token(int line, int index) const;
    bool isPadding(int line, int index) const;

    Place placeAt(qsizetype offset) const;  ///< offset into text()
    qsizetype offsetOf(Place place) const;
    /// Where a token begins in its line; the end of the line for its padding.
    qsizetype columnOf(int line, int index) const;

private:
    QStringList lines_{QString()};
    Tokenizer tokenizer_ = Tokenizer::Space;
    LayerFilePtr file_;  ///< null where the lines can be edited
    int length_ = 0;
    mutable std::vector<std::optional<std::vector<std::string>>> tokens_;
};

}  // namespace headscope
