"""Reads the companion files of a graph and an execution: ``framework.json`` and ``app.json`` (free-form values, shown
one per line), text summaries (as lines, unchanged), and ``vars.json``, the lowered variables (engine option
debug.loweredVarDumpFile)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, Final

import msgspec
import numpy as np
import orjson

from app.formats.errors import FormatError
from app.formats.events import Began, SectionReady, Sink
from app.formats.poplar.kinds import HEAD_BYTES, Companion, Role, companion, open_walk
from app.formats.poplar.report import Lenient, Report, Whole, indices, members
from app.formats.source import Source
from app.formats.walk import Broken, Walk
from app.language import plural, tr
from app.profile.arrays import I32, I64, Array, Bool, sealed
from app.profile.poplar import Notes, ReportFiles, Texts, Variables
from app.profile.strings import Interner, Strings

_MAIN = {"graph": tr("graph profile"), "execution": tr("execution profile"), "both": tr("graph and execution profile")}


def kind_of(source: Source) -> Companion | None:
    """The type of companion file that ``source`` is; None for others."""
    return companion(source.head(HEAD_BYTES), source.path)


def deliver(
    main: Sequence[tuple[Source, Role]],
    others: Sequence[tuple[Source, Companion]],
    sink: Sink,
) -> None:
    """Reads ``others`` and sends their sections to ``sink``; damaged files are reported and skipped. Does nothing where
    there are none."""
    if not others:
        return
    from app.formats.tensor_map.read import MapsReader

    sink(SectionReady(_listed(main, others)))
    notes, texts, maps = NotesReader(), TextsReader(), MapsReader()
    for source, other in others:
        report = Report(sink, source)
        if not other.read:
            report.issue("info", "", tr("not shown: {advice}", advice=other.advice))
            continue
        try:
            if other.kind == "tensor_map":
                maps.read(source, report.problems)
            else:
                _read(source, other, report, notes, texts, sink)
        except FormatError as error:
            report.refused("", error)
        report.finish()
    for section in (notes.done(), texts.done(), maps.done()):
        if section is not None:
            sink(SectionReady(section))


def alone(others: Sequence[tuple[Source, Companion]], sink: Sink) -> None:
    """Sends a profile of companion files without a graph and an execution. Raises FormatError, which says what to use
    instead, where nothing can be shown, and for a profile database: the notes next to it are not what the user wants
    to see."""
    missing = sorted((pair for pair in others if not pair[1].read), key=lambda pair: pair[1].kind != "database")
    shown = [pair for pair in others if pair[1].read and pair[1].kind != "application"]
    if missing and (not shown or missing[0][1].kind == "database"):
        raise FormatError(missing[0][1].advice, path=str(missing[0][0].path))
    if not shown:
        raise FormatError(others[0][1].advice, path=str(others[0][0].path))
    first = shown[0][0].path
    name = first.absolute().parent.name if len(others) > 1 else first.name
    sink(Began(name, tuple(source.path for source, _ in others)))
    deliver([], others, sink)


def _read(
    source: Source,
    other: Companion,
    report: Report,
    notes: NotesReader,
    texts: TextsReader,
    sink: Sink,
) -> None:
    if other.kind == "summary":
        texts.read(source, report)
        return
    walk = open_walk(source, report.problems)
    if walk is None:
        raise FormatError(tr("expected an object here"))
    if other.kind == "variables":
        variables = read_variables(walk, report)
        if variables is not None:
            sink(SectionReady(variables))
    else:
        notes.read(walk, report)


def _listed(main: Sequence[tuple[Source, Role]], others: Sequence[tuple[Source, Companion]]) -> ReportFiles:
    sources = [source for source, _ in main] + [source for source, _ in others]
    return ReportFiles(
        names=tuple(source.path.name for source in sources),
        kinds=(*(role for _, role in main), *(other.kind for _, other in others)),
        what=(*(_MAIN[role] for _, role in main), *(other.what for _, other in others)),
        size=sealed(np.array([source.size for source in sources], np.int64)),
        read=sealed(np.array([True] * len(main) + [other.read for _, other in others], np.bool_)),
    )


MOST_NOTES_BYTES: Final = 4 << 20
MOST_NOTES: Final = 20_000
DEEPEST: Final = 12
LONGEST_VALUE: Final = 4_000
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
            value = walk.value(MOST_NOTES_BYTES)
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
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]} …"


def _column(values: I32) -> I32:
    return sealed(values.astype(np.int32))


MOST_TEXT_BYTES: Final = 16 << 20
MOST_LINES: Final = 400_000
LONGEST_LINE: Final = 2_000


class TextsReader:
    """Collects the texts of several files into one section."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._first = [0]
        self._lines: list[str] = []

    def read(self, source: Source, report: Report) -> None:
        """Adds the lines of a file, up to MOST_BYTES and MOST_LINES; reports where it is cut off."""
        size = min(source.size, MOST_TEXT_BYTES)
        text = source.read(0, size).decode("utf-8-sig", "replace")
        lines = text.splitlines()
        if source.size > size or len(lines) > MOST_LINES:
            lines = lines[:MOST_LINES]
            report.issue(
                "warning",
                "",
                plural(
                    "only its first {count:,} line is shown; open it in a text editor for the rest",
                    "only its first {count:,} lines are shown; open it in a text editor for the rest",
                    count=len(lines),
                ),
            )
        self._lines += [line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} …" for line in lines]
        self._names.append(report.name)
        self._first.append(len(self._lines))

    def done(self) -> Texts | None:
        return Texts(tuple(self._names), tuple(self._first), Strings.of(self._lines)) if self._names else None


