// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/export_options.h"

namespace headscope {

/// The request of a job's draft; the first of its problems, under the option that it is about.
Result<Request> readRequest(const ExportJob& job);

/// headscope export OUT [options]: reads the draft, computes, writes. Needs no display and reads no settings.
Result<void> runExport(const Arguments& arguments);

}  // namespace headscope
