// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/atlas/atlas_page.h"

#include "ui/pages/atlas/recorded_view.h"
#include "ui/pages/atlas/summary_view.h"
#include "ui/state/session.h"

namespace headscope {

AtlasPage::AtlasPage(Session& session, QWidget* parent)
    : QStackedWidget(parent),
      session_(session),
      summary_(new SummaryView(session, this)),
      recorded_(new RecordedView(session, this)) {
    setObjectName(QStringLiteral("atlasPage"));
    addWidget(summary_);
    addWidget(recorded_);
    connect(&session, &Session::traceChanged, this, &AtlasPage::refresh);
    refresh();
}

void AtlasPage::refresh() {
    const bool recorded = session_.trace() && session_.trace()->request.recording;
    setCurrentWidget(recorded ? static_cast<QWidget*>(recorded_) : summary_);
    setFocusProxy(currentWidget());
}

}  // namespace headscope
