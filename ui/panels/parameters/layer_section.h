// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/panels/parameters/section.h"

namespace headscope {

/// embed_dim, num_heads and the head_dim that follows from them.
class LayerSection : public Section {
    Q_OBJECT
public:
    explicit LayerSection(Session& session, QWidget* parent = nullptr);

protected:
    QList<Offer> offers(Field field) const override;
    void refresh() override;

private:
    /// What is typed, or the file's where nothing is; nothing where that is no whole number.
    std::optional<qint64> embedDim() const;
    std::optional<qint64> numHeads() const;

    StepEdit* embed_dim_;
    ChoiceEdit* num_heads_;
    QLabel* head_dim_;
};

/// The legal values around `wanted`, nearest first: divisors of embed_dim; multiples of num_heads.
QStringList nearestNumHeads(qint64 embed_dim, qint64 wanted);
QStringList nearestEmbedDims(qint64 num_heads, qint64 wanted);

}  // namespace headscope
