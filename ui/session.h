// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QUndoStack>
#include <optional>

#include "core/trace.h"
#include "ui/draft.h"
#include "ui/selection.h"

namespace headscope {

class Runner;

/// The only mutable state of the program: what the controls say (Draft), the last legal of it (Request), what is looked
/// at (Selection) and what was computed (Trace). Views send intents and listen; they never change each other.
class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    const Draft& draft() const { return draft_; }
    const Reading& reading() const { return reading_; }  ///< problems of the draft, beside their controls
    std::optional<Error> computeError() const { return compute_error_; }  ///< of the last request, such as OutOfMemory
    const Selection& selection() const { return selection_; }
    const std::optional<Cell>& hover() const { return hover_; }
    /// Null until the first picture; then the newest, also while a draft is illegal.
    const TracePtr& trace() const { return trace_; }
    bool isComputing() const;
    QUndoStack* undoStack() { return &undo_; }

    // Intents of the controls. Each is one undo step; edits of one field within a second are one.
    void edit(Field field, const QString& value);
    void edit(const Draft& draft, const QString& what);  ///< several fields at once
    void replace(const Draft& draft, const Selection& selection);  ///< a new start: forgets the undo history
    void setStage(Stage stage);
    void setRange(Range range);
    void setPalette(Palette palette);
    void setSequence(int sequence);
    void setHead(std::optional<int> head);  ///< enlarge one, or back to all
    void setLocked(std::optional<Cell> cell);
    void setHover(std::optional<Cell> cell);  ///< never undone

Q_SIGNALS:
    void draftChanged();      ///< the controls show draft() and the problems beside them
    void traceChanged();      ///< a new picture; compare Trace::identity to see what is new in it
    void selectionChanged();
    void hoverChanged();
    void computingChanged();
    void computeFailed();

private:
    friend class SessionStep;
    struct Snapshot {
        Draft draft;
        Selection selection;
    };
    void apply(const Snapshot& snapshot);
    void push(const Snapshot& next, const QString& what, int merge_id);
    void requestFromDraft();
    void received(const Result<TracePtr>& result);
    void fitSelection();

    Draft draft_;
    Reading reading_;
    Selection selection_;
    std::optional<Cell> hover_;
    TracePtr trace_;
    std::optional<Error> compute_error_;
    Runner* runner_;
    QUndoStack undo_;
};

}  // namespace headscope
