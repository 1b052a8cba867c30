"""Pictures of a whole Ascend capture: training steps by their parts, kernels by type, collectives, and memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.table import Table
from app.language import labelled, tr
from app.profile.arrays import F64, I64
from app.profile.ascend_capture import Capture, MemoryRecord
from app.views.chart.bars import MOST_BARS, BarsPicture, NamedBar, bars_picture
from app.views.chart.model import Axis, Chart, Reference, Series, Style
from app.views.chart.stacked import Part, StackedPicture, StackedRow, stacked_picture
from app.views.colours import fitted
from app.views.look import OKABE_ITO, Look
from app.views.units import change, format_value, percent, plain, scale_for

COMPUTING, EXPOSED = OKABE_ITO[2], OKABE_ITO[1]
TRANSIT: Final = OKABE_ITO[0]
STEP_PARTS: Final = (
    (Part(tr("Computing"), COMPUTING), "computing"),
    (Part(tr("Exposed"), EXPOSED), "exposed"),
    (Part(tr("Free"), ""), "free"),
)
COLLECTIVE_PARTS: Final = ((Part(tr("Transit"), TRANSIT), "transit"), (Part(tr("Wait"), ""), "wait"))
OTHER: Final = Part(tr("Other"), OKABE_ITO[6])
"""Of a collective, what is neither: with some algorithms most of it, and no free time."""
MOST_CORNERS: Final = 1200
"""Of a curve: as many as pixels across a panel."""


def ranks_of(capture: Capture | None) -> list[str]:
    """What to call each rank: its number, or its folder where nothing states it."""
    if capture is None:
        return []
    folders = [capture.strings.get(folder) for folder in capture.folder.tolist()]
    return [
        tr("Rank {rank}", rank=rank) if rank >= 0 else folder or tr("Rank not stated")
        for rank, folder in zip(capture.rank.tolist(), folders, strict=True)
    ]


def steps_picture(table: Table, before: Table | None = None) -> tuple[StackedPicture, I64]:
    """(a bar per rank and training step, those of a baseline below theirs; the bar of each row, -1 none)."""
    ranks, steps = _cells(table, "rank"), _cells(table, "step")
    several = len(set(ranks)) > 1
    rows: list[StackedRow] = []
    bars = np.full(table.rows, -1, np.int64)
    old = {} if before is None else _by_rank_and_order(before)
    order: dict[object, int] = {}
    for row in range(min(table.rows, MOST_BARS)):
        name = _step_name(ranks[row] if several else None, steps[row])
        bars[row] = len(rows)
        rows.append(_step_row(table, row, name))
        place = (ranks[row], order.setdefault(ranks[row], 0))
        order[ranks[row]] += 1
        if before is not None and place in old:
            rows.append(_step_row(before, old[place], tr("{name}, baseline", name=name)))
    parts = tuple(part for part, _ in STEP_PARTS)
    count = table.rows + len(rows) - int(np.count_nonzero(bars >= 0))
    return stacked_picture(tr("Training steps: how their time is spent"), "s", parts, rows, count), bars


def _step_row(table: Table, row: int, name: str) -> StackedRow:
    overlapped = _amount(table, "overlapped", row)
    tip = labelled(tr("Communication under computing"), format_value(overlapped, "s"))
    return StackedRow(name, tuple(_amount(table, key, row) for _, key in STEP_PARTS), tip)


def _by_rank_and_order(table: Table) -> dict[tuple[object, int], int]:
    """The row of the k-th step of each rank: numbers of steps differ between two captures."""
    seen: dict[object, int] = {}
    rows: dict[tuple[object, int], int] = {}
    for row, rank in enumerate(_cells(table, "rank")):
        rows[rank, seen.setdefault(rank, 0)] = row
        seen[rank] += 1
    return rows


def _step_name(rank: object, step: object) -> str:
    name = tr("Step {step}", step=step) if step is not None else tr("Whole capture")
    return name if rank is None else tr("Rank {rank}, {name}", rank=rank, name=name.lower())


def types_picture(table: Table, before: Table | None = None) -> tuple[BarsPicture, I64]:
    """(a bar per type and core over all ranks, the longest time first; the bar of each row of the table)."""
    totals, bars_of = _by_type(table)
    old = None if before is None else _by_type(before)[0]
    order = sorted(totals, key=lambda key: -totals[key].time)
    whole = sum(total.time for total in totals.values())
    bars = []
    for key in order[:MOST_BARS]:
        (kind, core), total = key, totals[key]
        was = None if old is None else old[key].time if key in old else math.nan
        share = percent(100 * total.time / whole) if whole > 0 else ""
        lines = [
            kind,
            labelled(tr("Core"), core or tr("not stated")),
            labelled(tr("Kernels"), plain(total.count)),
            labelled(
                tr("Time"), f"{format_value(total.time, 's')} ({share})" if share else format_value(total.time, "s")
            ),
        ]
        if was is not None and was == was:
            lines.append(labelled(tr("Difference"), change(total.time - was, "s")))
        bars.append(NamedBar(kind, share, total.time, _core_colour(core), "\n".join(lines), was))
    several = len(bars_of) > len(totals)
    title = tr("Kernels by type: total time of all ranks") if several else tr("Kernels by type: total time")
    bar = {key: number for number, key in enumerate(order)}
    return bars_picture(title, "s", tuple(bars), count=len(order)), np.array([bar[key] for key in bars_of], np.int64)


class _Total(Struct):
    """Kernels of a type: their number, and their time in seconds."""

    count: int = 0
    time: float = 0.0


def _by_type(table: Table) -> tuple[dict[tuple[str, str], _Total], list[tuple[str, str]]]:
    """(kernels by type and core over all ranks; type and core of each row)."""
    totals: dict[tuple[str, str], _Total] = {}
    keys = []
    for row in range(table.rows):
        kind, core = (str(table_cell(table, key, row) or "") for key in ("type", "core"))
        count, time = _amount(table, "count", row), _amount(table, "total", row)
        total = totals.setdefault((kind, core), _Total())
        total.count += 0 if count != count else int(count)
        total.time += 0.0 if time != time else time
        keys.append((kind, core))
    return totals, keys


def _core_colour(core: str) -> str:
    """Cube, vector and mixed cores, the processor's kernels, and others."""
    kinds = {"AI_CORE": 2, "AI_VECTOR_CORE": 0, "MIX_AIC": 4, "MIX_AIV": 6, "AI_CPU": 5}
    return OKABE_ITO[kinds.get(core, 1)]


