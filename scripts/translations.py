#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps resources/translations/*.ts in step with the source.

    scripts/translations.py update LUPDATE   renews the texts to translate; of English only what counts something
    scripts/translations.py check            says what has no translation, and which placeholders got lost

lupdate reads tr() and its kin. The sentences of core/, which knows no Qt, are found here and handed to it in the
context "Error", where sentence() of ui/state/draft.h looks them up, and the names of stages in the context "Stage".
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGLISH = ROOT / "resources" / "translations" / "headscope_en.ts"  # the source's language: its plurals alone
TRANSLATIONS = sorted((ROOT / "resources" / "translations").glob("*.ts"))
LITERALS = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'  # neighbours are one text
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')


FILES = sorted(ROOT.glob("core/**/*.cpp")) + sorted(ROOT.glob("ui/**/*.cpp")) + sorted(ROOT.glob("app/*.cpp"))
SOURCES = "\n".join(file.read_text(encoding="utf-8") for file in FILES)


def joined(literals):
    return "".join(LITERAL.findall(literals))


def sentences_of(source):
    """The templates, still with C++'s escapes, that one file makes errors and sentences of."""
    found = [joined(m) for m in re.findall(r"\bfail\(\s*ErrorCode::\w+,\s*" + LITERALS + r"[,)]", source)]
    for maker in (r"\bsay\(\s*", r"\bphrase\(\s*", r"\bSENTENCE\(\s*", r"\bvalue_of\(\w+, \w+,\s*"):
        found += [joined(m) for m in re.findall(maker + LITERALS, source)]
    for choice in re.findall(r"const char\* sentence =(.*?);\n", source, re.DOTALL):
        found += [joined(m) for m in re.findall(LITERALS, choice)]
    # bad("…") of a file reader puts what all of its sentences begin with before it.
    for prefix in re.findall(r'\bfail\(ErrorCode::\w+, "([^"]*)" \+ text', source):
        found += [prefix + joined(m) for m in re.findall(r"\bbad\((?:\w+, )?" + LITERALS, source)]
    return found


def sentences():
    files = (file for file in FILES if file.parent.name != "app")  # the command line speaks English
    return sorted({text for file in files for text in sentences_of(file.read_text(encoding="utf-8"))})


def stage_names():
    return re.findall(r'\.name = "(\w+)"', (ROOT / "core" / "attention" / "stage_type.cpp").read_text(encoding="utf-8"))


def update(lupdate):
    with tempfile.TemporaryDirectory() as folder:
        listed = pathlib.Path(folder) / "sentences.cpp"
        texts = [("Error", text) for text in sentences()] + [("Stage", name) for name in stage_names()]
        lines = "".join(f'QT_TRANSLATE_NOOP("{context}", "{text}"),\n' for context, text in texts)
        listed.write_text("static const char* sentences[] = {\n" + lines + "};\n", encoding="utf-8")
        # -I: without the headers lupdate doesn't know in which namespace a class lies.
        for file in TRANSLATIONS:
            plurals = ["-pluralonly"] if file == ENGLISH else []
            subprocess.run([lupdate, "-silent", "-no-obsolete", *plurals, "-locations", "none", "-I", ROOT, ROOT / "ui",
                            ROOT / "app", listed, "-ts", file], check=True)


def placeholders(text):
    """Which arguments a text holds. {} {} and {1} {0} hold the same two, for words may change their order."""
    found = re.findall(r"%L?\d|%n|\t|\{\d*\}", text.replace("{{", "").replace("}}", ""))
    automatic = iter(range(len(found)))
    return {f"{{{next(automatic)}}}" if argument == "{}" else argument for argument in found}


def problems_of(file):
    known, known_stages, names = set(), set(), set()
    for context in ElementTree.parse(file).getroot().iter("context"):
        name = context.findtext("name")
        names.add(name)
        if not name.startswith("headscope") and not re.search(rf'\("?{name}\b', SOURCES):
            yield f"lupdate made up the context {name}; see where its texts stand"
        for message in context.iter("message"):
            source, translation = message.findtext("source"), message.find("translation")
            if name == "Error":
                known.add(source)
            if name == "Stage":
                known_stages.add(source)
            forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
            for form in forms:
                if translation.get("type") or not form.strip():
                    yield f"no translation: {source!r}"
                elif placeholders(form) != placeholders(source):
                    yield f"other placeholders: {source!r} and {form!r}"
                elif "{}" in form and re.search(r"\{\d\}", form):
                    yield f"numbered and plain placeholders: {form!r}"
    if file == ENGLISH:
        return
    yield from (f"no text in the context {name}: lupdate names a free tr() after its namespace"
                for name in set(re.findall(r'\btranslate\(\s*"(\w+)"', SOURCES)) - names)
    plain = (text.replace('\\"', '"').replace("\\\\", "\\") for text in sentences())
    unknown = [text for text in plain if text not in known] + sorted(set(stage_names()) - known_stages)
    yield from (f"unknown, run update: {text!r}" for text in unknown)


def check():
    problems = [f"{file.name}: {problem}" for file in TRANSLATIONS for problem in problems_of(file)]
    print("\n".join(problems) or f"{len(TRANSLATIONS)} translations complete, {len(sentences())} sentences beside tr()")
    return 1 if problems else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["update"] and len(sys.argv) == 3:
        update(sys.argv[2])
    elif sys.argv[1:] == ["check"]:
        sys.exit(check())
    else:
        sys.exit(__doc__)
