// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/panels/tokens/token_lines.h"

class QPlainTextEdit;

namespace headscope {

class ProblemNote;
class SequenceEdit;
class Session;

/// All sequences as one text with a line for each. Where a weights file brings its own x the text is the file's and
/// can't be edited.
class TokenEditor : public QWidget {
    Q_OBJECT
public:
    explicit TokenEditor(Session& session, QWidget* parent = nullptr);

    QPlainTextEdit* textEdit() const;

private:
    void sendText();
    void showDraft();

    Session& session_;
    TokenLines lines_;
    SequenceEdit* edit_;
    ProblemNote* problem_;
    bool showing_ = false;  ///< the text is being changed by the session, not by a person
};

}  // namespace headscope
