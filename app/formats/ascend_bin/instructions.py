"""Decodes block 0x04: the cost of instructions."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from app.formats.ascend_bin.addresses import addresses
from app.formats.ascend_bin.part import Part
from app.formats.ascend_bin.records import Fields, core_names, dtypes, objects_of
from app.formats.ascend_bin.values import text
from app.formats.errors import FormatError
from app.language import tr
from app.profile.arrays import I32, I64, sealed
from app.profile.instructions import Instructions
from app.profile.profile import Section
from app.profile.strings import Interner
from app.profile.typed import TypedColumn

_ADDRESS, _PLACE, _PIPE, _TEXT = "Address", "AscendC Inner Code", "Pipe", "Source"
_INNER = re.compile(r"(.*):(\d{1,9})(?::\d+)?\s*\Z", re.DOTALL)
_BY_PLACE = 0
"""The version byte of a block whose instructions are mapped to source lines by "AscendC Inner Code"."""


def decode(part: Part) -> tuple[Section, ...]:
    """The Instructions section (Ascend operator files, section 2.5). It is read piece by piece, with keys in any order;
    of a damaged block the rows before the damage are kept."""
    gathered = _Gathered(part)
    try:
        gathered.read()
    except FormatError as error:
        if not gathered.fields.rows:
            raise
        where = error.offset if error.offset is not None else part.block.offset
        part.problems.add(
            "error",
            tr("broken blocks"),
            where,
            tr("{block} is broken here: {error}", block=part.block.label, error=error.text),
        )
    return (gathered.section(),)


class _Gathered:
    def __init__(self, part: Part) -> None:
        self.fields = Fields((_ADDRESS, _PLACE, _PIPE, _TEXT))
        self._part = part
        self._strings = Interner()
        self._cores: tuple[str, ...] = ()
        self._dtypes: dict[str, int] | None = None
        self._address: list[I64] = []
        self._pipe: list[I32] = []
        self._text: list[I32] = []
        self._place: list[I32] = []
        self._places = Interner()

    def read(self) -> None:
        walk = self._part.walk()
        for key in walk.members():
            if key == "Cores":
                self._cores = core_names(walk.value())
            elif key == "Instructions Dtype":
                self._dtypes = dtypes(walk.value(), "Instructions")
            elif key == "Instructions" and walk.kind() == "array":
                for rows in objects_of(walk):
                    self._add(rows, walk.offset)

    def section(self) -> Instructions:
        address = _joined(self._address, np.int64)
        by_address = np.argsort(address, kind="stable")
        columns = self.fields.columns(self._dtypes, self._part)
        order = by_address if self._dtypes is not None and (np.diff(by_address) != 1).any() else None
        file, line = self._places_of(_joined(self._place, np.int32))
        return Instructions(
            cores=self._cores,
            strings=self._strings.strings(),
            address=_ordered(address, order),
            by_address=sealed(by_address if order is None else np.arange(len(address))),
            pipe=_ordered(_joined(self._pipe, np.int32), order),
            text=_ordered(_joined(self._text, np.int32), order),
            file=_ordered(file, order),
            line=_ordered(line, order),
            by_inner_code=self._part.block.version == _BY_PLACE,
            columns=columns if order is None else tuple(_reordered(column, order) for column in columns),
        )

    def _add(self, rows: list[dict[str, Any]], at: int) -> None:
        self._address.append(addresses([row.get(_ADDRESS) for row in rows]))
        self._pipe.append(self._ids(rows, _PIPE, self._strings))
        self._text.append(self._ids(rows, _TEXT, self._strings))
        self._place.append(self._ids(rows, _PLACE, self._places))
        self.fields.add(rows, at)

    @staticmethod
    def _ids(rows: list[dict[str, Any]], key: str, interner: Interner) -> I32:
        """int32[rows]: ids of the texts under ``key``, -1 where there is none."""
        values = [row.get(key) for row in rows]
        words: list[Any] = values if set(map(type, values)) == {str} else list(map(text, values))
        ids = np.fromiter(map(interner, words), np.int32, len(words))
        return np.where(ids == interner.ids.get("", -1), np.int32(-1), ids)

    def _places_of(self, place: I32) -> tuple[I32, I32]:
        """(text id of the file, line) of each instruction, int32, from "path:line"; -1 where absent."""
        files = []
        lines = []
        for code in self._places.ids:
            match = _INNER.match(code)
            files.append(self._strings(match[1] if match else code))
            lines.append(int(match[2]) if match else -1)
        return np.array([*files, -1], np.int32)[place], np.array([*lines, -1], np.int32)[place]


def _joined(parts: list[Any], dtype: type[np.generic]) -> Any:
    return np.concatenate(parts) if parts else np.empty(0, dtype)


def _ordered(column: Any, order: I64 | None) -> Any:
    return sealed(column if order is None else column[order])


def _reordered(column: TypedColumn, order: I64) -> TypedColumn:
    """The column with its rows in ``order``."""
    details = column.details.of_rows(order, column.values.shape[1]) if column.details else None
    return TypedColumn(column.name, column.kind, sealed(column.values[order]), column.strings, details)
