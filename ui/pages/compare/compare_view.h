// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "ui/controls/page.h"
#include "ui/export/triptych.h"
#include "ui/pages/compare/compared_maps.h"
#include "ui/pages/compare/linked_maps.h"
#include "ui/state/background.h"
#include "ui/state/draft.h"
#include "ui/state/session_file.h"

class QComboBox;
class QLabel;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace headscope {

class BSettings;
class ChangePanel;

/// Two complete configurations side by side: A is what the window shows, B a session of its own whose text is always
/// A's. The same head and stage of both, their difference, and in words what differs. When the page is first shown B
/// begins as A with the causal mask switched on, or off where A has one; nothing is computed for it before. Its edits
/// are steps of A's history.
class CompareView : public Page {
    Q_OBJECT
public:
    explicit CompareView(Session& a, QWidget* parent = nullptr);

    /// What B begins with: A with the causal mask switched on, or off where A has one.
    static Draft firstB(const Draft& a);
    /// The second configuration; null until the view was shown.
    Session* b() const { return b_; }
    LinkedMaps* maps() const { return maps_; }
    /// For menus: copy, swap, exports.
    QList<QAction*> commands() const { return commands_; }

    /// The pictures carry the session that this gives.
    void carry(std::function<SavedSession()> session) { session_to_carry_ = std::move(session); }

    enum class Part { A, B, All };
    /// A picture, .png, .svg or .pdf by the ending, of what is shown. NoTokens where there is none yet; errors as
    /// writeFigure().
    Result<void> exportTo(const QString& path, Part part) const;

public Q_SLOTS:
    void copyAToB();
    void swap();
    /// Sets the settings of B, as one step of A's history; `what`: for the undo menu.
    void setB(const headscope::Draft& draft, const QString& what);

protected:
    void refresh() override;
    void refreshHover() override;
    void arrange() override;
    void applyLook() override;
    void retranslate() override;
    void release() override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// What is on the screen: the difference is made anew only where one of these changes.
    struct Shown {
        TracePtr a, b;
        Selection selection;
        int head = 0;
        bool operator==(const Shown&) const = default;
    };

    QWidget* makeHeader();
    QScrollArea* makeSide();
    void makeCommands();
    QAction* addCommand(const QString& name, const QKeySequence& keys);
    void beginB();
    void followText();
    void followSelection();
    void refreshHeads();
    void refreshMaps();
    void refreshCrosshair();
    void compare(const Shown& wanted);
    void showPair(const Shown& what, const ComparedMaps& maps);
    bool waits() const;
    QString whyNoB() const;
    Selection selection() const;
    void chooseHead(int head);
    void moveBy(int queries, int keys);
    void saveAs(Part part);
    Triptych triptych() const;

    Session& a_;
    Session* b_ = nullptr;
    int head_ = 0;
    QList<QAction*> commands_;
    QAction *copy_, *swap_, *show_settings_, *export_a_, *export_b_, *export_all_;
    QLabel *head_label_, *settings_text_, *difference_text_;
    QComboBox* head_box_;
    QToolButton* export_button_;
    LinkedMaps* maps_;
    ChangePanel* change_;
    BSettings* settings_ = nullptr;
    std::function<SavedSession()> session_to_carry_;
    QScrollArea* side_;
    QVBoxLayout *column_, *side_column_;
    std::optional<Cell> hover_;          ///< also where A has no such cell
    std::optional<Cell> locked_before_;  ///< to see that another cell was locked
    Shown shown_, wanted_;
    ComparedMaps compared_;
    bool arranged_ = false;
    bool choosing_head_ = false;  ///< none was chosen since B began
    bool began_ = false;          ///< with settings of B that were chosen here; until others are
    Background work_;             ///< last: what runs must not outlive the rest
};

}  // namespace headscope
