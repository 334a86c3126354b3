// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/presentation.h"

#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/attention/row_reader.h"
#include "core/explain/cell_account.h"
#include "ui/controls/plain_label.h"
#include "ui/look/theme.h"
#include "ui/maps/cell_explanation.h"
#include "ui/maps/cell_steps.h"
#include "ui/maps/head_card.h"
#include "ui/maps/head_grid.h"
#include "ui/maps/heat_map.h"
#include "ui/maps/label_band.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/panels/lesson/lesson_text.h"
#include "ui/panels/lesson/task_view.h"
#include "ui/state/lesson_run.h"
#include "ui/state/phrase.h"
#include "ui/state/session.h"
#include "ui/window/presentation_ink.h"

namespace headscope {
namespace {

constexpr double kLabels = 0.85;     // maps draw their labels smaller than their font
constexpr double kTextShare = 0.34;  // of the width, where the text stands beside the map

QFont sized(QFont font, double pixels, bool bold = false) {
    font.setPixelSize(static_cast<int>(std::ceil(pixels)));
    font.setBold(bold);
    return font;
}

}  // namespace

Presentation::Presentation(Session& session, LessonRun& run, CompareView& compare, QWidget* parent)
    : QWidget(parent, Qt::Window),
      session_(session),
      run_(run),
      compare_(compare),
      before_(session.wantedSelection()),
      step_before_(run.index()),
      lesson_before_(run.lesson()),
      title_(plainParagraph(this, QStringLiteral("presentationTitle"))),
      text_(plainParagraph(this, QStringLiteral("presentationText"))),
      explained_(plainParagraph(this, QStringLiteral("presentationExplained"))),
      heading_a_(plainLabel(this, QStringLiteral("presentationA"))),
      heading_b_(plainLabel(this, QStringLiteral("presentationB"))),
      map_a_(makeMap(QStringLiteral("presentationMapA"))),
      map_b_(makeMap(QStringLiteral("presentationMapB"))),
      grid_(new HeadGrid(session, this, QStringLiteral("presentationMap"))),
      ink_(new PresentationInk(this)) {
    setObjectName(QStringLiteral("presentation"));
    setWindowTitle(tr("Presentation"));
    setAttribute(Qt::WA_DeleteOnClose);
    for (QLabel* label : {title_, text_, explained_}) label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    for (const auto changed : {&Session::traceChanged, &Session::selectionChanged})
        connect(&session_, changed, this, &Presentation::refresh);
    connect(&run_, &LessonRun::moved, this, [this] {
        answered_ = false;
        refresh();
    });
    qApp->installEventFilter(this);
    refresh();
}

Presentation::~Presentation() {
    qApp->removeEventFilter(this);
}

HeatMap* Presentation::makeMap(const QString& name) {
    auto* map = new HeatMap(this);
    map->setObjectName(name);
    map->setDetailed(true);
    connect(map, &HeatMap::clicked, &session_, [this](const Cell& cell) { session_.setLocked(cell); });
    return map;
}

Presentation::Form Presentation::form() const {
    const Selection& selection = session_.selection();
    const bool pair = b_ && b_->trace() && session_.trace() && b_->trace()->batch() == session_.trace()->batch();
    if (selection.page == PageName::Compare && pair) return Form::Two;
    const bool one_map = selection.page == PageName::Steps || selection.page == PageName::Mask;
    const bool all = !selection.head && session_.hasHeads(selection.stage) && !one_map;
    return all && session_.trace() && session_.trace()->dims().num_heads > 1 ? Form::Many : Form::One;
}

int Presentation::unit() const {
    return (height() + 39) / 40;
}

int Presentation::head() const {
    const Selection& selection = session_.selection();
    return selection.head.value_or(selection.locked ? selection.locked->head : 0);
}

void Presentation::followB() {
    if (b_ == compare_.b()) return;
    b_ = compare_.b();
    if (b_) connect(b_, &Session::traceChanged, this, &Presentation::refresh);
}

void Presentation::refresh() {
    followB();
    refreshTexts();
    refreshMaps();
    arrange();
    update();
}

/// A text of the present step.
QString Presentation::filled(const LessonText& text) const {
    return filledText(text, run_.step()->state.selection, session_.trace());
}

QString Presentation::stepTitle() const {
    if (const LessonStep* step = run_.step())
        return tr("Step %1 of %2 · %3")
            .arg(QString::number(run_.index() + 1), QString::number(run_.lesson()->steps.size()), filled(step->title));
    const Selection& selection = session_.selection();
    const QString stage = stageTitle(selection.stage);
    if (!session_.trace() || form() == Form::Many || !session_.hasHeads(selection.stage)) return stage;
    const QString head_name = tr("Head %1, %2").arg(head()).arg(stage);
    if (session_.trace()->request.source != WeightSource::Textbook) return head_name;
    return head_name + QStringLiteral(" · ") + roleName(textbook_role(head()));
}

QString Presentation::stepText() const {
    const TracePtr& trace = session_.trace();
    if (!trace) return {};
    if (const LessonStep* step = run_.step()) {
        QString text = filled(step->text);
        if (step->task) {
            text += QStringLiteral("\n\n") + filled(step->task->question);
            for (const LessonText& choice : step->task->choices) text += QStringLiteral("\n• ") + filled(choice);
        }
        return text;
    }
    const Selection& selection = session_.selection();
    if (selection.locked) return cellExplanation(*trace, selection, *selection.locked).sentence;
    return is_square(selection.stage) ? tr("Rows are queries, columns are keys.")
                                      : tr("Rows are tokens, columns are dimensions.");
}

/// The row of the locked cell: what its weights were in A and are in B, those that change most.
QString Presentation::changeOfRow(const Trace& b, const Cell& cell) const {
    const Trace& a = *session_.trace();
    const int sequence = session_.selection().sequence;
    const int head = std::min<int>(cell.head, static_cast<int>(b.dims().num_heads) - 1);
    const bool both = has_rows(a, Stage::Weights, sequence, cell.head) && has_rows(b, Stage::Weights, sequence, head);
    if (!both || a.dims().sequence_length != b.dims().sequence_length) return {};
    const std::vector<double> from = row_of(a, Stage::Weights, sequence, cell.head, cell.query);
    const std::vector<double> to = row_of(b, Stage::Weights, sequence, head, cell.query);
    std::vector<std::int64_t> keys(from.size());
    std::iota(keys.begin(), keys.end(), 0);
    const auto at = [](const std::vector<double>& row, std::int64_t key) { return row[static_cast<std::size_t>(key)]; };
    const auto change = [&](std::int64_t key) { return std::abs(at(to, key) - at(from, key)); };
    std::stable_sort(keys.begin(), keys.end(), [&](auto one, auto other) { return change(one) > change(other); });
    QStringList parts{tr("%1 attends to %2 of %3 keys")
                          .arg(quotedToken(b, sequence, cell.query))
                          .arg(b.mask.of(head).allowed_in_row(sequence, cell.query))
                          .arg(to.size())};
    for (std::size_t i = 0; i < std::min<std::size_t>(3, keys.size()); ++i)
        if (change(keys[i]) >= 0.005)
            parts << QStringLiteral("%1: %2 → %3")
                         .arg(quotedToken(b, sequence, keys[i]), numberText(at(from, keys[i]), 2),
                              numberText(at(to, keys[i]), 2));
    return parts.join(QStringLiteral(" · "));
}

/// For everyone to see: the right choice, the mask, or the weights.
void Presentation::answer() {
    const LessonStep* step = run_.step();
    if (!step || !step->task) return;
    answered_ = true;
    if (step->task->kind == LessonTask::Kind::Paint) session_.edit(Field::Mask, step->task->mask);
    if (step->task->kind == LessonTask::Kind::Weights) showWeights(session_, *step->task);
    refresh();
}

QString Presentation::answerText() const {
    const LessonTask& task = *run_.step()->task;
    const QString why = filled(task.why);
    if (task.kind != LessonTask::Kind::Choose) return why;
    return tr("Answer: %1").arg(filled(task.choices[task.right])) + u'\n' + why;
}

QString Presentation::explanation() const {
    if (answered_) return answerText();
    const TracePtr& trace = session_.trace();
    const Selection& selection = session_.selection();
    if (!trace || !selection.locked || !is_square(selection.stage)) return {};
    if (form() == Form::Two) return changeOfRow(*b_->trace(), *selection.locked);
    const Cell& cell = *selection.locked;
    const auto account = cell_account(*trace, selection.sequence, cell.head, cell.query, cell.key);
    if (!account) return {};
    QStringList lines{tr("%1 attends to %2")
                          .arg(quotedToken(*trace, selection.sequence, cell.query),
                               quotedToken(*trace, selection.sequence, cell.key))};
    for (const CellStep& step : cellSteps(*trace, *account)) lines << step.name + QStringLiteral(": ") + step.text;
    return lines.join(u'\n');
}

void Presentation::refreshTexts() {
    title_->setText(stepTitle());
    text_->setText(stepText());
    explained_->setText(explanation());
}

void Presentation::refreshMaps() {
    const TracePtr& trace = session_.trace();
    const Form shown = form();
    grid_->setVisible(shown == Form::Many);
    map_a_->setVisible(trace && shown != Form::Many);
    for (QWidget* part :
         {static_cast<QWidget*>(map_b_), static_cast<QWidget*>(heading_a_), static_cast<QWidget*>(heading_b_)})
        part->setVisible(shown == Form::Two);
    if (!trace || shown == Form::Many) return;
    const auto show = [&, this](HeatMap* map, const TracePtr& of) {
        Selection selection = session_.selection();
        if (selection.page == PageName::Mask) selection.stage = Stage::Mask;
        const int shown_head = std::min<int>(head(), static_cast<int>(of->dims().num_heads) - 1);
        const ColorScale scale = shown == Form::Two ? commonScale(*trace, *b_->trace(), selection, shown_head)
                                                    : colorScale(*of, selection, shown_head);
        map->setContent({of, selection, shown_head, scale});
        map->setCrosshair({}, selection.locked);
    };
    show(map_a_, trace);
    if (shown == Form::Two) {
        show(map_b_, b_->trace());
        heading_a_->setText(QStringLiteral("A"));
        heading_b_->setText(QStringLiteral("B"));
    }
}

void Presentation::arrange() {
    const int u = unit();
    title_->setFont(sized(font(), 1.5 * u, true));
    text_->setFont(sized(font(), 1.1 * u));
    explained_->setFont(sized(font(), 1.05 * u));
    for (QLabel* heading : {heading_a_, heading_b_}) heading->setFont(sized(font(), 1.1 * u, true));
    QList<QWidget*> drawn = grid_->findChildren<QWidget*>();  // with a style sheet not all of them inherit a font
    drawn << grid_ << map_a_ << map_b_;
    for (QWidget* part : drawn) part->setFont(sized(font(), (u + 0.5) / kLabels));
    const QRect room = rect().adjusted(u, u / 3, -u / 2, -u / 3);
    const bool above = form() == Form::Two || (form() == Form::Many && explained_->text().isEmpty());
    if (above)
        arrangeAbove(room);
    else
        arrangeBeside(room);
    ink_->setGeometry(rect());
    ink_->raise();
}

/// The text on the left, the map over the whole height on the right.
void Presentation::arrangeBeside(const QRect& room) {
    const int u = unit(), width = static_cast<int>(room.width() * kTextShare), foot = 4 * u;
    const int title = title_->heightForWidth(width), text = text_->heightForWidth(width);
    title_->setGeometry(room.left(), room.top() + u / 2, width, title);
    text_->setGeometry(room.left(), room.top() + u + title, width, text);
    const int below = room.top() + 2 * u + title + text;
    explained_->setGeometry(room.left(), below, width, std::max(0, room.bottom() - foot - below));
    foot_ = QRect(room.left(), room.bottom() - foot, width, foot);
    const QRect map(room.left() + width + u / 2, room.top(), room.width() - width - u / 2, room.height());
    map_a_->setGeometry(map);
    grid_->setGeometry(map);
}

/// The text above two maps, with the explained row below them, or above all heads.
void Presentation::arrangeAbove(const QRect& room) {
    const int u = unit(), foot = 3 * u / 2, line = 3 * u / 2;
    const int title = title_->heightForWidth(room.width()), text = text_->heightForWidth(room.width());
    title_->setGeometry(room.left(), room.top(), room.width(), title);
    text_->setGeometry(room.left(), room.top() + title, room.width(), text);
    const int top = room.top() + title + text + u / 3;
    const int width = room.width() / 2 - u / 2, height = room.bottom() - foot - line - top,
              right = room.right() - width;
    grid_->setGeometry(room.left(), top, room.width(), room.bottom() - foot - top);
    map_a_->setGeometry(room.left(), top, width, height);
    map_b_->setGeometry(right, top, width, height);
    // the headings stand in the corner that the labels leave empty
    heading_a_->setGeometry(room.left(), top, 2 * u, line);
    heading_b_->setGeometry(right, top, 2 * u, line);
    heading_a_->raise();
    heading_b_->raise();
    explained_->setGeometry(room.left(), top + height, room.width(), line);
    foot_ = QRect(room.left(), room.bottom() - foot, room.width(), foot);
}

QList<HeatMap*> Presentation::maps() const {
    QList<HeatMap*> shown;
    for (auto* map : findChildren<HeatMap*>())
        if (map->isVisible()) shown << map;
    return shown;
}

int Presentation::smallestText() const {
    int smallest = unit();
    for (const QWidget* part : findChildren<QWidget*>()) {
        if (!part->isVisible()) continue;
        if (qobject_cast<const QLabel*>(part)) smallest = std::min(smallest, part->font().pixelSize());
        if (qobject_cast<const HeatMap*>(part)) smallest = std::min(smallest, labelFont(part->font()).pixelSize());
    }
    return smallest;
}

QString Presentation::hint() const {
    if (!run_.step()) return tr("P pen · S spotlight · Esc leaves");
    return run_.step()->task ? tr("Enter answer · Space next · Esc leaves")
                             : tr("Space next · P pen · S spotlight · Esc leaves");
}

void Presentation::paintEvent(QPaintEvent*) {
    const Theme theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Raised, theme));
    painter.setFont(sized(font(), unit()));
    const QFontMetrics metrics(painter.font());
    const int line = metrics.height();
    const QString keys = hint();
    const QRect hints(foot_.left(), foot_.bottom() - line, foot_.width(), line);
    painter.setPen(color(Role::Muted, theme));
    painter.drawText(hints, Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(keys, Qt::ElideRight, hints.width()));
    if (!run_.lesson()) return;
    const bool beside = foot_.height() > 3 * unit();
    const double width = beside ? foot_.width() : foot_.width() - metrics.horizontalAdvance(keys) - unit();
    const double y = beside ? hints.top() - unit() : hints.center().y(), thickness = unit() / 4.0;
    const double part = static_cast<double>(run_.index() + 1) / static_cast<double>(run_.lesson()->steps.size());
    painter.fillRect(QRectF(foot_.left(), y, width, thickness), color(Role::Border, theme));
    painter.fillRect(QRectF(foot_.left(), y, width * part, thickness), color(Role::Accent, theme));
}

bool Presentation::handleKey(int key) {
    if (run_.moveByKey(key)) return true;
    switch (key) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            answer();
            return true;
        case Qt::Key_P:
            ink_->setPen(!ink_->pen());
            return true;
        case Qt::Key_S:
            ink_->setSpotlight(!ink_->spotlight());
            return true;
        case Qt::Key_C:
            ink_->clear();
            return true;
        case Qt::Key_Escape:
        case Qt::Key_F5:
            close();
            return true;
        default:
            return false;
    }
}

/// The keys are the presentation's, also where a map was clicked.
bool Presentation::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return false;
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget || (widget != this && !isAncestorOf(widget))) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    return !(key->modifiers() & ~Qt::KeypadModifier) && handleKey(key->key());
}

void Presentation::resizeEvent(QResizeEvent*) {
    arrange();
}

void Presentation::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) refresh();
}

void Presentation::closeEvent(QCloseEvent* event) {
    const bool same_step = run_.lesson() == lesson_before_ && run_.index() == step_before_;
    QWidget::closeEvent(event);
    if (same_step) session_.setSelection(before_);
    Q_EMIT closed();
}

}  // namespace headscope
