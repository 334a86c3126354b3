// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tokens/sequence_dots.h"

#include <QPointer>
#include <QWindow>

#include "ui/panels/tokens/token_chips.h"

namespace headscope {
namespace {

class Dot : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    Dot(TokenChips* chips, int row) : chips_(chips), row_(row) {}

    bool isValid() const override { return chips_ && row_ < chips_->rowCount(); }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return chips_ ? chips_->window()->windowHandle() : nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(chips_); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::RadioButton; }

    QString text(QAccessible::Text which) const override {
        if (!isValid()) return {};
        if (which == QAccessible::Name) return TokenChips::tr("Sequence %1").arg(row_);
        return which == QAccessible::Description ? chips_->lineText(row_) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override {
        if (!isValid()) return {};
        const QRect dot = chips_->dotRect(row_);
        return {chips_->viewport()->mapToGlobal(dot.topLeft()), dot.size()};
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.invalid = !isValid();
        if (state.invalid) return state;
        state.checkable = true;
        state.checked = chips_->shownRow() == row_;
        state.offscreen = !chips_->viewport()->rect().intersects(chips_->dotRect(row_));
        return state;
    }

    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& action) override {
        if (isValid() && action == pressAction()) chips_->showSequence(row_);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    QPointer<TokenChips> chips_;
    int row_;
};

}  // namespace

SequenceDots::SequenceDots(TokenChips* chips) : QAccessibleWidget(chips, QAccessible::Grouping) {}

SequenceDots::~SequenceDots() {
    for (const auto& [row, id] : dots_) QAccessible::deleteAccessibleInterface(id);
}

QAccessibleInterface* SequenceDots::make(const QString&, QObject* object) {
    auto* chips = qobject_cast<TokenChips*>(object);
    return chips ? new SequenceDots(chips) : nullptr;
}

TokenChips* SequenceDots::chips() const {
    return static_cast<TokenChips*>(object());
}

int SequenceDots::childCount() const {
    return chips()->rowCount();
}

QAccessibleInterface* SequenceDots::child(int index) const {
    if (index < 0 || index >= childCount()) return nullptr;
    const auto found = dots_.find(index);
    if (found != dots_.end()) return QAccessible::accessibleInterface(found->second);
    auto* dot = new Dot(chips(), index);
    dots_[index] = QAccessible::registerAccessibleInterface(dot);
    return dot;
}

int SequenceDots::indexOfChild(const QAccessibleInterface* child) const {
    for (const auto& [row, id] : dots_)
        if (QAccessible::accessibleInterface(id) == child) return row;
    return -1;
}

QAccessibleInterface* SequenceDots::childAt(int x, int y) const {
    for (int row = 0; row < childCount(); ++row)
        if (child(row)->rect().contains(x, y)) return child(row);
    return nullptr;
}

}  // namespace headscope
