// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/elided.h"

#include <algorithm>

#include "ui/state/text_boundaries.h"

namespace headscope {

QString elided(const QString& text, const QFontMetricsF& metrics, double width) {
    if (metrics.horizontalAdvance(text) <= width) return text;
    const auto shortened = [](QStringView beginning) -> QString { return beginning.toString() + u'…'; };
    const QList<QStringView> pieces = graphemes(text);
    const auto beginning = [&](const QStringView& last) { return QStringView(text.cbegin(), last.end()); };
    // The first grapheme at which the prefix is too wide.
    const auto beyond = std::partition_point(pieces.begin(), pieces.end(), [&](const QStringView& last) {
        return metrics.horizontalAdvance(shortened(beginning(last))) <= width;
    });
    if (beyond != pieces.begin()) return shortened(beginning(*std::prev(beyond)));
    const QString ellipsis(u'…');
    return metrics.horizontalAdvance(ellipsis) <= width ? ellipsis : QString();
}

}  // namespace headscope
