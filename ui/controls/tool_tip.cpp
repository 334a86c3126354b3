// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/tool_tip.h"

#include <QCoreApplication>

#include "ui/state/text_boundaries.h"

namespace headscope {

QString plainToolTip(const QString& text, int graphemes) {
    QString shown = firstGraphemes(text, graphemes).toString();
    if (shown.size() < text.size()) {
        const auto size = static_cast<int>(text.size());
        shown += u'…' + QCoreApplication::translate("ToolTip", " (%n characters)", nullptr, size);
    }
    return QStringLiteral("<p style='white-space:pre-wrap'>") + shown.toHtmlEscaped() + QStringLiteral("</p>");
}

}  // namespace headscope
