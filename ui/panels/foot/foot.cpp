// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/foot/foot.h"

#include <QLabel>
#include <QLocale>

#include "core/base/memory.h"
#include "ui/controls/plain_label.h"
#include "ui/look/plural.h"
#include "ui/maps/cell_story.h"
#include "ui/state/session.h"

namespace headscope {
namespace {

QString bytes(std::uint64_t count) {
    return QString::fromStdString(format_bytes(count));
}

QString memoryText(const Trace& trace) {
    const auto& request = trace.request;
    if (!request.chunk_size && !request.key_chunk_size)
        return Foot::tr("scores %1 whole").arg(bytes(trace.bytes_whole));
    const auto size = [](std::optional<std::int64_t> chunk) {
        return chunk ? QString::number(*chunk) : Foot::tr("all");
    };
    const auto chunks = request.key_chunk_size
                            ? Foot::tr("%1 × %2").arg(size(request.chunk_size), size(request.key_chunk_size))
                            : size(request.chunk_size);
    return Foot::tr("scores %1 whole · %2 in chunks of %3")
        .arg(bytes(trace.bytes_whole), bytes(trace.bytes_chunked), chunks);
}

QString differenceText(const Trace& trace) {
    if (!trace.request.chunk_size && !trace.request.key_chunk_size) return {};
    return Foot::tr("The largest difference of an output between chunked and whole is %1.")
        .arg(trace.chunk_difference, 0, 'g', 2);
}

QString rowsText(const RowCheck& check) {
    QStringList parts;
    if (check.sum_to_one == check.rows)
        parts << Foot::tr("rows sum to 1 ✓");
    else
        parts << Foot::tr("%1 of %2 rows sum to 1", nullptr, counted(check.rows)).arg(check.sum_to_one).arg(check.rows);
    if (check.empty > 0) parts << Foot::tr("%1 empty").arg(check.empty);
    if (check.not_finite > 0) parts << Foot::tr("%1 not finite").arg(check.not_finite);
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

Foot::Foot(Session& session, QWidget* parent)
    : QStatusBar(parent),
      session_(session),
      cell_(plainLabel(this, QStringLiteral("footCell"))),
      memory_(plainLabel(this, QStringLiteral("footMemory"))),
      rows_(plainLabel(this, QStringLiteral("footRows"))),
      cost_(plainLabel(this, QStringLiteral("footCost"))) {
    setObjectName(QStringLiteral("foot"));
    setSizeGripEnabled(false);
    // The sentence gives way to the facts where the window is narrow; its tooltip has it whole.
    cell_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    addWidget(cell_, 1);
    for (auto* fact : {memory_, rows_, cost_}) {
        fact->setContentsMargins(8, 0, 8, 0);
        addPermanentWidget(fact);
    }
    connect(&session, &Session::traceChanged, this, &Foot::showTrace);
    connect(&session, &Session::traceChanged, this, &Foot::showCell);
    connect(&session, &Session::hoverChanged, this, &Foot::showCell);
    connect(&session, &Session::selectionChanged, this, &Foot::showCell);
    connect(&session, &Session::computingChanged, this, &Foot::showCost);
    connect(&session, &Session::computeFailed, this, &Foot::showCost);
    showTrace();
    showCell();
}

void Foot::showCell() {
    const auto& trace = session_.trace();
    const auto cell = session_.hover() ? session_.hover() : session_.selection().locked;
    const auto text = trace && cell ? cellSentence(*trace, session_.selection(), *cell) : QString();
    cell_->setText(text.isEmpty() ? tr("Point at a cell to read it; click to lock it.") : text);
    cell_->setToolTip(text.toHtmlEscaped());
}

void Foot::showTrace() {
    const auto& trace = session_.trace();
    for (auto* fact : {memory_, rows_}) fact->setVisible(trace != nullptr);
    showCost();
    if (!trace) return;
    memory_->setText(memoryText(*trace));
    memory_->setToolTip(tr("Memory of the scores and weights of one sequence, all heads: computed whole, and the most "
                           "that is held at a time in chunks.") +
                        QStringLiteral(" ") + differenceText(*trace));
    rows_->setText(rowsText(trace->row_check));
    rows_->setToolTip(
        tr("Rows, one for each query in each head: %1. Sum to 1 within what the precision allows: %2. May "
           "attend to nothing: %3. Hold a NaN or an infinity: %4. Largest error of a sum: %5.")
            .arg(trace->row_check.rows)
            .arg(trace->row_check.sum_to_one)
            .arg(trace->row_check.empty)
            .arg(trace->row_check.not_finite)
            .arg(trace->row_check.largest_error, 0, 'g', 2));
}

void Foot::showCost() {
    const auto& trace = session_.trace();
    if (const auto error = session_.computeError())
        cost_->setText(tr("not computed"));
    else if (session_.isComputing())
        cost_->setText(tr("computing …"));
    else if (trace)
        cost_->setText(tr("computed in %1 ms")
                           .arg(trace->milliseconds < 0.05 ? QStringLiteral("<0.1")
                                                           : QLocale::c().toString(trace->milliseconds, 'f', 1)));
    QStringList stages;
    if (trace)
        for (const auto stage : trace->computed) stages << QString::fromUtf8(to_string(stage).data());
    cost_->setToolTip(stages.isEmpty()
                          ? tr("What the last change cost.")
                          : tr("What the last change cost. Computed anew: %1.").arg(stages.join(QStringLiteral(", "))));
}

}  // namespace headscope
