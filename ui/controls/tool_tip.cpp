// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/tool_tip.h"

#include <QCoreApplication>
#include <QTextBoundaryFinder>

namespace headscope {

QString plainToolTip(const QString& text, int graphemes) {
    QString shown = text;
    QTextBoundaryFinder clusters(QTextBoundaryFinder::Grapheme, text);
    for (int i = 0; i < graphemes && clusters.toNextBoundary() >= 0; ++i) {
    }
    if (clusters.position() >= 0 && clusters.position() < text.size()) {
        const auto size = static_cast<int>(text.size());
        shown = text.first(clusters.position()) + u'…' +
                QCoreApplication::translate("ToolTip", " (%n characters)", nullptr, size);
    }
    return QStringLiteral("<p style='white-space:pre-wrap'>") + shown.toHtmlEscaped() + QStringLiteral("</p>");
}

}  // namespace headscope
