// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/panels/tokens/token_lines.h"

class QPlainTextEdit;

namespace headscope {

class ProblemNote;
class SequenceEdit;
class Session;

/// All sequences as one text with one line each. If a weights file contains x, the text is the file's and is read-only.
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
    bool showing_ = false;  ///< the session, not the user, is changing the text
};

}  // namespace headscope
