// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/session.h"

#include <QDir>
#include <QFileInfo>
#include <QUndoCommand>
#include <algorithm>
#include <utility>

#include "core/attention/plan.h"
#include "core/base/buffer_pool.h"
#include "ui/state/clock.h"

namespace headscope {
namespace {

/// Edits of one field that follow each other faster than this are one undo step.
constexpr std::chrono::milliseconds kMergeTime{1000};

/// Each step holds the whole text, which may be long.
constexpr int kUndoLimit = 500;

bool showsScores(const Selection& selection) {
    return selection.stage == Stage::Scores || selection.stage == Stage::Masked;
}

}  // namespace

/// From one state to the next, both as whole values: undoing is applying.
class SessionStep : public QUndoCommand {
public:
    SessionStep(Session& session, Session::Snapshot after, const Session::Gesture& gesture, int merge_id)
        : QUndoCommand(gesture.what),
          session_(session),
          before_{session.draft_, session.wanted_},
          after_(std::move(after)),
          gesture_(gesture.number),
          merge_id_(merge_id) {}
    void undo() override { session_.apply(before_); }
    void redo() override { session_.apply(after_); }
    int id() const override { return merge_id_; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const SessionStep*>(other);  // same id, so same class
        if (gesture_ != next->gesture_ || (gesture_ == 0 && now() - made_ >= kMergeTime)) return false;
        after_ = next->after_;
        made_ = next->made_;
        setObsolete(before_.draft == after_.draft);
        return true;
    }

private:
    Session& session_;
    Session::Snapshot before_, after_;
    quint64 gesture_;  ///< 0 = a key or a click
    int merge_id_;
    Moment made_ = now();
};

Session::Session(QObject* parent) : Session(headscope::compute, parent) {}

Session::Session(ComputeFunction compute, QObject* parent)
    : Session(std::make_shared<FileStore>(FileStore::Mode::InBackground), nullptr, std::move(compute), parent) {}

/// Without previews: what is compared is compared when it is complete.
Session::Session(Session& first, QObject* parent)
    : Session(
          first.files_, first.history_,
          [](const Request& request, const TracePtr& previous, const std::atomic<bool>* cancel) {
              return headscope::compute(request, previous, cancel);
          },
          parent) {}

Session::Session(std::shared_ptr<FileStore> files, QUndoStack* history, ComputeFunction compute, QObject* parent)
    : QObject(parent),
      files_(std::move(files)),
      reading_(readDraft(draft_, *files_)),
      runner_(new Runner(std::move(compute), this)),
      history_(history ? history : &own_history_) {
    own_history_.setUndoLimit(kUndoLimit);
    connect(runner_, &Runner::previewed, this, &Session::previewed);
    connect(runner_, &Runner::finished, this, &Session::received);
    connect(runner_, &Runner::busyChanged, this, &Session::computingChanged);
    connect(files_.get(), &FileStore::arrived, this, &Session::filesArrived);
    request_ = reading_.request;
    this->compute();
}

/// Steps must not outlive the session that they change. The own stack signals while it is destroyed; by then whoever
/// listens may be half gone.
Session::~Session() {
    own_history_.disconnect();
    if (history_ != &own_history_) history_->clear();
}

bool Session::isComputing() const {
    return runner_->isBusy() || reading_.waits;
}

void Session::edit(Field field, const QString& value) {
    Draft next = draft_;
    next.set(field, value);
    push({next, wanted_}, {0, fieldLabel(field)}, static_cast<int>(field));
}

void Session::edit(Field field, const QString& value, const Gesture& gesture) {
    Draft next = draft_;
    next.set(field, value);
    push({next, wanted_}, gesture, static_cast<int>(field));
}

void Session::openFile(const QString& path, const QString& layer) {
    const QFileInfo file(QDir::cleanPath(QFileInfo(path).absoluteFilePath()));
    Draft next = withWeights(draft_, file.filePath());
    if (!layer.isEmpty()) next.set(Field::Layer, layer);
    if (next == draft_) return show({draft_, wanted_}, true);  // the file may have changed
    edit(next, tr("open %1").arg(file.fileName()));
}

void Session::edit(const Draft& draft, const QString& what) {
    push({draft, wanted_}, {0, what});
}

void Session::open(const Draft& draft, const Selection& selection, const QString& what) {
    push({draft, selection}, {0, what});
}

void Session::adopt(const Draft& draft) {
    if (draft != draft_) show({draft, wanted_}, true);
}

void Session::replace(const Draft& draft, const Selection& selection) {
    runner_->cancel();  // what belongs to the old start must not appear in the new one
    preview_.reset();
    restoring_ = false;
    own_history_.clear();
    request_.reset();
    show({draft, selection}, true);
}

void Session::setPage(PageName page) {
    Selection next = wanted_;
    next.page = page;
    select(next);
}

void Session::setStepsPart(StepsPart part) {
    Selection next = wanted_;
    next.steps_part = part;
    select(next);
}

void Session::setStage(Stage stage) {
    Selection next = wanted_;
    next.stage = stage;
    select(next);
}

void Session::setRange(Range range) {
    Selection next = wanted_;
    next.range = range;
    select(next);
}

void Session::setPalette(Palette palette) {
    Selection next = wanted_;
    next.palette = palette;
    select(next);
}

void Session::setSequence(int sequence) {
    Selection next = wanted_;
    next.sequence = sequence;
    select(next);
}

void Session::setHead(std::optional<int> head) {
    Selection next = wanted_;
    next.head = head;
    select(next);
}

void Session::setLocked(std::optional<Cell> cell) {
    Selection next = wanted_;
    next.locked = cell;
    if (cell) next.locked_stage = selection_.stage;
    select(next);
}

void Session::setHover(std::optional<Cell> cell) {
    if (cell == hover_) return;
    hover_ = cell;
    Q_EMIT hoverChanged();
}

void Session::setSelection(const Selection& selection) {
    if (selection != wanted_) show({draft_, selection}, false);
}

bool Session::hasHeads(Stage stage) const {
    return has_heads(stage, trace_ ? trace_->request : Request{});
}

/// The locked cell is one of the enlarged head: whichever of them changes, the other follows.
void Session::select(const Selection& wanted) {
    Selection next = wanted;
    if (next.head && next.locked && hasHeads(next.stage)) {
        if (next.locked == wanted_.locked)
            next.locked->head = *next.head;
        else
            next.head = next.locked->head;
    }
    if (next != wanted_) show({draft_, next}, false);
}

void Session::push(const Snapshot& next, const Gesture& gesture, int merge_id) {
    if (next == Snapshot{draft_, wanted_}) return;
    history_->push(new SessionStep(*this, next, gesture, merge_id));
}

void Session::apply(const Snapshot& snapshot) {
    show(snapshot, snapshot.draft != draft_);
}

void Session::show(const Snapshot& snapshot, bool read_draft) {
    const Selection old_selection = selection_;
    const std::optional<Cell> old_hover = hover_;
    draft_ = snapshot.draft;
    wanted_ = snapshot.selection;
    const bool other_picture = choosePicture();
    fitSelection();
    if (read_draft) {
        reading_ = readDraft(draft_, *files_, trace_ ? &trace_->request : nullptr);
        if (reading_.request) request_ = reading_.request;
    }
    if ((read_draft && reading_.request) || !hasSequence()) compute();

    if (read_draft) Q_EMIT draftChanged();
    if (read_draft && reading_.waits) Q_EMIT computingChanged();
    if (other_picture) Q_EMIT traceChanged();
    announceSelection(old_selection, old_hover);
    restoreScores();
}

void Session::filesArrived() {
    if (!reading_.waits) return;
    show({draft_, wanted_}, true);
    Q_EMIT computingChanged();
}

/// Is what is selected there? Another sequence is not where the weights of all would be too large, and the scores are
/// not where they are large and weren't shown before.
bool Session::hasSequence() const {
    if (!trace_ || kept_sequences(trace_->request).count == 0) return true;  // what isn't kept can be computed
    const bool is_kept = trace_->request.kept_sequence == selection_.sequence;
    if (showsScores(selection_) && !trace_->matrix(Stage::Scores, selection_.sequence, 0))
        return is_kept && trace_->request.keep_scores;
    if (is_kept) return true;
    return trace_->matrix(Stage::Weights, selection_.sequence, 0) ||
           trace_->matrix(Stage::Scores, selection_.sequence, 0);
}

void Session::compute() {
    if (!request_) return;
    request_->kept_sequence = std::clamp<std::int64_t>(wanted_.sequence, 0, request_->batch.size() - 1);
    request_->keep_scores = showsScores(selection_) || has_small_scores(*request_);
    restoring_ = false;
    if (letScoresGo()) Q_EMIT traceChanged();
    runner_->submit(*request_);
}

bool Session::isBetween() const {
    return trace_ && trace_->scores && trace_->scores->size() == 0;
}

/// Large scores that the next picture makes anew go before it is computed, unless they are what is looked at: beside
/// the new ones they would take as much memory again.
bool Session::letScoresGo() {
    if (showsScores(selection_) || !complete_ || !outdates_large_scores(*request_, *complete_)) return false;
    complete_ = without_scores(complete_);
    return choosePicture();
}

/// Where no next picture comes, they are computed once more.
void Session::restoreScores() {
    if (!isBetween() || runner_->isBusy() || restoring_) return;
    restoring_ = true;
    runner_->submit(trace_->request);
}

/// Takes the preview where the page and the stage can show it, or else the last complete trace. True if that is another
/// picture than before.
bool Session::choosePicture() {
    const bool fits = preview_ && wanted_.page == PageName::Heads && wanted_.stage < Stage::HeadContext;
    const TracePtr before = std::exchange(trace_, fits ? preview_ : complete_);
    return trace_ != before;
}

void Session::showPicture() {
    const Selection old_selection = selection_;
    const std::optional<Cell> old_hover = hover_;
    if (!choosePicture()) return;
    fitSelection();
    Q_EMIT traceChanged();
    announceSelection(old_selection, old_hover);
}

void Session::previewed(const TracePtr& preview) {
    preview_ = preview;
    showPicture();
}

void Session::cancelComputing() {
    if (!canCancel()) return;
    runner_->cancel();
    failed({ErrorCode::Cancelled,
            QT_TRANSLATE_NOOP("Error", "the computation was cancelled; the next change of a setting starts it again"),
            {}});
}

void Session::failed(const Error& error) {
    if (!restoring_) compute_error_ = error;
    preview_.reset();
    showPicture();
    restoreScores();
    Q_EMIT computeFailed();
}

void Session::received(const Result<TracePtr>& result) {
    if (!result) return failed(result.error());
    const Selection old_selection = selection_;
    const std::optional<Cell> old_hover = hover_;
    complete_ = *result;
    preview_.reset();
    choosePicture();
    if (!restoring_) compute_error_.reset();
    if (runner_->isBusy()) letScoresGo();
    fitSelection();
    if (!hasSequence() && !runner_->isBusy()) compute();  // another sequence or stage was chosen meanwhile
    Q_EMIT traceChanged();
    announceSelection(old_selection, old_hover);
    // The previous trace of a long text is freed by now, and the pool need not keep it.
    if (!runner_->isBusy() && kept_sequences(trace_->request).count == 0) release_pooled_blocks();
}

void Session::fitSelection() {
    selection_ = wanted_;
    if (trace_ && !has_stage(trace_->request, selection_.stage)) selection_.stage = Stage::Weights;
    if (trace_) selection_ = fitted(selection_, trace_->dims());
    if (hover_ && trace_ && !isInside(*hover_, selection_.stage, trace_->dims())) hover_.reset();
}

void Session::announceSelection(const Selection& old_selection, const std::optional<Cell>& old_hover) {
    if (selection_ != old_selection) Q_EMIT selectionChanged();
    if (hover_ != old_hover) Q_EMIT hoverChanged();
}

}  // namespace headscope
