// SPDX-License-Identifier: GPL-3.0-or-later
// Random gestures in the real window: whatever a person does, the numbers on the screen are the trace's, undo restores,
// and nothing reaches out of the window. HEADSCOPE_TEST_SEED and HEADSCOPE_TEST_COUNT (gestures) in the environment.
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QInputMethodEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>
#include <cmath>
#include <random>

#include "panel_support.h"
#include "support.h"
#include "ui/maps/cell_explanation.h"
#include "ui/maps/heat_map.h"
#include "ui/window/main_window.h"
#include "window_support.h"

using namespace headscope;

namespace {

constexpr int kGestures = 150;  // unless HEADSCOPE_TEST_COUNT says more

quint64 environment(const char* name, quint64 otherwise) {
    return qEnvironmentVariableIsSet(name) ? qEnvironmentVariable(name).toULongLong() : otherwise;
}

/// Resident memory in MB.
double resident() {
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) return 0;
    return file.readAll().split(' ').value(1).toDouble() * 4096 / 1e6;
}

class Monkey : public QObject {
public:
    explicit Monkey(quint64 seed, const QStringList& files) : random_(seed), files_(files) {
        window_.resize(1280, 720);
        window_.show();
        // Dialogs and menus that run an event loop of their own: a click or two, then they close.
        leaveDialog();
    }

    /// One gesture; says what it was.
    QString act() {
        using Act = QString (Monkey::*)();
        static constexpr Act acts[] = {&Monkey::click, &Monkey::click,  &Monkey::click,  &Monkey::key,
                                       &Monkey::key,   &Monkey::type,   &Monkey::type,   &Monkey::drag,
                                       &Monkey::wheel, &Monkey::resize, &Monkey::choose, &Monkey::choose,
                                       &Monkey::drop,  &Monkey::undo,   &Monkey::undo};
        return (this->*acts[below(std::size(acts))])();
    }

