// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>

namespace headscope {

class RecordedView;
class Session;
class SummaryView;

/// The heads of what is computed, summed up; or all heads of all layers of a recording.
class AtlasPage : public QStackedWidget {
    Q_OBJECT
public:
    explicit AtlasPage(Session& session, QWidget* parent = nullptr);

private:
    void refresh();

    Session& session_;
    SummaryView* summary_;
    RecordedView* recorded_;
};

}  // namespace headscope
