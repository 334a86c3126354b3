// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/script.h"

#include "core/explain/layer_python.h"
#include "ui/export/dump.h"
#include "ui/export/save_file.h"

namespace headscope {

Result<void> writeScript(const QString& path, const Trace& trace, const std::atomic<bool>* cancel,
                         std::atomic<double>* done) {
    const QString ending = QStringLiteral(".npz");
    const auto script = layer_python(trace, ending.toStdString());
    if (!script) return tl::unexpected(script.error());
    if (auto place = checkPlace(path); !place) return place;
    if (!script->tensors.empty())
        if (auto written = writeDump(path + ending, trace, cancel, done, script->tensors); !written) return written;
    return saveFile(path, QByteArrayView(script->code));
}

}  // namespace headscope