    /// Until nothing is computed any more. False if that takes longer than a minute.
    bool settle() {
        QElapsedTimer timer;
        timer.start();
        do {
            QElapsedTimer one;
            one.start();
            QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
            longest_ms_ = std::max(longest_ms_, one.elapsed());
            if (timer.elapsed() > 60'000) return false;
        } while (session_.isComputing() || QApplication::activeModalWidget() || QApplication::activePopupWidget());
        return true;
    }

    /// Empty, or what is wrong.
    QString fault() {
        for (int wait = 0; wait < 50 && !wrongPlace().isEmpty(); ++wait) QTest::qWait(10);  // layouts of several passes
        for (const QString& found : {wrongRows(), wrongCell(), wrongPlace(), wrongUndo()})
            if (!found.isEmpty()) return found;
        return {};
    }

    /// Texts and layers that would take minutes are left.
    void keepSmall() {
        const TracePtr& trace = session_.trace();
        if (trace &&
            (trace->dims().sequence_length > 300 || trace->dims().embed_dim > 2048 || trace->dims().batch > 40))
            session_.startOver();
    }
    qint64 longest() const { return longest_ms_; }

private:
    std::size_t below(std::size_t count) { return random_() % count; }
    QPoint anywhere(const QWidget& widget) {
        return {static_cast<int>(below(static_cast<std::size_t>(std::max(widget.width(), 1)))),
                static_cast<int>(below(static_cast<std::size_t>(std::max(widget.height(), 1))))};
    }
    QWidget* top() {
        QWidgetList tops;
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (widget->isVisible() && widget->windowType() != Qt::ToolTip && widget->windowType() != Qt::Popup)
                tops << widget;
        std::sort(tops.begin(), tops.end(), [](const QWidget* a, const QWidget* b) {
            return a->metaObject()->className() < b->metaObject()->className();
        });
        return tops.isEmpty() ? &window_ : tops[static_cast<qsizetype>(below(static_cast<std::size_t>(tops.size())))];
    }
    /// What lies at a random place, or (as often) a random control, however small.
    QWidget* target() {
        QWidget* window = top();
        if (below(2) == 0) {
            QWidget* child = window->childAt(anywhere(*window));
            return child ? child : window;
        }
        QWidgetList visible;
        for (auto* child : window->findChildren<QWidget*>())
            if (child->isVisible()) visible << child;
        return visible.isEmpty() ? window
                                 : visible[static_cast<qsizetype>(below(static_cast<std::size_t>(visible.size())))];
    }
    static QString name(const QWidget* widget) {
        return QStringLiteral("%1 %2").arg(QLatin1String(widget->metaObject()->className()), widget->objectName());
    }

    QString click() {
        QPointer<QWidget> widget = target();
        const QString what = name(widget);
        const QPoint at = anywhere(*widget);
        if (below(6) == 0)
            QTest::mouseDClick(widget, Qt::LeftButton, {}, at);
        else
            QTest::mouseClick(widget, Qt::LeftButton, below(8) == 0 ? Qt::ShiftModifier : Qt::NoModifier, at);
        return QStringLiteral("click %1 at %2 %3").arg(what).arg(at.x()).arg(at.y());
    }
    QString key() {
        static constexpr Qt::Key keys[] = {
            Qt::Key_Left, Qt::Key_Right, Qt::Key_Up,  Qt::Key_Down, Qt::Key_Return, Qt::Key_Space,    Qt::Key_Escape,
            Qt::Key_Tab,  Qt::Key_Home,  Qt::Key_End, Qt::Key_F5,   Qt::Key_F9,     Qt::Key_Delete,   Qt::Key_P,
            Qt::Key_C,    Qt::Key_1,     Qt::Key_2,   Qt::Key_8,    Qt::Key_0,      Qt::Key_Backspace};
        static constexpr Qt::KeyboardModifier with[] = {Qt::NoModifier,    Qt::NoModifier,      Qt::NoModifier,
                                                        Qt::ShiftModifier, Qt::ControlModifier, Qt::AltModifier};
        const Qt::Key key = keys[below(std::size(keys))];
        const Qt::KeyboardModifier modifier = with[below(std::size(with))];
        QWidget* focus = QApplication::focusWidget() ? QApplication::focusWidget() : &window_;
        const QString what = name(focus);
        QTest::keyClick(focus, key, modifier);
        return QStringLiteral("key %1 with %2 in %3").arg(key).arg(int(modifier)).arg(what);
    }
    /// As from an input method: all scripts.
    QString type() {
        static const QStringList texts{QStringLiteral("the cat"),    QStringLiteral("12"),
                                       QStringLiteral("-0"),         QStringLiteral("1e999"),
                                       QStringLiteral("猫 坐 在"),   QStringLiteral("مرحبا"),
                                       QStringLiteral("नमस्ते"),       QStringLiteral("👩‍👩‍👧‍👦"),
                                       QStringLiteral("မင်္ဂလာပါ"),    QStringLiteral("\u202Ex"),
                                       QStringLiteral(" "),          QStringLiteral("causal"),
                                       QStringLiteral("+local:2:0"), QStringLiteral("∞"),
                                       QStringLiteral("<b>x"),       QStringLiteral("%1 &Q")};
        QWidget* focus = QApplication::focusWidget();
        if (!focus || below(3) == 0) {
            const auto edits = window_.findChildren<QLineEdit*>();
            QWidgetList visible;
            for (QLineEdit* edit : edits)
                if (edit->isVisible() && edit->isEnabled()) visible << edit;
            if (visible.isEmpty()) return QStringLiteral("nothing to type in");
            focus = visible[static_cast<qsizetype>(below(static_cast<std::size_t>(visible.size())))];
            focus->setFocus();
        }
        const QString text = texts[static_cast<qsizetype>(below(static_cast<std::size_t>(texts.size())))];
        QInputMethodEvent event;
        event.setCommitString(text);
        const QString what = name(focus);
        QApplication::sendEvent(focus, &event);
        return QStringLiteral("type \"%1\" in %2").arg(text, what);
    }
    QString drag() {
        QPointer<QWidget> widget = target();
        const QString what = name(widget);
        const QPoint from = anywhere(*widget), to = anywhere(*widget);
        QTest::mousePress(widget, Qt::LeftButton, {}, from);
        for (int step = 1; step <= 4 && widget; ++step) {
            const QPointF at = from + (to - from) * step / 4.0;
            QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(widget, &move);
        }
        if (widget) QTest::mouseRelease(widget, Qt::LeftButton, {}, to);
        return QStringLiteral("drag in %1").arg(what);
    }
    QString wheel() {
        QWidget* widget = target();
        const QString what = name(widget);
        const QPointF at = anywhere(*widget);
        QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, below(2) ? 120 : -120}, Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &event);
        return QStringLiteral("wheel in %1").arg(what);
    }
    QString resize() {
        window_.resize(700 + static_cast<int>(below(1000)), 450 + static_cast<int>(below(700)));
        return QStringLiteral("resize to %1 × %2").arg(window_.width()).arg(window_.height());
    }
    /// An entry of a menu, or a shortcut.
    QString choose() {
        QList<QAction*> actions;
        for (QAction* action : window_.findChildren<QAction*>())
            if (action->isEnabled() && action->isVisible() && !action->menu() && !action->isSeparator() &&
                !action->text().contains(QStringLiteral("Quit")) && !action->text().contains(QStringLiteral("Print")))
                actions << action;
        QAction* action = actions[static_cast<qsizetype>(below(static_cast<std::size_t>(actions.size())))];
        const QString what = action->text();
        action->trigger();
        return QStringLiteral("choose %1").arg(what);
    }
    QString drop() {
        const QString path = files_[static_cast<qsizetype>(below(static_cast<std::size_t>(files_.size())))];
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({200, 200}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window_, &enter);
        if (enter.isAccepted()) {
            QDropEvent event({200, 200}, Qt::CopyAction, &data, Qt::LeftButton, {});
            QApplication::sendEvent(&window_, &event);
        }
        return QStringLiteral("drop %1").arg(QFileInfo(path).fileName());
    }
    QString undo() {
        if (below(3))
            session_.undoStack()->undo();
        else
            session_.undoStack()->redo();
        return QStringLiteral("undo or redo");
    }

    void leaveDialog() {
        QTimer::singleShot(20, this, &Monkey::leaveDialog);  // also in the event loop of what a click opens
        if (QWidget* popup = QApplication::activePopupWidget(); popup && below(2)) {
            popup->close();
        } else if (QWidget* modal = QApplication::activeModalWidget()) {
            QWidget* child = modal->childAt(anywhere(*modal));
            if (below(3) && child)
                QTest::mouseClick(child, Qt::LeftButton, {}, child->rect().center());
            else
                modal->close();
        }
    }

    QString wrongRows() const {
        const TracePtr& trace = session_.trace();
        if (!trace || !trace->weights || !trace->mask) return {};
        const int sequence = session_.selection().sequence;
        for (int head = 0; head < trace->dims().num_heads; ++head) {
            const MatrixView view = trace->matrix(Stage::Weights, sequence, head);
            for (std::int64_t i = 0; i < view.rows; ++i) {
                double sum = 0;
                for (std::int64_t j = 0; j < view.columns; ++j) sum += view.at(i, j);
                if (std::abs(sum - 1) < 0.02) continue;
                const RowCheck& check = trace->row_check;
                const bool marked = trace->mask.of(0).allowed_in_row(sequence, i) == 0 ? check.fully_masked > 0
                                    : std::isfinite(sum)                               ? check.sum_to_one < check.rows
                                                                                       : check.not_finite > 0;
                if (!marked) return QStringLiteral("row %1 of head %2 sums to %3").arg(i).arg(head).arg(sum);
            }
        }
        return {};
    }
    /// The foot says of the cell under the pointer what the trace has.
    QString wrongCell() {
        const TracePtr& trace = session_.trace();
        QList<HeatMap*> maps;
        for (auto* map : window_.findChildren<HeatMap*>(QRegularExpression(QStringLiteral("^heatMap\\d+$"))))
            if (map->isVisible()) maps << map;
        if (!trace || maps.isEmpty() || QApplication::activeModalWidget()) return {};
        HeatMap* map = maps[static_cast<qsizetype>(below(static_cast<std::size_t>(maps.size())))];
        QTest::mouseMove(map, anywhere(*map));
        QCoreApplication::processEvents();
        if (!session_.hover() || session_.isComputing()) return {};
        const QString said = window_.findChild<QLabel*>(QStringLiteral("footCell"))->text().section(u'…', 0, 0);
        const QString meant = cellSentence(*session_.trace(), session_.selection(), *session_.hover());
        return meant.startsWith(said) ? QString() : QStringLiteral("the foot says \"%1\", not \"%2\"").arg(said, meant);
    }
    QString wrongPlace() const {
        const QSize least = window_.minimumSizeHint();
        if (window_.width() < least.width() || window_.height() < least.height() || !window_.isVisible()) return {};
        for (const auto* child : window_.findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
            if (child->isVisible() && !child->isWindow() && !window_.rect().contains(child->geometry()))
                return QStringLiteral("%1 at %2 ... %3 reaches out of the window, which is %4 × %5 (at least %6 × %7)")
                    .arg(name(child))
                    .arg(child->x())
                    .arg(child->geometry().right())
                    .arg(window_.width())
                    .arg(window_.height())
                    .arg(least.width())
                    .arg(least.height());
        return {};
    }
    /// A change of several fields and its undo.
    QString wrongUndo() {
        if (below(5) != 0) return {};
        const Draft before = session_.draft();
        const Selection selection = session_.wantedSelection();
        Draft other = before;
        other.set(Field::Mask, QStringLiteral("local:%1:0").arg(below(9)));
        other.set(Field::Seed, QString::number(below(1000)));
        if (other == before) return {};
        session_.edit(other, QStringLiteral("a test"));
        session_.undoStack()->undo();
        if (session_.draft() == before && session_.wantedSelection() == selection) return {};
        return QStringLiteral("undo did not restore the draft or the selection");
    }

    std::mt19937_64 random_;
    QStringList files_;
    Session session_;
    MainWindow window_{session_};
    qint64 longest_ms_ = 0;
};

}  // namespace

