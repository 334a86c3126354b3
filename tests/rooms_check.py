#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails where an include runs against the layout of the source (README, "How the source is laid out").

core/ includes no Qt, ui/ does not include app/, a room of ui/ includes only the rooms below it, no page includes
another, and ui/ holds no loose file but its CMakeLists.txt.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# From the top down. A page is a room of its own beside the other pages.
ROOMS = ["window", "pages", "export", "panels", "maps", "controls", "look", "state"]
INCLUDE = re.compile(r'^\s*#include\s+[<"]([^>"]+)[>"]', re.M)


def room(path):
    """("pages", "heads") of "ui/maps/head_grid.h", ("maps", "") of "ui/maps/heat_map.h"."""
    parts = path.split("/")
    return parts[1], parts[2] if parts[1] == "pages" else ""


def problem(source, included):
    """What is wrong with an include of the file `source`, or None."""
    folder = source.split("/")[0]
    if folder == "core" and (included.startswith(("Q", "ui/", "app/")) or "/Q" in included):
        return "core includes neither Qt nor the interface"
    if folder == "ui" and included.startswith("app/"):
        return "ui does not include app"
    if folder != "ui" or not included.startswith("ui/"):
        return None
    (here, page), (there, other_page) = room(source), room(included)
    if ROOMS.index(there) < ROOMS.index(here):
        return f"{here} is below {there}"
    if here == there and page != other_page:
        return "no page includes another"
    return None


def main():
    problems = []
    for path in sorted(p for f in ("core", "ui", "app") for p in (ROOT / f).glob("**/*") if p.suffix in (".h", ".cpp")):
        source = path.relative_to(ROOT).as_posix()
        if source.startswith("ui/") and (source.count("/") < 2 or room(source)[0] not in ROOMS):
            problems.append(f"{source}: belongs in one of the rooms {', '.join(ROOMS)}")
            continue
        for included in INCLUDE.findall(path.read_text(encoding="utf-8")):
            if wrong := problem(source, included):
                problems.append(f"{source}: {included}: {wrong}")
    print("\n".join(problems) if problems else "every include runs downwards")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
