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

/// Every colour of the program has a role here, with a light and a dark value in one table (theme.cpp).
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
    DimDh,  ///< one hue per dimension, used only for dimensions
    Masked,
    Hatch,
    Crosshair,
    Nan,
    FullyMasked,
    HeadPrevious,
    HeadNext,
    HeadItself,
    HeadSeparator,
    HeadFirst,
    HeadSameWord,
    HeadInduction,
    HeadDuplicate,
    HeadBroad,  ///< what the atlas names a head after, in the order of HeadMeasure
    Count
};
QColor color(Role role, Theme theme);
/// The background tint of a box in the colour of Role::Query and so on.
QColor tint(Role role, Theme theme);

/// The current theme; views read it when they paint.
Theme currentTheme();
/// Applies the Fusion style with our palette to the whole application; widgets receive QEvent::PaletteChange.
void applyTheme(Theme theme);
QPalette applicationPalette(Theme theme);
/// The style sheet for what the palette can't express: widgets with the property card="true" are rounded boxes; tool
/// buttons with segment="first", "middle", "last" or "only" form one row of choices.
QString applicationStyleSheet(Theme theme);

/// Font families of the window and of figures: for Latin, for other alphabets and symbols, for Chinese.
QStringList fontFamilies();

/// 256 opaque colours from low to high, perceptually uniform and safe for colour blindness.
const std::vector<QRgb>& paletteColors(Palette palette);

/// Black or white, whichever has more contrast on a colour.
QColor readableOn(const QColor& background);

/// Relative luminance, 0 to 1, and contrast of two opaque colours, 1 to 21, as WCAG 2.1 defines them.
double luminance(const QColor& color);
double contrast(const QColor& a, const QColor& b);

}  // namespace headscope
