"""The rows of profile_log_device.csv as columns, in the order of the file (Tenstorrent, section 1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
from msgspec import Struct

from app.formats.ascend_bin.part import Column
from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.source import Source
from app.formats.tenstorrent.cells import Cells, Coder, mixed
from app.language import plural, tr
from app.profile.arrays import I32, I64, U8, Array, Bool, sealed
from app.profile.timeline import Pieces

CHUNK: Final = 4 << 20
MOST_LINE: Final = 1 << 20
HEAD: Final = re.compile(
    r"\s*ARCH:\s*([\w.-]{1,64})\s*,\s*CHIP_FREQ\[MHz\]:\s*([^,\s]{1,40})(?:\s*,\s*Max Compute Cores:\s*(\d{1,9}))?"
)
START, END, TOTAL, POINT = range(4)
_TYPES: Final = {
    "ZONE_START": START,
    "begin": START,
    "ZONE_END": END,
    "end": END,
    "ZONE_TOTAL": TOTAL,
    "TS_DATA": POINT,
    "TS_EVENT": POINT,
}
_OTHER: Final = 4
MOST_DEVICE: Final = 1 << 16
MOST_SIDE: Final = 256
"""Cores in a row of a chip: several times as many as any has."""
HIGHEST_CLOCK: Final = 100_000.0
LATEST: Final = 1 << 53
"""Times are shown as float64, which has all digits of those before."""
_MOST: Final = {"lane": 1 << 16, "zone": 1 << 16, "type": 64, "processor": 32, "file": 1 << 16}
"""Distinct texts and places that are told apart: more are no names."""
TITLES: Final[dict[str, tuple[str, ...]]] = {
    "device": ("pcie slot",),
    "x": ("core_x",),
    "y": ("core_y",),
    "processor": ("risc processor type",),
    "timer": ("timer_id",),
    "time": ("time[cycles since reset]",),
    "data": ("data", "stat value"),
    "run": ("run host id", "run id"),
    "name": ("zone name",),
    "type": ("type", "zone phase"),
    "line": ("source line",),
    "file": ("source file",),
}
"""Titles of columns, in small letters, the newest first."""
NEEDED: Final = ("device", "x", "y", "processor", "time")


class Head(Struct, frozen=True):
    """The first two lines. ``places``: the columns by their names here; ``titles``: as in the file; ``size``: bytes."""

    arch: str
    clock_hz: float | None
    most_cores: int | None
    places: dict[str, int]
    titles: list[str]
    size: int


class Zone(Struct, frozen=True):
    """What rows of one kind say: ``name``, "" without one; ``file``, ``line`` of the source text, 0 none."""

    name: str
    file: str
    line: int


class Rows(Struct, frozen=True, eq=False):
    """``lane``: int32, index of ``lanes``: (device, x, y, processor); ``zone``: int32, index of ``zones``; ``type``:
    uint8, START to POINT; ``time``: int64 cycles; ``data``: int64, the sum of a ZONE_TOTAL (-1: none); ``run``: int64,
    -1 none; ``record``: int64, number of the row in the file. ``first``: the first time of each device, by device."""

    head: Head
    lanes: list[tuple[int, int, int, str]]
    zones: list[Zone]
    lane: I32
    zone: I32
    type: U8
    time: I64
    data: I64
    run: I64
    record: I64
    first: dict[int, int]
    pieces: Pieces


def head_of(text: str, name: str) -> Head:
    """The first lines of a device log. Raises FormatError where they are none."""
    first, _, rest = text.partition("\n")
    second = rest.partition("\n")[0]
    match = HEAD.match(first)
    if match is None:
        raise FormatError(tr("this is not a device log: its first line has no ARCH and CHIP_FREQ"), path=name)
    titles = [title.strip() for title in second.split(",")]
    found = {title.lower(): place for place, title in reversed(list(enumerate(titles)))}
    places = {
        own: next(found[title] for title in names if title in found)
        for own, names in TITLES.items()
        if any(title in found for title in names)
    }
    lacking = [TITLES[own][0] for own in NEEDED if own not in places]
    if lacking:
        raise FormatError(tr("the device log has no column {columns}", columns=", ".join(lacking)), path=name)
    size = len(f"{first}\n{second}\n".encode("utf-8", "surrogateescape"))
    titles = [title.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for title in titles]
    return Head(match[1], _clock(match[2]), int(match[3]) if match[3] else None, places, titles, size)


def _clock(text: str) -> float | None:
    """MHz as Hz; None for 0 and for what is no clock."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value * 1e6 if 0 < value <= HIGHEST_CLOCK else None


