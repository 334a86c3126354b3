// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPrinter>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "figure_support.h"
#include "support.h"
#include "ui/controls/problem_note.h"
#include "ui/controls/step_edit.h"
#include "ui/export/figure_preview.h"
#include "ui/look/theme.h"
#include "ui/maps/cell_explanation.h"
#include "ui/state/session.h"

using namespace headscope;

class TestExportDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();

    void writesWhatTheControlsSay_data();
    void writesWhatTheControlsSay();
    void startsWithWhatIsShown();
    void illegalSizesAreAnswered_data();
    void illegalSizesAreAnswered();
    void controlsFollowTheFileType();
    void cancelling();
    void choicesAreRemembered();
    void oneHeadHasNoWideMargins();
    void captionAndNumbersAreSwitches();
    void previewIsTheFigure();
    void faultsAreSaidAndTheOldFileStays();
    void nothingToExportIsSaid();
    void followsTheSession();
    void clipboardHoldsImageAndVectors();
    void printsOnAPage();
    void looksRightInBothThemes();

private:
    QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    template <typename T>
    static T* child(const ExportDialog& dialog, const char* name) {
        return dialog.findChild<T*>(QString::fromLatin1(name));
    }
    /// Types into a field as a person does: what stood there is gone.
    static void type(StepEdit* edit, const char* text) {
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QString::fromLatin1(text));
    }
    static bool saveAndWait(ExportDialog& dialog, const QString& file) {
        QSignalSpy saved(&dialog, &ExportDialog::saved), failed(&dialog, &ExportDialog::failed);
        dialog.save(file);
        return QTest::qWaitFor([&] { return saved.count() + failed.count() > 0; }, 30000) && saved.count() == 1;
    }

    QTemporaryDir folder_;
    std::unique_ptr<Session> session_;
};

void TestExportDialog::initTestCase() {
    QVERIFY(folder_.isValid());
    applyTheme(Theme::Light);
}

void TestExportDialog::init() {
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(QStringLiteral("settings")));
    QDir(folder_.filePath(QStringLiteral("settings"))).removeRecursively();
    session_ = std::make_unique<Session>();
    session_->edit(Field::Text, QStringLiteral("the cat sat\na dog"));
    session_->edit(Field::EmbedDim, QStringLiteral("32"));
    QVERIFY(waitForTrace(*session_));
}

void TestExportDialog::writesWhatTheControlsSay_data() {
    QTest::addColumn<QString>("file");
    for (const char* ending : {"a.png", "a.svg", "a.pdf", "a.csv", "a.json", "a.npz", "a.safetensors"})
        QTest::newRow(ending) << QString::fromLatin1(ending);
}

void TestExportDialog::writesWhatTheControlsSay() {
    QFETCH(QString, file);
    ExportDialog dialog(*session_);
    child<QCheckBox>(dialog, "trim")->setChecked(false);
    child<QComboBox>(dialog, "sequence")->setCurrentIndex(2);
    child<QComboBox>(dialog, "head")->setCurrentIndex(3);
    child<QLineEdit>(dialog, "title")->setText(QStringLiteral("<b>Title"));
    type(child<StepEdit>(dialog, "width"), "500");
    type(child<StepEdit>(dialog, "height"), "300");
    type(child<StepEdit>(dialog, "dpi"), "144");
    QVERIFY(saveAndWait(dialog, folder_.filePath(file)));
    QVERIFY(!dialog.isSaving());
    const QByteArray bytes = contents(folder_.filePath(file));
    QVERIFY(!bytes.isEmpty());

    // The same functions with the same arguments give the same bytes.
    Selection selection = session_->selection();
    selection.sequence = 1;
    selection.head = 2;
    FigureStyle style;
    style.size = QSizeF(500, 300);
    style.dpi = 144;
    style.title = QStringLiteral("<b>Title");
    const QString other = folder_.filePath(QStringLiteral("other") + file);
    const bool picture = file.endsWith(u"png") || file.endsWith(u"svg") || file.endsWith(u"pdf");
    QVERIFY(picture ? writeFigure(other, *session_->trace(), selection, style)
                    : writeTable(other, *session_->trace(), {1, 2, Stage::Weights}));
    if (file.endsWith(u"pdf") || file.endsWith(u"npz")) {  // they hold a date
        QCOMPARE(bytes.size(), contents(other).size());
    } else {
        QCOMPARE(bytes, contents(other));
    }
}

