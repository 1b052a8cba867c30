"""The operator of a report and its blocks, from tables and JSON files; how they complete what an operator file says,
and differ from it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import fields, replace

from app.formats.ascend_bin.operator import kind_of
from app.formats.ascend_bin.part import Values
from app.formats.ascend_report.tables import GROUP, KEY, TEXT, VALUE, Metrics, spelled_alike, texts_of
from app.formats.json.problems import Problems
from app.language import Text, tr
from app.profile.arrays import F64, sealed
from app.profile.ascend import CoreLoad, MemoryPaths, Operator, TypedColumn, column_named
from app.profile.ascend_report import ReportTable
from app.profile.profile import Section, Target
from app.profile.strings import Interner

_UNITS = ("Cube0", "Vector0", "Vector1")


class BasicInfo(Struct, frozen=True):
    """The row of OpBasicInfo, or the same names of a summary: texts by title as ``spelled_alike``."""

    cells: Mapping[str, str]

    @classmethod
    def of(cls, table: ReportTable | None) -> BasicInfo:
        """Of the table's first row; without a table nothing is known."""
        if table is None or not table.rows:
            return cls({})
        return cls({spelled_alike(column.name): texts_of(column, 1)[0] for column in table.columns})

    def text(self, title: str) -> str:
        cell = self.cells.get(spelled_alike(title), "")
        return "" if cell.upper() in ("NA", "N/A") else cell

    def number(self, title: str) -> float | None:
        return Values().optional(self.text(title))

    def count(self, title: str) -> int | None:
        number = Values().whole(self.text(title))
        return None if number < 0 else number

    @property
    def duration_us(self) -> float | None:
        return self.number("Task Duration(us)")

    @property
    def type(self) -> str:
        """The operator's type; "" if unknown."""
        return kind_of(self.text("Op Type"))


def type_of(info: BasicInfo, metrics: Metrics) -> str:
    """vector, cube, mix or AiCore: as stated, else by the sub-blocks in the tables."""
    if info.type or not len(metrics):
        return info.type
    if not any(row.block for row in metrics.rows):
        return "AiCore"
    sides = set(metrics.on_vector.tolist())
    return "mix" if len(sides) == 2 else "vector" if sides == {True} else "cube"


def operator(info: BasicInfo, metrics: Metrics, soc: str) -> tuple[Operator, Target]:
    """The Operator and Target sections (Ascend operator reports, sections 2.2 and 6)."""
    frequency = info.number("Current Freq")
    device = info.text("Device Id")
    stored = info.text("Op Type")
    section = Operator(
        name=info.text("Op Name"),
        type=type_of(info, metrics),
        stored_type=stored or type_of(info, metrics),
        soc=soc,
        block_dim=info.count("Block Dim"),
        mix_block_dim=info.count("Mix Block Dim"),
        device_id=device,
        pid=info.text("Pid"),
        duration_us=info.duration_us,
        frequency_mhz=frequency,
        rated_frequency_mhz=info.number("Rated Freq"),
        blocks=_blocks(type_of(info, metrics), metrics),
    )
    target = Target(
        kind="Ascend",
        soc=soc or None,
        block_dim=section.block_dim,
        mix_block_dim=section.mix_block_dim,
        device=int(device) if device.isascii() and device.isdecimal() and len(device) < 10 else None,
        clock_hz=frequency * 1e6 if frequency else None,
    )
    return section, target


def _blocks(kind: str, metrics: Metrics) -> tuple[TypedColumn, ...]:
    """The block table, laid out as in operator files (section 2.7 there): a row per block with a duration for each
    sub-block of a mix, else a row per sub-block."""
    if not len(metrics):
        return ()
    time = metrics.time
    if kind != "mix":
        names = [row.sub_block or kind for row in metrics.rows]
        columns = [_texts("Core Type", names), _numbers("Duration (μs)", time.tolist())]
        if any(row.block for row in metrics.rows):
            columns.insert(0, _texts("Block ID", [row.block for row in metrics.rows]))
        return tuple(columns)
    blocks = metrics.blocks
    durations = {unit: dict.fromkeys(blocks, np.nan) for unit in _UNITS}
    for place, row in enumerate(metrics.rows):
        durations[_UNITS[unit_of(row.sub_block)]][row.block] = float(time[place])
    timed = [_numbers(f"{unit} Duration (μs)", list(durations[unit].values())) for unit in _UNITS]
    return (_texts("Block ID", list(blocks)), *timed)


