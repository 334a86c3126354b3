// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/atlas/recorded_view.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QResizeEvent>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/controls/plain_label.h"
#include "ui/controls/step_edit.h"
#include "ui/controls/text_color.h"
#include "ui/look/plural.h"
#include "ui/look/theme.h"
#include "ui/maps/flow_layout.h"
#include "ui/pages/atlas/head_details.h"
#include "ui/pages/atlas/thumbnail_grid.h"
#include "ui/state/session.h"

namespace headscope {

namespace {

constexpr int kDetailsLetters = 30;
constexpr int kReportMs = 60;  // between two deliveries of heads

QIcon swatch(Role role) {
    QPixmap square(10, 10);
    square.fill(color(role, currentTheme()));
    return square;
}

}  // namespace

RecordedView::RecordedView(Session& session, QWidget* parent) : Page(session, QStringLiteral("atlas"), parent) {
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(8, 6, 8, 4);
    column->setSpacing(6);
    column->addWidget(makeHeader());
    column->addWidget(makeNames());
    scroll_ = new QScrollArea(content);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setFocusPolicy(Qt::NoFocus);
    grid_ = new ThumbnailGrid;
    scroll_->setWidget(grid_);
    scroll_->viewport()->installEventFilter(this);
    details_ = new HeadDetails;
    details_room_ = new QScrollArea(content);
    details_room_->setFrameShape(QFrame::NoFrame);
    details_room_->setFocusPolicy(Qt::NoFocus);
    details_room_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    details_room_->setWidgetResizable(true);
    details_room_->setWidget(details_);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(scroll_, 1);
    row->addWidget(details_room_);
    column->addLayout(row, 1);
    words_ = plainParagraph(content, QStringLiteral("atlasWords"));
    column->addWidget(words_);
    setContent(content);
    setFocusProxy(grid_);
    connect(grid_, &ThumbnailGrid::chosen, this, &RecordedView::choose);
    connect(grid_, &ThumbnailGrid::activated, this, &RecordedView::open);
    connect(details_, &HeadDetails::openWanted, this, [this] { open(grid_->current()); });
    connect(&work_, &Background::failed, this, &RecordedView::stopped);
    connect(&work_, &Background::busyChanged, this, &RecordedView::showWords);
    retranslate();
}

QWidget* RecordedView::makeHeader() {
    auto* header = new QWidget(this);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    order_ = new WordChoice(header);
    order_->setObjectName(QStringLiteral("atlasOrder"));
    progress_ = new QProgressBar(header);
    progress_->setObjectName(QStringLiteral("atlasProgress"));
    progress_->setFixedHeight(fontMetrics().height());
    stop_ = new QToolButton(header);
    stop_->setObjectName(QStringLiteral("atlasStop"));
    stop_->setProperty("segment", QStringLiteral("only"));
    row->addWidget(order_);
    row->addStretch(1);
    row->addWidget(progress_);
    row->addWidget(stop_);
    connect(order_, &WordChoice::edited, this, [this](const QString& word) {
        const auto measure = parse_head_measure(word.toStdString());
        filter_.order = measure ? AtlasOrder::Measure : word == u"name" ? AtlasOrder::Name : AtlasOrder::Layer;
        filter_.measure = measure.value_or(filter_.measure);
        showHeads();
    });
    connect(stop_, &QToolButton::clicked, this, &RecordedView::stopOrContinue);
    return header;
}

/// What heads do, and how many do it: each is a filter.
QWidget* RecordedView::makeNames() {
    auto* names = new QWidget(this);
    auto* row = new FlowLayout(names, 4, 4);
    row->setContentsMargins({});
    const auto count = atlasNames().size();
    for (std::size_t n = 0; n < count; ++n) {
        auto* button = new QToolButton(names);
        const bool mixed = n + 1 == count;
        button->setObjectName(QStringLiteral("atlasName_") +
                              (mixed ? QStringLiteral("mixed") : QString::fromLatin1(head_measure_types()[n].word)));
        button->setCheckable(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setIconSize({10, 10});
        button->setProperty("segment", QStringLiteral("only"));
        button->setFocusPolicy(Qt::StrongFocus);
        row->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, n](bool on) {
            filter_.only = on ? std::optional(n) : std::nullopt;
            showHeads();
        });
        names_.push_back(button);
    }
    return names;
}

void RecordedView::retranslate() {
    const QString chosen = order_->currentData().toString();
    order_->clear();
    order_->addItem(tr("by layer"), QStringLiteral("layer"));
    order_->addItem(tr("by name"), QStringLiteral("name"));
    for (const HeadMeasureType& type : head_measure_types())
        order_->addItem(tr("by %1").arg(nameOf(atlasNames(), type.measure).text), QString::fromLatin1(type.word));
    order_->display(chosen.isEmpty() ? QStringLiteral("layer") : chosen);
    order_->setToolTip(tr("The order of the heads: by layer, by their names, or by one measure, largest first"));
    order_->setAccessibleName(tr("Order"));
    progress_->setAccessibleName(tr("Heads read"));
    setAccessibleName(tr("Atlas of the recording"));
    details_->retranslate();
    if (isVisible()) refresh();
}

void RecordedView::refresh() {
    const TracePtr& trace = session().trace();
    const RecordingPtr recording = trace ? trace->request.recording : nullptr;
    if (!recording) return;
    const int sequence = session().selection().sequence;
    if (!heads_ || heads_->recording != recording || heads_->sequence != sequence) {
        heads_ = std::make_shared<RecordedHeads>(recording, sequence);
        error_.reset();
        grid_->setCurrent(-1);
        read();
    }
    showHeads();
}

