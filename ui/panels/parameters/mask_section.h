// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>

#include "ui/panels/parameters/mask_text.h"
#include "ui/panels/parameters/section.h"

class QBoxLayout;
class QCheckBox;
class QLineEdit;
class QPushButton;

namespace headscope {

/// The mask as boxes and as a line, two ways to say one expression: a box is a layer of its own, the line can say
/// everything. A box whose pattern the line has put beside others in a layer is half checked.
class MaskSection : public Section {
    Q_OBJECT
public:
    explicit MaskSection(Session& session, QWidget* parent = nullptr);

Q_SIGNALS:
    void paintWanted();  ///< a person wants the mask editor

protected:
    void refresh() override;

private:
    /// A box, the names that its pattern may have, and what it puts in when it is checked.
    struct Box {
        QCheckBox* check;
        QStringList names;
        QString tip;
        std::function<QString()> pattern;
    };

    QCheckBox* addBox(const QString& label, const QString& name, const QString& tip, const QStringList& names,
                      std::function<QString()> pattern);
    void addSimple();
    void addLocal();
    void addSparse();
    void addFileBox();
    void addPaintedBox();
    void addExpression();
    void addFill();
    StepEdit* addMaskNumber(const QString& label, const QString& name, const QString& tip, qint64 low);

    /// What the line says, or what the weights file says where it says nothing.
    QString expression() const;
    void toggle(const Box& box);
    void put(const QStringList& names, const QString& pattern);
    void chooseFile();
    QString sparsePattern() const;

    void showBoxes(const MaskText& mask);
    void showLocal(const MaskText& mask);
    void showSparse(const MaskText& mask);
    void showCount();
    void showFill();

    QList<Box> boxes_;
    QList<StepEdit*> local_, sparse_numbers_;
    WordChoice* sparse_;
    QWidget* sparse_row_;
    QBoxLayout* sparse_layout_;
    QLabel* sparse_label_;
    QMap<QString, QStringList> remembered_;  ///< the numbers of patterns that are switched off
    QPushButton* file_button_;
    QCheckBox* painted_;
    QLineEdit* line_;
    QLabel* empty_note_;
    QLabel* fill_note_;
};

}  // namespace headscope
