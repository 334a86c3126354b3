// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/foot/foot.h"

#include <QLabel>
#include <QLocale>
#include <QResizeEvent>
#include <QShortcut>
#include <algorithm>
#include <cmath>

#include "core/base/memory.h"
#include "core/files/recording.h"
#include "ui/controls/label_place.h"
#include "ui/controls/plain_label.h"
#include "ui/controls/text_color.h"
#include "ui/controls/tool_tip.h"
#include "ui/look/plural.h"
#include "ui/look/theme.h"
#include "ui/maps/cell_explanation.h"
#include "ui/maps/tile_store.h"
#include "ui/state/session.h"

namespace headscope {
namespace {

QString bytes(std::uint64_t count) {
    return QString::fromStdString(format_bytes(count));
}

QString memoryText(const Trace& trace) {
    const auto& request = trace.request;
    if (request.recording)
        return Foot::tr("recorded weights %1 of %2").arg(bytes(trace.bytes_whole), bytes(request.recording->bytes()));
    if (!request.chunk_size && !request.key_chunk_size)
        return Foot::tr("scores and weights %1").arg(bytes(trace.bytes_whole));
    const auto size = [](std::optional<std::int64_t> chunk) {
        return chunk ? QString::number(*chunk) : Foot::tr("all");
    };
    const auto chunks = request.key_chunk_size
                            ? Foot::tr("%1 × %2").arg(size(request.chunk_size), size(request.key_chunk_size))
                            : size(request.chunk_size);
    return Foot::tr("scores and weights %1 whole · %2 in chunks of %3")
        .arg(bytes(trace.bytes_whole), bytes(trace.bytes_chunked), chunks);
}

QString differenceText(const Trace& trace) {
    if (!trace.request.chunk_size && !trace.request.key_chunk_size) return {};
    if (std::isnan(trace.chunk_difference)) return {};  // not compared
    return Foot::tr("The largest difference of an output between chunked and whole is %1.")
        .arg(numberText(trace.chunk_difference, 2));
}

QString memoryTip(const Trace& trace) {
    if (trace.request.recording)
        return Foot::tr(
            "Bytes of the recording that are shown, one layer and sequence, and of all of it. Only what is "
            "shown is read.");
    QStringList sentences{
        Foot::tr("Memory of the scores and weights of one sequence, all heads: computed whole, and the most that is "
                 "kept at a time in chunks."),
        differenceText(trace)};
    if (trace.bytes_chunked > trace.bytes_whole)
        sentences << Foot::tr(
            "Chunks of keys also keep a running maximum, a running sum and a context for each query, "
            "which takes more than so few tokens save.");
    return sentences.join(u' ');
}

/// Describes a fully masked row under the fill value.
QString fullyMaskedText(const Trace& trace) {
    const auto count = trace.row_check.fully_masked;
    switch (effective_mode(trace.request.fill, trace.request.precision)) {
        case Fill::Safe:
            return Foot::tr("%1 fully masked: zeros").arg(count);
        case Fill::Inf:
            return Foot::tr("%1 fully masked: NaN").arg(count);
        case Fill::MinusBillion:
            break;
    }
    return Foot::tr("%1 fully masked: uniform").arg(count);
}

QString rowsText(const Trace& trace) {
    const RowCheck& check = trace.row_check;
    if (check.rows == 0) return Foot::tr("rows not counted");
    QStringList parts;
    const bool sinks = trace.request.mask.has_rule(ScoreRule::Kind::Sink);
    if (check.sum_to_one == check.rows)
        parts << (sinks ? Foot::tr("rows and sinks sum to 1 ✓") : Foot::tr("rows sum to 1 ✓"));
    else
        parts << Foot::tr("%1 of %2 rows sum to 1", nullptr, counted(check.rows)).arg(check.sum_to_one).arg(check.rows);
    if (check.fully_masked > 0) parts << fullyMaskedText(trace);
    if (check.not_finite > 0) parts << Foot::tr("%1 NaN or infinite").arg(check.not_finite);
    return parts.join(QStringLiteral(" · "));
}

/// Shows a fact. Its label keeps a width that is a little too large, because another width lays out the window again.
void setFact(QLabel* fact, const QString& text) {
    constexpr int kSpare = 40;
    fact->setText(text);
    const QSize needed = fact->sizeHint();
    const int spare = fact->minimumWidth() - needed.width();
    if (spare < 0 || spare > kSpare || fact->minimumHeight() != needed.height()) fact->setFixedSize(needed);
}

}  // namespace

Foot::Foot(Session& session, QWidget* parent)
    : QStatusBar(parent),
      session_(session),
      tiles_(TileStore::shared()),
      cell_(plainLabel(this, QStringLiteral("footCell"))),
      coarse_(plainLabel(this, QStringLiteral("footCoarse"))),
      rows_(plainLabel(this, QStringLiteral("footRows"))),
      memory_(plainLabel(this, QStringLiteral("footMemory"))),
      cost_(plainLabel(this, QStringLiteral("footCost"))),
      cancel_(new QShortcut(QKeySequence(Qt::Key_Escape), this)) {
    setObjectName(QStringLiteral("foot"));
    setSizeGripEnabled(false);
    addWidget(new LabelPlace(cell_, this), 1);
    for (auto* fact : {coarse_, rows_, memory_, cost_}) {
        fact->setContentsMargins(8, 0, 8, 0);
        addPermanentWidget(fact);
    }
    coarse_->hide();
    connect(tiles_.get(), &TileStore::progressChanged, this, &Foot::showCoarse);
    connect(&session, &Session::traceChanged, this, &Foot::showTrace);
    connect(&session, &Session::traceChanged, this, &Foot::showCell);
    connect(&session, &Session::hoverChanged, this, &Foot::showCell);
    connect(&session, &Session::selectionChanged, this, &Foot::showCell);
    connect(&session, &Session::draftChanged, this, &Foot::showCell);
    connect(&session, &Session::draftChanged, this, &Foot::showCost);
    connect(&session, &Session::computingChanged, this, &Foot::watchComputing);
    cancel_->setEnabled(false);
    connect(cancel_, &QShortcut::activated, &session, &Session::cancelComputing);
    constexpr int kTickMs = 100;
    tick_.setInterval(kTickMs);
    connect(&tick_, &QTimer::timeout, this, &Foot::showProgress);
    connect(&session, &Session::computeFailed, this, &Foot::showCost);
    showTrace();
    showCell();
}

void Foot::showCell() {
    const auto& trace = session_.trace();
    const auto cell = session_.hover() ? session_.hover() : session_.selection().locked;
    const auto text = trace && cell ? cellSentence(*trace, session_.selection(), *cell) : QString();
    sentence_ = !text.isEmpty() ? text
                : isOutOfDate() ? tr("Out of date: the picture shows the last legal settings.")
                                : tr("Point at a cell to read it; click to lock it.");
    setTextColor(cell_, text.isEmpty() && isOutOfDate() ? Role::Warning : Role::Text);
    cell_->setToolTip(plainToolTip(text));
    fit(false);
}

bool Foot::isOutOfDate() const {
    return session_.trace() && !session_.reading().request;
}

void Foot::showFacts() {
    fit(true);
}

/// Hides facts until the sentence fits. Hidden facts are shown again only with `all`, when the window or the trace
/// changes, so that they don't flicker while the mouse moves over cells. Determines what fits before it shows anything:
/// a fact that is shown may resize the window, which calls this again.
void Foot::fit(bool all) {
    int room = width() - cell_->fontMetrics().horizontalAdvance(sentence_) - 16;
    if (!coarse_->isHidden()) room -= coarse_->sizeHint().width() + 6;
    for (auto* fact : {rows_, memory_, cost_}) {
        const bool wanted = (fact == cost_ || session_.trace()) && (all || !fact->isHidden());
        if (wanted) room -= fact->minimumWidth() + 6;
        const bool visible = wanted && room >= 0;
        if (visible == fact->isHidden()) fact->setVisible(visible);
    }
    cell_->setText(cell_->fontMetrics().elidedText(sentence_, Qt::ElideRight, std::max(0, width() - 12)));
}

void Foot::resizeEvent(QResizeEvent* event) {
    QStatusBar::resizeEvent(event);
    showFacts();
}

void Foot::changeEvent(QEvent* event) {
    QStatusBar::changeEvent(event);
    if (event->type() == QEvent::FontChange) showTrace();
    if (event->type() == QEvent::PaletteChange) showCell();
}

/// What is still coarse in the maps.
void Foot::showCoarse() {
    const TileProgress progress = tiles_->progress();
    if (!progress.complete()) {
        const auto share = 100 * progress.exact / progress.visible;
        coarse_->setText(progress.failed > 0 ? tr("coarse maps: %1% exact, the memory does not suffice").arg(share)
                                             : tr("coarse maps: %1% exact").arg(share));
    }
    coarse_->setToolTip(
        plainToolTip(tr("The scores and weights of so many tokens are not kept. The maps show a sample of the cells "
                        "until the exact ones are computed. A hovered or locked cell is always exact.")));
    if (coarse_->isHidden() == !progress.complete()) {
        coarse_->setVisible(!progress.complete());
        showFacts();
    }
}

void Foot::showTrace() {
    const auto& trace = session_.trace();
    showCost();
    if (!trace) return showFacts();
    setFact(memory_, memoryText(*trace));
    memory_->setToolTip(plainToolTip(memoryTip(*trace)));
    setFact(rows_, rowsText(*trace));
    rows_->setToolTip(
        tr("Rows, one for each query in each head: %1. Sum to 1 within what the precision allows: %2. Fully "
           "masked: %3. With an allowed key, but NaN or infinite: %4. Largest error of a sum: %5.")
            .arg(trace->row_check.rows)
            .arg(trace->row_check.sum_to_one)
            .arg(trace->row_check.fully_masked)
            .arg(trace->row_check.not_finite)
            .arg(numberText(trace->row_check.largest_error, 2)));
    showFacts();
}

void Foot::watchComputing() {
    if (!session_.isComputing()) {
        tick_.stop();
        cancel_->setEnabled(false);
    } else if (!tick_.isActive()) {
        since_.start();
        tick_.start();
    }
    showCost();
}

void Foot::showProgress() {
    constexpr qint64 kShort = 500;  // milliseconds that need no progress
    if (since_.elapsed() < kShort) return;
    cancel_->setEnabled(session_.canCancel());
    showCost();
}

void Foot::showCost() {
    const auto& trace = session_.trace();
    setTextColor(cost_, isOutOfDate() ? Role::Warning : Role::Text);
    if (isOutOfDate())
        setFact(cost_, tr("out of date"));
    else if (session_.isComputing())
        setFact(cost_, cancel_->isEnabled()
                           ? tr("computing, %1% · Esc cancels").arg(static_cast<int>(100 * session_.progress()))
                           : tr("computing …"));
    else if (session_.computeError())
        setFact(cost_, tr("not computed"));
    else if (trace)
        setFact(cost_, tr("computed in %1 ms")
                           .arg(trace->milliseconds < 0.05 ? QStringLiteral("<0.1")
                                                           : QLocale::c().toString(trace->milliseconds, 'f', 1)));
    QStringList stages;
    if (trace)
        for (const auto stage : trace->computed) stages << QString::fromUtf8(to_string(stage).data());
    cost_->setToolTip(stages.isEmpty()
                          ? tr("Time of the last computation.")
                          : tr("Time of the last computation. Computed: %1.").arg(stages.join(QStringLiteral(", "))));
}

}  // namespace headscope