def collectives_picture(table: Table, _before: Table | None = None) -> tuple[StackedPicture, I64]:
    """(a bar per rank and collective in the order of the table; the bar of each row). Those of a baseline are compared
    in the table only."""
    several = len({table_cell(table, "rank", row) for row in range(min(table.rows, MOST_BARS))}) > 1
    rows = []
    for row in range(min(table.rows, MOST_BARS)):
        name, rank = str(table_cell(table, "name", row) or ""), table_cell(table, "rank", row)
        amounts = [_amount(table, key, row) for _, key in COLLECTIVE_PARTS]
        rest = _amount(table, "duration", row) - sum(0.0 if amount != amount else amount for amount in amounts)
        name = tr("{name}, rank {rank}", name=name, rank=rank) if several else name
        rows.append(StackedRow(name, (*amounts, max(rest, 0.0)), _late(table, row)))
    parts = (*(part for part, _ in COLLECTIVE_PARTS), OTHER)
    title = tr("Collectives: how their time is spent")
    return stacked_picture(title, "s", parts, rows, table.rows), np.arange(table.rows, dtype=np.int64)


def _late(table: Table, row: int) -> str:
    late = _amount(table, "late_by", row)
    return labelled(tr("Started after the first rank by"), format_value(late, "s")) if late > 0 else ""


class Curve(Struct, frozen=True, eq=False):
    """One amount of memory over time. ``time``: seconds since the first record of the capture; ``amount``: bytes."""

    name: str
    colour: str
    time: F64
    amount: F64


