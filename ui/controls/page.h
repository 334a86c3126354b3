// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/state/selection.h"

class QLabel;
class QStackedLayout;

namespace headscope {

class Session;

/// What the pages of the window have in common: a sentence in place of the content where there is nothing to show; work
/// only while the page is visible; the locked cell; Esc; a new theme, text size and language.
class Page : public QWidget {
    Q_OBJECT
public:
    /// `name`: the object is called nameView and its sentence nameEmpty.
    Page(Session& session, const QString& name, QWidget* parent);

protected:
    Session& session() const { return session_; }
    void setContent(QWidget* content);
    /// Shows a sentence in place of the content; an empty one shows the content.
    void say(const QString& instead);

    // Called only while the page is visible.
    virtual void refresh() = 0;  ///< another draft, trace or selection, or the page became visible
    virtual void refreshHover() {}
    virtual void arrange() {}    ///< another size or text size
    virtual void applyLook() {}  ///< another theme or text size
    // Called at any time.
    virtual void retranslate() {}
    virtual void release() {}  ///< the page is hidden: frees what is large

    /// Locks a cell of a square stage; an enlarged head follows it.
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
