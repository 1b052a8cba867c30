"""Reads ``framework.json`` and ``app.json``: free-form values, shown one per line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import orjson

from app.formats.errors import FormatError
from app.formats.poplar.report import Report
from app.formats.walk import Walk
from app.language import tr
from app.profile.arrays import I32, sealed
from app.profile.poplar import Notes
from app.profile.strings import Interner

MOST_BYTES: Final = 4 << 20
MOST_NOTES: Final = 20_000
DEEPEST: Final = 12
LONGEST: Final = 4_000
JOINT: Final = " / "
"""The separator between the keys of a path."""


class NotesReader:
    """Collects the notes of several files into one section."""

    def __init__(self) -> None:
        self._files: list[str] = []
        self._ids = Interner()
        self._rows: list[tuple[int, int, int]] = []

    def read(self, walk: Walk, report: Report) -> None:
        """Adds the values of a file. Nesting, number and length of values are limited; a limit on the number of values
        and a file that is too large are reported."""
        try:
            value = walk.value(MOST_BYTES)
        except FormatError as error:
            report.refused("", error)
            return
        file = len(self._files)
        self._files.append(report.name)
        for number, (key, text) in enumerate(_flat(value, "", 0)):
            if number == MOST_NOTES:
                report.issue("warning", "", tr("only the first {most_notes:,} values are shown", most_notes=MOST_NOTES))
                break
            self._rows.append((file, self._ids(_cut(key)), self._ids(_cut(text))))

    def done(self) -> Notes | None:
        if not self._files:
            return None
        columns = np.array(self._rows, np.int32).reshape(-1, 3).T
        file, key, value = (_column(column) for column in columns)
        return Notes(tuple(self._files), self._ids.strings(), file, key, value)


def _flat(value: Any, path: str, depth: int) -> Iterator[tuple[str, str]]:
    """(path of keys, text) of each scalar value; values nested too deep are given as JSON."""
    if isinstance(value, dict) and value and depth < DEEPEST:
        for key, below in value.items():
            yield from _flat(below, f"{path}{JOINT}{key}" if path else str(key), depth + 1)
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value) and depth < DEEPEST:
        for number, item in enumerate(value):
            yield from _flat(item, f"{path}[{number}]", depth + 1)
    else:
        yield path, value if isinstance(value, str) else _json(value)


def _json(value: Any) -> str:
    try:
        return orjson.dumps(value).decode("utf-8", "replace")
    except (TypeError, ValueError, RecursionError):
        return str(type(value).__name__)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


def _column(values: I32) -> I32:
    return sealed(values.astype(np.int32))
