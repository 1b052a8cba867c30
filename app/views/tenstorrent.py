"""Pictures of Tenstorrent captures: bars of what takes most, and L1 over the operations of a report."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from msgspec import Struct

from app.analysis.table import Table, Unit
from app.analysis.tenstorrent import l1_over_operations, limit_of
from app.language import labelled, tr
from app.profile.arrays import F64, I64
from app.profile.profile import Profile
from app.views.chart.bars import MOST_BARS, BarsPicture, NamedBar, bars_picture
from app.views.chart.model import Axis, Chart, Reference, Series, Style
from app.views.colours import fitted
from app.views.look import OKABE_ITO, Look
from app.views.units import change, format_value, percent, scale_for

MOST_CORNERS = 1200
"""Of a curve: as many as pixels across a panel."""
Draw = Callable[[Table, Table | None], tuple[BarsPicture, I64]]


def bars_of(title: str, names: tuple[str, ...], amount: str, unit: Unit, colour: int) -> Draw:
    """What draws a bar per row of a table, in its order: ``names`` and ``amount`` are keys of columns."""

    def draw(table: Table, before: Table | None) -> tuple[BarsPicture, I64]:
        amounts = _by_name(table, names, amount)
        old = None if before is None else _by_name(before, names, amount)
        whole = sum(one for one in amounts.values() if one == one)
        bars = []
        for name, own in list(amounts.items())[:MOST_BARS]:
            was = None if old is None else old.get(name, math.nan)
            share = percent(100 * own / whole) if whole > 0 and own == own else ""
            lines = [name, f"{format_value(own, unit)} ({share})" if share else format_value(own, unit)]
            if was is not None and was == was:
                lines.append(labelled(tr("Difference"), change(own - was, unit)))
            bars.append(NamedBar(name, share, own, OKABE_ITO[colour], "\n".join(lines), was))
        place = {name: number for number, name in enumerate(amounts)}
        rows = np.array([place[name] for name in _names(table, names)], np.int64)
        return bars_picture(title, unit, tuple(bars), count=len(amounts)), rows

    return draw


def _names(table: Table, keys: tuple[str, ...]) -> list[str]:
    columns = [column for column in table.columns if column.key in keys]
    return [" · ".join(str(column.value(row) or "") for column in columns) for row in range(table.rows)]


def _by_name(table: Table, names: tuple[str, ...], amount: str) -> dict[str, float]:
    """The sums of the rows of each name, in the order of the table."""
    column = next((column for column in table.columns if column.key == amount), None)
    made: dict[str, float] = {}
    for row, name in enumerate(_names(table, names)):
        value = None if column is None else column.value(row)
        own = float(value) if isinstance(value, int | float) else math.nan
        made[name] = made[name] + own if name in made else own
    return made


class L1Picture(Struct, frozen=True, eq=False):
    """``used``: float64[operations], L1 of the fullest core; ``before``: of a baseline; ``limit``: bytes of L1, 0 if it
    is not stated."""

    used: F64
    limit: float
    before: F64 | None = None

    def chart(self, look: Look) -> Chart:
        """A chart of bytes over operations in the order of the report, from 1; the peak is marked."""
        title = tr("L1 of the fullest core")
        top = max(float(self.used.max(initial=0.0)), self.limit, 1.0)
        size = scale_for(top, "B", look)
        peak = int(self.used.argmax()) if len(self.used) else 0
        text = tr("peak {size}", size=format_value(float(self.used.max(initial=0.0)), "B", look))
        marks = [Reference(float(peak + 1), text, quiet=True)]
        if self.limit > 0:
            stated = tr("size of L1: {size}", size=format_value(self.limit, "B", look))
            marks.append(Reference(self.limit, stated, across=True))
        curves = [_curve(0, tr("in use"), self.used, OKABE_ITO[0])]
        if self.before is not None and len(self.before):
            curves.append(_curve(1, tr("baseline"), self.before, OKABE_ITO[1]))
        end = float(max(len(self.used), 2))
        return Chart(
            title,
            title,
            Axis(tr("Operation of the report"), 1.0, end, least=1.0),
            Axis(tr("Memory ({unit})", unit=size.suffix), 0.0, top * 1.08, least=top / 1e6, scale=size),
            series=tuple(curves),
            references=tuple(marks),
            selectable=False,
        )


def _curve(number: int, name: str, used: F64, colour: str) -> Series:
    """At most MOST_CORNERS operations: of each stretch the one with most, so that no peak is lost."""
    places = np.arange(len(used))
    if len(used) > MOST_CORNERS:
        begins = np.linspace(0, len(used), MOST_CORNERS, endpoint=False).astype(np.int64)
        ends = [*begins[1:].tolist(), len(used)]
        places = np.array([a + int(used[a:b].argmax()) for a, b in zip(begins.tolist(), ends, strict=True)])
    corners = tuple(zip((places + 1.0).tolist(), used[places].tolist(), strict=True))
    return Series(number, name, corners, title=name, style=Style(lambda theme: fitted(colour, theme)))


def l1_picture(profile: Profile, before: Profile | None = None) -> L1Picture | None:
    """None without L1."""
    own = profile.core_memory
    if own is None or not len(own.memory.used):
        return None
    used = l1_over_operations(profile)[0].astype(np.float64)
    limit = max(limit_of(profile, int(core)) for core in own.memory.core[:1].tolist())
    old = None if before is None or before.core_memory is None else l1_over_operations(before)[0].astype(np.float64)
    return L1Picture(used, float(max(limit, 0)), old)
