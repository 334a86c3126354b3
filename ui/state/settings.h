// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <optional>
#include <utility>

#include "ui/state/appearance.h"
#include "ui/state/draft.h"
#include "ui/state/selection.h"

/// What the window remembers from one start to the next. A setting is a key, a type and a default in one place; what a
/// file of settings holds beside that, or in a form that can't be meant, counts as not there. Exports read none of it.
namespace headscope::settings {

/// T is bool, int, QString, QStringList, QByteArray or Theme.
template <typename T>
class Setting {
public:
    /// meant: tells a value that makes sense; nothing = all do.
    Setting(const char* key, T fallback, bool (*meant)(const T&) = nullptr)
        : key_(key), fallback_(std::move(fallback)), meant_(meant) {}
    T get() const;
    void set(const T& value) const;
    /// False where the file of settings holds something else under this key.
    bool isUsable() const;
    const char* key() const { return key_; }

private:
    const char* key_;
    T fallback_;
    bool (*meant_)(const T&);
};

inline const Setting<Theme> theme{"window/theme", Theme::Light};
inline const Setting<int> fontSize{"window/font_size", 10,
                                   [](const int& points) { return points >= 6 && points <= 48; }};
/// Of the window: "en", "zh_CN", or nothing for the system's.
inline const Setting<QString> language{
    "window/language", {}, [](const QString& name) { return name.isEmpty() || name == u"en" || name == u"zh_CN"; }};
// Bytes are kept with a checksum: Qt restores a window from them unchecked, and may crash on bytes of another origin.
inline const Setting<QByteArray> windowGeometry{"window/geometry", {}};
inline const Setting<QByteArray> windowLayout{"window/layout", {}};  ///< QMainWindow::saveState()
inline const Setting<bool> shapesFolded{"window/shapes_folded", false};
inline const Setting<QStringList> recentFiles{"files/recent", {}};  ///< absolute paths, newest first

/// Puts a file in front of the recent ones, of which ten are kept.
void addRecentFile(const QString& path);
void removeRecentFile(const QString& path);

/// Forgets the values that can't be used, such as a corrupted layout, and keeps the file as it was beside the new one.
/// The name of that copy; nothing where every value can be used.
std::optional<QString> putAsideUnusable();

/// The last work. What was never remembered, or can't be meant any more, is as at the first start.
Draft lastDraft();
Selection lastSelection();
void rememberWork(const Draft& draft, const Selection& selection);

}  // namespace headscope::settings