/// Reads the heads that are not known yet.
void RecordedView::read() {
    std::vector<int> missing;
    for (int head = 0; head < static_cast<int>(heads_->heads.size()); ++head)
        if (!heads_->of(head)) missing.push_back(head);
    const RecordedHeads frame(heads_->recording, heads_->sequence);
    work_.run([this, missing, frame](const std::atomic<bool>& cancel) -> Background::Finish {
        using Portion = std::vector<std::pair<int, RecordedHead>>;
        auto portion = std::make_shared<Portion>();
        QElapsedTimer since;
        since.start();
        for (const int head : missing) {
            auto looked = look_at_head(*frame.recording, frame.place(head), kThumbnailCells, &cancel);
            if (!looked) return [this, error = looked.error()] { stopped(error); };
            portion->emplace_back(head, std::move(*looked));
            if (since.elapsed() < kReportMs) continue;
            work_.report(cancel, [this, portion] { received(*portion); });
            portion = std::make_shared<Portion>();
            since.restart();
        }
        return [this, portion] { received(*portion); };
    });
}

void RecordedView::received(std::vector<std::pair<int, RecordedHead>>& portion) {
    for (auto& [head, looked] : portion) heads_->heads[static_cast<std::size_t>(head)] = std::move(looked);
    if (isVisible()) showHeads();
}

void RecordedView::stopped(const Error& error) {
    if (error.code == ErrorCode::Cancelled) return;
    error_ = error;
    showWords();
}

void RecordedView::stopOrContinue() {
    if (work_.isBusy()) return work_.cancel();
    error_.reset();
    read();
    showWords();
}

ColorScale RecordedView::scale() const {
    const Selection& selection = session().selection();
    ColorScale scale;
    if (selection.range == Range::Log) scale = {1e-6, 1, true};
    scale.palette = selection.palette.value_or(Palette::Viridis);
    return scale;
}

void RecordedView::showHeads() {
    if (!heads_) return;
    const std::vector<AtlasName> names = atlasNames();
    for (std::size_t n = 0; n < names_.size(); ++n) {
        names_[n]->setText(
            QStringLiteral("%1 %2").arg(names[n].text, QString::number(heads_->named(names[n].measure))));
        names_[n]->setIcon(swatch(names[n].role));
        names_[n]->setToolTip(tr("Shows these heads alone: %1").arg(names[n].tip));
        names_[n]->setChecked(filter_.only == n);
    }
    grid_->setScale(scale());
    grid_->setHeads(heads_, shownHeads(*heads_, filter_), filter_.order == AtlasOrder::Layer);
    details_->setHead(heads_.get(), grid_->current(), scale());
    showWords();
}

void RecordedView::showWords() {
    if (!heads_) return;
    const auto all = static_cast<int>(heads_->heads.size()), known = heads_->known();
    progress_->setRange(0, all);
    progress_->setValue(known);
    for (QWidget* widget : {static_cast<QWidget*>(progress_), static_cast<QWidget*>(stop_)})
        widget->setVisible(known < all);
    stop_->setText(work_.isBusy() ? tr("Stop") : tr("Continue"));
    stop_->setToolTip(work_.isBusy() ? tr("Stops reading the recording; the heads that were read stay")
                                     : tr("Reads the heads that are missing"));
    if (error_) return words_->setText(sentence(*error_));
    const Recording& recording = *heads_->recording;
    QStringList parts{tr("%1: %2 layers × %3 heads × %4 tokens")
                          .arg(QFileInfo(QString::fromStdString(recording.path())).fileName(),
                               QString::number(recording.layers()), QString::number(recording.num_heads()),
                               QString::number(recording.batch().sequence_length()))};
    if (recording.batch().size() > 1) parts << tr("sequence %1").arg(heads_->sequence);
    parts << tr("a head is named by its largest measure if that is at least 0.5");
    if (heads_->rowsNotOne() > 0)
        parts << tr("the sums of %1 of %n rows differ from 1 by more than rounding explains", nullptr,
                    counted(heads_->rows()))
                     .arg(heads_->rowsNotOne());
    words_->setText(parts.join(QStringLiteral(" · ")));
}

void RecordedView::choose(int head) {
    grid_->setCurrent(head);
    details_->setHead(heads_.get(), head, scale());
    const QRect place = grid_->placeOf(head);
    scroll_->ensureVisible(place.center().x(), place.center().y(), place.width(), place.height());
}

/// The layer and the head are chosen as in the parameters: the layer is a step of undo, the head is not.
void RecordedView::open(int head) {
    if (!heads_ || head < 0) return;
    const Recording::Place place = heads_->place(head);
    grid_->setCurrent(head);
    Selection selection = session().wantedSelection();
    selection.head = static_cast<int>(place.head);
    selection.stage = Stage::Weights;
    selection.page = PageName::Heads;
    selection.locked.reset();
    if (session().trace()->request.recorded_layer != place.layer)
        session().edit(Field::Layer, QString::number(place.layer));
    session().setSelection(selection);
    Q_EMIT headsWanted();
}

void RecordedView::arrange() {
    details_room_->setFixedWidth(std::min(kDetailsLetters * fontMetrics().averageCharWidth(), width() * 2 / 5));
}

void RecordedView::applyLook() {
    setTextColor(words_, Role::Muted);
    showHeads();
}

bool RecordedView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == scroll_->viewport() && event->type() == QEvent::Resize)
        grid_->setRoom(static_cast<QResizeEvent*>(event)->size().width());
    return Page::eventFilter(watched, event);
}

}  // namespace headscope
