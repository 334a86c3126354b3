// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/export_options.h"

namespace headscope {

/// headscope export OUT [options]: reads the draft, computes, writes. Needs no display and reads no settings.
Result<void> runExport(const Arguments& arguments);

}  // namespace headscope
