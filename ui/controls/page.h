// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/state/selection.h"

class QLabel;
class QStackedLayout;

namespace headscope {

class Session;

/// Base class of the pages of the window. It shows a sentence instead of the content if there is nothing to show,
/// updates only while the page is visible, and handles the locked cell, Esc, and changes of theme, text size and
/// language.
class Page : public QWidget {
    Q_OBJECT
public:
    /// `name`: prefix of the object names; the page is <name>View and its sentence <name>Empty.
    Page(Session& session, const QString& name, QWidget* parent);

protected:
    Session& session() const { return session_; }
    void setContent(QWidget* content);
    /// Dims a part that shows what was computed while the settings can't be computed.
    void dimIfOld(QWidget* part);
    /// Shows a sentence instead of the content; with an empty text, shows the content.
    void say(const QString& instead);

    // Called only while the page is visible.
    virtual void refresh() = 0;  ///< the draft, trace or selection changed, or the page became visible
    virtual void refreshHover() {}
    virtual void arrange() {}    ///< the size or text size changed
    virtual void applyLook() {}  ///< the theme or text size changed
    // Called at any time.
    virtual void retranslate() {}
    virtual void release() {}  ///< the page was hidden: frees large data

    /// Locks a cell. Shows the weights if the current stage is not square; if a head is enlarged, enlarges the cell's
    /// head instead.
    void lock(const Cell& cell);
    void toggleLock(const Cell& cell);

    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    Session& session_;
    QStackedLayout* layers_;
    QLabel* empty_;
};

}  // namespace headscope
