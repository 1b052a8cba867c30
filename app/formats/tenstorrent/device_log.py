"""The rows of profile_log_device.csv as columns, in the order of the file (Tenstorrent, section 1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Final

import numpy as np
from msgspec import Struct

from app.formats.csv.cells import MOST_DIGITS, Cells, KnownTexts, plain_rows
from app.formats.csv.cells import Rows as CsvRows
from app.formats.errors import FormatError
from app.formats.integers import Flat
from app.formats.json.problems import Problems
from app.formats.source import Source
from app.language import plural, tr
from app.profile.arrays import I64, Array, Integers, combine_at, sealed
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
_KINDS_OF_ROWS: Final = 5
MOST_DEVICE: Final = 1 << 16
MOST_SIDE: Final = 256
"""Cores in a row of a chip: several times as many as any has."""
HIGHEST_CLOCK: Final = 100_000.0
LATEST: Final = 1 << 53
"""Times are shown as float64, which has all digits of those before."""
_MOST: Final = 1 << 16
"""Lanes, and zones, that are told apart: more are no names."""
_MOST_PROCESSORS: Final = 64
"""Several times as many as a core has; sums are made for each pair of a zone and a processor."""
_HELD: Final = 4 << 20
"""Bytes of a column in memory."""
_MOST_SPELLED: Final = 1 << 18
"""Spellings of them that are kept."""
MOST_TEXT: Final = 4096
"""Bytes of a name."""
_NO_NUMBER, _NO_PLACE = -1, -2
"""Lanes of rows that are skipped."""
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


_MANY_LANES: Final = (0, 0, 0, "too many names")
_MANY_ZONES: Final = (Zone("too many names", "", 0), "")


class Rows(Struct, frozen=True, eq=False):
    """Columns, each in the narrowest type that holds it: ``lane``: index of ``lanes``: (device, x, y, processor);
    ``zone``: index of ``zones``; ``type``: START to POINT; ``time``: cycles; ``data``: the sum of a ZONE_TOTAL (-1:
    none); ``run``: -1 none; ``record``: number of the row in the file. ``sizes``: int64[lanes], how many rows each has;
    ``first``: the first time of each device, by device."""

    head: Head
    lanes: list[tuple[int, int, int, str]]
    zones: list[Zone]
    lane: Integers
    zone: Integers
    type: Integers
    time: Integers
    data: Integers
    run: Integers
    record: Integers
    sizes: I64
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
        self._lane_of = _Named(self._places("device", "x", "y", "processor"), self._new_lane)
        self._zone_of = _Named(self._places("name", "type", "line", "file", "timer"), self._new_zone)
        self._lanes: dict[tuple[int, int, int, str], int] = {}
        self._processors: set[str] = set()
        self._zones: dict[tuple[Zone, str], int] = {}
        self._columns = {name: Flat(_HELD) for name in _COLUMNS}
        self._sizes = self._low = np.empty(0, np.int64)
        self._bad = {"short": 0, "number": 0, "place": 0, "type": 0}
        self._pieces: list[tuple[int, int, int]] = []
        self._rows = 0

    def read(self, tick: Callable[[int], None], size: int | None = None) -> Rows:
        """The rows, of the first ``size`` bytes only if that is given."""
        source = self._source
        begin = min(self.head.size + self._bom, source.size)
        end = source.size if size is None else min(source.size, begin + size)
        tick(begin)
        for offset, text in whole_lines(source, begin, end, self._problems):
            self._pieces.append((offset, len(text), self._rows))
            self._add(text)
            tick(offset + len(text))
        if size is None:
            self._report()
        columns = {name: sealed(column.done(lambda: tick(end))) for name, column in self._columns.items()}
        offsets, sizes, firsts = np.array(self._pieces, np.int64).reshape(-1, 3).T
        pieces = Pieces(0, sealed(offsets), sealed(sizes), sealed(firsts))
        self._grow()
        first: dict[int, int] = {}
        for (device, *_), time in zip(self._lanes, self._low.tolist(), strict=True):
            if time < LATEST:
                first[device] = min(time, first.get(device, time))
        zones = [zone for zone, _ in self._zones]
        lanes = list(self._lanes)
        return Rows(self.head, lanes, zones, **columns, sizes=sealed(self._sizes), first=first, pieces=pieces)

    def _grow(self) -> None:
        """Makes room for new lanes."""
        new = len(self._lanes) - len(self._sizes)
        self._sizes = np.concatenate((self._sizes, np.zeros(new, np.int64)))
        self._low = np.concatenate((self._low, np.full(new, LATEST)))

    def _places(self, *names: str) -> dict[str, int]:
        return {name: self.head.places[name] for name in names if name in self.head.places}

    def _add(self, text: bytes) -> None:
        rows, line, short = plain_rows(text, ",", self._width)
        loose = b" " in text or b"\r" in text

        def column(name: str) -> Cells:
            cells = rows.column(self.head.places[name])
            return cells.stripped() if loose else cells

        self._bad["short"] += short
        lane, zone = self._lane_of(rows), self._zone_of(rows)
        kind = (zone % _KINDS_OF_ROWS).astype(np.uint8)
        time = column("time").whole()
        timed = (time >= 0) & (time < LATEST)
        keep = timed & (lane >= 0) & (kind != _OTHER)
        if not keep.all():
            number, place = timed & (lane != _NO_NUMBER), lane != _NO_PLACE
            self._bad["number"] += int(np.count_nonzero(~number))
            self._bad["place"] += int(np.count_nonzero(number & ~place))
            self._bad["type"] += int(np.count_nonzero(number & place & (kind == _OTHER)))
        data = np.full(len(rows), -1, np.int64)
        if "data" in self.head.places and len(total := np.flatnonzero(kind == TOTAL)):
            data[total] = column("data").of(total).whole()
        made: dict[str, Array] = {
            "lane": lane,
            "zone": zone // _KINDS_OF_ROWS,
            "type": kind,
            "time": time,
            "data": data,
            "run": column("run").whole() if "run" in self.head.places else np.full(len(rows), -1, np.int64),
            "record": line + self._rows,
        }
        self._rows += rows.lines
        if not keep.all():
            made = {name: values[keep] for name, values in made.items()}
        self._grow()
        combine_at(np.add, self._sizes, made["lane"], np.ones(len(made["lane"]), np.int64))
        combine_at(np.minimum, self._low, made["lane"], made["time"])
        for name, values in made.items():
            self._columns[name].add(values)

    def _new_lane(self, cells: dict[str, str] | None) -> int:
        if cells is None:
            return self._lanes.setdefault(_MANY_LANES, len(self._lanes))
        device, x, y = (_whole(cells[name], LATEST) for name in ("device", "x", "y"))
        if min(device, x, y) < 0:
            return _NO_NUMBER
        if device >= MOST_DEVICE or x >= MOST_SIDE or y >= MOST_SIDE:
            return _NO_PLACE
        lane = device, x, y, cells["processor"]
        if lane not in self._lanes:
            if len(self._processors) < _MOST_PROCESSORS:
                self._processors.add(lane[3])
            if len(self._lanes) >= _MOST or lane[3] not in self._processors:
                lane = _MANY_LANES
        return self._lanes.setdefault(lane, len(self._lanes))

    def _new_zone(self, cells: dict[str, str] | None) -> int:
        """Zones are the same if name, file, line and timer are. The number of one, and what the row is."""
        if cells is None:
            return self._zones.setdefault(_MANY_ZONES, len(self._zones)) * _KINDS_OF_ROWS + _OTHER
        zone = Zone(cells.get("name", ""), cells.get("file", ""), max(_whole(cells.get("line", ""), 10**7), 0))
        key = zone, cells.get("timer", "")
        if key not in self._zones and len(self._zones) >= _MOST:
            key = _MANY_ZONES
        number = self._zones.setdefault(key, len(self._zones))
        return number * _KINDS_OF_ROWS + _TYPES.get(cells.get("type", ""), _OTHER)

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


_COLUMNS: Final = ("lane", "zone", "type", "time", "data", "run", "record")


def _whole(text: str, limit: int) -> int:
    """A whole number below ``limit``, -1 for anything else."""
    value = int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else -1
    return value if value < limit else -1


class _Named:
    """Numbers what rows say in the columns ``places``. ``new`` makes the number for cells that were not seen, by the
    names of their columns; it gets None for what is too much. Adjacent columns are looked up together."""

    def __init__(self, places: dict[str, int], new: Callable[[dict[str, str] | None], int]) -> None:
        self._new = new
        self._places = places
        self._spans: list[list[str]] = []
        for name in sorted(places, key=places.__getitem__):
            if self._spans and places[name] == places[self._spans[-1][-1]] + 1:
                self._spans[-1].append(name)
            else:
                self._spans.append([name])
        self._texts: list[dict[bytes, int]] = [{} for _ in self._spans]
        self._known = [KnownTexts() for _ in self._spans]
        self._numbers = KnownTexts()

    def __call__(self, rows: CsvRows) -> I64:
        """int64[rows]: the numbers."""
        if not self._spans:
            return np.full(len(rows), self._new({}), np.int64)
        ids = np.empty((len(rows), len(self._spans)), np.int64)  # whole words
        for place, (span, texts) in enumerate(zip(self._spans, self._texts, strict=True)):
            cells = rows.span(self._places[span[0]], self._places[span[-1]])
            ids[:, place] = self._known[place].ids(cells, partial(_spelled, texts))
        size = ids.itemsize * len(self._spans)
        begin = np.arange(len(rows)) * size
        keys = Cells(ids.view(np.uint8).reshape(-1), begin, begin + size)
        return self._numbers.ids(keys, self._numbered).astype(np.int64)

    def _numbered(self, new: list[bytes]) -> list[int]:
        numbers = {key: self._new(self._cells(key)) for key in dict.fromkeys(new)}
        return [numbers[key] for key in new]

    def _cells(self, key: bytes) -> dict[str, str] | None:
        """What the columns say, by their names."""
        cells: dict[str, str] = {}
        for span, texts, number in zip(self._spans, self._texts, np.frombuffer(key, np.int64).tolist(), strict=True):
            if number < 0:
                return None
            text = next(islice(texts, number, None))
            plain = (part.removeprefix(b" ").removesuffix(b"\r")[:MOST_TEXT] for part in text.split(b","))
            cells.update(zip(span, (part.decode("utf-8", "replace") for part in plain), strict=True))
        return cells


def _spelled(texts: dict[bytes, int], new: list[bytes]) -> list[int]:
    """The numbers of ``new`` among ``texts``, -1 where these are too many."""
    return [texts.setdefault(text, len(texts)) if len(texts) < _MOST_SPELLED else texts.get(text, -1) for text in new]
