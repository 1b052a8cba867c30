"""Decodes block 0x03: the cost of source lines."""

from __future__ import annotations

import numpy as np

from app.formats.ascend_bin.addresses import Ranges
from app.formats.ascend_bin.part import Part
from app.formats.ascend_bin.records import Fields, core_names, dtypes, objects_of, read_rows
from app.formats.ascend_bin.values import Values, text
from app.formats.json.walk import JsonWalk
from app.profile.arrays import sealed
from app.profile.ascend import Lines
from app.profile.profile import Section
from app.profile.strings import Interner

_RANGE, _LINE = "Address Range", "Line"


def decode(part: Part) -> tuple[Section, ...]:
    """The Lines section (Ascend operator files, section 2.4). Files and lines are read piece by piece, with keys in any
    order; of a damaged block the lines before the damage are kept."""
    gathered = _Gathered(part)
    read_rows(part, gathered.read, gathered.fields)
    return (gathered.section(),)


class _Gathered:
    def __init__(self, part: Part) -> None:
        self.fields = Fields((_RANGE, _LINE))
        self._part = part
        self._values = Values()
        self._ranges = Ranges()
        self._paths = Interner()
        self._cores: tuple[str, ...] = ()
        self._dtypes: dict[str, int] | None = None
        self._line: list[int] = []
        self._file: list[tuple[int, int]] = []  # (path, lines)

    def read(self) -> None:
        walk = self._part.walk()
        for key in walk.members():
            if key == "Cores":
                self._cores = core_names(walk.value())
            elif key == "Files Dtype":
                self._dtypes = dtypes(walk.value(), "Lines")
            elif key == "Files" and walk.kind() == "array":
                for _ in walk.items():
                    if walk.kind() == "object":
                        self._read_file(walk)

    def section(self) -> Lines:
        part = self._part
        part.report_odd(self._values)
        self._ranges.report(part)
        counts = [count for _, count in self._file]
        first, start, end = self._ranges.columns()
        return Lines(
            cores=self._cores,
            paths=self._paths.strings(),
            file=sealed(np.repeat(np.array([path for path, _ in self._file], np.int32), counts)),
            line=sealed(np.array(self._line, np.int32)),
            first_range=first,
            range_start=start,
            range_end=end,
            columns=self.fields.columns(self._dtypes, part),
        )

    def _read_file(self, walk: JsonWalk) -> None:
        path = ""
        before = len(self._line)
        try:
            for key in walk.members():
                if key == "Source":
                    path = text(walk.value())
                elif key == "Lines" and walk.kind() == "array":
                    self._read_lines(walk)
        finally:
            self._file.append((self._paths(path), len(self._line) - before))

    def _read_lines(self, walk: JsonWalk) -> None:
        for rows in objects_of(walk):
            self._line += [self._values.whole(row.get(_LINE)) for row in rows]
            self._ranges.add([row.get(_RANGE) for row in rows])
            self.fields.add(rows, walk.offset)