class TestMonkey : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(testing::beginAsAtFirstStart(folder_));
        QVERIFY(QDir::setCurrent(folder_.path()));  // what it saves goes there
        write("mask.csv", "1,0\n1,1\n");
        write("bad.safetensors", QByteArray(200, '\x7f'));
        write("empty.npz", "");
        write("page.html", "<html>");
        write("lesson.json", "{\"headscope_lesson\": 1}");
        QFile lesson(QStringLiteral(":/lessons/causal.json"));
        if (lesson.open(QIODevice::ReadOnly)) write("causal.json", lesson.readAll());
    }

    void randomGestures() {
        const quint64 seed = environment("HEADSCOPE_TEST_SEED", 1),
                      count = environment("HEADSCOPE_TEST_COUNT", kGestures);
        qInfo("seed %llu, %llu gestures", seed, count);
        Monkey monkey(seed, files_);
        QVERIFY(monkey.settle());
        double after_a_tenth = 0;
        QStringList last;
        for (quint64 n = 0; n < count; ++n) {
            last << monkey.act();
            if (last.size() > 12) last.removeFirst();
            const bool settled = monkey.settle();
            const QString fault = settled ? monkey.fault() : QStringLiteral("it still computes after a minute");
            QVERIFY2(fault.isEmpty(),
                     qPrintable(QStringLiteral("gesture %1: %2\n%3").arg(n).arg(fault, last.join(u'\n'))));
            monkey.keepSmall();
            QVERIFY(monkey.settle());
            if (n == count / 10) after_a_tenth = resident();
        }
        qInfo("longest turn of the event loop: %lld ms; resident %.0f MB, %.0f MB after a tenth", monkey.longest(),
              resident(), after_a_tenth);
    }

private:
    void write(const char* name, const QByteArray& bytes) {
        const QString path = folder_.filePath(QLatin1String(name));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        files_ << path;
    }

    QTemporaryDir folder_;
    QStringList files_;
};

QTEST_MAIN(TestMonkey)
#include "tst_monkey.moc"
