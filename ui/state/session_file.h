// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <optional>

#include "core/base/result.h"
#include "ui/state/lesson.h"

namespace headscope {

/// The language of the interface and of figures: "en" or "zh_CN".
QString interfaceLanguage();

/// Settings of a figure, in the pictures that carry a session: with them the same picture is written again.
struct SavedFigure {
    double width = 960, height = 640;  ///< as chosen, in 1/96 inch; before the margins are trimmed
    int dpi = 96;
    bool dark = false;
    QString title{};
    bool all_sequences = false, caption = true, numbers = false, trim = false;
    QString language = QStringLiteral("en");
    bool operator==(const SavedFigure&) const = default;
};

/// What the window shows: a .headscope file, and what a picture carries. docs/session.schema.json describes the JSON.
struct SavedSession {
    /// All fields of the draft, and of B where it was changed on page Compare, as typed, legal or not.
    LessonState state{};
    /// The parts of the window that are shown, of savedPanels().
    QStringList panels = {QStringLiteral("tokens"), QStringLiteral("parameters"), QStringLiteral("shapes")};
    bool shapes_folded = false;
    std::optional<SavedFigure> figure{};  ///< only in pictures
    bool operator==(const SavedSession&) const = default;
};

/// "tokens", "parameters", "shapes"
const QStringList& savedPanels();

/// A session file is at most this large.
inline constexpr qint64 kLargestSession = 16'000'000;

bool isSessionName(const QString& path);  ///< .headscope
/// The content of a session file, from which parseSession() reads the same. Equal sessions give equal bytes.
QByteArray sessionJson(const SavedSession& session);
/// Reads a session strictly. Each error names the file, the place in it and what would be right: FileFormat if it is
/// not JSON, FileContent for a newer version, unknown keys and values that can't be read.
Result<SavedSession> parseSession(const QByteArray& json, const QString& name);
Result<SavedSession> readSession(const QString& path);

/// The state of a session, with every field set.
LessonState savedState(const Draft& draft, const Selection& selection, const std::optional<Draft>& b);
/// The draft of such fields; those that are missing have the defaults.
Draft savedDraft(const std::map<Field, QString>& fields);

}  // namespace headscope
