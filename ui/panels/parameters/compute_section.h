// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/parameters/section.h"

namespace headscope {

/// How it is computed: chunks of queries and keys, precision, scale.
class ComputeSection : public Section {
    Q_OBJECT
public:
    explicit ComputeSection(Session& session, QWidget* parent = nullptr);

protected:
    void refresh() override;

private:
    QLabel* precision_note_;
    QLabel* scale_note_;
};

}  // namespace headscope
