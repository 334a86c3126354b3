// SPDX-License-Identifier: GPL-3.0-or-later
// The mask as boxes and as a line, in the parameter panel.
#include <QFileDialog>
#include <QTemporaryDir>

#include "core/files/mask_file.h"
#include "core/masks/pattern.h"
#include "panel_support.h"
#include "ui/panels/parameters/parameter_panel.h"

using namespace headscope;

class TestMaskSection : public QObject {
    Q_OBJECT

    std::unique_ptr<Session> session_;
    std::unique_ptr<ParameterPanel> panel_;
    QTemporaryDir folder_;

    const QString& draft(Field field) const { return session_->draft().value(field); }

private Q_SLOTS:
    void init() {
        session_ = std::make_unique<Session>();
        panel_ = std::make_unique<ParameterPanel>(*session_);
        QVERIFY(showPanel(*panel_, *session_, 900));
    }
    void cleanup() {
        panel_.reset();
        session_.reset();
    }

    void boxesWriteTheLine() {
        const auto line = [&] { return textOf(*panel_, "maskExpression"); };
        click(*panel_, "maskPadding");
        QCOMPARE(line(), QStringLiteral("padding"));
        click(*panel_, "maskCausal");
        QCOMPARE(line(), QStringLiteral("padding,causal"));
        QTRY_COMPARE(control<QLabel>(*panel_, "allowedCells")->text(), QStringLiteral("55 of 100 allowed"));
        session_->setSequence(1);
        QTRY_COMPARE(control<QLabel>(*panel_, "allowedCells")->text(), QStringLiteral("27 of 100 allowed"));
        click(*panel_, "maskLocal");
        QCOMPARE(line(), QStringLiteral("padding,causal,local:2:0"));
        type(*panel_, "maskLocalLeft", QStringLiteral("3"));
        QCOMPARE(line(), QStringLiteral("padding,causal,local:3:0"));
        QTest::keyClick(control(*panel_, "maskLocalRight"), Qt::Key_Up);
        QCOMPARE(line(), QStringLiteral("padding,causal,local:3:1"));
        click(*panel_, "maskPadding");
        QCOMPARE(line(), QStringLiteral("causal,local:3:1"));
        click(*panel_, "maskSparse");
        QCOMPARE(line(), QStringLiteral("causal,local:3:1,strided:4"));
        choose(*panel_, "maskSparsePattern", QStringLiteral("Dilated"));
        QCOMPARE(line(), QStringLiteral("causal,local:3:1,dilated:2:2:2"));
        type(*panel_, "maskSparse2", QStringLiteral("3"));
        QCOMPARE(line(), QStringLiteral("causal,local:3:1,dilated:2:2:3"));
        click(*panel_, "maskSparse");
        click(*panel_, "maskCausal");
        click(*panel_, "maskLocal");
        QCOMPARE(line(), QStringLiteral("none"));
        click(*panel_, "maskLocal");  // its numbers are remembered
        QCOMPARE(line(), QStringLiteral("local:3:1"));
    }

    void anIllegalNumberOfABoxStaysAndIsAnswered() {
        type(*panel_, "maskLocalLeft", QStringLiteral("-1"));
        QCOMPARE(textOf(*panel_, "maskExpression"), QStringLiteral("local:-1:0"));
        QCOMPARE(textOf(*panel_, "maskLocalLeft"), QStringLiteral("-1"));
        QCOMPARE(stateOf(*panel_, "maskLocal"), Qt::Checked);
        QVERIFY(!problemOf(*panel_, "maskExpression").isEmpty());
        QTest::keyClick(control(*panel_, "maskLocalLeft"), Qt::Key_Up);
        QCOMPARE(problemOf(*panel_, "maskExpression"), QString());
    }

