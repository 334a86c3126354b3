// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "core/explain/mask_code.h"

class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace headscope {

class Segments;
class Session;

/// One mask in three conventions: what its cells mean, the line of PyTorch that takes it, and the whole code for the
/// present mask, to be read and copied; or why that way can't say it.
class CodePage : public QWidget {
    Q_OBJECT
public:
    explicit CodePage(Session& session, QWidget* parent = nullptr);

    MaskConvention convention() const;
    MaskForm form() const;
    /// The program for the picture on the screen; empty where the present form can't say it.
    QString code() const;

Q_SIGNALS:
    void conventionChanged(headscope::MaskConvention convention);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void copy();

    Session& session_;
    Segments *conventions_, *forms_;
    QLabel *meaning_, *line_, *note_;
    QPlainTextEdit* code_;
    QToolButton* copy_;
    QTimer soon_;  ///< while the hand paints, the code waits for it to rest
};

}  // namespace headscope
