// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/plain_letters.h"

#include <QDataStream>
#include <QFontDatabase>
#include <QIODevice>
#include <QRawFont>
#include <QtEndian>

namespace headscope {
namespace {

/// The tables of an OpenType font that this code reads.
constexpr const char* kTables[] = {"BASE", "CFF ", "CFF2", "GDEF", "GPOS", "GSUB", "OS/2",
                                   "cmap", "cvt ", "fpgm", "gasp", "glyf", "head", "hhea",
                                   "hmtx", "kern", "loca", "maxp", "name", "post", "prep"};

/// The table of substitutions as laid out by the OpenType specification: scripts, their languages, the features that
/// each language lists by index, and the list of features with four-letter tags.
class Substitutions {
public:
    explicit Substitutions(QByteArray& table) : table_(table), scripts_(number(4)), features_(number(6)) {}

    /// Renames the ligature and contextual alternate features of a script to an unused tag, which disables them.
    void withdraw() {
        for (int i = 0; i < number(scripts_); ++i) {
            const int record = scripts_ + 2 + 6 * i, script = scripts_ + number(record + 4);
            const QByteArray tag = table_.mid(record, 4);
            if (tag != "DFLT" && tag != "latn" && tag != "grek" && tag != "cyrl") continue;
            if (number(script) != 0) withdrawFrom(script + number(script));
            for (int language = 0; language < number(script + 2); ++language)
                withdrawFrom(script + number(script + 4 + 6 * language + 4));
        }
    }

private:
    /// Returns 0 beyond the end: a list is then empty.
    int number(int at) const { return at + 2 <= table_.size() ? qFromBigEndian<quint16>(table_.constData() + at) : 0; }
    void withdrawFrom(int language) {
        for (int i = 0; i < number(language + 4); ++i) {
            const int at = features_ + 2 + 6 * number(language + 6 + 2 * i);
            const QByteArray tag = table_.mid(at, 4);
            if (tag == "calt" || tag == "liga" || tag == "clig") table_[at] = 'x';
        }
    }

    QByteArray& table_;
    int scripts_, features_;
};

/// Writes a font file with the same tables.
QByteArray fontFile(const QRawFont& font) {
    QList<std::pair<QByteArray, QByteArray>> tables;
    bool outlines_are_cff = false;
    for (const char* tag : kTables) {
        QByteArray table = font.fontTable(tag);
        if (table.isEmpty()) continue;
        const QByteArray name(tag);
        outlines_are_cff = outlines_are_cff || name.startsWith("CFF");
        if (name == "GSUB") Substitutions(table).withdraw();
        tables.append({name, table});
    }
    QByteArray file;
    QDataStream out(&file, QIODevice::WriteOnly);
    out << quint32(outlines_are_cff ? 0x4F54544F : 0x00010000) << quint16(tables.size());
    out << quint16(0) << quint16(0) << quint16(0);  // search hints, which no reader needs
    auto offset = static_cast<quint32>(12 + 16 * tables.size());
    const auto padded = [](const QByteArray& table) { return (table.size() + 3) / 4 * 4; };
    for (const auto& [tag, table] : tables) {
        out.writeRawData(tag.constData(), 4);
        out << quint32(0) << offset << static_cast<quint32>(table.size());  // no checksum
        offset += static_cast<quint32>(padded(table));
    }
    for (const auto& [tag, table] : tables) file += table + QByteArray(padded(table) - table.size(), '\0');
    return file;
}

}  // namespace

void usePlainLetters(const QStringList& families) {
    for (const QString& family : families) {
        if (!QFontDatabase::hasFamily(family)) continue;
        for (const QFont::Weight weight : {QFont::Normal, QFont::Bold}) {
            QFont font(family);
            font.setWeight(weight);
            QFontDatabase::addApplicationFontFromData(fontFile(QRawFont::fromFont(font)));
        }
        return;
    }
}

}  // namespace headscope
