// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <QWidget>
#include <map>
#include <optional>

#include "ui/state/lesson.h"

namespace headscope {

/// The parts of the window that a step of a lesson shows, hides or frames; their visibility before the lesson is
/// restored after it.
class LessonControls : public QObject {
    Q_OBJECT
public:
    explicit LessonControls(QWidget* window) : QObject(window), window_(window) {}

    /// `name`: of lessonControls().
    void add(const QString& name, QWidget* part) { parts_[name] = part; }
    void apply(const LessonStep& step, bool everything);
    void restore();
    bool isActive() const { return before_.has_value(); }

private:
    void frame(const QStringList& names);

    QWidget* window_;
    std::map<QString, QWidget*> parts_;
    std::optional<std::map<QString, bool>> before_;  ///< which parts were hidden
    QList<QPointer<QWidget>> frames_;
};

}  // namespace headscope
