"""Things by their numbers: "tile 17", "block 3", "kernel.cpp:123", ":123", "0x1a40"."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from app.analysis.lookup.hit import MOST, NOTHING, SOURCE, Answer, Hit, Pause, Source, Target, shortened
from app.analysis.search import names
from app.analysis.source_view import source_paths
from app.analysis.tables.ascend_source import line_texts
from app.analysis.tensor_map.tiles import tile_count
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection

NUMBERED = re.compile(r"(?:(tile|block|core|program|compute set|vertex type|exchange|step)s?\s*)?#?\s*(\d[\d,]*)", re.I)
AT_LINE = re.compile(r"(.*?):\s*(\d+)(?::\d*)?")
MEANT = 3
ADDRESS = re.compile(r"0x([0-9a-f]{1,16})|(?=.*[0-9])([0-9a-f]{3,16})", re.I)
"""Letters alone are more likely a name."""


def _tiles(profile: Profile) -> int:
    stated = (profile.target.tiles or 0) if profile.target is not None else 0
    listed = profile.tile_memory.tiles if profile.tile_memory is not None else 0
    mapped = tile_count(profile.tensor_map) if profile.tensor_map is not None else 0
    return max(stated, listed, mapped)


def _numbers(kind: str) -> Callable[[Profile], int]:
    """How many things of a kind that has names there are."""

    def count(profile: Profile) -> int:
        for named in names(profile):
            if named.kind == kind:
                return len(named.strings) if named.ids is None else len(named.ids)
        return 0

    return count


def _exchanges(profile: Profile) -> int:
    found = profile.exchanges
    lists = () if found is None else (found.internal, found.external, found.host)
    return sum(len(one) for one in lists if one is not None)


def _steps(profile: Profile) -> int:
    return 0 if profile.steps is None else len(profile.steps.name)


def _blocks(profile: Profile) -> int:
    return 0 if profile.operator is None else profile.operator.block_dim or 0


def _cores(profile: Profile) -> int:
    return 0 if profile.core_load is None else int(profile.core_load.core.max(initial=-1)) + 1


COUNTED: dict[str, tuple[Kind, Callable[[Profile], int]]] = {
    "tile": ("tile", _tiles),
    "block": ("block", _blocks),
    "core": ("core", _cores),
    "program": ("program", _numbers("program")),
    "compute set": ("compute_set", _numbers("compute_set")),
    "vertex type": ("vertex_type", _numbers("vertex_type")),
    "exchange": ("exchange", _exchanges),
    "step": ("step", _steps),
}
"""What can be asked for by number, and how many there are. A number alone is a tile."""


def numbered(profile: Profile, text: str, pause: Pause) -> Answer:
    """``tile 17``, or ``17`` alone."""
    match = NUMBERED.fullmatch(text.strip())
    if match is None:
        return NOTHING
    pause()
    word = (match[1] or "tile").lower()
    kind, count = COUNTED[word]
    number = int(match[2].replace(",", "")[:18])
    if number >= count(profile):
        return NOTHING
    hit = Hit(f"{word.capitalize()} {number:,}", word, Target(Selection(kind, (number,), SOURCE)))
    return Answer((hit,), 1, MEANT)


def at_line(profile: Profile, text: str, pause: Pause) -> Answer:
    """``kernel.cpp:123``; ``:123`` of any source."""
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
    match, found = ADDRESS.fullmatch(text.strip()), profile.instructions
    if match is None or found is None or not len(found.address):
        return NOTHING
    pause()
    wanted = int(match[1] or match[2], 16)
    rows = found.by_address
    known = found.address[rows]
    if not known[0] <= wanted <= known[-1]:
        return NOTHING
    place = int(np.searchsorted(known, wanted, "right")) - 1
    begin = int(np.searchsorted(known, known[place], "left"))
    hits = tuple(_instruction(profile, row) for row in rows[begin : place + 1][:MOST].tolist())
    return Answer(hits, place + 1 - begin, MEANT if text.strip().lower().startswith("0x") else 0)


def _instruction(profile: Profile, row: int) -> Hit:
    found = profile.instructions
    assert found is not None
    text = shortened(found.strings.get(int(found.text[row])))
    target = Target(Selection("instruction", (row,), SOURCE), "source")
    return Hit(f"{int(found.address[row]):#x}  {text}".strip(), "instruction", target)


def measured_line(profile: Profile, path: str, number: int) -> Selection | None:
    """The row of the line table for a line of a source; None where nothing was measured of it."""
    lines = profile.lines
    if lines is None:
        return None
    rows = np.flatnonzero(np.isin(lines.file, lines.paths.find(path)) & (lines.line == number))
    return Selection("line", tuple(rows.tolist()), SOURCE) if len(rows) else None


def _has_line(profile: Profile, path: str, number: int) -> bool:
    """Whether a source is so long; one whose text is not there is asked for its measured lines."""
    sources = profile.sources
    if sources is not None:
        for place in sources.paths.find(path)[-1:].tolist():
            return number <= len(line_texts(sources.texts.get(place)))
    return measured_line(profile, path, number) is not None


SOURCES = (
    Source("number", "By number", numbered),
    Source("line-number", "Lines", at_line),
    Source("address", "Addresses", at_address),
)
