// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/parameters/compute_section.h"

#include <QLabel>
#include <cmath>

namespace headscope {
namespace {

QStringList chunkSizes() {
    QStringList sizes;
    for (int size = 1; size <= 4096; size *= 2) sizes << QString::number(size);
    return sizes << QStringLiteral("whole");
}

}  // namespace

ComputeSection::ComputeSection(Session& session, QWidget* parent) : Section(session, tr("COMPUTE"), parent) {
    addChoice(Field::ChunkSize,
              {tr("chunk si&ze"), QStringLiteral("chunkSize"),
               tr("How many queries are computed at a time in memory-efficient attention; “whole” takes them all. The "
                  "answer is the same, the memory smaller.")},
              chunkSizes());
    addChoice(Field::KeyChunkSize,
              {tr("&key chunk"), QStringLiteral("keyChunkSize"),
               tr("How many keys are looked at a time, with a running maximum and sum for the softmax; “whole” takes "
                  "them all.")},
              chunkSizes());
    addWords(Field::Precision,
             {tr("precisi&on"), QStringLiteral("precision"),
              tr("The format of the numbers. The half formats round where PyTorch's autocast rounds.")},
             {{QStringLiteral("float32"), QStringLiteral("float32")},
              {QStringLiteral("float64"), QStringLiteral("float64")},
              {QStringLiteral("bfloat16"), QStringLiteral("bfloat16")},
              {QStringLiteral("float16"), QStringLiteral("float16")}});
    precision_note_ = addNote(QStringLiteral("precisionNote"));
    addChoice(Field::Scale,
              {tr("&scale"), QStringLiteral("scale"),
               tr("What the products of queries and keys are multiplied by: “auto” is 1/√head_dim, which keeps them "
                  "from growing with head_dim. Any number can be typed; 1 is no scale.")},
              {QStringLiteral("1"), QStringLiteral("auto")});
    scale_note_ = addNote(QStringLiteral("scaleNote"));
    refreshAll();
}

void ComputeSection::refresh() {
    const QString& precision = value(Field::Precision);
    QString word;
    if (precision == QStringLiteral("bfloat16"))
        word =
            tr("Rounds as PyTorch's autocast does: 8 bits of precision. Faster only where the processor has "
               "instructions for it.");
    if (precision == QStringLiteral("float16"))
        word = tr("A picture of the precision only: rounded to 11 bits step by step, and no faster.");
    setNote(precision_note_, word);

    const auto& request = session().reading().request;
    if (!request) return;  // the note stays where it is while something is being typed
    const auto head_dim = request->dims().head_dim();
    const QString usual = tr("1/√%1 = %2").arg(head_dim).arg(1 / std::sqrt(static_cast<double>(head_dim)), 0, 'g', 6);
    setNote(scale_note_, request->scale ? tr("in place of %1").arg(usual) : usual);
}

}  // namespace headscope
