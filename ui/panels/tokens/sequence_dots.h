// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessibleWidget>
#include <map>

namespace headscope {

class TokenChips;

/// What assistive technology reads of the token chips: the dots before the lines are radio buttons, each with the
/// number and the tokens of its sequence, that show a sequence when they are pressed.
class SequenceDots : public QAccessibleWidget {
public:
    explicit SequenceDots(TokenChips* chips);
    ~SequenceDots() override;

    /// For QAccessible::installFactory(); null for other classes.
    static QAccessibleInterface* make(const QString& class_name, QObject* object);

    int childCount() const override;
    QAccessibleInterface* child(int index) const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* childAt(int x, int y) const override;

private:
    TokenChips* chips() const;
    mutable std::map<int, QAccessible::Id> dots_;
};

}  // namespace headscope
