// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QWidget>
#include <optional>

#include "ui/state/draft.h"

class QGridLayout;
class QLabel;

namespace headscope {

/// Legal values for one field, nearest first.
struct Offer {
    Field field;
    QStringList values;
    bool operator==(const Offer&) const = default;
};

/// The error text beside a control whose value is illegal, with links to the nearest legal values. Hidden if there is
/// no problem.
class ProblemNote : public QWidget {
    Q_OBJECT
public:
    explicit ProblemNote(QWidget* parent = nullptr);
    void showProblem(const QString& sentence, const QList<Offer>& offers = {});
    void clear() { showProblem({}); }
    QString sentence() const;
    /// Applies the first offered value, for one field or for any; false if there is none.
    bool takeFirst(std::optional<Field> field = {});

Q_SIGNALS:
    void taken(headscope::Field field, const QString& value);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showOffers();
    void applyColors();

    QLabel* label_;
    QGridLayout* offers_layout_;
    QList<Offer> offers_;
};

}  // namespace headscope
