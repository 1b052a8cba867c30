"""Block 0x03: what the lines of the source cost."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.formats.ascend_bin.addresses import Ranges
from app.formats.ascend_bin.cursor import Cursor
from app.formats.ascend_bin.part import Part
from app.formats.ascend_bin.records import Fields, core_names, dtypes
from app.formats.ascend_bin.values import Values, text
from app.formats.errors import FormatError
from app.formats.json.pieces import Records
from app.profile.arrays import sealed
from app.profile.profile import Section
from app.profile.sources import Lines
from app.profile.strings import Interner

_RANGE, _LINE = "Address Range", "Line"


def decode(part: Part) -> tuple[Section, ...]:
    """Ascend operator files, section 2.4. Files and lines are read piece by piece, in whatever order their keys
    come."""
    gathered = _Gathered(part)
    try:
        gathered.read()
    except FormatError as error:
        if not gathered.fields.rows:
            raise
        where = error.offset if error.offset is not None else part.block.offset
        part.problems.add("error", "broken blocks", where, f"{part.block.label} is broken here: {error.text}")
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
        block = self._part.block
        cursor = Cursor(self._part.source, block.payload, block.end)
        for key in cursor.members():
            if key == "Cores":
                self._cores = core_names(cursor.value())
            elif key == "Files Dtype":
                self._dtypes = dtypes(cursor.value(), "Lines")
            elif key == "Files" and cursor.peek() == b"[":
                for _ in cursor.items():
                    if cursor.peek() == b"{":
                        self._read_file(cursor)

    def section(self) -> Lines:
        part = self._part
        part.told(self._values)
        self._ranges.tell(part)
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

    def _read_file(self, cursor: Cursor) -> None:
        path = ""
        before = len(self._line)
        try:
            for key in cursor.members():
                if key == "Source":
                    path = text(cursor.value())
                elif key == "Lines" and cursor.peek() == b"[":
                    self._read_lines(cursor)
        finally:
            self._file.append((self._paths(path), len(self._line) - before))

    def _read_lines(self, cursor: Cursor) -> None:
        part = self._part
        records: Records[Any] = Records(part.source, cursor.at + 1, part.block.end, problems=part.problems)
        for piece in records:
            rows = [record for record in piece.records if isinstance(record, dict) and record]
            self._line += [self._values.whole(row.get(_LINE)) for row in rows]
            self._ranges.add([row.get(_RANGE) for row in rows])
            self.fields.add(rows)
            part.tick(piece.offset + piece.size)
        cursor.at = records.end
        if not records.closed:
            raise FormatError("the list of lines has no end", offset=records.end)
