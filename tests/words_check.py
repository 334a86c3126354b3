#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails where a text that people read says a word for which the program has another.

One thing has one word: in the window, the command line, messages, the documents and both languages. The texts are
those to translate (resources/translations), the strings of app/, the documents and the man page.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# What not to say, and the word for it.
ENGLISH = {
    r"\b(may|might|not) (not )?attend\b": "allowed, masked, can attend to",
    r"\bshut(s|ting)?\b|\bclosed\b": "masked, masks",
    r"\bopen (cell|key|score|quer)\w*|\b(cell|key|score|all|are|is)s? open\b(?! to\b.*\bfile)": "allowed",
    r"\b(empty|dead) rows?\b|\bnothing to attend\b|\battends? to nothing\b": "fully masked row",
    r"\bshares? of\b|\bthe (same|small) shares?\b|\bportions?\b": "weight",
    r"\bshare[ds]? out\b|\bgathered\b": "redistribute, renormalise, rescale",
    r"\bpass(es|ed|ing)? on\b|\blets? go\b|\bspoil\w*|\bmend(s|ed|ing)?\b|\bcomes? back\b": "reuse, free, recompute",
    r"\btold\b|\btells?\b|\bstor(y|ies)\b": "explain, say",
    r"\bpictures? of (the|its) precision\b|\bemulat\w+": "simulated rounding",
    r"\bflip(s|ped)?\b": "toggle",
    r"\b(larger|smaller) type\b|\btype size\b|\bsize of (the )?type\b": "text size",
    r"\b(the|its|of) ground\b|\ban inch\b(?!, as)|\bdots an\b|\bthe file is to be\b": "background, resolution (DPI), file format",
    r"\b(row|query|queries|softmax|head)s? sees?\b|\bmay see\b": "attends to",
    r"\bkeys are looked at\b|\blooks at a time\b": "processed at a time",
}
CHINESE = {
    "得分": "分数", "屏蔽": "掩码", "开放": "允许", "空行": "全掩码行", "没有可关注的键": "全掩码行", "份额": "权重",
    "翻转": "切换", "故事": "解释", "关注": "注意",
}
# A term, and what a translation of a text that has it must contain.
TERMS = {
    r"\bfully masked\b": ["全掩码", "全部被掩码"], r"\bmask(ed|s)?\b": ["掩码"], r"\bfill value\b": ["填充值"],
    r"\bleaked\b": ["泄漏"], r"\bchunks?\b": ["分块"], r"\brunning maximum\b": ["滚动最大值"],
    r"\brunning sum\b": ["滚动和"], r"\brole\b": ["角色"], r"\bsimulated\b": ["模拟"], r"\bunlock\b": ["解锁"],
    r"\block(ed|s)?\b": ["锁定"], r"\btoggle\b": ["切换"], r"\ballow(s|ed)?\b": ["允许"], r"\bquer(y|ies)\b": ["查询"],
    r"\bkeys? %": ["键"], r"\bcontexts?\b": ["上下文"], r"\brenormalised?\b": ["重新归一化"],
    r"\bredistribute[sd]?\b": ["重新分配"], r"\battention weights?\b": ["权重"], r"\bscores?\b": ["分数"],
}
# Names of code in a text are no words of it.
CODE = re.compile(r"`[^`]*`|\b\w+/\w+(/\w+)*|\b\w+_\w+\b|\b\w+\.\w+(\.\w+)*\(?|\.\w{2,12}\b|<[^>]+>")


def translations():
    """(where, English, Chinese) of every text to translate."""
    path = ROOT / "resources/translations/headscope_zh_CN.ts"
    for context in ElementTree.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            done = message.find("translation")
            chinese = [form.text or "" for form in done.iter("numerusform")] or [done.text or ""]
            yield context.findtext("name"), message.findtext("source"), " ".join(chinese)


def documents():
    """(where, English) of what is read outside the window."""
    for name in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", *map(str, (ROOT / "resources").glob("*.1")),
                 *map(str, (ROOT / "resources").glob("*.xml")), "tests/bench/README.md"]:
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1):
            yield f"{Path(name).name}:{number}", line
    for path in sorted((ROOT / "app").glob("*.cpp")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
                yield f"{path.name}:{number}", literal


def english_problems(where, text):
    plain = CODE.sub(" ", text.replace("&", ""))
    for pattern, better in ENGLISH.items():
        if found := re.search(pattern, plain, re.I):
            yield f"{where}: '{found[0]}' in '{text}'; say {better}"


def chinese_problems(where, english, chinese):
    for word, better in CHINESE.items():
        if word in chinese:
            yield f"{where}: '{word}' in '{chinese}'; say {better}"
    plain = CODE.sub(" ", english.replace("&", ""))
    for term, words in TERMS.items():
        found = re.search(term, plain, re.I)
        if found and not any(word in chinese for word in words):
            yield f"{where}: '{found[0]}' in '{english}' is {' or '.join(words)}, not '{chinese}'"


def main():
    problems = []
    for where, english, chinese in translations():
        problems += english_problems(where, english)
        problems += chinese_problems(where, english, chinese)
    for where, text in documents():
        problems += english_problems(where, text)
    print("\n".join(problems) if problems else "every text says the same words")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
