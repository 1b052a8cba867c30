"""Lookup by number: "tile 17", "block 3", "kernel.cpp:123", ":123", "0x1a40"."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from app.analysis.kinds import KINDS
from app.analysis.lookup.hit import MOST, NOTHING, SOURCE, Answer, Hit, Pause, Source, Target, shortened
from app.analysis.source_view import source_paths
from app.analysis.tables.ascend_source import line_texts
from app.language import capitalised, tr
from app.profile.arrays import among
from app.profile.profile import Profile
from app.profile.selection import Selection

BY_WORD: Final = {word.casefold(): spec for spec in KINDS.values() if spec.count for word in (spec.one, spec.several)}
"""The kinds that can be looked up by number. A number alone is a tile."""
NUMBERED = re.compile(
    rf"(?:({'|'.join(re.escape(word) for word in sorted(BY_WORD, key=len, reverse=True))})\s*)?#?\s*(\d[\d,]*)", re.I
)
AT_LINE = re.compile(r"(.*?):\s*(\d+)(?::\d*)?")
MEANT = 3
ADDRESS = re.compile(r"0x([0-9a-f]{1,16})|(?=.*[0-9])([0-9a-f]{3,16})", re.I)
"""Requires a digit: letters alone are more likely a name."""


def numbered(profile: Profile, text: str, pause: Pause) -> Answer:
    """``tile 17``, or ``17`` alone."""
    match = NUMBERED.fullmatch(text.strip())
    if match is None:
        return NOTHING
    pause()
    spec = KINDS["tile"] if match[1] is None else BY_WORD[match[1].casefold()]
    number = int(match[2].replace(",", "")[:18])
    if spec.count is None or number >= spec.count(profile):
        return NOTHING
    hit = Hit(f"{capitalised(spec.one)} {number:,}", spec.one, Target(Selection(spec.kind, (number,), SOURCE)))
    return Answer((hit,), 1, MEANT)


def at_line(profile: Profile, text: str, pause: Pause) -> Answer:
    """``kernel.cpp:123``; ``:123`` for any source."""
    match = AT_LINE.fullmatch(text.strip())
    if match is None:
        return NOTHING
    wanted, number = match[1].strip().casefold(), int(match[2][:9])
    hits = []
    for path in source_paths(profile):
        pause()
        if wanted in path.casefold() and number > 0 and _has_line(profile, path, number):
            short = path.replace("\\", "/").rsplit("/", 1)[-1]
            target = Target(measured_line(profile, path, number), "source", text=path, line=number)
            hits.append(Hit(f"{shortened(short)}:{number}", shortened(path), target))
    return Answer(tuple(hits[:MOST]), len(hits), MEANT)


def at_address(profile: Profile, text: str, pause: Pause) -> Answer:
    """The instruction at an address, else the last one before it."""
    match, listing = ADDRESS.fullmatch(text.strip()), profile.instructions
    if match is None or listing is None or not len(listing.address):
        return NOTHING
    pause()
    wanted = int(match[1] or match[2], 16)
    rows = listing.by_address
    known = listing.address[rows]
    if not known[0] <= wanted <= known[-1]:
        return NOTHING
    place = int(np.searchsorted(known, wanted, "right")) - 1
    begin = int(np.searchsorted(known, known[place], "left"))
    hits = tuple(_instruction(profile, row) for row in rows[begin : place + 1][:MOST].tolist())
    return Answer(hits, place + 1 - begin, MEANT if text.strip().lower().startswith("0x") else 0)


def _instruction(profile: Profile, row: int) -> Hit:
    listing = profile.instructions
    assert listing is not None
    text = shortened(listing.strings.get(int(listing.text[row])))
    target = Target(Selection("instruction", (row,), SOURCE), "source")
    return Hit(f"{int(listing.address[row]):#x}  {text}".strip(), tr("instruction"), target)


def measured_line(profile: Profile, path: str, number: int) -> Selection | None:
    """The rows of the line table for a line of a source; None if nothing was measured for it."""
    lines = profile.lines
    if lines is None:
        return None
    rows = np.flatnonzero(among(lines.file, lines.paths.find(path)) & (lines.line == number))
    return Selection("line", tuple(rows.tolist()), SOURCE) if len(rows) else None


def _has_line(profile: Profile, path: str, number: int) -> bool:
    """Whether a source has that many lines; without its text, whether the line has measurements."""
    sources = profile.sources
    if sources is not None:
        for place in sources.paths.find(path)[-1:].tolist():
            return number <= len(line_texts(sources.texts.get(place)))
    return measured_line(profile, path, number) is not None


SOURCES = (
    Source("number", tr("Matches by number"), numbered),
    Source("line-number", tr("Lines"), at_line),
    Source("address", tr("Addresses"), at_address),
)
