// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/text_boundaries.h"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>

#include <memory>

namespace headscope {
namespace {

using Iterator = std::unique_ptr<icu::BreakIterator>;

Iterator iterator(icu::BreakIterator* (*create)(const icu::Locale&, UErrorCode&), const icu::Locale& locale) {
    UErrorCode error = U_ZERO_ERROR;
    Iterator made(create(locale, error));
    if (U_FAILURE(error)) qFatal("ICU's data is missing: %s", u_errorName(error));
    return made;
}

/// Calls take(end) for the end of each piece until it returns false.
template <typename Take>
void eachBoundary(icu::BreakIterator& boundaries, QStringView text, Take take) {
    UErrorCode error = U_ZERO_ERROR;
    UText* opened = utext_openUChars(nullptr, text.utf16(), text.size(), &error);  // no copy
    boundaries.setText(opened, error);
    for (int32_t end = boundaries.next(); end != icu::BreakIterator::DONE && take(end);) end = boundaries.next();
    utext_close(opened);
}

QList<QStringView> pieces(icu::BreakIterator& boundaries, QStringView text) {
    QList<QStringView> found;
    qsizetype start = 0;
    eachBoundary(boundaries, text, [&](qsizetype end) {
        found.append(text.sliced(start, end - start));
        start = end;
        return true;
    });
    return found;
}

/// Expensive to create, and not thread-safe.
icu::BreakIterator& graphemeBoundaries() {
    thread_local const Iterator boundaries =
        iterator(icu::BreakIterator::createCharacterInstance, icu::Locale::getRoot());
    return *boundaries;
}

}  // namespace

QList<QStringView> graphemes(QStringView text) {
    return pieces(graphemeBoundaries(), text);
}

QList<QStringView> words(QStringView text) {
    // ICU's root rules differ from UAX 29 in one point: ':' doesn't join letters. The Finnish rules follow UAX 29.
    thread_local const Iterator boundaries = iterator(icu::BreakIterator::createWordInstance, icu::Locale("fi"));
    return pieces(*boundaries, text);
}

QStringView firstGraphemes(QStringView text, qsizetype count) {
    qsizetype length = 0;
    if (count > 0)
        eachBoundary(graphemeBoundaries(), text, [&](qsizetype end) {
            length = end;
            return --count > 0;
        });
    return text.first(length);
}

QString unicodeVersion() {
    return QStringLiteral(U_UNICODE_VERSION);
}

}  // namespace headscope