def whole_lines(source: Source, begin: int, end: int, problems: Problems) -> Iterator[tuple[int, bytes]]:
    """(offset, whole lines) of a part of ``source``; lines that are longer than MOST_LINE are left out."""
    rest, skipping = b"", False
    for offset, chunk in source.chunks(CHUNK, begin, end):
        text, base = rest + chunk, offset - len(rest)
        last = text.rfind(b"\n") + 1
        begins = (text.find(b"\n") + 1 or len(text)) if skipping else 0
        skipping = skipping and not last
        if last > begins:
            yield base + begins, text[begins:last]
        rest = b"" if skipping else text[max(last, begins) :]
        if len(rest) > MOST_LINE:
            problems.add("warning", tr("lines that are too long"), base + last, tr("this line is too long to be read"))
            rest, skipping = b"", True
    if rest:
        yield end - len(rest), rest + b"\n"


class DeviceLog:
    """Gathers the rows of a log. ``tick`` gets the byte that was reached."""

    def __init__(self, source: Source, problems: Problems) -> None:
        text = source.head(65536).removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
        self.head = head_of(text, str(source.path))
        self._bom = 3 if source.head(3) == b"\xef\xbb\xbf" else 0
        self._source, self._problems = source, problems
        self._width = max(self.head.places.values()) + 1
        self._coders = {name: Coder(most) for name, most in _MOST.items()}
        self._texts: dict[str, list[str]] = {"type": [], "processor": [], "file": []}
        self._lanes: list[tuple[int, int, int, str]] = []
        self._zones: list[Zone] = []
        self._columns = {name: Column(kind) for name, kind in _KINDS.items()}
        self._first: dict[int, int] = {}
        self._bad = {"short": 0, "number": 0, "place": 0, "type": 0}
        self._pieces: list[tuple[int, int, int]] = []
        self._rows = 0

    def read(self, tick: Callable[[int], None], size: int | None = None) -> Rows:
        """The rows, of the first ``size`` bytes only if that is given."""
        source = self._source
        begin = min(self.head.size + self._bom, source.size)
        end = source.size if size is None else min(source.size, begin + size)
        for offset, text in whole_lines(source, begin, end, self._problems):
            self._add(text)
            self._pieces.append((offset, len(text), self._rows))
            self._rows += text.count(b"\n")
            tick(offset + len(text))
        if size is None:
            self._report()
        columns = {name: column.done() for name, column in self._columns.items()}
        offsets, sizes, firsts = np.array(self._pieces, np.int64).reshape(-1, 3).T
        pieces = Pieces(0, sealed(offsets), sealed(sizes), sealed(firsts))
        return Rows(self.head, self._lanes, self._zones, **columns, first=self._first, pieces=pieces)

    def _add(self, text: bytes) -> None:
        cells, places = Cells(text, self._width), self.head.places
        self._bad["short"] += cells.lines - len(cells.line)
        numbers, good = {}, np.ones(len(cells.line), np.bool_)
        for name in ("device", "x", "y", "time"):
            numbers[name], fine = cells.numbers(places[name])
            good &= fine & (numbers[name] < LATEST)
        self._bad["number"] += int(np.count_nonzero(~good))
        inside = (numbers["device"] < MOST_DEVICE) & (numbers["x"] < MOST_SIDE) & (numbers["y"] < MOST_SIDE)
        self._bad["place"] += int(np.count_nonzero(good & ~inside))
        kind, known = self._types(cells)
        self._bad["type"] += int(np.count_nonzero(good & inside & ~known))
        keep = np.flatnonzero(good & inside & known)
        run = self._optional(cells, "run")
        made: dict[str, Array] = {
            "lane": self._lane(cells, numbers),
            "zone": self._zone(cells),
            "type": kind,
            "time": numbers["time"],
            "data": np.where(kind == TOTAL, self._optional(cells, "data"), -1)
            if "data" in places
            else np.full(len(run), -1),
            "run": run,
            "record": cells.line + self._rows,
        }
        for name, values in made.items():
            self._columns[name].add(values[keep])
        device, time = numbers["device"][keep], numbers["time"][keep]
        for own in np.flatnonzero(np.bincount(device)).tolist() if len(device) else ():
            low = int(time[device == own].min())
            self._first[own] = min(low, self._first.get(own, low))

    def _optional(self, cells: Cells, name: str) -> I64:
        place = self.head.places.get(name)
        return np.full(len(cells.line), -1, np.int64) if place is None else cells.numbers(place)[0]

    def _texts_of(self, cells: Cells, name: str, place: int) -> I64:
        """int64: ids in the texts called ``name``."""

        def new(row: int) -> None:
            self._texts[name].append("too many names" if row < 0 else cells.text(place, row))

        return self._coders[name](cells.hashes(place), new)

    def _types(self, cells: Cells) -> tuple[U8, Bool]:
        """(what each row is, whether that is known); nothing is where there is no such column."""
        place = self.head.places.get("type")
        if place is None:
            return np.full(len(cells.line), _OTHER, np.uint8), np.zeros(len(cells.line), np.bool_)
        ids = self._texts_of(cells, "type", place)
        codes = np.array([_TYPES.get(text, _OTHER) for text in self._texts["type"]] or [_OTHER], np.uint8)
        kind: U8 = codes[ids] if len(ids) else np.empty(0, np.uint8)
        return kind, kind != _OTHER

    def _lane(self, cells: Cells, numbers: dict[str, I64]) -> I64:
        processor = self._texts_of(cells, "processor", self.head.places["processor"])
        device, x, y = (np.clip(numbers[name], 0, MOST_DEVICE) for name in ("device", "x", "y"))
        key = ((device * MOST_DEVICE + x) * MOST_DEVICE + y).astype(np.uint64)

        def new(row: int) -> None:
            place = (device[row], x[row], y[row]) if row >= 0 else (0, 0, 0)
            texts = self._texts["processor"]
            self._lanes.append((*map(int, place), texts[int(processor[row])] if row >= 0 else texts[-1]))  # type: ignore[arg-type]

        return self._coders["lane"](mixed(key, processor), new)

    def _zone(self, cells: Cells) -> I64:
        """Zones are the same if name, file, line and timer are."""
        places = self.head.places
        key = np.zeros(len(cells.line), np.uint64)
        for name in ("name", "line", "timer"):
            if name in places:
                key = mixed(key, cells.hashes(places[name]))
        file = self._texts_of(cells, "file", places["file"]) if "file" in places else None
        key = key if file is None else mixed(key, file)

        def new(row: int) -> None:
            if row < 0:
                self._zones.append(Zone("too many names", "", 0))
                return
            name = cells.text(places["name"], row) if "name" in places else ""
            line = cells.text(places["line"], row) if "line" in places else ""
            number = int(line) if line.isascii() and line.isdigit() and len(line) < 8 else 0
            self._zones.append(Zone(name, "" if file is None else self._texts["file"][int(file[row])], number))

        return self._coders["zone"](key, new)

    def _report(self) -> None:
        """Says how many rows are not shown, and why."""
        if "type" not in self.head.places:
            text = tr("the device log has no column that says what a row is (type, zone phase), so it has no zones")
            self._problems.add("warning", tr("logs without types"), None, text)
            self._bad["type"] = 0
        for kind, text in (
            (
                "short",
                plural(
                    "{count:,} row has fewer cells than the header and is skipped",
                    "{count:,} rows have fewer cells than the header and are skipped",
                    count=self._bad["short"],
                ),
            ),
            (
                "number",
                plural(
                    "{count:,} row has a device, a core or a time that is not a number and is skipped",
                    "{count:,} rows have a device, a core or a time that is not a number and are skipped",
                    count=self._bad["number"],
                ),
            ),
            (
                "place",
                plural(
                    "{count:,} row is of a core that no chip has and is skipped",
                    "{count:,} rows are of cores that no chip has and are skipped",
                    count=self._bad["place"],
                ),
            ),
            (
                "type",
                plural(
                    "{count:,} row is of an unknown type and is not shown",
                    "{count:,} rows are of unknown types and are not shown",
                    count=self._bad["type"],
                ),
            ),
        ):
            if self._bad[kind]:
                self._problems.add("warning", text, None, text)


_KINDS: Final = {
    "lane": np.int32,
    "zone": np.int32,
    "type": np.uint8,
    "time": np.int64,
    "data": np.int64,
    "run": np.int64,
    "record": np.int64,
}
