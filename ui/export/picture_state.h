// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QPdfWriter>
#include <QString>

#include "core/base/result.h"
#include "ui/export/figure.h"
#include "ui/state/session_file.h"

namespace headscope {

// A picture carries the session that it shows as JSON: a PNG in a text chunk "headscope", an SVG as metadata, a PDF as
// an attached file "session.headscope". Nothing is changed for an empty state.

QByteArray pngWithState(const QByteArray& png, const QByteArray& state);
QByteArray svgWithState(const QByteArray& svg, const QByteArray& state);
void attachState(QPdfWriter& writer, const QByteArray& state);

/// A picture by its name, which may carry a session.
bool isPictureName(const QString& path);
/// The session of a .headscope file or of a picture. FileContent if a picture carries none, or has more than 256 MB;
/// and the errors of parseSession().
Result<SavedSession> readAnySession(const QString& path);

/// The style of saved settings, and the settings of a style. The state is none of them.
FigureStyle styleOf(const SavedFigure& figure);
SavedFigure savedFigure(const FigureStyle& style, bool trim, const QString& language);

}  // namespace headscope
