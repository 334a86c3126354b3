// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QStyle>
#include <QTest>
#include <QWidget>
#include <cmath>

#include "ui/look/hatch.h"
#include "ui/look/theme.h"

using namespace headscope;

namespace {

constexpr double kReadable = 4.5;  // WCAG 2.1, 1.4.3, text of ordinary size
constexpr Theme kThemes[] = {Theme::Light, Theme::Dark};
constexpr Role kTextRoles[] = {Role::Text,  Role::Muted, Role::Accent, Role::Warning, Role::Error,
                               Role::Query, Role::Key,   Role::Value,  Role::Output,  Role::DimB,
                               Role::DimS,  Role::DimE,  Role::DimH,   Role::DimDh};

double lightness(QRgb rgb) {
    const double y = luminance(QColor::fromRgb(rgb));
    return y > 216.0 / 24389 ? 116 * std::cbrt(y) - 16 : y * 24389 / 27;
}

}  // namespace

class TestTheme : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void contrastIsThatOfWcag() {
        QCOMPARE(contrast(Qt::white, Qt::black), 21.0);
        QCOMPARE(contrast(Qt::black, Qt::white), 21.0);
        QCOMPARE(contrast(Qt::red, Qt::red), 1.0);
        // #767676 is the lightest grey that reads on white: 4.54 in every published table.
        QVERIFY(std::abs(contrast(QColor(0x76, 0x76, 0x76), Qt::white) - 4.54) < 0.005);
    }

    void everyTextReadsOnEveryBackground() {
        for (const Theme theme : kThemes) {
            QList<QColor> backgrounds{color(Role::Window, theme), color(Role::Panel, theme),
                                      color(Role::Raised, theme)};
            for (const Role role : {Role::Query, Role::Key, Role::Value, Role::Output, Role::Accent})
                backgrounds.append(tint(role, theme));
            for (const Role role : kTextRoles)
                for (const QColor& background : backgrounds) {
                    const double ratio = contrast(color(role, theme), background);
                    QVERIFY2(ratio >= kReadable, qPrintable(QStringLiteral("role %1 on %2, theme %3: %4")
                                                                .arg(int(role))
                                                                .arg(background.name())
                                                                .arg(int(theme))
                                                                .arg(ratio)));
                }
            QVERIFY(contrast(color(Role::AccentText, theme), color(Role::Accent, theme)) >= kReadable);
            QVERIFY(contrast(color(Role::Text, theme), color(Role::Masked, theme)) >= kReadable);
        }
    }

    void signsStandOut() {
        // WCAG 2.1, 1.4.11: 3 : 1 for what isn't text but must be seen.
        for (const Theme theme : kThemes)
            for (const Role role : {Role::Crosshair, Role::Nan, Role::FullyMasked, Role::Accent})
                QVERIFY(contrast(color(role, theme), color(Role::Raised, theme)) >= 3);
    }

    void everyRoleHasItsOwnColour() {
        for (const Theme theme : kThemes)
            for (const Role role : kTextRoles)
                for (const Role other : kTextRoles)
                    if (role != other) QVERIFY(color(role, theme) != color(other, theme));
        for (int role = 0; role < int(Role::Count); ++role)
            for (const Theme theme : kThemes) {
                QVERIFY(color(Role(role), theme).isValid());
                QCOMPARE(color(Role(role), theme).alpha(), 255);
            }
        for (const Theme theme : kThemes) {
            QVERIFY(std::abs(color(Role::Query, theme).hue() - 203) < 15);   // blue
            QVERIFY(std::abs(color(Role::Key, theme).hue() - 22) < 15);      // vermilion
            QVERIFY(std::abs(color(Role::Value, theme).hue() - 160) < 15);   // bluish green
            QVERIFY(std::abs(color(Role::Output, theme).hue() - 277) < 15);  // purple
        }
    }

    void palettesAreThePublishedOnes() {
        const auto& viridis = paletteColors(Palette::Viridis);
        QCOMPARE(viridis.front(), qRgb(68, 1, 84));
        QCOMPARE(viridis[128], qRgb(33, 145, 140));
        QCOMPARE(viridis.back(), qRgb(253, 231, 37));
        QCOMPARE(paletteColors(Palette::Magma).front(), qRgb(0, 0, 4));
        QCOMPARE(paletteColors(Palette::Magma).back(), qRgb(252, 253, 191));
        QCOMPARE(paletteColors(Palette::Cividis).front(), qRgb(0, 34, 78));
        QCOMPARE(paletteColors(Palette::Cividis).back(), qRgb(254, 232, 56));
    }

    void palettesRunOneWay() {
        // 8 bits a channel move L* by up to 0.25 either way.
        constexpr double rounding = 0.5;
        for (const Palette palette : {Palette::Viridis, Palette::Cividis, Palette::Magma, Palette::Greys}) {
            const auto& colors = paletteColors(palette);
            QCOMPARE(colors.size(), std::size_t(256));
            const double direction = palette == Palette::Greys ? -1 : 1;
            QVERIFY(direction * (lightness(colors.back()) - lightness(colors.front())) > 60);
            for (std::size_t i = 1; i < colors.size(); ++i) {
                QCOMPARE(qAlpha(colors[i]), 255);
                QVERIFY(direction * (lightness(colors[i]) - lightness(colors[i - 1])) > -rounding);
                if (i >= 8) QVERIFY(direction * (lightness(colors[i]) - lightness(colors[i - 8])) > 0);
            }
        }
    }

    void divergingIsSymmetric() {
        const auto& colors = paletteColors(Palette::Diverging);
        QCOMPARE(colors.size(), std::size_t(256));
        for (std::size_t i = 0; i < 128; ++i) {
            QVERIFY(std::abs(lightness(colors[i]) - lightness(colors[255 - i])) < 1.5);  // gamut and rounding
            if (i > 0) QVERIFY(lightness(colors[i]) > lightness(colors[i - 1]) - 0.5);
            if (i >= 8) QVERIFY(lightness(colors[i]) > lightness(colors[i - 8]));
        }
        QVERIFY(lightness(colors[127]) > 96);
        QVERIFY(qBlue(colors.front()) > qRed(colors.front()) + 60);
        QVERIFY(qRed(colors.back()) > qBlue(colors.back()) + 60);
    }

    void readableOnPicksTheBetter() {
        QCOMPARE(readableOn(Qt::black), QColor(Qt::white));
        QCOMPARE(readableOn(Qt::yellow), QColor(Qt::black));
        for (int palette = 0; palette <= int(Palette::Diverging); ++palette)
            for (const QRgb rgb : paletteColors(Palette(palette)))
                QVERIFY(contrast(readableOn(QColor::fromRgb(rgb)), QColor::fromRgb(rgb)) >= kReadable);
    }

    void applyReachesWidgets() {
        applyTheme(Theme::Light);
        QWidget widget;
        widget.resize(80, 60);
        widget.show();
        QCOMPARE(widget.palette().color(QPalette::Window), color(Role::Window, Theme::Light));
        applyTheme(Theme::Dark);
        QCoreApplication::processEvents();
        QCOMPARE(currentTheme(), Theme::Dark);
        QCOMPARE(widget.palette().color(QPalette::Window), color(Role::Window, Theme::Dark));
        QCOMPARE(widget.palette().color(QPalette::WindowText), color(Role::Text, Theme::Dark));
        QCOMPARE(widget.grab().toImage().pixelColor(5, 5), color(Role::Window, Theme::Dark));
        applyTheme(Theme::Light);
        QCOMPARE(currentTheme(), Theme::Light);
    }

    void disabledTextStillReads() {
        for (const Theme theme : kThemes) {
            const QPalette palette = applicationPalette(theme);
            QVERIFY(contrast(palette.color(QPalette::Disabled, QPalette::WindowText), color(Role::Window, theme)) > 2);
            QVERIFY(contrast(palette.color(QPalette::PlaceholderText), palette.color(QPalette::Base)) >= kReadable);
        }
    }

    void hatchLinesJoinAndStayInside() {
        const QRectF left(3, 5, 40, 17), right(43, 5, 25, 17);
        for (const QRectF& rect : {left, right}) {
            const QList<QLineF> lines = hatchLines(rect);
            QCOMPARE(lines.size(), qsizetype(std::ceil((rect.right() + rect.bottom()) / kHatchSpacing) - 1 -
                                             std::floor((rect.left() + rect.top()) / kHatchSpacing)));
            for (const QLineF& line : lines) {
                QVERIFY(rect.adjusted(-1e-9, -1e-9, 1e-9, 1e-9).contains(line.p1()));
                QVERIFY(rect.adjusted(-1e-9, -1e-9, 1e-9, 1e-9).contains(line.p2()));
                QVERIFY(std::abs(std::remainder(line.x1() + line.y1(), kHatchSpacing)) < 1e-9);
                QVERIFY(std::abs(line.x2() + line.y2() - line.x1() - line.y1()) < 1e-9);
            }
        }
        QVERIFY(hatchLines(QRectF()).isEmpty());
        QVERIFY(hatchLines(left, 0).isEmpty());
    }

    void maskedAndNanAreSeen() {
        QImage image(32, 32, QImage::Format_RGB32);
        QPainter painter(&image);
        drawMasked(painter, QRectF(0, 0, 32, 16), Theme::Light);
        drawNan(painter, QRectF(0, 16, 16, 16), Theme::Light);
        painter.end();
        int hatch = 0, background = 0;
        for (int x = 0; x < 32; ++x)
            for (int y = 0; y < 16; ++y) {
                hatch += image.pixelColor(x, y) == color(Role::Hatch, Theme::Light);
                background += image.pixelColor(x, y) == color(Role::Masked, Theme::Light);
            }
        QVERIFY(hatch > 40);
        QVERIFY(background > 300);
        QCOMPARE(image.pixelColor(8, 24), color(Role::Nan, Theme::Light));
        QCOMPARE(image.pixelColor(2, 24), color(Role::Raised, Theme::Light));
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
