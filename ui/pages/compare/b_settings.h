// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/parameters/section.h"

namespace headscope {

/// The settings of the second configuration, each in a line; its text is always that of the first.
class BSettings : public Section {
    Q_OBJECT
public:
    explicit BSettings(Session& session, QWidget* parent = nullptr);

protected:
    QList<Offer> offers(Field field) const override;
    void refresh() override;

private:
    void addMask();
    void addWeights();

    WordChoice* weights_ = nullptr;
};

}  // namespace headscope
