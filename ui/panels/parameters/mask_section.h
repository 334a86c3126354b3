// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>

#include "core/masks/mask_text.h"
#include "core/masks/pattern.h"
#include "ui/panels/parameters/section.h"

class QBoxLayout;
class QCheckBox;
class QLineEdit;
class QPushButton;

namespace headscope {

/// The mask as check boxes and as a text line, two editors of one expression: a box is a layer of its own, the line can
/// express everything. A box is partially checked if its pattern is combined with others in one layer. The boxes are
/// generated from the table of patterns (core/masks/pattern.h).
class MaskSection : public Section {
    Q_OBJECT
public:
    explicit MaskSection(Session& session, QWidget* parent = nullptr);

Q_SIGNALS:
    void paintWanted();  ///< emitted to open the mask editor

protected:
    void refresh() override;

private:
    /// A check box, the words that its pattern may have, and the pattern that it inserts when it is checked.
    struct Box {
        QCheckBox* check;
        std::vector<std::string_view> words;
        QString tip;
        std::function<std::string()> pattern;
    };
    /// The number boxes of a pattern that has its own check box.
    struct OwnNumbers {
        const PatternType* type;
        QList<StepEdit*> edits;
    };

    QCheckBox* addBox(const QString& objectName, const PatternType& type);
    QCheckBox* addBox(const QString& label, const QString& objectName, const QString& tip,
                      std::vector<std::string_view> words, std::function<std::string()> pattern);
    void addOwn(const PatternType& type);
    void addSparse();
    void addSparseNumbers();
    void addFileBox();
    void addPaintedBox();
    void addExpression();
    void addFill();
    StepEdit* addMaskNumber(const QString& label, const QString& name, const QString& tip, qint64 low);

    /// The text of the line, or the mask of the weights file if the line is empty.
    std::string text() const;
    /// Its layers; none if it describes heads apart, which the boxes can't.
    MaskText mask() const;
    void put(const MaskText& mask);
    void put(const std::vector<std::string_view>& words, const std::string& pattern);
    void toggle(const Box& box);
    void typeNumber(const PatternType& type, std::size_t which, const QString& typed);
    void chooseFile();
    /// The pattern that the list of sparse patterns shows; null if the mask has none.
    const PatternType* sparseType() const;
    /// A pattern with its last used numbers.
    std::string remembered(const PatternType& type) const;

    void forget();
    void remember(const MaskText& mask, const PatternType& type);
    void showBoxes(const MaskText& mask);
    void showSparse(const MaskText& mask);
    void showPadding(const MaskText& mask);
    void showCount();
    void showHeads();
    void showFill();
    QString fillText(Fill fill, Precision precision) const;

    QList<Box> boxes_;
    QList<OwnNumbers> own_numbers_;
    QList<StepEdit*> sparse_numbers_;
    WordChoice* sparse_;
    QWidget* sparse_row_;
    QBoxLayout* sparse_layout_;
    QLabel* sparse_label_;
    QMap<const PatternType*, std::vector<std::string>> numbers_;  ///< as last written, whether the pattern is on or off
    QPushButton* file_button_;
    QCheckBox* painted_;
    QLineEdit* line_;
    bool edits_ = false;  ///< the draft changes because of a box of this section
    QLabel* padding_note_ = nullptr;
    QLabel* empty_note_;
    QLabel* fill_note_;
    QLabel* heads_note_;  ///< why the boxes can't be used, and the rules of each head
};

}  // namespace headscope
