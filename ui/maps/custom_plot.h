// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// QCustomPlot's header uses Qt keywords, which this build disables.
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef slots
#undef foreach
