// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "ui/controls/page.h"

class QStackedWidget;

namespace headscope {

class ChunkView;
class PrecisionView;
class Segments;
class StoryView;

/// How one weight comes about, in three parts of which one is shown: the cell and its row, the chunks that its row is
/// computed in, and its head in each precision. All three are about the same cell.
class StepsPage : public Page {
    Q_OBJECT
public:
    explicit StepsPage(Session& session, QWidget* parent = nullptr);

protected:
    void refresh() override;
    void retranslate() override;
    void applyLook() override;

private:
    Segments* parts_;
    QLabel* note_;
    QStackedWidget* views_;
};

}  // namespace headscope
