// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lesson_controls.h"

#include <QEvent>
#include <QPainter>
#include <QPen>

#include "ui/look/theme.h"

namespace headscope {
namespace {

/// A frame on top of another widget, which it follows.
class Frame : public QWidget {
public:
    explicit Frame(QWidget* around) : QWidget(around) {
        setObjectName(QStringLiteral("lessonFrame"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        around->installEventFilter(this);
        follow();
        show();
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Resize) follow();
        return false;
    }
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(color(Role::Accent, currentTheme()), 3));
        painter.drawRoundedRect(QRectF(rect()).adjusted(2, 2, -2, -2), 4, 4);
    }

private:
    void follow() {
        setGeometry(parentWidget()->rect());
        raise();
    }
};

}  // namespace

void LessonControls::apply(const LessonStep& step, bool everything) {
    if (!before_) {
        before_.emplace();
        for (const auto& [name, part] : parts_) (*before_)[name] = part->isHidden();
    }
    for (const auto& [name, part] : parts_) {
        if (name == u"maps") continue;
        const bool hidden = step.controls && !everything ? !step.controls->contains(name) : before_->at(name);
        part->setHidden(hidden);
    }
    frame(step.highlight);
}

void LessonControls::restore() {
    frame({});
    if (!before_) return;
    for (const auto& [name, part] : parts_)
        if (name != u"maps") part->setHidden(before_->at(name));
    before_.reset();
}

void LessonControls::frame(const QStringList& names) {
    for (const QPointer<QWidget>& frame : frames_) delete frame;
    frames_.clear();
    for (const QString& name : names)
        if (const auto part = parts_.find(name); part != parts_.end()) frames_ << new Frame(part->second);
}

}  // namespace headscope
