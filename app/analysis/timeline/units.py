"""The unit of a timeline's times in tables and in words."""

from __future__ import annotations

from app.analysis.table import Column, OwnTime, Table
from app.language import tr
from app.profile.arrays import I64
from app.profile.selection import Kind
from app.profile.timeline import TimeBasis, Timeline


def timeline_table(
    timeline: Timeline,
    table_id: str,
    title: str,
    columns: tuple[Column, ...],
    selects: Kind | None = None,
    keys: I64 | None = None,
    note: str = "",
) -> Table:
    """A table whose times are those of ``timeline``: it has its clock, and says where the user set the unit."""
    by_hand = timeline.basis == "hand"
    own = OwnTime(timeline.unit, timeline.clock_hz, by_hand)
    said = tr("The time unit was set manually: {unit}.", unit=unit_text(timeline)) if by_hand else ""
    return Table(table_id, title, columns, selects, keys, " ".join(part for part in (note, said) if part), own)


def unit_text(basis: Timeline | TimeBasis) -> str:
    """The unit in words: ``µs``, ``cycles``, ``cycles at 1,650 MHz``."""
    if basis.unit != "cycles" or not basis.seconds_per_unit:
        return tr("cycles") if basis.unit == "cycles" else basis.unit
    return tr("cycles at {megahertz} MHz", megahertz=megahertz(1 / basis.seconds_per_unit))


def megahertz(clock_hz: float) -> str:
    """A frequency in MHz, without its unit."""
    return f"{float(f'{clock_hz / 1e6:.9g}'):,}".removesuffix(".0")
