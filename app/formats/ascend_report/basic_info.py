"""The operator of a report and its blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from app.formats.ascend_bin.operator import kind_of
from app.formats.ascend_bin.values import Values
from app.formats.ascend_report.metric_rows import Metrics, spelled_alike, texts_of
from app.profile.arrays import sealed
from app.profile.ascend import Operator, TypedColumn
from app.profile.ascend_report import ReportTable
from app.profile.profile import Target
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
