// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/chunk_words.h"

#include <QCoreApplication>
#include <cmath>

#include "core/base/memory.h"
#include "ui/look/plural.h"
#include "ui/maps/cell_explanation.h"

namespace headscope {

namespace {

QString tr(const char* text, const char* comment = nullptr, int count = -1) {
    return QCoreApplication::translate("headscope", text, comment, count);
}

QString range(std::int64_t first, std::int64_t count) {
    const QString from = QString::number(first);
    return count == 1 ? from : from + QChar(0x2013) + QString::number(first + count - 1);
}

QString bytes(std::uint64_t count) {
    return QString::fromStdString(format_bytes(count));
}

/// What the row held before this tile: -inf where nothing.
double maximumBefore(const ChunkAccount& account, std::size_t step) {
    return step > 0 ? account.steps[step - 1].maximum : -std::numeric_limits<double>::infinity();
}

}  // namespace

std::int64_t tellingChunkSize(std::int64_t tokens) {
    if (tokens < 2) return 0;
    std::int64_t size = 1;
    while (size * 5 <= tokens) size *= 2;
    return size;
}

QString tileSentence(const ChunkAccount& account, std::size_t step) {
    const ChunkStep& tile = account.steps[step];
    const std::int64_t cells = tile.queries * tile.keys;
    QString text;
    if (tile.skipped)
        text = tr("Tile %1 of %2: queries %3 × keys %4 is skipped: it is fully masked.");
    else if (tile.allowed_cells == 0)
        text =
            tr("Tile %1 of %2: queries %3 × keys %4 is computed although it is fully masked: with −1e9 a masked key "
               "may take weight.");
    else if (tile.allowed_cells == cells)
        text = tr("Tile %1 of %2: queries %3 × keys %4 is computed: all of its %6 cells are allowed.", nullptr,
                  counted(cells));
    else
        text = tr("Tile %1 of %2: queries %3 × keys %4 is computed: %5 of its %6 cells are allowed.", nullptr,
                  counted(tile.allowed_cells));
    return text.replace(QLatin1String("%1"), QString::number(step + 1))
        .replace(QLatin1String("%2"), QString::number(account.steps.size()))
        .replace(QLatin1String("%3"), range(tile.first_query, tile.queries))
        .replace(QLatin1String("%4"), range(tile.first_key, tile.keys))
        .replace(QLatin1String("%5"), QString::number(tile.allowed_cells))
        .replace(QLatin1String("%6"), QString::number(cells));
}

QString rowSentence(const ChunkAccount& account, std::size_t step) {
    const ChunkStep& tile = account.steps[step];
    const QString query = QString::number(account.query);
    const double before = maximumBefore(account, step);
    const QString maximum = numberText(tile.maximum), sum = numberText(tile.sum);
    if (!tile.holds_row) return tr("Row %1 is not in this tile.").arg(query);
    if (tile.skipped) return tr("Row %1 does not change.").arg(query);
    if (tile.maximum == -std::numeric_limits<double>::infinity())
        return tr("Row %1 has had no allowed key yet.").arg(query);
    if (before == -std::numeric_limits<double>::infinity())
        return tr("Row %1 begins: its running maximum is %2, its running sum %3.").arg(query, maximum, sum);
    if (tile.maximum != before)
        return tr("Row %1: the maximum rises from %2 to %3, so the running values are rescaled by %4; the sum is now "
                  "%5.")
            .arg(query, numberText(before), maximum, numberText(tile.shrink), sum);
    return tr("Row %1: the running maximum stays %2; the running sum is now %3.").arg(query, maximum, sum);
}

QString closingSentence(const Trace& trace, const ChunkAccount& account, bool computed) {
    QString far = tr("Against the whole computation, the weights of row %1 differ by at most %2 and its context by %3.")
                      .arg(QString::number(account.query), numberText(account.weight_difference, 2),
                           numberText(account.context_difference, 2));
    if (computed && !std::isnan(trace.chunk_difference))  // NaN: not compared
        far += QLatin1Char(' ') +
               tr("The output of the layer differs by at most %1.").arg(numberText(trace.chunk_difference, 2));
    const QString memory =
        tr("Scores and weights of this head: %1 whole, %2 at a time; %3 of %4 tiles are skipped, which saves %5.")
            .arg(bytes(account.bytes_whole), bytes(account.bytes_at_a_time), QString::number(account.skipped),
                 QString::number(account.steps.size()), bytes(account.bytes_skipped));
    return far + QLatin1Char('\n') + memory;
}

QString oneTileSentence(const Request& request, std::int64_t shown) {
    const auto size = [](std::optional<std::int64_t> chunk) { return chunk ? QString::number(*chunk) : tr("whole"); };
    return tr("Chunks of %1 queries × %2 keys make one tile of these %3 tokens. Shown here with %4 × %4.")
        .arg(size(request.chunk_size), size(request.key_chunk_size), QString::number(request.dims().sequence_length),
             QString::number(shown));
}

}  // namespace headscope
