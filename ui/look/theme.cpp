// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/theme.h"

#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QLabel>
#include <QPainter>
#include <QProxyStyle>
#include <QWidget>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/look/plain_letters.h"

// The resources are in a static library: without this call the linker would omit them. Not allowed in a namespace.
static void initialiseResources() {
    Q_INIT_RESOURCE(resources);
}

namespace headscope {

namespace {

struct Entry {
    Role role;
    QRgb light, dark;
};

/// The table of all colours. Text roles keep a contrast of 4.5 : 1 on Window, Panel, Raised and every tint (tst_theme).
constexpr Entry kTable[] = {
    {Role::Window, 0xfff4f6f9, 0xff14171c},        {Role::Panel, 0xffffffff, 0xff1a1e25},
    {Role::Raised, 0xffffffff, 0xff20252d},        {Role::Border, 0xffd3d9e2, 0xff3a424e},
    {Role::Text, 0xff1c2530, 0xffe7eaef},          {Role::Muted, 0xff5a6675, 0xffa3adba},
    {Role::Accent, 0xff2f5fd0, 0xff86adff},        {Role::AccentText, 0xffffffff, 0xff0d1526},
    {Role::Warning, 0xff8a5200, 0xfff2b84b},       {Role::Error, 0xffb3261e, 0xffff9a90},
    {Role::Query, 0xff0068a8, 0xff66b8f0},         {Role::Key, 0xffb04300, 0xffff9a5c},
    {Role::Value, 0xff00714f, 0xff45c99b},         {Role::Output, 0xff7a3aa3, 0xffcf9cf0},
    {Role::DimB, 0xff6f4aad, 0xffb9a0f0},          {Role::DimS, 0xff1a68b0, 0xff74b6f5},
    {Role::DimE, 0xffb83a10, 0xffff9877},          {Role::DimH, 0xff24722d, 0xff7acb82},
    {Role::DimDh, 0xff835c00, 0xffdcb44e},         {Role::Masked, 0xffeef1f5, 0xff282d36},
    {Role::Hatch, 0xffb9c2ce, 0xff545e6c},         {Role::Crosshair, 0xffd6600a, 0xffff9a3c},
    {Role::Nan, 0xffc2185b, 0xffff6fa3},           {Role::FullyMasked, 0xffb06a00, 0xfff2b84b},
    {Role::HeadPrevious, 0xff2f5fd0, 0xff7fa6ff},  {Role::HeadNext, 0xff0f7b55, 0xff45c99b},
    {Role::HeadItself, 0xff7d3fae, 0xffcf9cf0},    {Role::HeadSeparator, 0xff9a5a00, 0xffe0a24a},
    {Role::HeadFirst, 0xffc2362b, 0xffff8d80},     {Role::HeadSameWord, 0xff087f86, 0xff4fd0d6},
    {Role::HeadInduction, 0xffb0257a, 0xffff8ac8}, {Role::HeadDuplicate, 0xff5f6f00, 0xffc3d34a},
    {Role::HeadBroad, 0xff6b7280, 0xff9aa4b2},
};
static_assert(std::size(kTable) == static_cast<std::size_t>(Role::Count));

Theme shown_theme = Theme::Light;
constexpr int kTipLetters = 70;  // longest line of a tooltip
constexpr int kTabPadding = 12;  // sum of both sides; Fusion uses 24

QColor mix(const QColor& a, const QColor& b, double share_of_b) {
    const auto blend = [&](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share_of_b)); };
    return QColor(blend(a.red(), b.red()), blend(a.green(), b.green()), blend(a.blue(), b.blue()));
}

double linear(double srgb) {
    return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4);
}
double gamma(double x) {
    return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
}

/// CIE L*a*b* under D65: equal distances are perceived as equal.
struct Lab {
    double lightness, a, b;
};

QRgb toRgb(const Lab& lab) {
    const auto cube = [](double t) { return t > 6.0 / 29 ? t * t * t : 108.0 / 841 * (t - 4.0 / 29); };
    const double fy = (lab.lightness + 16) / 116;
    const double x = 0.95047 * cube(fy + lab.a / 500), y = cube(fy), z = 1.08883 * cube(fy - lab.b / 200);
    const auto byte = [](double channel) {
        return static_cast<int>(std::lround(std::clamp(gamma(channel), 0.0, 1.0) * 255));
    };
    return qRgb(byte(3.2404542 * x - 1.5371385 * y - 0.4985314 * z), byte(-0.969266 * x + 1.8760108 * y + 0.041556 * z),
                byte(0.0556434 * x - 0.2040259 * y + 1.0572252 * z));
}