void TestExportDialog::startsWithWhatIsShown() {
    session_->setStage(Stage::Scores);
    session_->setSequence(1);
    session_->setHead(4);
    ExportDialog dialog(*session_);
    QCOMPARE(child<QComboBox>(dialog, "stage")->currentText(), QStringLiteral("scores"));
    QCOMPARE(child<QComboBox>(dialog, "sequence")->currentText(), QStringLiteral("Sequence 1"));
    QCOMPARE(child<QComboBox>(dialog, "head")->currentText(), QStringLiteral("Head 4"));
}

void TestExportDialog::illegalSizesAreAnswered_data() {
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("typed");
    QTest::newRow("zero") << QStringLiteral("width") << QStringLiteral("0");
    QTest::newRow("negative") << QStringLiteral("height") << QStringLiteral("-5");
    QTest::newRow("word") << QStringLiteral("width") << QStringLiteral("wide");
    QTest::newRow("nothing") << QStringLiteral("dpi") << QStringLiteral(" ");
    QTest::newRow("enormous") << QStringLiteral("height") << QStringLiteral("999999999999");
    QTest::newRow("too fine") << QStringLiteral("dpi") << QStringLiteral("1201");
    QTest::newRow("too many pixels") << QStringLiteral("width") << QStringLiteral("19200");
}

void TestExportDialog::illegalSizesAreAnswered() {
    QFETCH(QString, field);
    QFETCH(QString, typed);
    ExportDialog dialog(*session_);
    auto* problem = child<ProblemNote>(dialog, "problem");
    QVERIFY(problem->sentence().isEmpty());
    QSignalSpy drawn(dialog.findChild<FigurePreview*>(), &FigurePreview::drawn);
    QVERIFY(drawn.wait(30000));
    const QImage before = dialog.findChild<FigurePreview*>()->image();
    type(child<StepEdit>(dialog, field.toLatin1().constData()), typed.toLatin1().constData());
    QVERIFY(!problem->sentence().isEmpty());
    QCOMPARE(dialog.findChild<FigurePreview*>()->image(), before);  // the last good picture stays
    QVERIFY(!saveAndWait(dialog, path("illegal.png")));
    QVERIFY(!QFile::exists(path("illegal.png")));
    type(child<StepEdit>(dialog, field.toLatin1().constData()), "300");
    QVERIFY(problem->sentence().isEmpty());
}

void TestExportDialog::controlsFollowTheFileType() {
    ExportDialog dialog(*session_);
    auto* kind = child<QComboBox>(dialog, "kind");
    const auto enabled = [&](const char* name) { return dialog.findChild<QWidget*>(QLatin1String(name))->isEnabled(); };
    const struct {
        const char* kind;
        bool size, dpi, choice;
    } rows[] = {{".png", true, true, true},           {".svg", true, false, true},   {".pdf", true, false, true},
                {".csv", false, false, true},         {".json", false, false, true}, {".npz", false, false, false},
                {".safetensors", false, false, false}};
    for (const auto& row : rows) {
        kind->setCurrentIndex(kind->findText(QLatin1String(row.kind), Qt::MatchContains));
        QVERIFY2(kind->currentText().contains(QLatin1String(row.kind)), row.kind);
        QCOMPARE(enabled("width"), row.size);
        QCOMPARE(enabled("title"), row.size);
        QCOMPARE(enabled("dpi"), row.dpi);
        QCOMPARE(enabled("head"), row.choice);
    }
}

