// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/parameters/section.h"

namespace headscope {

/// Settings that are changed less often: chunks of queries and keys, precision, scale, seed.
class ComputeSection : public Section {
    Q_OBJECT
public:
    explicit ComputeSection(Session& session, QWidget* parent = nullptr);
    /// The values of the draft in one line: "256 × whole · float32 · 1/√64 · seed 0".
    QString summary() const;
    /// Whether one of its values is illegal, so that the section must be visible.
    bool hasProblem() const;

protected:
    void refresh() override;

private:
    QLabel* precision_note_;
    QLabel* scale_note_;
};

}  // namespace headscope
