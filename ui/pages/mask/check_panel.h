// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "core/masks/mask_doctor.h"
#include "ui/pages/mask/mask_picture.h"
#include "ui/state/background.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace headscope {

class ProblemNote;

/// Checks the mask: what was meant is typed, chosen, or left to be found, and the answer names the mistake and the
/// first wrong cell.
class CheckPanel : public QWidget {
    Q_OBJECT
public:
    explicit CheckPanel(QWidget* parent = nullptr);

    void setPicture(std::shared_ptr<const MaskPicture> picture);
    /// The expression that was stated; nothing if the line is empty or not legal.
    const std::optional<MaskExpression>& meant() const { return meant_; }
    const std::shared_ptr<const MaskDiagnosis>& diagnosis() const { return diagnosis_; }

Q_SIGNALS:
    void diagnosed();  ///< the diagnosis or what was meant is another
    void cellWanted(headscope::paint::Cell cell);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeLine();
    void readMeaning();
    void check();
    void received(const Result<MaskDiagnosis>& result);
    void showAnswer();

    std::shared_ptr<const MaskPicture> picture_;
    std::optional<MaskExpression> meant_;
    std::shared_ptr<const MaskDiagnosis> diagnosis_;
    std::optional<Error> error_;
    QComboBox* line_;
    ProblemNote* problem_;
    QLabel* answer_;
    QToolButton* go_;
    Background work_;
};

}  // namespace headscope