/// What is said is what became of the file, whenever the cancel comes.
void TestExportDialog::cancelling() {
    const TracePtr trace = session_->trace();
    for (const char* name : {"no.png", "no.svg", "no.pdf"}) {
        const std::atomic<bool> cancelled{true};
        const auto written = writeFigure(path(name), *trace, {}, {}, &cancelled);
        QVERIFY(!written && written.error().code == ErrorCode::Cancelled);
        QVERIFY(!QFile::exists(path(name)));
    }
    ExportDialog dialog(*session_);
    QSignalSpy saved(&dialog, &ExportDialog::saved), failed(&dialog, &ExportDialog::failed);
    dialog.save(path("cancelled.png"));
    dialog.reject();
    QTRY_COMPARE(saved.size() + failed.size(), 1);
    QCOMPARE(QFile::exists(path("cancelled.png")), saved.size() == 1);
    const QString note = child<QLabel>(dialog, "note")->text();
    QVERIFY2(note.startsWith(saved.isEmpty() ? QStringLiteral("Cancelled") : QStringLiteral("Written")),
             qPrintable(note));
}

void TestExportDialog::choicesAreRemembered() {
    {
        ExportDialog dialog(*session_);
        child<QComboBox>(dialog, "kind")->setCurrentIndex(1);
        child<QComboBox>(dialog, "theme")->setCurrentIndex(1);
        type(child<StepEdit>(dialog, "width"), "777");
        dialog.reject();
    }
    ExportDialog dialog(*session_);
    QCOMPARE(child<QComboBox>(dialog, "kind")->currentIndex(), 1);
    QCOMPARE(child<QComboBox>(dialog, "theme")->currentIndex(), 1);
    QCOMPARE(child<StepEdit>(dialog, "width")->text(), QStringLiteral("777"));
}

void TestExportDialog::oneHeadHasNoWideMargins() {
    ExportDialog dialog(*session_);
    child<QComboBox>(dialog, "head")->setCurrentIndex(3);
    type(child<StepEdit>(dialog, "dpi"), "96");
    QVERIFY(saveAndWait(dialog, path("trimmed.png")));
    const QImage trimmed(path("trimmed.png"));
    QVERIFY(trimmed.height() == 640 && trimmed.width() < 800);
    // What is cut is empty, and no more than that.
    const auto widthOfInk = [](const QImage& image) {
        int left = image.width(), right = 0;
        for (int y = 60; y < 560; ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixel(x, y) != image.pixel(1, 1)) {
                    left = std::min(left, x);
                    right = std::max(right, x);
                }
        return right - left;
    };
    child<QCheckBox>(dialog, "trim")->setChecked(false);
    QVERIFY(saveAndWait(dialog, path("whole.png")));
    const QImage whole(path("whole.png"));
    QCOMPARE(whole.width(), 960);
    QVERIFY2(std::abs(widthOfInk(trimmed) - widthOfInk(whole)) <= 2,
             qPrintable(QStringLiteral("%1, %2").arg(widthOfInk(trimmed)).arg(widthOfInk(whole))));
}

void TestExportDialog::captionAndNumbersAreSwitches() {
    ExportDialog dialog(*session_);
    child<QComboBox>(dialog, "head")->setCurrentIndex(7);
    QVERIFY(saveAndWait(dialog, path("with.svg")));
    child<QCheckBox>(dialog, "caption")->setChecked(false);
    child<QCheckBox>(dialog, "numbers")->setChecked(true);
    QVERIFY(saveAndWait(dialog, path("without.svg")));
    const QByteArray with = contents(path("with.svg")), without = contents(path("without.svg"));
    QVERIFY(with.contains("embed_dim") && !without.contains("embed_dim"));
    const double weight = session_->trace()->matrix(Stage::Weights, 0, 6).at(0, 0);
    const QByteArray number = QByteArray(">").append(numberText(weight, 2).toUtf8()).append("<");
    QVERIFY(without.contains(number) && !with.contains(number));
}

