// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "core/files/layer_info.h"

namespace headscope {

/// The Python lines that record the input x of a layer, to be read and copied.
class RecordDialog : public QDialog {
    Q_OBJECT
public:
    RecordDialog(const LayerInfo& layer, QWidget* parent);
};

}  // namespace headscope