std::vector<QRgb> readPalette(const QString& name) {
    initialiseResources();
    QFile file(QStringLiteral(":/palettes/%1.csv").arg(name));
    std::vector<QRgb> colors;
    if (!file.open(QIODevice::ReadOnly)) qFatal("palette %s is missing from the program", qPrintable(name));
    file.readLine();  // skips the names of the columns
    while (!file.atEnd()) {
        const QList<QByteArray> channel = file.readLine().trimmed().split(',');
        colors.push_back(qRgb(channel.value(0).toInt(), channel.value(1).toInt(), channel.value(2).toInt()));
    }
    return colors;
}

/// A palette from near white to near black in equal steps of lightness.
std::vector<QRgb> greys() {
    std::vector<QRgb> colors;
    for (int i = 0; i < 256; ++i) colors.push_back(toRgb({97 - 89 * i / 255.0, 0, 0}));
    return colors;
}

/// Blue, white, red: straight lines in L*a*b* from the middle to ends of equal lightness, so that equal distances from
/// 0 are perceived as equal. Blue and red can be distinguished with every common kind of colour blindness.
std::vector<QRgb> diverging() {
    constexpr Lab middle{97, 0, 0}, blue{36, 6, -52}, red{36, 56, 36};
    std::vector<QRgb> colors;
    for (int i = 0; i < 256; ++i) {
        // -1 to 1, never exactly 0: entries 127 and 128 are on either side of 0
        const double distance = (2 * i - 255) / 255.0;
        const Lab& end = distance < 0 ? blue : red;
        const double share = std::abs(distance);
        colors.push_back(
            toRgb({middle.lightness + (end.lightness - middle.lightness) * share, end.a * share, end.b * share}));
    }
    return colors;
}

/// Fusion with four changes: scroll bars as wide as their property "extent" says; tab padding that fits seven tabs
/// beside two panels in a window of 1024 pixels; dock titles in the current font (under a style sheet Qt keeps using
/// the initial one); tooltips that wrap.
class Look : public QProxyStyle {
public:
    Look() : QProxyStyle(QStringLiteral("Fusion")) {}
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
        if (metric == PM_TabBarTabHSpace) return kTabPadding;
        const int extent = metric == PM_ScrollBarExtent && widget ? widget->property("extent").toInt() : 0;
        if (extent > 0) return extent;
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
        if (element == CE_DockWidgetTitle && widget) painter->setFont(widget->font());
        QProxyStyle::drawControl(element, option, painter, widget);
    }
    /// Qt shows a plain-text tooltip on one line, even if it is as wide as the screen; this makes its label wrap.
    using QProxyStyle::polish;
    void polish(QWidget* widget) override {
        QProxyStyle::polish(widget);
        if (widget->inherits("QTipLabel")) widget->installEventFilter(this);
    }
    bool eventFilter(QObject* object, QEvent* event) override {
        auto* tip = event->type() == QEvent::Resize ? qobject_cast<QLabel*>(object) : nullptr;
        const int widest = tip ? tip->fontMetrics().averageCharWidth() * kTipLetters : 0;
        if (tip && !tip->wordWrap() && tip->width() > widest) {
            tip->setWordWrap(true);
            tip->resize(widest, tip->heightForWidth(widest));
        }
        return QProxyStyle::eventFilter(object, event);
    }
};

}  // namespace

QColor color(Role role, Theme theme) {
    const Entry& entry = kTable[static_cast<std::size_t>(role)];
    Q_ASSERT(entry.role == role);
    return QColor::fromRgb(theme == Theme::Light ? entry.light : entry.dark);
}

QColor tint(Role role, Theme theme) {
    return mix(color(Role::Raised, theme), color(role, theme), theme == Theme::Light ? 0.08 : 0.12);
}

Theme currentTheme() {
    return shown_theme;
}

QPalette applicationPalette(Theme theme) {
    const auto of = [theme](Role role) { return color(role, theme); };
    QPalette palette(of(Role::Raised), of(Role::Window));
    palette.setColor(QPalette::WindowText, of(Role::Text));
    palette.setColor(QPalette::Text, of(Role::Text));
    palette.setColor(QPalette::ButtonText, of(Role::Text));
    palette.setColor(QPalette::BrightText, of(Role::Error));
    palette.setColor(QPalette::PlaceholderText, of(Role::Muted));
    palette.setColor(QPalette::Base, of(Role::Panel));
    palette.setColor(QPalette::AlternateBase, of(Role::Window));
    palette.setColor(QPalette::Highlight, of(Role::Accent));
    palette.setColor(QPalette::HighlightedText, of(Role::AccentText));
    palette.setColor(QPalette::Link, of(Role::Accent));
    palette.setColor(QPalette::LinkVisited, of(Role::Output));
    palette.setColor(QPalette::ToolTipBase, of(Role::Raised));
    palette.setColor(QPalette::ToolTipText, of(Role::Text));
    // Fusion derives its outlines and bevels from these.
    palette.setColor(QPalette::Light, of(Role::Panel));
    palette.setColor(QPalette::Midlight, mix(of(Role::Panel), of(Role::Border), 0.5));
    palette.setColor(QPalette::Mid, of(Role::Border));
    palette.setColor(QPalette::Dark, mix(of(Role::Border), of(Role::Muted), 0.5));
    palette.setColor(QPalette::Shadow, mix(of(Role::Border), of(Role::Text), 0.5));
    for (const auto text : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, text, mix(of(Role::Muted), of(Role::Window), 0.35));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, of(Role::Border));
    return palette;
}

