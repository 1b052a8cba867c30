"""Decodes block 0x04: the cost of instructions."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct

from app.formats.ascend_bin.addresses import addresses
from app.formats.ascend_bin.part import Part
from app.formats.ascend_bin.records import Fields, RowsPart, an_object, core_names, dtypes, objects_of, read_rows
from app.formats.ascend_bin.values import text
from app.formats.json import stretches as json_stretches
from app.formats.json.batches import batches
from app.formats.json.quiet import collector_off
from app.formats.json.stretches import Passage, StretchRecords, nothing, place_of
from app.formats.pool import Moved, Task
from app.formats.source import Source
from app.profile.arrays import I32, I64, sealed
from app.profile.ascend import Instructions, TypedColumn
from app.profile.profile import Section
from app.profile.strings import Interner

_ADDRESS, _PLACE, _PIPE, _TEXT = "Address", "AscendC Inner Code", "Pipe", "Source"
_KNOWN = (_ADDRESS, _PLACE, _PIPE, _TEXT)
_INNER = re.compile(r"(.*):(\d{1,9})(?::\d+)?\s*\Z", re.DOTALL)
_BY_PLACE = 0
"""The version byte of a block whose instructions are mapped to source lines by "AscendC Inner Code"."""


def decode(part: Part) -> tuple[Section, ...]:
    """The Instructions section (Ascend operator files, section 2.5). It is read piece by piece, with keys in any order;
    of a damaged block the rows before the damage are kept."""
    gathered = _Gathered(part)
    read_rows(part, gathered.read, gathered.fields)
    return (gathered.section(),)


class InstructionsPart(Struct, frozen=True, eq=False):
    """The instructions of one piece. ``pipe`` and ``text``: int32, indices of ``strings``, ``place`` of ``places``, -1
    for none; ``fields``: the other columns."""

    strings: list[str]
    places: list[str]
    address: I64
    pipe: I32
    text: I32
    place: I32
    fields: RowsPart


class InstructionsStretch(Struct, frozen=True, eq=False):
    """The instructions of a stretch."""

    passage: Passage
    parts: list[InstructionsPart]


def decode_stretch(source: Source, stretch: json_stretches.Stretch, moved: Moved) -> InstructionsStretch:
    """The instructions of ``stretch``."""
    place = place_of(source, stretch)
    if place is None:
        return InstructionsStretch(nothing(stretch), [])
    decoder = msgspec.json.Decoder(list[dict[str, Any]])
    records: StretchRecords[dict[str, Any]] = StretchRecords(
        source, stretch, place, decode=decoder.decode, rescue=an_object
    )
    with collector_off():
        pieces = batches(source, records, stretch.start - 1, records.log, moved)
        parts = [_part([record for record in batch.records if record]) for batch in pieces]
    return InstructionsStretch(records.passage(), parts)


def _part(rows: list[dict[str, Any]]) -> InstructionsPart:
    strings, places = Interner(), Interner()
    pipe, text, place = (_ids(rows, key, ids) for key, ids in ((_PIPE, strings), (_TEXT, strings), (_PLACE, places)))
    address = addresses([row.get(_ADDRESS) for row in rows])
    return InstructionsPart(list(strings.ids), list(places.ids), address, pipe, text, place, RowsPart.of(rows, _KNOWN))


TASK: Final = Task("instructions", decode_stretch, json_stretches.Stretch, InstructionsStretch)


class _Gathered:
    def __init__(self, part: Part) -> None:
        self.fields = Fields(_KNOWN)
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
                divided = walk.divided(TASK)
                for rows in objects_of(walk) if divided is None else ():
                    self._add(rows, walk.offset)
                for stretch in divided or ():
                    for part in stretch.parts:
                        self._join(part, walk.offset)

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
        self._pipe.append(_ids(rows, _PIPE, self._strings))
        self._text.append(_ids(rows, _TEXT, self._strings))
        self._place.append(_ids(rows, _PLACE, self._places))
        self.fields.add(rows, at)

    def _join(self, part: InstructionsPart, at: int) -> None:
        strings = np.array([*map(self._strings, part.strings), -1], np.int32)
        places = np.array([*map(self._places, part.places), -1], np.int32)
        self._address.append(part.address)
        self._pipe.append(strings[part.pipe])
        self._text.append(strings[part.text])
        self._place.append(places[part.place])
        self.fields.join(part.fields, at)

    def _places_of(self, place: I32) -> tuple[I32, I32]:
        """(text id of the file, line) of each instruction, int32, from "path:line"; -1 where absent."""
        files = []
        lines = []
        for code in self._places.ids:
            match = _INNER.match(code)
            files.append(self._strings(match[1] if match else code))
            lines.append(int(match[2]) if match else -1)
        return np.array([*files, -1], np.int32)[place], np.array([*lines, -1], np.int32)[place]


def _ids(rows: list[dict[str, Any]], key: str, interner: Interner) -> I32:
    """int32[rows]: ids of the texts under ``key``, -1 where there is none."""
    values = [row.get(key) for row in rows]
    words: list[Any] = values if set(map(type, values)) == {str} else list(map(text, values))
    ids = np.fromiter(map(interner, words), np.int32, len(words))
    return np.where(ids == interner.ids.get("", -1), np.int32(-1), ids)


def _joined(parts: list[Any], dtype: type[np.generic]) -> Any:
    return np.concatenate(parts) if parts else np.empty(0, dtype)


def _ordered(column: Any, order: I64 | None) -> Any:
    return sealed(column if order is None else column[order])


def _reordered(column: TypedColumn, order: I64) -> TypedColumn:
    """The column with its rows in ``order``."""
    details = column.details.of_rows(order, column.values.shape[1]) if column.details else None
    return TypedColumn(column.name, column.kind, sealed(column.values[order]), column.strings, details)