    void theFileDialogOffersWhatCanBeRead() {
        click(*panel_, "maskFileChoose");
        auto* dialog = panel_->findChild<QFileDialog*>();
        QVERIFY(dialog);
        QStringList endings = dialog->nameFilters().first().section(u'(', 1).section(u')', 0, 0).split(u' ');
        endings.sort();
        QCOMPARE(endings, (QStringList{QStringLiteral("*.csv"), QStringLiteral("*.json"), QStringLiteral("*.npy")}));
        const PaintedMask mask{1, {1}};
        for (const QString& ending : std::as_const(endings)) {
            const QString path = folder_.filePath(u"mask" + ending.mid(1));
            const auto bytes = encode_mask_file(mask, path.toStdString()).value();
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size()));
            file.close();
            QCOMPARE(read_mask_file(path.toStdString()).value().cells, mask.cells);
        }
    }

    void theLineSetsTheBoxes() {
        type(*panel_, "maskExpression", QStringLiteral("causal,local:4:0+global:1"));
        QCOMPARE(stateOf(*panel_, "maskCausal"), Qt::Checked);
        QCOMPARE(stateOf(*panel_, "maskPadding"), Qt::Unchecked);
        QCOMPARE(stateOf(*panel_, "maskLocal"), Qt::PartiallyChecked);
        QVERIFY(control(*panel_, "maskLocal")->toolTip().contains(QStringLiteral("expression")));
        QCOMPARE(textOf(*panel_, "maskLocalLeft"), QStringLiteral("4"));
        QCOMPARE(stateOf(*panel_, "maskSparse"), Qt::PartiallyChecked);
        QCOMPARE(control<QComboBox>(*panel_, "maskSparsePattern")->currentText(), QStringLiteral("Global"));
        QCOMPARE(textOf(*panel_, "maskSparse0"), QStringLiteral("1"));
        QVERIFY(!control(*panel_, "maskSparse1")->isVisible());

        type(*panel_, "maskLocalLeft", QStringLiteral("6"));  // changes that pattern and leaves the others
        QCOMPARE(textOf(*panel_, "maskExpression"), QStringLiteral("causal,local:6:0+global:1"));
        click(*panel_, "maskPadding");
        QCOMPARE(textOf(*panel_, "maskExpression"), QStringLiteral("causal,local:6:0+global:1,padding"));
        click(*panel_, "maskLocal");  // a half checked box is taken out
        QCOMPARE(textOf(*panel_, "maskExpression"), QStringLiteral("causal,global:1,padding"));
        QCOMPARE(stateOf(*panel_, "maskLocal"), Qt::Unchecked);
        QCOMPARE(stateOf(*panel_, "maskSparse"), Qt::Checked);

        type(*panel_, "maskExpression", QStringLiteral("causal,,padding"));
        QVERIFY(!problemOf(*panel_, "maskExpression").isEmpty());
        QCOMPARE(stateOf(*panel_, "maskCausal"), Qt::Checked);
        QCOMPARE(stateOf(*panel_, "maskPadding"), Qt::Checked);
        type(*panel_, "maskExpression", QStringLiteral("none"));
        for (const char* box : {"maskPadding", "maskCausal", "maskLocal", "maskSparse", "maskFile"})
            QCOMPARE(stateOf(*panel_, box), Qt::Unchecked);
    }

    void moreNumbersThanAPatternHas() {
        const QString typed = QStringLiteral("strided:1:2:3:4:5");
        type(*panel_, "maskExpression", typed);
        const QString problem = problemOf(*panel_, "maskExpression");
        QVERIFY(!problem.isEmpty());
        QCOMPARE(textOf(*panel_, "maskSparse0"), QStringLiteral("1"));
        QVERIFY(!control(*panel_, "maskSparse1")->isVisible());
        type(*panel_, "maskSparse0", QStringLiteral("7"));  // the others stay, and so does the sentence
        QCOMPARE(textOf(*panel_, "maskExpression"), QStringLiteral("strided:7:2:3:4:5"));
        QVERIFY(!problemOf(*panel_, "maskExpression").isEmpty());
        type(*panel_, "maskExpression", QStringLiteral("dilated"));  // and fewer
        type(*panel_, "maskSparse2", QStringLiteral("3"));
        QCOMPARE(textOf(*panel_, "maskExpression"), QStringLiteral("dilated:::3"));
        type(*panel_, "maskExpression", QStringLiteral("local:1:2:3:4"));
        type(*panel_, "maskLocalRight", QStringLiteral("5"));
        QCOMPARE(textOf(*panel_, "maskExpression"), QStringLiteral("local:1:5:3:4"));
        for (const char* text : {"strided:", "global:::::::", "block:+", "local", ":", "strided:4,off:", "dilated:1"}) {
            type(*panel_, "maskExpression", QString::fromLatin1(text));
            for (const char* box : {"maskLocal", "maskSparse", "maskPadding"}) click(*panel_, box);
        }
    }

    /// What the list offers are the sparse patterns of core, each with its numbers and legal at first.
    void everySparsePatternIsOffered() {
        click(*panel_, "maskSparse");
        const auto* list = control<QComboBox>(*panel_, "maskSparsePattern");
        int offered = 0;
        for (const PatternType& pattern : pattern_types()) {
            if (pattern.box != PatternBox::Sparse) continue;
            choose(*panel_, "maskSparsePattern", list->itemText(offered++));
            QCOMPARE(textOf(*panel_, "maskExpression"), QString::fromStdString(example_of(pattern)));
            QCOMPARE(problemOf(*panel_, "maskExpression"), QString());
            QCOMPARE(control(*panel_, "maskSparse0")->isVisible(), !pattern.numbers.empty());
            if (pattern.numbers.empty()) continue;
            type(*panel_, "maskSparse0", QStringLiteral("5"));
            QVERIFY(textOf(*panel_, "maskExpression").contains(u":5"));
            QCOMPARE(problemOf(*panel_, "maskExpression"), QString());
        }
        QCOMPARE(list->count(), offered);
    }

    void aMaskFileIsChosen() {
        QByteArray rows;
        for (int i = 0; i < 10; ++i) rows += i < 2 ? "1,0,0,0,0,0,0,0,0,0\n" : "0,0,0,0,0,0,0,0,0,0\n";
        const QString path = folder_.filePath(QStringLiteral("my,mask+1.csv"));
        writeFile(path, {rows.begin(), rows.end()});
        click(*panel_, "maskFile");
        QCOMPARE(stateOf(*panel_, "maskFile"), Qt::Unchecked);  // until a file is chosen
        acceptDialog(*panel_, path);
        QCOMPARE(stateOf(*panel_, "maskFile"), Qt::Checked);
        QCOMPARE(problemOf(*panel_, "maskExpression"), QString());
        QTRY_COMPARE(control<QLabel>(*panel_, "allowedCells")->text(), QStringLiteral("2 of 100 allowed"));
        QVERIFY(control<QLabel>(*panel_, "fullyMaskedRows")->text().startsWith(u'8'));
        click(*panel_, "maskFile");
        QCOMPARE(textOf(*panel_, "maskExpression"), QStringLiteral("none"));
        QTRY_VERIFY(!control<QLabel>(*panel_, "fullyMaskedRows")->isVisible());
    }

    void theCursorStaysWhereItWas() {
        auto* line = control<QLineEdit>(*panel_, "maskExpression");
        type(*panel_, "maskExpression", QStringLiteral("causal,local:2:0"));
        line->setCursorPosition(6);
        type(*panel_, "maskLocalLeft", QStringLiteral("12"));
        QCOMPARE(line->text(), QStringLiteral("causal,local:12:0"));
        QCOMPARE(line->cursorPosition(), 6);
        line->setCursorPosition(17);
        click(*panel_, "maskCausal");
        QCOMPARE(line->text(), QStringLiteral("local:12:0"));
        QCOMPARE(line->cursorPosition(), 10);
    }

    void fillSaysWhatStandsInMaskedCells() {
        const auto note = [&] { return control<QLabel>(*panel_, "fillNote")->text(); };
        QVERIFY(control(*panel_, "fillNote")->isHidden());  // of no interest while no row is fully masked
        type(*panel_, "maskExpression", QStringLiteral("block:1,prefix:1"));
        QTRY_VERIFY(!control(*panel_, "fillNote")->isHidden());
        QVERIFY(note().contains(QStringLiteral("−∞")) && note().contains(QStringLiteral("zeros")));
        choose(*panel_, "fill", QStringLiteral("raw −inf"));
        QCOMPARE(draft(Field::Fill), QStringLiteral("inf"));
        QVERIFY(note().contains(QStringLiteral("NaN")));
        choose(*panel_, "fill", QStringLiteral("−1e9"));
        QVERIFY2(note().contains(QStringLiteral("−1e9")), qPrintable(note()));
        choose(*panel_, "precision", QStringLiteral("bfloat16"));
        QVERIFY2(note().contains(QStringLiteral("−998244352")), qPrintable(note()));
        choose(*panel_, "precision", QStringLiteral("float16"));
        QVERIFY2(note().contains(QStringLiteral("−∞")) && note().contains(QStringLiteral("NaN")), qPrintable(note()));
        QVERIFY(control<QLabel>(*panel_, "precisionNote")->text().contains(QStringLiteral("imulated")));
    }

    void layersThatAreSwitchedOffAreSwitchedOn() {
        type(*panel_, "maskExpression", QStringLiteral("off:local:4:1,padding"));
        QCOMPARE(stateOf(*panel_, "maskLocal"), Qt::Unchecked);
        QCOMPARE(textOf(*panel_, "maskLocalLeft"), QStringLiteral("4"));
        click(*panel_, "maskLocal");
        QCOMPARE(textOf(*panel_, "maskExpression"), QStringLiteral("local:4:1,padding"));
        type(*panel_, "maskExpression", QStringLiteral("off:causal,causal"));
        QCOMPARE(stateOf(*panel_, "maskCausal"), Qt::Checked);
        click(*panel_, "maskCausal");
        QCOMPARE(textOf(*panel_, "maskExpression"), QStringLiteral("off:causal"));
        QVERIFY(session_->reading().request);
    }

    void paddingSaysWhereItIsToBeSeen() {
        const auto* note = control<QLabel>(*panel_, "paddingNote");
        QVERIFY(note->isHidden());
        click(*panel_, "maskPadding");
        QVERIFY(!note->isHidden());
        QCOMPARE(note->text(), QStringLiteral("Sequence 0 has no [PAD]; sequence 1 has: click its dot."));
        session_->setSequence(1);
        QVERIFY(note->isHidden());
        session_->setSequence(0);
        QVERIFY(!note->isHidden());
        session_->edit(Field::Text, QStringLiteral("no padding\nat all"));
        QVERIFY(note->isHidden());  // nowhere
    }

    void startOverForgetsTheKindAndTheNumbers() {
        click(*panel_, "maskSparse");
        choose(*panel_, "maskSparsePattern", QStringLiteral("Dilated"));
        type(*panel_, "maskSparse0", QStringLiteral("9"));
        type(*panel_, "maskLocalLeft", QStringLiteral("7"));
        click(*panel_, "maskSparse");  // off: remembered
        QCOMPARE(textOf(*panel_, "maskSparse0"), QStringLiteral("9"));
        session_->startOver();
        QCOMPARE(control<QComboBox>(*panel_, "maskSparsePattern")->currentText(), QStringLiteral("Strided"));
        QCOMPARE(textOf(*panel_, "maskSparse0"), QStringLiteral("4"));
        QCOMPARE(textOf(*panel_, "maskLocalLeft"), QStringLiteral("2"));
        session_->undoStack()->undo();
        QCOMPARE(textOf(*panel_, "maskLocalLeft"), QStringLiteral("7"));  // from the mask that came back
    }

    void aPaintingIsNeverLostToAClick() {
        QVERIFY(!control(*panel_, "maskPainted")->isVisible());
        PaintedMask cells{10, std::vector<std::uint8_t>(100, 1)};
        cells.cells[1] = 0;
        MaskPattern painted{MaskPattern::Kind::Painted};
        painted.painted = std::make_shared<const PaintedMask>(cells);
        const QString expression = QString::fromStdString(to_string(MaskExpression{{{painted}}}));
        session_->edit(Field::Mask, expression + QStringLiteral(",causal"));
        QVERIFY(control(*panel_, "maskPainted")->isVisible());
        QCOMPARE(stateOf(*panel_, "maskPainted"), Qt::Checked);
        click(*panel_, "maskPainted");
        QCOMPARE(textOf(*panel_, "maskExpression"), QStringLiteral("off:") + expression + QStringLiteral(",causal"));
        QCOMPARE(stateOf(*panel_, "maskPainted"), Qt::Unchecked);
        QVERIFY(session_->reading().request);
        click(*panel_, "maskPainted");
        QCOMPARE(textOf(*panel_, "maskExpression"), expression + QStringLiteral(",causal"));
        QTRY_COMPARE(control<QLabel>(*panel_, "allowedCells")->text(), QStringLiteral("55 of 100 allowed"));
    }
};

QTEST_MAIN(TestMaskSection)
#include "tst_mask_section.moc"