QString applicationStyleSheet(Theme theme) {
    const auto of = [theme](Role role) { return color(role, theme).name(); };
    return QStringLiteral(R"(
QToolTip { background: %1; color: %2; border: 1px solid %3; padding: 4px; }
QToolBar#tokenToolBar { background: %11; border: none; border-bottom: 1px solid %3; padding: 0; spacing: 0; }
QFrame[card="true"] { background: %1; border: 1px solid %3; border-radius: 6px; }
QToolButton[segment] { background: %1; color: %2; border: 1px solid %3; padding: 4px 9px; }
QToolButton[letter="q"] { color: %8; font-weight: bold; }
QToolButton[letter="k"] { color: %9; font-weight: bold; }
QToolButton[letter="v"] { color: %10; font-weight: bold; }
QToolButton[segment]::menu-indicator { image: none; width: 0; }
QToolButton#tokenizer::menu-indicator { image: none; width: 0; }
QToolButton[segment="middle"], QToolButton[segment="last"] { border-left: none; }
QToolButton[segment="first"] { border-top-left-radius: 5px; border-bottom-left-radius: 5px; }
QToolButton[segment="last"] { border-top-right-radius: 5px; border-bottom-right-radius: 5px; }
QToolButton[segment="only"] { border-radius: 5px; }
QToolButton[segment]:hover { background: %4; }
QToolButton[segment]:checked { background: %5; color: %6; border-color: %5; }
QToolButton[segment]:focus { border: 1px solid %5; }
QToolButton[segment]:checked:focus { color: %6; border: 1px solid %2; }
QToolButton[segment]:disabled { color: %7; }
)")
        .arg(of(Role::Raised), of(Role::Text), of(Role::Border), tint(Role::Accent, theme).name(), of(Role::Accent),
             of(Role::AccentText), applicationPalette(theme).color(QPalette::Disabled, QPalette::ButtonText).name(),
             of(Role::Query), of(Role::Key))
        .arg(of(Role::Value), of(Role::Panel));
}

void applyTheme(Theme theme) {
    initialiseResources();
    shown_theme = theme;
    if (!dynamic_cast<Look*>(QApplication::style())) QApplication::setStyle(new Look);
    const QPalette palette = applicationPalette(theme);
    QApplication::setPalette(palette);
    // Fusion draws the frame of a control in its window colour darkened by 140, which is invisible on a dark panel.
    QPalette control = palette;
    control.setColor(QPalette::Window, mix(color(Role::Border, theme), color(Role::Muted, theme), 0.5).lighter(140));
    for (const char* type : {"QCheckBox", "QRadioButton", "QAbstractSpinBox", "QComboBox", "QLineEdit", "QPushButton"})
        QApplication::setPalette(control, type);
    qApp->setStyleSheet(applicationStyleSheet(theme));
    // A new style sheet resets the palettes of widgets: set their colours again.
    for (QWidget* widget : QApplication::allWidgets()) {
        QEvent event(QEvent::PaletteChange);
        QApplication::sendEvent(widget, &event);
    }
}

QStringList fontFamilies() {
    static const QStringList families = [] {
        QStringList all{QStringLiteral("Inter"), QStringLiteral("DejaVu Sans"), QStringLiteral("Droid Sans Fallback"),
                        QStringLiteral("Noto Sans CJK SC")};
        usePlainLetters(all);
        return all;
    }();
    return families;
}

const std::vector<QRgb>& paletteColors(Palette palette) {
    static const std::array<std::vector<QRgb>, 5> colors{readPalette(QStringLiteral("viridis")),
                                                         readPalette(QStringLiteral("cividis")),
                                                         readPalette(QStringLiteral("magma")), greys(), diverging()};
    return colors[static_cast<std::size_t>(palette)];
}

double luminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return std::max(x, y) / std::min(x, y);
}

QColor readableOn(const QColor& background) {
    return contrast(background, Qt::white) >= contrast(background, Qt::black) ? QColor(Qt::white) : QColor(Qt::black);
}

}  // namespace headscope
