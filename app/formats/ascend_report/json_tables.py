"""JSON files of a report, as tables of keys and values."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

import numpy as np

from app.formats.ascend_report.csv_table import LineProblems
from app.formats.errors import FormatError
from app.formats.json import tolerant
from app.formats.source import Source
from app.language import tr
from app.profile.arrays import sealed
from app.profile.ascend import TypedColumn
from app.profile.ascend_report import ReportTable
from app.profile.strings import Interner

MAX_BYTES = 8 << 20
"""The largest file that is read: these have some hundreds of lines."""
MAX_DEPTH = 64
GROUP, KEY, VALUE, TEXT = "Group", "Key", "Value", "Text"


def read_json_table(source: Source, name: str, file: str, problems: LineProblems) -> ReportTable:
    """A row for each value in the JSON values of ``source`` (one, or one per line): its group (the keys and places
    around it, joined by " / "), its key, and the value as a number or as a text; null is neither. Raises FormatError if
    nothing is read."""
    if source.size > MAX_BYTES:
        raise FormatError(tr("larger than the limit of {max_bytes:,} bytes for such a file", max_bytes=MAX_BYTES))
    rows = _Rows()
    for number, value in _values(source.read(0, source.size), problems):
        rows.add(value, () if number is None else (str(number),))
    if not rows.key:
        raise FormatError(tr("this file contains no values"))
    return rows.table(name, file)


def _values(text: bytes, problems: LineProblems) -> Iterator[tuple[int | None, Any]]:
    """(line, value) of a file of lines; (None, value) of a file that is one value."""
    try:
        yield None, tolerant.loads(text, max_depth=MAX_DEPTH)[0]
        return
    except FormatError as error:
        lines = text.splitlines()
        if len(lines) < 2:
            raise FormatError(error.text, offset=error.offset) from error
    readable = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = tolerant.loads(line, max_depth=MAX_DEPTH)[0]
        except FormatError as error:
            problems.add("warning", tr("lines that are not valid JSON"), number, error.text)
            continue
        readable += 1
        yield number, value
    if not readable:
        raise FormatError(tr("no line of this file is valid JSON"))


class _Rows:
    def __init__(self) -> None:
        self._strings = Interner()
        self.group = array("i")
        self.key = array("i")
        self.value = array("d")
        self.text = array("i")

    def add(self, value: Any, around: tuple[str, ...]) -> None:
        """Adds what is in ``value``. An object that names itself (``category``, ``name``) is called so."""
        if isinstance(value, dict):
            named = next((value[key] for key in ("category", "name") if isinstance(value.get(key), str)), None)
            inside = around if named is None else (*around[:-1], named)
            for key, item in value.items():
                self._item(key, item, inside)
        elif isinstance(value, list):
            for place, item in enumerate(value):
                self._item(str(place), item, around)
        else:
            self._item("", value, around)

    def _item(self, key: str, item: Any, around: tuple[str, ...]) -> None:
        if isinstance(item, dict | list) and item:
            self.add(item, (*around, key))
            return
        number = isinstance(item, int | float) and not isinstance(item, bool) and abs(item) < 1 << 53
        words = "" if number or item is None else item if isinstance(item, str) else _spelled(item)
        self.group.append(self._strings(" / ".join(around)) if around else -1)
        self.key.append(self._strings(key))
        self.value.append(float(item) if number else np.nan)
        self.text.append(self._strings(words) if words else -1)

    def table(self, name: str, file: str) -> ReportTable:
        strings = self._strings.strings()

        def texts(title: str, ids: array[int]) -> TypedColumn:
            return TypedColumn(title, "text", sealed(np.array(ids, np.int32).reshape(-1, 1)), strings)

        value = TypedColumn(VALUE, "float", sealed(np.array(self.value, np.float64).reshape(-1, 1)))
        columns = (texts(GROUP, self.group), texts(KEY, self.key), value, texts(TEXT, self.text))
        return ReportTable(name, file, columns)


def _spelled(item: Any) -> str:
    """True, False, large integers and empty containers as in JSON."""
    return {True: "true", False: "false"}[item] if isinstance(item, bool) else str(item)
