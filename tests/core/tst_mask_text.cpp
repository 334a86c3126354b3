// SPDX-License-Identifier: GPL-3.0-or-later
// Mask expressions as they are typed, legal or not.
#include "core/masks/mask_text.h"

#include <QTest>

#include "core/masks/mask.h"

using namespace headscope;

namespace {

constexpr std::string_view kLocal[] = {"local"}, kCausal[] = {"causal"}, kFile[] = {"file"},
                           kSparse[] = {"strided", "block"};

}  // namespace

class TestMaskText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsTypedStays_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text :
             {"none", "causal", "padding,causal", "causal,local:4:0+global:1", "causal,,padding", ",", "+",
              "off:", "file:a\\,b\\+c.npy,causal", "file:a\\b.npy", "local:-1:x", "off:causal+global:1,padding",
              "strided:4+strided:5,block:2", "what:3", "strided:1:2:3:4:5", " causal , local:1:0", "\\"})
            QTest::addRow("%s", text) << QByteArray(text);
    }
    void whatIsTypedStays() {
        QFETCH(QByteArray, text);
        QCOMPARE(MaskText(text.toStdString()).str(), text.toStdString());
        // And legal text means the same.
        if (const auto mask = parse_mask(text.toStdString()))
            QCOMPARE(to_string(parse_mask(to_string(*mask)).value()), to_string(*mask));
    }

    void nothingIsNone() {
        for (const char* text : {"", "  ", "none", " none "}) {
            QVERIFY(MaskText(text).layers().empty());
            QCOMPARE(MaskText(text).str(), std::string("none"));
        }
    }

    void pathsAreEscaped() {
        for (const char* path : {"/a,b+c\\d:e.npy", "a\\b.npy", "\\", "\\\\,+", " with spaces ", "猫.npy"}) {
            MaskText mask("causal");
            mask.put(kFile, file_pattern(path));
            QCOMPARE(file_path(MaskText(mask.str()).pattern(kFile)), std::string(path));
            const auto parsed = parse_mask(mask.str());
            QVERIFY(parsed);
            QCOMPARE(parsed->layers[1][0].path, std::string(path));
        }
        // A backslash before a character that joins nothing is itself.
        QCOMPARE(file_path("file:a\\b.npy"), std::string("a\\b.npy"));
    }

    void wordsAndNumbers() {
        QCOMPARE(pattern_word(" local:2:0"), std::string_view("local"));
        QCOMPARE(pattern_word(""), std::string_view());
        QCOMPARE(pattern_numbers("local:2:0"), (std::vector<std::string>{"2", "0"}));
        QCOMPARE(pattern_numbers("local"), std::vector<std::string>());
        QCOMPARE(pattern_numbers("local:"), std::vector<std::string>{""});
        QCOMPARE(pattern_text("local", {"2", "x"}), std::string("local:2:x"));
    }

    void onePatternChanges() {
        MaskText mask("causal,local:4:0+global:1");
        QVERIFY(mask.presence(kLocal) == MaskText::Presence::Within);
        QVERIFY(mask.presence(kCausal) == MaskText::Presence::Alone);
        QVERIFY(mask.presence(kSparse) == MaskText::Presence::Absent);
        mask.put(kLocal, "local:6:0");
        QCOMPARE(mask.str(), std::string("causal,local:6:0+global:1"));
        mask.put(kSparse, "block:3");
        QCOMPARE(mask.str(), std::string("causal,local:6:0+global:1,block:3"));
        mask.remove(kLocal);
        mask.remove(kCausal);
        QCOMPARE(mask.str(), std::string("global:1,block:3"));
        MaskText twice("causal,causal");
        QVERIFY(twice.presence(kCausal) == MaskText::Presence::Within);
        twice.remove(kCausal);
        QCOMPARE(twice.str(), std::string("none"));
        MaskText unfinished("causal,,padding");
        unfinished.remove(kCausal);
        QCOMPARE(unfinished.str(), std::string(",padding"));
    }

    void layersAreSwitched() {
        MaskText mask("off:local:4:1,padding");
        QVERIFY(mask.presence(kLocal) == MaskText::Presence::Absent);
        QCOMPARE(mask.pattern(kLocal), std::string("local:4:1"));
        QVERIFY(!mask.switch_layers(kCausal, true));
        QVERIFY(!mask.switch_layers(kLocal, false));
        QVERIFY(mask.switch_layers(kLocal, true));
        QCOMPARE(mask.str(), std::string("local:4:1,padding"));
        QVERIFY(mask.switch_layers(kLocal, false));
        QCOMPARE(mask.str(), std::string("off:local:4:1,padding"));
        // The pattern of a layer that acts goes first.
        QCOMPARE(MaskText("off:local:1:1,local:2:2").pattern(kLocal), std::string("local:2:2"));
    }
};

QTEST_APPLESS_MAIN(TestMaskText)
#include "tst_mask_text.moc"
