// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/parameters/compute_section.h"

#include <QLabel>
#include <algorithm>
#include <cmath>

#include "core/base/precision_type.h"
#include "ui/maps/cell_explanation.h"
#include "ui/state/phrase.h"

namespace headscope {
namespace {

QStringList chunkSizes() {
    QStringList sizes;
    for (int size = 1; size <= 4096; size *= 2) sizes << QString::number(size);
    return sizes << QStringLiteral("whole");
}

}  // namespace

ComputeSection::ComputeSection(Session& session, QWidget* parent) : Section(session, {}, parent) {
    addChoice(Field::ChunkSize,
              {tr("chunk si&ze"), QStringLiteral("chunkSize"),
               tr("How many queries are computed at a time in memory-efficient attention; “whole” takes them all. The "
                  "answer is the same, the memory smaller.")},
              chunkSizes());
    addChoice(Field::KeyChunkSize,
              {tr("&key chunk"), QStringLiteral("keyChunkSize"),
               tr("How many keys are processed at a time, with a running maximum and sum for the softmax; “whole” "
                  "takes them all.")},
              chunkSizes());
    addWords(Field::Precision,
             {tr("p&recision"), QStringLiteral("precision"),
              tr("The format of the numbers. The half formats round where PyTorch's autocast rounds.")},
             precisionWords());
    precision_note_ = addNote(QStringLiteral("precisionNote"));
    addChoice(Field::Scale,
              {tr("&scale"), QStringLiteral("scale"),
               tr("What the products of queries and keys are multiplied by: “auto” is 1/√head_dim, which keeps them "
                  "from growing with head_dim. Any number can be typed; 1 is no scale.")},
              {QStringLiteral("1"), QStringLiteral("auto")});
    scale_note_ = addNote(QStringLiteral("scaleNote"));
    addNumber(Field::Seed,
              {tr("see&d"), QStringLiteral("seed"),
               tr("Seeds the vectors of the tokens, and the weights where they are seeded: the same numbers as in "
                  "PyTorch. Whole numbers from 0 to 2^64 − 1, of which the low 32 bits count.")},
              seedSteps());
    refreshAll();
}

QString ComputeSection::summary() const {
    const auto chunk = [this](Field field) {
        return value(field) == QStringLiteral("whole") ? tr("whole") : value(field);
    };
    const auto& request = session().reading().request;
    QString scale = tr("scale %1").arg(value(Field::Scale));
    if (value(Field::Scale) == QStringLiteral("auto") && request)
        scale = QStringLiteral("1/√%1").arg(request->dims().head_dim());
    return QStringList{tr("chunks %1 × %2").arg(chunk(Field::ChunkSize), chunk(Field::KeyChunkSize)),
                       value(Field::Precision), scale, tr("seed %1").arg(value(Field::Seed))}
        .join(QStringLiteral(" · "));
}

bool ComputeSection::hasProblem() const {
    const auto fields = {Field::ChunkSize, Field::KeyChunkSize, Field::Precision, Field::Scale, Field::Seed};
    return std::any_of(fields.begin(), fields.end(),
                       [this](Field field) { return session().reading().problem(field) != nullptr; });
}

void ComputeSection::refresh() {
    const auto precision = parse_precision(value(Field::Precision).toStdString());
    const char* remark = precision ? type_of(*precision).simulated : nullptr;
    setNote(precision_note_, remark ? translated(remark) : QString());

    const auto& request = session().reading().request;
    if (!request) return;  // keep the note while the user types
    const auto head_dim = request->dims().head_dim();
    const QString usual =
        tr("1/√%1 = %2").arg(head_dim).arg(numberText(1 / std::sqrt(static_cast<double>(head_dim)), 6));
    setNote(scale_note_, request->scale ? tr("in place of %1").arg(usual) : usual);
}

}  // namespace headscope
