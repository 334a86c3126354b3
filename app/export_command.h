// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/export_options.h"

namespace headscope {

/// Reads the draft of a job into a request. Returns the first problem, naming the option that caused it.
Result<Request> readRequest(const ExportJob& job);

/// headscope export OUT [options]: reads the draft, computes, writes. Needs no display and reads no settings.
Result<void> runExport(const Arguments& arguments);

}  // namespace headscope