class Info(msgspec.Struct, rename="camel", gc=False):
    """The properties of one variable."""

    name: str = ""
    category: str = ""
    tile: Whole = -1
    equivalence_class: Whole = -1
    size_bytes: Whole = -1
    offset: Whole = -1
    alignment: Whole = -1
    allocated: bool = False
    is_constant: bool = False
    always_live: bool = False
    executable: bool = False
    vertex_code: bool = False
    in_interleaved_mem: bool = False


class VariableRecord(msgspec.Struct, gc=False):
    """One entry of ``vars``."""

    var: Whole = -1
    info: Info = msgspec.field(default_factory=Info)


_ROW_BYTES: Final = 192
"""Memory per variable while the columns are built."""
_WHOLE: Final = ("tile", "equivalence_class", "size_bytes", "offset", "alignment")
_FLAGS: Final = ("allocated", "is_constant", "always_live", "executable", "vertex_code", "in_interleaved_mem")


def read_variables(walk: Walk, report: Report) -> Variables | None:
    """The variables of the file, up to the first damage; None where it lists none."""
    builder = _Builder()
    try:
        members(walk, report, "", {"vars": lambda path: _read_records(walk, report, path, builder), **_PASSED})
    except Broken as error:
        report.refused("", error)
    return builder.done()


_PASSED: Final = dict.fromkeys(
    ("numTiles", "targetMemoryInfo", "equivalenceClassInterference", "allocationOrderByTile"), lambda _: None
)
"""Known members that are not shown: interference of classes grows with the square of the number of variables."""


def _read_records(walk: Walk, report: Report, path: str, builder: _Builder) -> None:
    lenient = Lenient()
    for batch in walk.records(VariableRecord, _rescue(lenient)):
        builder.add(batch.records)
        report.allow(builder.count, _ROW_BYTES)
    lenient.report(report, path)


def _rescue(lenient: Lenient) -> Any:
    """A function that builds a record from a plain value some of whose fields do not fit."""
    outer, inner = lenient.of(VariableRecord), lenient.of(Info)

    def make(value: Any) -> VariableRecord:
        if not isinstance(value, dict):
            raise ValueError(tr("not a record"))
        info = value.get("info")
        record = outer({key: part for key, part in value.items() if key != "info"})
        return VariableRecord(record.var, inner(info) if isinstance(info, dict) else Info())

    return make


class _Builder:
    def __init__(self) -> None:
        self.count = 0
        self._ids = Interner()
        self._columns: dict[str, list[Array]] = {}

    def add(self, records: list[VariableRecord]) -> None:
        self.count += len(records)
        infos = [record.info for record in records]
        self._put("number", np.array([record.var for record in records], np.int64))
        for key in ("name", "category"):
            texts = map(attrgetter(key), infos)
            self._put(key, np.array([self._ids(text) if text else -1 for text in texts], np.int32))
        for key in _WHOLE:
            self._put(key, np.array(list(map(attrgetter(key), infos)), np.int64))
        for key in _FLAGS:
            self._put(key, np.array(list(map(attrgetter(key), infos)), np.bool_))

    def done(self) -> Variables | None:
        if not self._columns:
            return None
        tile, size = indices(self._whole("tile")), self._whole("size_bytes")
        return Variables(
            strings=self._ids.strings(),
            number=sealed(self._whole("number")),
            name=indices(self._whole("name")),
            category=indices(self._whole("category")),
            tile=tile,
            equivalence=indices(self._whole("equivalence_class")),
            size=sealed(size),
            offset=sealed(self._whole("offset")),
            alignment=sealed(self._whole("alignment")),
            allocated=self._flag("allocated"),
            constant=self._flag("is_constant"),
            always_live=self._flag("always_live"),
            executable=self._flag("executable"),
            vertex_code=self._flag("vertex_code"),
            interleaved=self._flag("in_interleaved_mem"),
            by_tile=sealed(np.lexsort((-size, tile)).astype(np.int64)),
        )

    def _put(self, key: str, values: Array) -> None:
        self._columns.setdefault(key, []).append(values)

    def _whole(self, key: str) -> I64:
        values: I64 = np.concatenate(self._columns.pop(key)).astype(np.int64)
        return np.maximum(values, -1)

    def _flag(self, key: str) -> Bool:
        return sealed(np.concatenate(self._columns.pop(key)))
