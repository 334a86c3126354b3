// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/parameters/layer_section.h"

#include <QLabel>
#include <QLineEdit>
#include <algorithm>

#include "core/base/config.h"
#include "core/files/recording.h"

namespace headscope {
namespace {

/// No values are offered above this limit: readDraft() refuses them, and computing their divisors would take long.
constexpr qint64 kLargest = 1'000'000;

std::optional<qint64> wholeNumber(const QString& text) {
    bool isNumber = false;
    const qint64 number = text.trimmed().toLongLong(&isNumber);
    return isNumber ? std::optional(number) : std::nullopt;
}

QStringList nearestFirst(qint64 below, qint64 above, qint64 wanted) {
    const QString low = QString::number(below), high = QString::number(above);
    if (below == above) return {low};
    return wanted - below <= above - wanted ? QStringList{low, high} : QStringList{high, low};
}

}  // namespace

QStringList nearestNumHeads(qint64 embed_dim, qint64 wanted) {
    if (embed_dim < 1 || embed_dim > kLargest) return {};
    const auto legal = legal_num_heads(embed_dim);
    const qint64 inside = std::clamp<qint64>(wanted, 1, embed_dim);
    const auto above = std::lower_bound(legal.begin(), legal.end(), inside);
    const bool exact = *above == inside;
    return nearestFirst(exact ? *above : *std::prev(above), *above, wanted);
}

QStringList nearestEmbedDims(qint64 num_heads, qint64 wanted) {
    if (num_heads < 1 || num_heads > kLargest) return {};
    const qint64 inside = std::clamp(wanted, num_heads, std::max(num_heads, kLargest - kLargest % num_heads));
    const qint64 below = inside / num_heads * num_heads;
    return nearestFirst(below, below == inside ? below : below + num_heads, wanted);
}

LayerSection::LayerSection(Session& session, QWidget* parent) : Section(session, tr("LAYER"), parent) {
    const auto multiples = [this](const QString& text, int steps) {
        const auto heads = numHeads();
        const qint64 stride = heads && *heads >= 1 && *heads <= kLargest ? *heads : 1;
        return integerSteps(stride, kLargest, stride)(text, steps);
    };
    embed_dim_ = addNumber(Field::EmbedDim,
                           {tr("em&bed_dim"), QStringLiteral("embedDim"),
                            tr("How many numbers describe a token (E). They are divided among the heads, so num_heads "
                               "must divide it. The arrow keys step through the multiples of num_heads.")},
                           multiples);
    num_heads_ = addChoice(Field::NumHeads,
                           {tr("&num_heads"), QStringLiteral("numHeads"),
                            tr("How many heads attend in parallel (H). The list and the arrow keys offer the divisors "
                               "of embed_dim; 1 is single-head attention.")},
                           {});
    head_dim_ = new QLabel(this);
    head_dim_->setTextFormat(Qt::PlainText);
    head_dim_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    addRow(head_dim_, {tr("head_dim"), QStringLiteral("headDim"),
                       tr("How many numbers each head uses (Dh): embed_dim / num_heads.")});
    refreshAll();
}

std::optional<qint64> LayerSection::embedDim() const {
    const auto& file = session().reading().file;
    if (value(Field::EmbedDim).isEmpty() && file) return file->embed_dim;
    return wholeNumber(value(Field::EmbedDim));
}

std::optional<qint64> LayerSection::numHeads() const {
    const auto& file = session().reading().file;
    if (value(Field::NumHeads).isEmpty() && file) return file->num_heads;
    return wholeNumber(value(Field::NumHeads));
}

QList<Offer> LayerSection::offers(Field field) const {
    const auto embed_dim = embedDim(), heads = numHeads();
    const bool fixed = session().reading().file != nullptr;
    const QStringList legal_heads = nearestNumHeads(embed_dim.value_or(0), heads.value_or(8));
    const QStringList legal_dims = fixed ? QStringList{QString::number(session().reading().file->embed_dim)}
                                         : nearestEmbedDims(heads.value_or(8), embed_dim.value_or(512));
    QList<Offer> offers;
    if (field == Field::NumHeads && !legal_heads.isEmpty()) offers << Offer{Field::NumHeads, legal_heads};
    const bool clash = embed_dim && heads && *embed_dim >= 1 && *heads >= 1;
    if ((field == Field::EmbedDim || (clash && !fixed)) && !legal_dims.isEmpty())
        offers << Offer{Field::EmbedDim, legal_dims};
    return offers;
}

void LayerSection::refresh() {
    const auto& file = session().reading().file;
    const auto& recording = session().reading().recording;
    for (QWidget* field : {static_cast<QWidget*>(embed_dim_), static_cast<QWidget*>(num_heads_)})
        field->setEnabled(!recording);
    if (recording) {
        embed_dim_->setPlaceholderText(QStringLiteral("–"));
        num_heads_->lineEdit()->setPlaceholderText(QString::number(recording->num_heads()));
        head_dim_->setText(QStringLiteral("–"));
        return;
    }
    embed_dim_->setReadOnly(file && value(Field::EmbedDim).isEmpty());
    embed_dim_->setPlaceholderText(file ? QString::number(file->embed_dim) : QString());
    num_heads_->lineEdit()->setPlaceholderText(file && file->num_heads ? QString::number(*file->num_heads) : QString());

    const auto embed_dim = embedDim(), heads = numHeads();
    QStringList divisors;
    if (embed_dim && *embed_dim >= 1 && *embed_dim <= kLargest) {
        for (const auto divisor : legal_num_heads(*embed_dim)) divisors << QString::number(divisor);
    }
    num_heads_->setChoices(divisors);

    if (!embed_dim || !heads || *embed_dim < 1 || *heads < 1) {
        head_dim_->setText(QStringLiteral("–"));
    } else if (*embed_dim % *heads != 0) {
        head_dim_->setText(tr("not whole"));
    } else {
        head_dim_->setText(tr("%1 = %2 / %3").arg(*embed_dim / *heads).arg(*embed_dim).arg(*heads));
    }
}

}  // namespace headscope
