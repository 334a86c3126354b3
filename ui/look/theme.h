// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>
#include <QStringList>
#include <vector>

#include "ui/state/appearance.h"
#include "ui/state/selection.h"

namespace headscope {

/// Every colour of the program has a role here and a light and a dark value in one table (theme.cpp).
enum class Role {
    Window,
    Panel,
    Raised,
    Border,
    Text,
    Muted,
    Accent,
    AccentText,
    Warning,
    Error,
    Query,
    Key,
    Value,
    Output,  ///< Q blue, K vermilion, V bluish green, output purple, everywhere
    DimB,
    DimS,
    DimE,
    DimH,
    DimDh,  ///< one hue a dimension, used only for them
    Masked,
    Hatch,
    Crosshair,
    Nan,
    Empty,
    Count
};
QColor color(Role role, Theme theme);
/// The colour of Role::Query and so on behind a box.
QColor tint(Role role, Theme theme);

/// The theme that the application shows now; views ask for it when they paint.
Theme currentTheme();
/// Fusion style with our palette for the whole application; widgets get QEvent::PaletteChange.
void applyTheme(Theme theme);
QPalette applicationPalette(Theme theme);
/// What the palette can't say: widgets with the property card="true" are rounded boxes, tool buttons with
/// segment="first", "middle", "last" or "only" join into one row of choices.
QString applicationStyleSheet(Theme theme);

/// Families of the window and of figures: for Latin, for other alphabets and signs, for Chinese.
QStringList fontFamilies();

/// 256 opaque colours from low to high, perceptually uniform and safe for the colour-blind.
const std::vector<QRgb>& paletteColors(Palette palette);

/// Black or white, whichever reads better on a colour.
QColor readableOn(const QColor& background);

/// Relative luminance, 0 to 1, and contrast of two opaque colours, 1 to 21, as WCAG 2.1 defines them.
double luminance(const QColor& color);
double contrast(const QColor& a, const QColor& b);

}  // namespace headscope
