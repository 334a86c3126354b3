// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/parameters/parameter_panel.h"

#include <QAbstractSpinBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QScrollArea>
#include <QSignalSpy>
#include <QStyleOptionSpinBox>
#include <QTemporaryDir>
#include <QWheelEvent>

#include "panel_support.h"
#include "ui/controls/fold.h"
#include "ui/panels/parameters/layer_section.h"

using namespace headscope;

namespace {

QString offered(const char* name, const char* value) {
    return QString::fromLatin1(name) + u'=' + QString::fromLatin1(value);
}

}  // namespace

class TestParameterPanel : public QObject {
    Q_OBJECT

    std::unique_ptr<Session> session_;
    std::unique_ptr<ParameterPanel> panel_;
    QTemporaryDir folder_;

    const QString& draft(Field field) const { return session_->draft().value(field); }
    Fold* more() const { return control<Fold>(*panel_, "more"); }
    void clickOffer(const QString& name) {
        auto* button = panel_->findChild<QAbstractButton*>(name);
        QVERIFY2(button, qPrintable(name));
        QTest::mouseClick(button, Qt::LeftButton);
        QCoreApplication::processEvents();
    }

private Q_SLOTS:
    void init() {
        session_ = std::make_unique<Session>();
        panel_ = std::make_unique<ParameterPanel>(*session_);
        QVERIFY(showPanel(*panel_, *session_, 900));
        more()->setOpen(true);
    }
    void cleanup() {
        panel_.reset();
        session_.reset();
    }

    void everyControlSaysWhatItIs() {
        for (const char* name :
             {"embedDim",  "numHeads",       "weights",        "seed",       "maskPadding",       "maskCausal",
              "maskLocal", "maskLocalLeft",  "maskLocalRight", "maskSparse", "maskSparsePattern", "maskSparse0",
              "maskFile",  "maskFileChoose", "maskExpression", "fill",       "chunkSize",         "keyChunkSize",
              "precision", "scale",          "layout",         "layer",      "recordCode"}) {
            const auto* widget = control(*panel_, name);
            QVERIFY2(!widget->toolTip().isEmpty(), name);
            QVERIFY2(!widget->accessibleName().isEmpty(), name);
            QVERIFY2(!widget->accessibleName().contains(u'&'), name);
            QVERIFY2(widget->focusPolicy() & Qt::TabFocus, name);
        }
    }

    void whatIsChangedLessOftenIsFolded() {
        ParameterPanel panel(*session_);
        panel.show();
        auto* more = control<Fold>(panel, "more");
        QVERIFY(!more->isOpen());
        for (const char* name : {"chunkSize", "keyChunkSize", "precision", "scale", "seed"})
            QVERIFY2(!control(panel, name)->isVisible(), name);
        QCOMPARE(more->summary(), QStringLiteral("chunks 256 × whole · float32 · 1/√64 · seed 0"));
        session_->edit(Field::Seed, QStringLiteral("7"));
        session_->edit(Field::Scale, QStringLiteral("0.5"));
        QCOMPARE(more->summary(), QStringLiteral("chunks 256 × whole · float32 · scale 0.5 · seed 7"));
        QTest::mouseClick(control(panel, "foldHeading"), Qt::LeftButton);
        QVERIFY(more->isOpen() && control(panel, "seed")->isVisible());
        QTest::mouseClick(control(panel, "foldHeading"), Qt::LeftButton);
        QVERIFY(!more->isOpen());
        // A value that is answered with a problem comes into sight.
        session_->edit(Field::ChunkSize, QStringLiteral("0"));
        QVERIFY(more->isOpen() && !problemOf(panel, "chunkSize").isEmpty());
    }

    void aFocusedControlIsScrolledIntoSight() {
        panel_->resize(panel_->width(), 200);
        auto* area = panel_->findChild<QScrollArea*>();
        for (const char* name : {"seed", "embedDim", "maskExpression"}) {
            QWidget* edit = control(*panel_, name);
            edit->setFocus(Qt::ShortcutFocusReason);
            const QRect place(edit->mapTo(area->viewport(), QPoint()), edit->size());
            QVERIFY2(area->viewport()->rect().contains(place), name);
        }
    }

