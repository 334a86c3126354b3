// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QUndoStack>
#include <optional>

#include "core/attention/trace.h"
#include "ui/state/draft.h"
#include "ui/state/file_store.h"
#include "ui/state/runner.h"
#include "ui/state/selection.h"

namespace headscope {

/// What the controls say (Draft), the last legal of it (Request), what is looked at (Selection) and what was computed
/// (Trace). Views send intents and listen; they never change each other. The window has one session, and Compare one
/// more for its other side; both read files through one FileStore.
///
/// A signal is sent only for what changed, and after all of it changed: draftChanged or traceChanged first, then
/// selectionChanged, then hoverChanged. A new session computes its draft at once.
class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);
    explicit Session(ComputeFunction compute, QObject* parent = nullptr);  ///< for tests
    /// A second configuration: it shares the files that `first` has read, and its edits are steps of the history of
    /// `first`, which must outlive it.
    Session(Session& first, QObject* parent);
    ~Session() override;

    const Draft& draft() const { return draft_; }
    const Reading& reading() const { return reading_; }  ///< problems of the draft, beside their controls
    std::optional<Error> computeError() const { return compute_error_; }  ///< of the last request, such as OutOfMemory
    /// What is wanted, as far as the trace has it: see fitted().
    const Selection& selection() const { return selection_; }
    /// What is wanted, also where the trace has fewer heads, sequences or tokens at the moment. To be remembered.
    const Selection& wantedSelection() const { return wanted_; }
    const std::optional<Cell>& hover() const { return hover_; }
    /// What is shown. Null until the first picture; then the newest, also while a draft is illegal. On the page Heads
    /// it may be the preview of the computation that runs (core/attention/preview.h), until its pass has ended.
    const TracePtr& trace() const { return trace_; }
    /// The same for what needs all of it, such as exports: null while a preview is shown.
    TracePtr completeTrace() const { return trace_ == complete_ ? trace_ : nullptr; }
    bool isComputing() const;
    /// How much of the running pass is done, from 0 to 1.
    double progress() const { return runner_->progress(); }
    bool canCancel() const { return runner_->isBusy() && !restoring_; }
    /// Cancels what is computed. The last complete picture stays, computeError() says so, and the next edit computes.
    void cancelComputing();
    /// True if each head of the trace has a matrix of a stage; see has_heads().
    bool hasHeads(Stage stage) const;
    /// The trace has let its scores go to make room for the next, which is on its way: what was told from them may
    /// stay.
    bool isBetween() const;
    QUndoStack* undoStack() { return history_; }

    /// A weights file or a model's folder, from the menu, a drop or the command line, as one step: the layer brings its
    /// embed_dim, num_heads and layout, and its mask where none is given. It is read in the background; an error is a
    /// problem of the draft. layer: as for Field::Layer.
    void openFile(const QString& path, const QString& layer = {});

    // Intents of the controls. A change of the draft is one undo step; edits of one field within a second of each other
    // are one. Each step keeps the selection that it was made with, and brings it back.
    void edit(Field field, const QString& value);
    /// One movement of the hand, from press to release: its edits of a field are one step however long it takes, and
    /// never one with what came before or after.
    struct Gesture {
        quint64 number = 0;
        QString what;  ///< for the undo menu
    };
    Gesture beginGesture(const QString& what) { return {++gestures_, what}; }
    void edit(Field field, const QString& value, const Gesture& gesture);
    void edit(const Draft& draft, const QString& what);  ///< several fields at once; what: for the undo menu
    /// Shows another state in one undo step: what is computed and what is looked at.
    void open(const Draft& draft, const Selection& selection, const QString& what);
    /// The first start, in one undo step.
    void startOver() { open(Draft(), Selection(), tr("start over")); }
    /// Takes over a draft that was decided elsewhere: no step.
    void adopt(const Draft& draft);
    void replace(const Draft& draft, const Selection& selection);  ///< a new start: forgets the own undo history

    // Looking around is no undo step.
    void setPage(PageName page);
    void setStepsPart(StepsPart part);
    void setStage(Stage stage);
    void setRange(Range range);
    void setPalette(Palette palette);
    void setSequence(int sequence);
    void setHead(std::optional<int> head);  ///< enlarge one, or back to all
    void setLocked(std::optional<Cell> cell);
    void setHover(std::optional<Cell> cell);
    void setSelection(const Selection& selection);  ///< all of it at once

Q_SIGNALS:
    void draftChanged();  ///< the controls show draft() and the problems beside them
    void traceChanged();  ///< a new picture; compare Trace::identity to see what is new in it
    void selectionChanged();
    void hoverChanged();
    void computingChanged();
    void computeFailed();

private:
    friend class SessionStep;
    struct Snapshot {
        Draft draft;
        Selection selection;  ///< as it was wanted
        bool operator==(const Snapshot&) const = default;
    };
    void push(const Snapshot& next, const Gesture& gesture, int merge_id = -1);
    void select(const Selection& wanted);
    void apply(const Snapshot& snapshot);
    void show(const Snapshot& snapshot, bool read_draft);
    void filesArrived();
    bool hasSequence() const;
    void compute();
    bool letScoresGo();
    void restoreScores();
    void previewed(const TracePtr& preview);
    void received(const Result<TracePtr>& result);
    void failed(const Error& error);
    bool choosePicture();
    void showPicture();
    void fitSelection();
    void announceSelection(const Selection& old_selection, const std::optional<Cell>& old_hover);

    Session(std::shared_ptr<FileStore> files, QUndoStack* history, ComputeFunction compute, QObject* parent);

    std::shared_ptr<FileStore> files_;
    Draft draft_;
    Reading reading_;
    std::optional<Request> request_;
    Selection wanted_, selection_;
    std::optional<Cell> hover_;
    TracePtr trace_, complete_;
    TracePtr preview_;  ///< of the computation that runs; null if there is none
    std::optional<Error> compute_error_;
    bool restoring_ = false;  ///< what runs makes the scores of trace() once more, and answers no edit
    Runner* runner_;
    QUndoStack own_history_;
    QUndoStack* history_;
    quint64 gestures_ = 0;
};

}  // namespace headscope