class MemoryPicture(Struct, frozen=True, eq=False):
    """Curves of the memory of one rank, which hold their value until the next record."""

    title: str
    curves: tuple[Curve, ...]

    def chart(self, look: Look) -> Chart:
        """A chart of bytes over seconds; the peak of the allocator is marked."""
        ends = [float(curve.time[-1]) for curve in self.curves]
        peaks = [float(curve.amount.max()) for curve in self.curves]
        end, peak = max(ends, default=0.0) or 1.0, max(peaks, default=0.0) or 1.0
        time, size = scale_for(end, "s", look), scale_for(peak, "B", look)
        allocated = self.curves[0] if self.curves else None
        references = () if allocated is None else (self._peak(allocated, look),)
        return Chart(
            self.title,
            self.title,
            Axis(tr("Time since the first record ({unit})", unit=time.suffix), 0.0, end, least=end / 1e6, scale=time),
            Axis(tr("Memory ({unit})", unit=size.suffix), 0.0, peak * 1.08, least=peak / 1e6, scale=size),
            series=tuple(_series(number, curve) for number, curve in enumerate(self.curves)),
            references=references,
            selectable=False,
        )

    def _peak(self, curve: Curve, look: Look) -> Reference:
        at = int(np.argmax(curve.amount))
        text = tr("peak {size}", size=format_value(float(curve.amount[at]), "B", look))
        return Reference(float(curve.time[at]), text, quiet=True)


def memory_picture(record: MemoryRecord, ranks: Sequence[str], rank: int) -> MemoryPicture | None:
    """The curves of one rank (a row of the capture): the framework's allocator first; None without records. The sum of
    PTA and GE, which is a component of its own, is not drawn."""
    own = np.flatnonzero(record.rank == rank)
    if not len(own):
        return None
    begin = int(record.time[own].min())
    names = {component: record.strings.get(component) for component in sorted(set(record.component[own].tolist()))}
    curves: list[Curve] = []
    for component in sorted(names, key=lambda one: _component_order(names[one])):
        if names[component] == "PTA+GE":
            continue
        rows = own[record.component[own] == component]
        for title, amount in (
            (tr("allocated"), record.allocated),
            (tr("reserved"), record.reserved),
            (tr("active"), record.active),
        ):
            known = rows[amount[rows] >= 0]
            if len(known) and int(amount[known].max()):
                seconds = (record.time[known] - begin) * 1e-9
                name = tr("{component} {amount}", component=names[component], amount=title)
                colour = OKABE_ITO[(0, 1, 2, 6, 4, 5, 3)[len(curves) % 7]]
                curves.append(_curve(name, colour, seconds, amount[known].astype(np.float64)))
    title = tr("Memory of the device over time")
    if len(ranks) > 1:
        title = tr("{title}, {rank}", title=title, rank=ranks[rank])
    return MemoryPicture(title, tuple(curves)) if curves else None


def _component_order(name: str) -> tuple[int, str]:
    """The framework's allocator first: it is what an engineer can change."""
    order = ("PTA", "APP", "GE")
    return (order.index(name) if name in order else len(order), name)


def _curve(name: str, colour: str, time: F64, amount: F64) -> Curve:
    """A curve of at most MOST_CORNERS records: of each stretch the largest, so that no peak is lost."""
    if len(time) > MOST_CORNERS:
        begins = np.linspace(0, len(time), MOST_CORNERS, endpoint=False).astype(np.int64)
        stretches = np.repeat(np.arange(len(begins)), np.diff([*begins.tolist(), len(time)]))
        order = np.lexsort((amount, stretches))
        largest = order[np.append(begins[1:], len(time)) - 1]
        time, amount = time[largest], amount[largest]
    return Curve(name, colour, time, amount)


def _series(number: int, curve: Curve) -> Series:
    times, amounts = curve.time.tolist(), curve.amount.tolist()
    corners = [(times[0], amounts[0])]
    for time, amount in zip(times[1:], amounts[1:], strict=True):
        corners += [(time, corners[-1][1]), (time, amount)]
    colour = curve.colour
    return Series(
        number, curve.name, tuple(corners), title=curve.name, style=Style(lambda theme: fitted(colour, theme))
    )


def table_cell(table: Table, key: str, row: int) -> str | int | float | bool | None:
    """A cell by the key of its column; None without that column."""
    column = next((column for column in table.columns if column.key == key), None)
    return None if column is None else column.value(row)


def _cells(table: Table, key: str) -> list[object]:
    return [table_cell(table, key, row) for row in range(table.rows)]


def _amount(table: Table, key: str, row: int) -> float:
    value = table_cell(table, key, row)
    return float(value) if isinstance(value, int | float) else math.nan


def _amounts(table: Table, key: str) -> F64:
    return np.array([_amount(table, key, row) for row in range(table.rows)], np.float64)