    void startOverIsAtTheFoot() {
        QSignalSpy wanted(panel_.get(), &ParameterPanel::startOverWanted);
        QTest::mouseClick(control(*panel_, "startOver"), Qt::LeftButton);
        QCOMPARE(wanted.size(), 1);
    }

    void mnemonicsDontMeet() {
        QMap<QChar, QString> taken;
        const auto take = [&](const QString& label) {
            const auto at = label.indexOf(u'&');
            if (at < 0) return;
            const QChar key = label[at + 1].toLower();
            QVERIFY2(!taken.contains(key), qPrintable(label + u'/' + taken.value(key)));
            taken[key] = label;
        };
        for (const auto* label : panel_->findChildren<QLabel*>())
            if (label->buddy()) take(label->text());
        for (const auto* box : panel_->findChildren<QCheckBox*>()) take(box->text());
        QVERIFY(taken.size() > 12);
    }

    void startsWithTheDefaults() {
        QCOMPARE(textOf(*panel_, "embedDim"), QStringLiteral("512"));
        QCOMPARE(textOf(*panel_, "numHeads"), QStringLiteral("8"));
        QCOMPARE(control<QLabel>(*panel_, "headDim")->text(), QStringLiteral("64 = 512 / 8"));
        QCOMPARE(control<QComboBox>(*panel_, "weights")->currentText(), QStringLiteral("Textbook"));
        QCOMPARE(textOf(*panel_, "seed"), QStringLiteral("0"));
        QCOMPARE(control<QLabel>(*panel_, "allowedCells")->text(), QStringLiteral("100 of 100 allowed"));
        QCOMPARE(control<QComboBox>(*panel_, "fill")->currentText(), QStringLiteral("safe (−inf)"));
        QCOMPARE(textOf(*panel_, "chunkSize"), QStringLiteral("256"));
        QCOMPARE(textOf(*panel_, "keyChunkSize"), QStringLiteral("whole"));
        QCOMPARE(control<QComboBox>(*panel_, "precision")->currentText(), QStringLiteral("float32"));
        QCOMPARE(textOf(*panel_, "scale"), QStringLiteral("auto"));
        QCOMPARE(control<QLabel>(*panel_, "scaleNote")->text(), QStringLiteral("1/√64 = 0.125"));
        for (const char* name : {"embedDim", "numHeads", "seed", "maskExpression", "chunkSize", "scale"})
            QCOMPARE(problemOf(*panel_, name), QString());
    }