void TestExportDialog::previewIsTheFigure() {
    ExportDialog dialog(*session_);
    child<QCheckBox>(dialog, "trim")->setChecked(false);
    auto* preview = dialog.findChild<FigurePreview*>();
    QSignalSpy drawn(preview, &FigurePreview::drawn);
    QVERIFY(drawn.wait(30000));
    const QImage first = preview->image();
    QVERIFY(std::abs(first.width() * 640 - first.height() * 960) <= 960);  // in proportion
    const QColor purple = QColor::fromRgb(paletteColors(Palette::Viridis).front());
    int cells = 0;
    for (int y = 0; y < first.height(); ++y)
        for (int x = 0; x < first.width(); ++x) cells += first.pixelColor(x, y) == purple;
    QVERIFY(cells > 100);
    child<QComboBox>(dialog, "theme")->setCurrentIndex(1);
    QVERIFY(drawn.wait(30000));
    QCOMPARE(preview->image().pixelColor(1, 1), color(Role::Panel, Theme::Dark));
}

void TestExportDialog::faultsAreSaidAndTheOldFileStays() {
    ExportDialog dialog(*session_);
    QVERIFY(!saveAndWait(dialog, path("no/such/folder.png")));
    QVERIFY(child<ProblemNote>(dialog, "problem")->sentence().contains(path("no/such")));
    QVERIFY(!saveAndWait(dialog, path("what.gif")));
    QVERIFY(QDir(folder_.path()).mkdir(QStringLiteral("taken.csv")));
    QVERIFY(!saveAndWait(dialog, path("taken.csv")));
    QVERIFY(QFileInfo(path("taken.csv")).isDir());
    QVERIFY(saveAndWait(dialog, path("good.png")));
    QVERIFY(child<QLabel>(dialog, "note")->text().contains(u"good.png"));
}

void TestExportDialog::nothingToExportIsSaid() {
    Session empty;
    ExportDialog dialog(empty);
    QVERIFY(child<QLabel>(dialog, "note")->text().contains(u"no picture"));
    dialog.save(path("nothing.png"));
    QVERIFY(!dialog.isSaving());
    QVERIFY(!QFile::exists(path("nothing.png")));
    QVERIFY(!copyPictureToClipboard(empty));
}

void TestExportDialog::followsTheSession() {
    ExportDialog dialog(*session_);
    auto* head = child<QComboBox>(dialog, "head");
    head->setCurrentIndex(8);
    session_->edit(Field::NumHeads, QStringLiteral("4"));
    QVERIFY(waitForTrace(*session_));
    QCOMPARE(head->count(), 5);
    QCOMPARE(head->currentIndex(), 0);  // there is no head 7 any more
}

void TestExportDialog::clipboardHoldsImageAndVectors() {
    QVERIFY(copyPictureToClipboard(*session_));
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    QVERIFY(data->hasImage());
    QCOMPARE(qvariant_cast<QImage>(data->imageData()).size(), QSize(1920, 1280));
    QVERIFY(readSvg(data->data(QStringLiteral("image/svg+xml"))).elements.at(QStringLiteral("rect")) == 8 * 9);
}

void TestExportDialog::printsOnAPage() {
    QPrinter printer(QPrinter::HighResolution);
    printer.setOutputFormat(QPrinter::PdfFormat);
    printer.setOutputFileName(path("print.pdf"));
    QVERIFY(printFigure(printer, *session_->trace(), session_->selection()));
    const QByteArray pdf = contents(path("print.pdf"));
    QCOMPARE(pdfStreams(pdf).count(" re\n"), 8 * 9);
    printer.setOutputFileName(path("no/such/folder.pdf"));
    const auto refused = printFigure(printer, *session_->trace(), session_->selection());
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::FileUnwritable);
}

/// Every label can be read whole, in both themes.
void TestExportDialog::looksRightInBothThemes() {
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        applyTheme(theme);
        ExportDialog dialog(*session_);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        QSignalSpy drawn(dialog.findChild<FigurePreview*>(), &FigurePreview::drawn);
        QVERIFY(drawn.wait(30000));
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            if (label->isVisible() && !label->wordWrap())
                QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
        if (qEnvironmentVariableIsSet("HEADSCOPE_SHOTS"))
            dialog.grab().save(qEnvironmentVariable("HEADSCOPE_SHOTS") + (theme == Theme::Light
                                                                              ? QStringLiteral("/export_light.png")
                                                                              : QStringLiteral("/export_dark.png")));
    }
    applyTheme(Theme::Light);
}

QTEST_MAIN(TestExportDialog)
#include "tst_export_dialog.moc"
