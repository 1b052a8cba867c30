"""Builds the columns of the events, one by one, and decodes the two small JSON texts inside them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import sub
from typing import Any, Final, NamedTuple

from app.formats.errors import FormatError
from app.formats.json import tolerant
from app.formats.json.problems import Problems
from app.formats.rows import Rows
from app.formats.source import Source, allowed
from app.formats.tensorflow_events.ipu_event import Place, RawEvent, content_of
from app.language import tr
from app.profile.strings import Interner
from app.profile.tensorflow import (
    COMPILATION_REPORT,
    COMPILE_BEGIN,
    COMPILE_END,
    EXECUTION_REPORT,
    INSTRUCTION_INFO,
    JSON,
    LAYOUT_UNKNOWN,
    ML_TYPES,
    PATH,
    TENSOR_MAP,
    Attached,
    Container,
    HostEvents,
    MlTypes,
    TransferTensors,
)

MOST_BYTES: Final = 16 << 20
MOST_MOVED: Final = 1 << 48
"""A larger transfer is implausible."""


class Transfer(NamedTuple):
    """``total``: -1 if not stated; ``tensors``: (name or None, bytes or -1)."""

    total: int
    tensors: list[tuple[str | None, int]]


def transfer(source: Source, place: Place) -> Transfer:
    """The contents of a transfer; FormatError if it is not such JSON. ``tensors`` is absent when there are none."""
    document = _document(source, place)
    if not isinstance(document, dict):
        raise FormatError(tr("the description of the transfer is not a JSON object"), offset=place.begin)
    listed = document.get("tensors")
    tensors = [_tensor(entry) for entry in listed] if isinstance(listed, list) else []
    return Transfer(_amount(document.get("total_size")), tensors)


def ml_types(source: Source, place: Place) -> list[tuple[str, int]]:
    """(instruction, its type) in the order of the text; empty for null and an empty map."""
    document = _document(source, place)
    types = document.get("ml_types") if isinstance(document, dict) else None
    if document is not None and not isinstance(document, dict):
        raise FormatError(tr("the instruction information is not a JSON object"), offset=place.begin)
    if not isinstance(types, dict):
        return []
    return [(name, kind) for name, kind in types.items() if type(kind) is int and 0 <= kind < len(ML_TYPES)]


def _document(source: Source, place: Place) -> Any:
    if place.size > MOST_BYTES:
        raise FormatError(
            tr("this text has more than {most_bytes:,} bytes and is skipped", most_bytes=MOST_BYTES),
            offset=place.begin,
        )
    try:
        return tolerant.loads(source.read(place.begin, place.size))[0]
    except FormatError as error:
        raise FormatError(error.text, offset=place.begin + (error.offset or 0)) from error


def _tensor(entry: Any) -> tuple[str | None, int]:
    if not isinstance(entry, dict):
        return None, -1
    name = entry.get("name")
    return name if isinstance(name, str) else None, _amount(entry.get("size"))


def _amount(value: Any) -> int:
    """An integer number of bytes from 0 on; -1 for anything else."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if type(value) is int and 0 <= value < MOST_MOVED else -1


LATEST: Final = 1e11
"""Seconds since 1970 (the year 5138); later times are implausible."""
LONGEST: Final = 1e9
_ROW_BYTES: Final = 400
"""Memory for one event, including its part of the timeline."""
LONGEST_NAME: Final = 64 * 1024