    void everyKeyIsApplied() {
        auto* edit = control(*panel_, "embedDim");
        edit->setFocus();
        QTest::keyClick(edit, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(edit, Qt::Key_9);
        QCOMPARE(draft(Field::EmbedDim), QStringLiteral("9"));
        QVERIFY(problemOf(*panel_, "numHeads").contains(QStringLiteral("9")));
        QCOMPARE(control<QLabel>(*panel_, "headDim")->text(), QStringLiteral("not whole"));
        QTest::keyClick(edit, Qt::Key_6);
        QCOMPARE(draft(Field::EmbedDim), QStringLiteral("96"));
        QCOMPARE(control<QLabel>(*panel_, "headDim")->text(), QStringLiteral("12 = 96 / 8"));
        QCOMPARE(problemOf(*panel_, "numHeads"), QString());
        QTRY_COMPARE(session_->trace()->request.embed_dim, 96);
    }

    void aClashIsAnsweredWithBothNumbersAndLegalOnes() {
        const TracePtr before = session_->trace();
        type(*panel_, "numHeads", QStringLiteral("7"));
        QCOMPARE(textOf(*panel_, "numHeads"), QStringLiteral("7"));
        const QString sentence = problemOf(*panel_, "numHeads");
        QVERIFY2(sentence.contains(QStringLiteral("512")) && sentence.contains(u'7'), qPrintable(sentence));
        QCOMPARE(control(*panel_, "numHeads")->accessibleDescription(), sentence);
        QCOMPARE(session_->trace(), before);
        for (const char* value : {"8", "4"}) QVERIFY(panel_->findChild<QAbstractButton*>(offered("num_heads", value)));
        clickOffer(offered("embed_dim", "518"));
        QCOMPARE(draft(Field::EmbedDim), QStringLiteral("518"));
        QCOMPARE(textOf(*panel_, "embedDim"), QStringLiteral("518"));
        QCOMPARE(control<QLabel>(*panel_, "headDim")->text(), QStringLiteral("74 = 518 / 7"));
        QCOMPARE(problemOf(*panel_, "numHeads"), QString());
    }

    void anOfferIsTakenByClickOrEnter() {
        type(*panel_, "numHeads", QStringLiteral("30"));
        clickOffer(offered("num_heads", "16"));
        QCOMPARE(textOf(*panel_, "numHeads"), QStringLiteral("16"));
        type(*panel_, "numHeads", QStringLiteral("30"));
        QTest::keyClick(control(*panel_, "numHeads"), Qt::Key_Return);
        QCOMPARE(textOf(*panel_, "numHeads"), QStringLiteral("32"));
        QCOMPARE(problemOf(*panel_, "numHeads"), QString());
        QTest::keyClick(control(*panel_, "numHeads"), Qt::Key_Return);
        QCOMPARE(textOf(*panel_, "numHeads"), QStringLiteral("32"));
    }

    void enterEndsAClashFromEitherSide() {
        type(*panel_, "embedDim", QStringLiteral("100"));
        QVERIFY(!problemOf(*panel_, "numHeads").isEmpty());
        QTest::keyClick(control(*panel_, "embedDim"), Qt::Key_Return);
        QCOMPARE(textOf(*panel_, "embedDim"), QStringLiteral("96"));
        QCOMPARE(textOf(*panel_, "numHeads"), QStringLiteral("8"));
        QCOMPARE(problemOf(*panel_, "numHeads"), QString());
        type(*panel_, "embedDim", QStringLiteral("0"));
        QTest::keyClick(control(*panel_, "embedDim"), Qt::Key_Return);
        QCOMPARE(textOf(*panel_, "embedDim"), QStringLiteral("8"));
    }

    void nearestLegalValues() {
        QCOMPARE(nearestNumHeads(512, 7), (QStringList{QStringLiteral("8"), QStringLiteral("4")}));
        QCOMPARE(nearestNumHeads(512, 24), (QStringList{QStringLiteral("16"), QStringLiteral("32")}));
        QCOMPARE(nearestNumHeads(512, 0), QStringList{QStringLiteral("1")});
        QCOMPARE(nearestNumHeads(512, 9999), QStringList{QStringLiteral("512")});
        QCOMPARE(nearestNumHeads(0, 8), QStringList());
        QCOMPARE(nearestEmbedDims(7, 512), (QStringList{QStringLiteral("511"), QStringLiteral("518")}));
        QCOMPARE(nearestEmbedDims(8, 0), QStringList{QStringLiteral("8")});
        QCOMPARE(nearestEmbedDims(8, -100), QStringList{QStringLiteral("8")});
        QCOMPARE(nearestEmbedDims(0, 512), QStringList());
    }

    void illegalValuesStayAndAreAnswered_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("typed");
        const auto add = [](const char* name, std::initializer_list<const char*> values) {
            for (const char* value : values)
                QTest::addRow("%s %s", name, value) << QByteArray(name) << QString::fromUtf8(value);
        };
        add("embedDim", {"0", "-5", "twelve", "", "5.5", "99999999999999999999", "4000000000"});
        add("numHeads", {"0", "-8", "513", "eight", "", "99999999999999999999"});
        add("seed", {"-1", "x", "", "18446744073709551616"});
        add("chunkSize", {"0", "-1", "half", ""});
        add("keyChunkSize", {"0", "1.5", "none"});
        add("scale", {"big", "", "nan", "inf", "1/8"});
        add("maskExpression", {"local:-1:0", "strided:0", "causal,,padding", "sideways", "local:1", "causal+"});
    }
    void illegalValuesStayAndAreAnswered() {
        QFETCH(QByteArray, name);
        QFETCH(QString, typed);
        const TracePtr before = session_->trace();
        paste(*panel_, name.constData(), typed);
        QCOMPARE(textOf(*panel_, name.constData()), typed);
        QVERIFY(!problemOf(*panel_, name.constData()).isEmpty());
        QVERIFY(!session_->reading().request);
        QTest::qWait(20);
        QCOMPARE(session_->trace(), before);  // the last good picture stays
        QTest::keyClick(control(*panel_, name.constData()), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(problemOf(*panel_, name.constData()), QString());
    }

    void arrowKeysStepThroughLegalValues() {
        const auto press = [&](const char* name, Qt::Key key) {
            QTest::keyClick(control(*panel_, name), key);
            return textOf(*panel_, name);
        };
        QCOMPARE(press("numHeads", Qt::Key_Up), QStringLiteral("16"));
        QCOMPARE(press("numHeads", Qt::Key_Down), QStringLiteral("8"));
        type(*panel_, "numHeads", QStringLiteral("7"));
        QCOMPARE(press("numHeads", Qt::Key_Down), QStringLiteral("4"));
        QCOMPARE(press("embedDim", Qt::Key_Up), QStringLiteral("516"));
        type(*panel_, "embedDim", QStringLiteral("513"));
        QCOMPARE(press("embedDim", Qt::Key_Up), QStringLiteral("516"));
        type(*panel_, "embedDim", QStringLiteral("513"));
        QCOMPARE(press("embedDim", Qt::Key_Down), QStringLiteral("512"));
        type(*panel_, "embedDim", QStringLiteral("-7"));
        QCOMPARE(press("embedDim", Qt::Key_Down), QStringLiteral("4"));
        QCOMPARE(press("seed", Qt::Key_Down), QStringLiteral("0"));
        QCOMPARE(press("seed", Qt::Key_Up), QStringLiteral("1"));
        type(*panel_, "seed", QStringLiteral("18446744073709551615"));
        QCOMPARE(press("seed", Qt::Key_Up), QStringLiteral("18446744073709551615"));
        QCOMPARE(press("chunkSize", Qt::Key_Up), QStringLiteral("512"));
        QCOMPARE(press("keyChunkSize", Qt::Key_Up), QStringLiteral("whole"));
        QCOMPARE(press("keyChunkSize", Qt::Key_Down), QStringLiteral("4096"));
        type(*panel_, "chunkSize", QStringLiteral("100"));
        QCOMPARE(press("chunkSize", Qt::Key_Down), QStringLiteral("64"));
    }

    void buttonsStepToo() {
        auto* edit = control<QAbstractSpinBox>(*panel_, "embedDim");
        QStyleOptionSpinBox option;
        option.initFrom(edit);
        option.subControls = QStyle::SC_All;
        option.buttonSymbols = QAbstractSpinBox::UpDownArrows;
        option.stepEnabled = QAbstractSpinBox::StepUpEnabled | QAbstractSpinBox::StepDownEnabled;
        const auto at = [&](QStyle::SubControl part) {
            return edit->style()->subControlRect(QStyle::CC_SpinBox, &option, part, edit).center();
        };
        QTest::mouseClick(edit, Qt::LeftButton, {}, at(QStyle::SC_SpinBoxUp));
        QCOMPARE(draft(Field::EmbedDim), QStringLiteral("520"));
        QTest::mouseClick(edit, Qt::LeftButton, {}, at(QStyle::SC_SpinBoxDown));
        QCOMPARE(draft(Field::EmbedDim), QStringLiteral("512"));
    }

    void theListHoldsTheDivisors() {
        type(*panel_, "embedDim", QStringLiteral("12"));
        auto* box = control<QComboBox>(*panel_, "numHeads");
        QStringList listed;
        for (int i = 0; i < box->count(); ++i) listed << box->itemText(i);
        QCOMPARE(listed.join(u' '), QStringLiteral("1 2 3 4 6 12"));
        QCOMPARE(box->currentText(), QStringLiteral("8"));  // what was typed stands, though it is not in the list
    }

    void theWheelScrollsThePanelAndChangesNothing() {
        for (const char* name : {"embedDim", "numHeads", "precision", "seed", "fill"}) {
            auto* widget = control(*panel_, name);
            widget->setFocus();
            const Draft before = session_->draft();
            QWheelEvent wheel(QPointF(5, 5), widget->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(widget, &wheel);
            QVERIFY2(session_->draft() == before, name);
        }
    }

    void undoIsTheSessions() {
        auto* box = control<QComboBox>(*panel_, "numHeads");
        type(*panel_, "numHeads", QStringLiteral("16"));
        click(*panel_, "maskCausal");
        QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(textOf(*panel_, "numHeads"), QStringLiteral("16"));  // the last step was another control's
        QCOMPARE(stateOf(*panel_, "maskCausal"), Qt::Unchecked);
        QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(textOf(*panel_, "numHeads"), QStringLiteral("8"));
        QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(textOf(*panel_, "numHeads"), QStringLiteral("16"));
        QTest::keyClick(control(*panel_, "maskExpression"), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(textOf(*panel_, "maskExpression"), QStringLiteral("causal"));
        QTest::keyClick(control(*panel_, "embedDim"), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(stateOf(*panel_, "maskCausal"), Qt::Unchecked);
    }

    void anEditorClaimsNoUndoKey() {
        for (const char* name : {"embedDim", "numHeads", "maskExpression", "scale"}) {
            auto* widget = control(*panel_, name);
            QKeyEvent claim(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
            claim.ignore();
            QCoreApplication::sendEvent(widget, &claim);
            QVERIFY2(!claim.isAccepted(), name);
        }
    }

    void scaleSaysWhatItReplaces() {
        type(*panel_, "scale", QStringLiteral("0.5"));
        QCOMPARE(control<QLabel>(*panel_, "scaleNote")->text(), QStringLiteral("in place of 1/√64 = 0.125"));
        type(*panel_, "scale", QStringLiteral("auto"));
        type(*panel_, "numHeads", QStringLiteral("1"));
        QCOMPARE(control<QLabel>(*panel_, "scaleNote")->text(), QStringLiteral("1/√512 = 0.0441942"));
    }

    void aWeightsFileBringsItsOwnNumbers() {
        TensorFile file = layerFile(false);
        file.metadata = {{"num_heads", "2"}, {"mask", "causal"}};
        const QString path = folder_.filePath(QStringLiteral("layer.safetensors"));
        writeFile(path, encode_safetensors(file));
        QVERIFY(!control(*panel_, "weightsFile")->isVisible());
        QVERIFY(!control(*panel_, "layout")->isVisible());

        auto* from = control<QComboBox>(*panel_, "weights");
        QTest::keyClick(from, Qt::Key_End);  // "File…" asks for one
        QCOMPARE(from->currentText(), QStringLiteral("Textbook"));
        acceptDialog(*panel_, path);
        QVERIFY(waitForTrace(*session_));
        QCOMPARE(from->currentText(), QStringLiteral("File…"));
        QCOMPARE(textOf(*panel_, "weightsFile"), path);
        auto* embed_dim = control<QAbstractSpinBox>(*panel_, "embedDim");
        QVERIFY(embed_dim->isReadOnly());
        QCOMPARE(embed_dim->findChild<QLineEdit*>()->placeholderText(), QStringLiteral("8"));
        QCOMPARE(textOf(*panel_, "numHeads"), QString());
        QCOMPARE(control<QComboBox>(*panel_, "numHeads")->lineEdit()->placeholderText(), QStringLiteral("2"));
        QCOMPARE(control<QLabel>(*panel_, "headDim")->text(), QStringLiteral("4 = 8 / 2"));
        QVERIFY(control(*panel_, "layout")->isVisible());
        QVERIFY(!control<QLabel>(*panel_, "assumption")->text().isEmpty());
        QTRY_COMPARE(session_->trace()->request.embed_dim, 8);
        // The file's mask holds where none is given, and a box goes on from it.
        QCOMPARE(stateOf(*panel_, "maskCausal"), Qt::Checked);
        QCOMPARE(textOf(*panel_, "maskExpression"), QString());
        click(*panel_, "maskPadding");
        QCOMPARE(textOf(*panel_, "maskExpression"), QStringLiteral("causal,padding"));
        choose(*panel_, "layout", QStringLiteral("[Q; K; V] blocks"));
        QTRY_COMPARE(session_->trace()->request.file->layout, Layout::Blocks);
        QVERIFY(waitForTrace(*session_));
        type(*panel_, "numHeads", QStringLiteral("3"));
        QVERIFY(!problemOf(*panel_, "numHeads").isEmpty());
        QTest::keyClick(control(*panel_, "numHeads"), Qt::Key_Return);
        QCOMPARE(problemOf(*panel_, "numHeads"), QString());

        QTest::keyClick(from, Qt::Key_Home);
        QCOMPARE(from->currentText(), QStringLiteral("Textbook"));
        QCOMPARE(textOf(*panel_, "embedDim"), QStringLiteral("512"));
        QVERIFY(!embed_dim->isReadOnly());
        QCOMPARE(textOf(*panel_, "numHeads"), QStringLiteral("8"));
        QVERIFY(!control(*panel_, "layout")->isVisible());
    }

    void aModelsLayersAreListedAndOneIsChosen() {
        session_->openFile(writeModel(folder_, QStringLiteral("gpt")) + u'/');
        QVERIFY(waitForTrace(*session_));
        auto* layer = control<QComboBox>(*panel_, "layer");
        QVERIFY(layer->isVisible());
        QCOMPARE(layer->count(), 3);
        QCOMPARE(layer->currentText(), QStringLiteral("0 · h.0.attn · 2 heads, head_dim 4"));
        QVERIFY(!(layer->model()->flags(layer->model()->index(1, 0)) & Qt::ItemIsEnabled));
        QVERIFY(layer->itemData(1, Qt::ToolTipRole).toString().contains(QStringLiteral("q_norm.weight")));
        QVERIFY(control<QLabel>(*panel_, "inputNote")->text().startsWith(QStringLiteral("Typed tokens feed")));
        QVERIFY(!control<QLabel>(*panel_, "inputNote")->text().contains(QStringLiteral("layers before it")));

        const int steps = session_->undoStack()->count();
        QTest::keyClick(layer, Qt::Key_Down);  // skips the refused one
        QVERIFY(waitForTrace(*session_));
        QCOMPARE(layer->currentIndex(), 2);
        QCOMPARE(draft(Field::Layer), QStringLiteral("2"));
        QCOMPARE(session_->trace()->request.file->title, "h.2.attn");
        QVERIFY(control<QLabel>(*panel_, "inputNote")->text().contains(QStringLiteral("layers before it")));
        QCOMPARE(session_->undoStack()->count(), steps + 1);
        session_->undoStack()->undo();
        QVERIFY(waitForTrace(*session_));
        QCOMPARE(layer->currentIndex(), 0);
        QCOMPARE(session_->trace()->request.file->title, "h.0.attn");

        // A layer that can't be computed, from the command line or a session, is answered beside the choice.
        session_->edit(Field::Layer, QStringLiteral("1"));
        QVERIFY(waitForTrace(*session_));
        QTRY_VERIFY(problemOf(*panel_, "layer").contains(QStringLiteral("q_norm.weight")));
        QCOMPARE(layer->currentIndex(), 1);
        type(*panel_, "weightsFile", QStringLiteral("textbook"));
        QVERIFY(!layer->isVisible() && !control(*panel_, "recordCode")->isVisible());
    }

    void pythonThatRecordsXIsCopied() {
        session_->openFile(writeModel(folder_, QStringLiteral("gpt")), QStringLiteral("2"));
        QVERIFY(waitForTrace(*session_));
        click(*panel_, "recordCode");
        auto* dialog = control<QDialog>(*panel_, "recordDialog");
        QVERIFY(dialog->isVisible());
        click(*dialog, "copyRecordLines");
        const QString lines = QGuiApplication::clipboard()->text();
        for (const char* part : {"\"h.2.attn.c_attn.weight\"", "\"num_heads\": \"2\"", "/gpt\"", "save_file("})
            QVERIFY2(lines.contains(QLatin1String(part)), part);
        dialog->close();
    }

    void aFileWithOneLayerShowsNoChoice() {
        TensorFile file = layerFile(false);
        file.metadata = {{"num_heads", "2"}};
        const QString path = folder_.filePath(QStringLiteral("one.safetensors"));
        writeFile(path, encode_safetensors(file));
        session_->openFile(path);
        QVERIFY(waitForTrace(*session_));
        QVERIFY(!control(*panel_, "layer")->isVisible() && control(*panel_, "layout")->isVisible());
        QVERIFY(control(*panel_, "recordCode")->isVisible());
    }

    void aWeightsFileThatIsMissingIsAnswered() {
        const TracePtr before = session_->trace();
        session_->edit(withWeights(session_->draft(), QStringLiteral("/nowhere/layer.safetensors")),
                       QStringLiteral("weights"));
        QVERIFY(problemOf(*panel_, "weightsFile").contains(QStringLiteral("/nowhere/layer.safetensors")));
        QCOMPARE(control<QComboBox>(*panel_, "weights")->currentText(), QStringLiteral("File…"));
        QCOMPARE(session_->trace(), before);
        type(*panel_, "weightsFile", QStringLiteral("seed"));
        QCOMPARE(control<QComboBox>(*panel_, "weights")->currentText(), QStringLiteral("Seeded"));
        QVERIFY(session_->reading().request);
    }

    void whatCouldNotBeComputedIsSaid() {
        Session failing([](const Request&, const TracePtr&, const std::atomic<bool>*) -> Result<TracePtr> {
            return fail(ErrorCode::OutOfMemory, "the scores need {}, <b>{}</b> are free", "9 GB", "1 GB");
        });
        ParameterPanel panel(failing);
        QVERIFY(waitForTrace(failing));
        auto* note = control<ProblemNote>(panel, "computeError");
        QTRY_COMPARE(note->sentence(), QStringLiteral("the scores need 9 GB, <b>1 GB</b> are free"));
        QCOMPARE(control<QLabel>(*note, "sentence")->textFormat(), Qt::PlainText);
        QVERIFY(!note->isHidden());
    }

    void itsWidthHoldsEveryControl_data() {
        QTest::addColumn<double>("factor");
        QTest::newRow("normal") << 1.0;
        QTest::newRow("large") << 1.5;
    }
    void itsWidthHoldsEveryControl() {
        QFETCH(double, factor);
        QFont font = panel_->font();
        font.setPointSizeF(font.pointSizeF() * factor);
        panel_->setFont(font);
        type(*panel_, "numHeads", QStringLiteral("7"));
        type(*panel_, "maskExpression", QStringLiteral("dilated:200:200:200"));
        QTRY_VERIFY(!session_->isComputing());
        panel_->resize(panel_->minimumSizeHint().width(), 400);
        QTRY_COMPARE(cutControls(), QStringList());
    }

private:
    /// The controls that reach beyond the panel, or are too narrow for their text.
    QStringList cutControls() const {
        QStringList cut;
        const auto* scroll = panel_->findChild<QScrollArea*>();
        const QRect room = scroll->viewport()->rect();
        for (const auto* widget : scroll->widget()->findChildren<QWidget*>()) {
            if (!widget->isVisible()) continue;
            const QRect place(widget->mapTo(scroll->widget(), QPoint()), widget->size());
            const bool holds_text =
                qobject_cast<const QComboBox*>(widget) || qobject_cast<const QAbstractButton*>(widget);
            if (place.left() < 0 || place.right() > room.right() ||
                (holds_text && widget->width() < widget->minimumSizeHint().width()))
                cut << widget->objectName();
        }
        return cut;
    }
};

QTEST_MAIN(TestParameterPanel)
#include "tst_parameter_panel.moc"