def unit_of(sub_block: str) -> int:
    """0 for a cube, 1 for a vector, 2 for the second vector of a block."""
    lowered = sub_block.lower()
    if not lowered.startswith(("vec", "aiv")):
        return 0
    return 2 if lowered.endswith("1") else 1


def _texts(title: str, cells: Sequence[str]) -> TypedColumn:
    strings = Interner()
    ids = [strings(cell) if cell else -1 for cell in cells]
    return TypedColumn(title, "text", sealed(np.array(ids, np.int32).reshape(-1, 1)), strings.strings())


def _numbers(title: str, values: Sequence[float]) -> TypedColumn:
    return TypedColumn(title, "float", sealed(np.array(values, np.float64).reshape(-1, 1)))


OPERATOR_GROUP = "OpInfoSummary"
_BRACKETS = re.compile(r"[\s_()\[\]]")
_CHIP = ("socname", "socversion", "chipname", "chiptype", "soc", "deviceType".lower())


def cells(table: ReportTable) -> list[tuple[str, str, str]]:
    """(group, key, value as text) of a table made from JSON."""
    named = [column_named(table.columns, title) for title in (GROUP, KEY, VALUE, TEXT)]
    group, key, value, text = ([] if column is None else texts_of(column, table.rows) for column in named)
    return [(a, b, c or d) for a, b, c, d in zip(group, key, value, text, strict=True)]


def operator_info(summary: ReportTable) -> BasicInfo:
    """The names of OpBasicInfo in summary.jsonl (Ascend operator reports, section 2.3)."""
    return BasicInfo(
        {spelled_alike(key): value for group, key, value in cells(summary) if group.split(" / ")[0] == OPERATOR_GROUP}
    )


def chip_name(hardware: ReportTable) -> str:
    """The chip in HardwareInfo.jsonl; "" if it does not say. Keys are compared without case, blanks, underscores and
    brackets (section 2.3)."""
    by_key = {_BRACKETS.sub("", key).lower(): value for _, key, value in cells(hardware) if value}
    return next((by_key[key] for key in _CHIP if key in by_key), "")


COMPLETED: Final = (Operator, Target)
"""Sections of facts, each of which an operator file may lack: a simulator knows little of a run."""
_UNKNOWN: Final = (None, "", ())

_Facts = TypeVar("_Facts", Operator, Target)


def completed(stored: Section, tabled: Section) -> Section | None:
    """``stored`` with the facts that only ``tabled`` has; None where there are none, or for other sections."""
    match stored, tabled:
        case (Operator(), Operator()):
            return _filled(stored, tabled)
        case (Target(), Target()):
            return _filled(stored, tabled)
        case _:
            return None


def _filled(stored: _Facts, tabled: _Facts) -> _Facts | None:
    more: dict[str, Any] = {}
    for field in fields(stored):
        known, other = getattr(stored, field.name), getattr(tabled, field.name)
        if known in _UNKNOWN and other not in _UNKNOWN:
            more[field.name] = other
    return replace(stored, **more) if more else None


RELATIVE = 1e-5
"""Some figures are computed from rounded ones, or were stored as 32-bit numbers."""
FEWEST_DECIMALS, MOST_DECIMALS = 2, 9
"""Operator files round some figures to two decimals, and metric tables to six."""
Key: TypeAlias = tuple[object, ...]


class Figure(Struct, frozen=True):
    """A figure of a section: what it is, and its value. Figures of one ``group`` have the same number of decimals."""

    what: Text
    value: float
    group: str