class EventColumns:
    """Builds ``HostEvents``; a problem in an event is reported, and the rest of the event is used.

    ``maps``: (module as named in the event, position) of the tensor maps that are in the file itself, in file order.
    """

    def __init__(self, source: Source, problems: Problems) -> None:
        self.maps: list[tuple[str, Place]] = []
        self._source = source
        self._problems = problems
        self._text = Interner()
        self._events = Rows(HostEvents)
        self._attached = Rows(Attached)
        self._tensors = Rows(TransferTensors)
        self._ml_types = Rows(MlTypes)
        self._most = allowed(source.size, _ROW_BYTES)
        self._beyond = 0
        self._begun: dict[tuple[int, int], int] = {}

    def __len__(self) -> int:
        return len(self._events)

    def add(self, raw: RawEvent, step: int) -> None:
        """``step``: of the summary that contains the event, -1 if none."""
        row = len(self._events)
        if row >= self._most:
            self._beyond += 1
            return
        name = self._name(raw.module)
        module = self._text(name) if name else -1
        begin = -1
        if raw.type == COMPILE_BEGIN:
            self._begun[raw.ordinal, module] = row
        elif raw.type == COMPILE_END:
            begin = self._begun.pop((raw.ordinal, module), -1)
        moved = -1 if raw.transfer is None or not raw.transfer.size else self._transfer(row, raw.transfer)
        for role, place in raw.parts.items():
            self._part(row, name, role, place)
        self._events.add(
            raw.type,
            self._time(raw),
            raw.ordinal,
            module,
            step,
            self._duration(raw),
            moved,
            raw.layout,
            begin,
            raw.place.begin,
            raw.place.size,
        )

    def add_reports(
        self,
        kinds: Sequence[int],
        named: Sequence[int],
        modules: Sequence[bytes],
        begins: Sequence[int],
        ends: Sequence[int],
    ) -> None:
        """Adds events without a time that are only the name of a module, at the byte ``named``, and a report, a JSON
        text from ``begins`` to ``ends``. ``kinds``: COMPILE_END or EXECUTE."""
        row = len(self._events)
        count = max(0, min(len(kinds), self._most - row))
        self._beyond += len(kinds) - count
        kinds, named, begins, ends = (each[:count] for each in (kinds, named, begins, ends))
        ids = {module: self._text(module.decode("utf-8", "replace")) for module in dict.fromkeys(modules[:count])}
        names = list(map(ids.__getitem__, modules[:count]))
        roles = [COMPILATION_REPORT if kind == COMPILE_END else EXECUTION_REPORT for kind in kinds]
        none, unknown, sizes = [-1] * count, [math.nan] * count, list(map(sub, ends, named))
        reports = list(map(sub, ends, begins))
        self._attached.extend(range(row, row + count), roles, [JSON] * count, begins, reports, none)
        self._events.extend(
            kinds, unknown, [0] * count, names, none, unknown, none, [LAYOUT_UNKNOWN] * count, none, named, sizes
        )

    def finish(self, container: Container, skipped: dict[str, int]) -> HostEvents:
        """The finished section; ``skipped``: names and counts of other contents of the file."""
        if self._beyond:
            text = tr(
                "only the first {most:,} events are shown; {beyond:,} more exceed the limit for this file",
                most=self._most,
                beyond=self._beyond,
            )
            self._problems.add("warning", tr("events that are not shown"), None, text)
        return self._events.finish(
            container=container,
            strings=self._text.strings(),
            attached=self._attached.finish(),
            tensors=self._tensors.finish(),
            ml_types=self._ml_types.finish(),
            skipped_names=tuple(skipped),
            skipped_counts=tuple(skipped.values()),
        )

    def _time(self, raw: RawEvent) -> float:
        if raw.time is None:
            return math.nan
        if not 0 <= raw.time < LATEST:
            self._report(
                tr("implausible times"),
                raw.place,
                tr("its time, {time}, is implausible", time=f"{raw.time:g}"),
            )
            return math.nan
        return raw.time

    def _duration(self, raw: RawEvent) -> float:
        """In seconds; the event counts microseconds."""
        if raw.duration is None or raw.type != COMPILE_END:
            return math.nan
        if not 0 <= raw.duration / 1e6 < LONGEST:
            text = tr("a compilation of {duration:,} microseconds is implausible", duration=raw.duration)
            self._report(tr("implausible durations"), raw.place, text)
            return math.nan
        return raw.duration / 1e6

    def _transfer(self, row: int, place: Place) -> int:
        """The bytes stated by a transfer, or the sum over its tensors if it states only theirs."""
        try:
            moved = transfer(self._source, place)
        except FormatError as error:
            self._report(tr("transfers that cannot be read"), place, error.text)
            return -1
        for name, size in moved.tensors:
            self._tensors.add(row, -1 if name is None else self._text(name), size)
        known = [size for _, size in moved.tensors if size >= 0]
        total = moved.total if moved.total >= 0 or not known else sum(known)
        return total if total < MOST_MOVED else -1

    def _part(self, row: int, module: str, role: int, place: Place) -> None:
        content, path = content_of(self._source, role, place)
        self._attached.add(row, role, content, place.begin, place.size, self._text(path) if content == PATH else -1)
        if role == TENSOR_MAP and content == JSON:
            self.maps.append((module, place))
        elif role == INSTRUCTION_INFO and content != PATH:
            try:
                for name, kind in ml_types(self._source, place):
                    self._ml_types.add(row, self._text(name), kind)
            except FormatError as error:
                self._report(tr("instruction information that cannot be read"), place, error.text)

    def _name(self, place: Place | None) -> str:
        if place is None or not place.size:
            return ""
        if place.size > LONGEST_NAME:
            self._report(
                tr("implausible names"),
                place,
                tr("the module's name has {size:,} bytes; it is truncated", size=place.size),
            )
        raw = self._source.read(place.begin, min(place.size, LONGEST_NAME))
        return raw.decode("utf-8", "replace")

    def _report(self, kind: str, place: Place, text: str) -> None:
        self._problems.add("warning", kind, place.begin, text)
