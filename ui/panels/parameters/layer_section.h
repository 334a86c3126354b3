// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/panels/parameters/section.h"

namespace headscope {

/// embed_dim, num_heads and the resulting head_dim.
class LayerSection : public Section {
    Q_OBJECT
public:
    explicit LayerSection(Session& session, QWidget* parent = nullptr);

protected:
    QList<Offer> offers(Field field) const override;
    void refresh() override;

private:
    /// The typed value, or the file's value if the field is empty; nothing if that is no whole number.
    std::optional<qint64> embedDim() const;
    std::optional<qint64> numHeads() const;

    StepEdit* embed_dim_;
    ChoiceEdit* num_heads_;
    QLabel* head_dim_;
};

/// The legal values near `wanted`, nearest first: divisors of embed_dim, or multiples of num_heads.
QStringList nearestNumHeads(qint64 embed_dim, qint64 wanted);
QStringList nearestEmbedDims(qint64 num_heads, qint64 wanted);

}  // namespace headscope