def compare(stored: Section, tabled: Section, problems: Problems) -> None:
    """Reports where a section of the operator file and the same one made from the tables differ by more than rounding.
    Figures that only one of them has are not compared."""
    first, second = dict(_figures(stored)), dict(_figures(tabled))
    rounding = [_rounding(figures.values()) for figures in (first, second)]
    for key, one in first.items():
        other = second.get(key)
        if other is None or one.value != one.value or other.value != other.value:
            continue
        rounded = rounding[0][one.group] + rounding[1][other.group]
        if abs(one.value - other.value) > max(rounded, RELATIVE * max(abs(one.value), abs(other.value))):
            text = tr(
                "{what}: {stored} in visualize_data.bin, {tabled} in the metric tables",
                what=one.what,
                stored=f"{one.value:.10g}",
                tabled=f"{other.value:.10g}",
            )
            problems.add("warning", tr("different figures in the operator file and the tables"), None, text)


def _rounding(figures: Iterable[Figure]) -> dict[str, float]:
    """By group: by how much a figure can differ from the true one, which is half of the last decimal that the figures
    of the group have."""
    values: dict[str, list[float]] = defaultdict(list)
    for figure in figures:
        values[figure.group].append(figure.value)
    return {group: 0.501 * 10.0 ** -_decimals(np.array(own)) for group, own in values.items()}


def _decimals(values: F64) -> int:
    """The decimals that are needed to write all ``values``."""
    known = values[np.isfinite(values)]
    for decimals in range(FEWEST_DECIMALS, MOST_DECIMALS):
        if (np.round(known, decimals) == known).all():
            return decimals
    return MOST_DECIMALS


def _figures(section: Section) -> Iterator[tuple[Key, Figure]]:
    match section:
        case Operator():
            yield from _of_operator(section)
        case CoreLoad():
            yield from _of_cores(section)
        case MemoryPaths():
            yield from _of_paths(section)
        case _:
            pass


def _of_operator(section: Operator) -> Iterator[tuple[Key, Figure]]:
    named = (
        (tr("duration (µs)"), section.duration_us),
        (tr("blocks launched"), section.block_dim),
        (tr("frequency (MHz)"), section.frequency_mhz),
        (tr("rated frequency (MHz)"), section.rated_frequency_mhz),
    )
    for place, (what, value) in enumerate(named):
        if value is not None:
            yield (place,), Figure(what, float(value), what)
    timed = [column for column in section.blocks if "duration" in column.name.lower() and column.numeric]
    for place, column in enumerate(timed):
        for row, value in enumerate(column.of_core(0).tolist()):
            what = tr("duration of row {row:,} of the blocks (µs)", row=row + 1)
            yield ("block", place, row), Figure(what, value, "block")


def _of_cores(section: CoreLoad) -> Iterator[tuple[Key, Figure]]:
    """By core, kind and number of the sub-core; a core of a vector operator has only one."""
    strings = section.strings
    seen = set[Key]()
    for row, core in enumerate(section.core.tolist()):
        kind, sub = strings.get(int(section.type[row])), strings.get(int(section.sub_core[row]))
        key = (core, kind, sub)
        if key in seen:
            continue
        seen.add(key)
        name = tr("core {core}, {kind} {sub}", core=core, kind=kind, sub=sub)
        yield (*key, "cycles"), Figure(tr("cycles of {name}", name=name), float(section.cycles[row]), "cycles")
        yield (*key, "rate"), Figure(tr("L2 hit rate of {name} (%)", name=name), float(section.hit_rate[row]), "rate")


def _of_paths(section: MemoryPaths) -> Iterator[tuple[Key, Figure]]:
    strings, blocks = section.strings, section.blocks
    for row, (entry, path) in enumerate(zip(section.entry.tolist(), section.path.tolist(), strict=True)):
        block = strings.get(int(blocks.block[entry]))
        what = tr("bandwidth of memory path {path} in block {block} (GB/s)", path=path, block=block)
        yield (block, path), Figure(what, float(section.bandwidth[row]), "bandwidth")
    for entry, code in enumerate(blocks.block.tolist()):
        block = strings.get(code)
        for name, values in (("hit", blocks.hit), ("miss", blocks.miss)):
            what = tr("L2 {name} count of block {block}", name=name, block=block)
            yield (block, name), Figure(what, float(values[entry]), name)
