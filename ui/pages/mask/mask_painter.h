// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <optional>

#include "ui/pages/mask/stroke.h"
#include "ui/state/session.h"

namespace headscope {

/// The hand that paints: every stroke and every change of the painted layer is an intent to the session, and one undo
/// step. Cells of a layer that was painted for more tokens than there are now stay as they are.
class MaskPainter : public QObject {
    Q_OBJECT
public:
    explicit MaskPainter(Session& session, QObject* parent = nullptr);

    PaintTool tool() const { return tool_; }
    Ink ink() const { return ink_; }
    void setTool(PaintTool tool) { tool_ = tool; }
    void setInk(Ink ink) { ink_ = ink; }

    // A stroke. It ends by itself where something else edits the mask meanwhile, such as undo.
    void press(paint::Cell at, PaintTool tool);
    void drag(paint::Cell at);
    void release();
    void cancel();  ///< as if it had never been
    bool isPainting() const { return stroke_.has_value(); }
    /// What the stroke under way leaves; nothing where there is none.
    std::optional<bool> strokeAllows() const { return stroke_ ? std::optional(stroke_->allowed()) : std::nullopt; }

    // Whole edits of the painted layer, which is added where there is none.
    void invert();
    void transpose();
    void fill(bool allowed);
    void fillDiagonal(bool allowed);
    /// The allowed cells of the whole mask, as one painted layer that can be changed freely. The other layers are
    /// switched off; padding that differs from sequence to sequence stays a layer of its own.
    void startFromPresent();
    /// The cells of an expression ("causal", "local:2:2") in the painted layer.
    void startFrom(const QString& expression, const QString& name);

    void switchLayer(std::size_t place, bool on);

    /// Reads a file in the background and puts its cells in the painted layer; loaded() says whether it could. A newer
    /// file replaces one that is being read.
    void load(const QString& path);
    /// The whole mask of the sequence that is shown, by the ending of the name: .json, .csv or .npy.
    Result<void> save(const QString& path) const;

Q_SIGNALS:
    void strokeEnded();
    /// Nothing, or the error of the file (InvalidMask if it is for another number of tokens): nothing was changed then.
    void loaded(const std::optional<headscope::Error>& error);

private:
    /// The expression with a painted layer that acts, and the layer's cells for at least the present tokens.
    struct Canvas {
        MaskExpression expression;
        PaintedMask mask;
        std::int64_t tokens = 0;
    };
    std::optional<Canvas> canvas() const;
    bool wouldOpen(paint::Cell at, PaintTool tool) const;
    void paintStroke();
    void change(const QString& what, const std::function<PaintedMask(PaintedMask)>& with);
    void put(const QString& text, const Session::Gesture& gesture);
    void draftChanged();
    std::optional<Result<void>> tryLoad(const QString& path);
    void continueLoading();

    Session& session_;
    FileStore files_{FileStore::Mode::InBackground};
    QString loading_;  ///< the file that is being read, or empty
    PaintTool tool_ = PaintTool::Cells;
    Ink ink_ = Ink::Opposite;
    std::optional<Stroke> stroke_;
    Canvas stroke_canvas_;
    Session::Gesture gesture_;
    QString text_before_, text_painted_;  ///< the draft's mask when the stroke began, and as it last left it
};

}  // namespace headscope
