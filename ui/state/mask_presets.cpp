// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/mask_presets.h"

#include <QCoreApplication>

namespace headscope {

QList<MaskPreset> maskPresets() {
    const auto tr = [](const char* text) { return QCoreApplication::translate("headscope", text); };
    return {{tr("&None"), QStringLiteral("none")},
            {tr("&Padding"), QStringLiteral("padding")},
            {tr("&Causal"), QStringLiteral("causal")},
            {tr("Padding &and causal"), QStringLiteral("padding,causal")},
            {tr("&Local window: 2 left, 2 right"), QStringLiteral("local:2:2")},
            {tr("Sliding window with a s&ink"), QStringLiteral("causal,local:4:0+global:1")},
            {tr("Long&former: a window and global tokens"), QStringLiteral("local:2:2+global:1")},
            {tr("&Strided, as in Sparse Transformer"), QStringLiteral("causal,strided:4")},
            {tr("&Dilated window"), QStringLiteral("dilated:2:2:2")},
            {tr("&Blocks of 4"), QStringLiteral("block:4")}};
}

QString maskFileFilter() {
    return QCoreApplication::translate("headscope", "Masks (*.json *.csv *.npy);;All files (*)");
}

}  // namespace headscope
