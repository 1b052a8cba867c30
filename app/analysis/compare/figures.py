"""The main figures of two profiles side by side."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from app.analysis.compare import units
from app.analysis.figures import Figure, figures
from app.analysis.table import Role, Unit
from app.language import labelled, tr
from app.profile.profile import Profile

Value: TypeAlias = int | float | str | bool | None


class ComparedFigure(Struct, frozen=True):
    """``id``: the name of the figure, with the keys of its parts (``memory.by_category.stack``). None: that side has no
    such figure. ``before`` is in the ``unit`` of the side after; ``why``: why there is no difference, "" if it is
    plain; ``shown``: what people see of both instead of codes; ``role``: as of a column."""

    id: str
    label: str
    before: Value
    after: Value
    unit: Unit = ""
    why: str = ""
    role: Role = ""
    shown: tuple[Value, Value] = (None, None)

    @property
    def display(self) -> tuple[Value, Value]:
        """Both values for people."""
        before, after = self.shown
        return self.before if before is None else before, self.after if after is None else after

    @property
    def difference(self) -> int | float | None:
        """After minus before (of shares: in percentage points); None for texts and identifying numbers, and where one
        side has none."""
        before, after = _number(self.before), _number(self.after)
        return None if before is None or after is None or self.why or self.role == "key" else after - before

    @property
    def percent(self) -> float | None:
        """The difference in percent of the figure before; None without one or where that is 0, and for shares, which
        differ in points."""
        difference, before = self.difference, _number(self.before)
        return None if difference is None or not before or self.unit == "%" else 100.0 * difference / abs(before)

    @property
    def changed(self) -> bool:
        return self.before != self.after


def compared(before: Profile, after: Profile) -> list[ComparedFigure]:
    """All figures of both, in the order of the profile after; parts of a figure one by one."""
    sides = [dict(_single(figures(profile))) for profile in (before, after)]
    return [_pair(name, sides[0].get(name), sides[1].get(name)) for name in dict.fromkeys((*sides[1], *sides[0]))]


def per_tile(whole: Iterable[ComparedFigure], tiles: tuple[int, int]) -> list[ComparedFigure]:
    """The sums over tiles among the figures, divided by the tiles of each side."""
    made = []
    for figure in whole:
        before, after = _number(figure.before), _number(figure.after)
        if before is not None and after is not None and not figure.why and figure.id.startswith(OVER_TILES):
            label = tr("{label}, per tile", label=figure.label) if figure.label else ""
            made.append(
                ComparedFigure(f"{figure.id}.per_tile", label, before / tiles[0], after / tiles[1], figure.unit)
            )
    return made


OVER_TILES = (
    "memory.total_bytes",
    "memory.total_with_gaps_bytes",
    "memory.by_category.",
    "liveness.always_live_bytes",
    "liveness.peak_program_bytes",
    "liveness.peak_tiles_bytes",
    "execution.tile_cycles.",
    "graph.vertices",
    "graph.edges",
)
"""Figures that are sums over all tiles."""


def _pair(name: str, before: Figure | None, after: Figure | None) -> ComparedFigure:
    shown = after if after is not None else before
    assert shown is not None
    values = [None if figure is None else _plain(figure.value) for figure in (before, after)]
    texts = tuple(
        None if figure is None or figure.shown is None else _plain(figure.shown) for figure in (before, after)
    )
    if before is None or after is None:
        return ComparedFigure(
            name, shown.label, values[0], values[1], shown.unit, shown=(texts[0], texts[1]), role=shown.role
        )
    factor = units.factor(before.unit, after.unit)
    if factor is None:
        why = tr("{before} before, {after} after", before=before.unit or "1", after=after.unit or "1")
        return ComparedFigure(name, shown.label, values[0], values[1], after.unit, why)
    number = _number(values[0])
    scaled = values[0] if factor == 1.0 or number is None else number * factor
    return ComparedFigure(name, shown.label, scaled, values[1], after.unit, shown=(texts[0], texts[1]), role=after.role)


def _single(all_figures: Iterable[Figure]) -> Iterator[tuple[str, Figure]]:
    for figure in all_figures:
        yield from _parts(figure.name, figure)


def _parts(name: str, figure: Figure) -> Iterator[tuple[str, Figure]]:
    if not isinstance(figure.value, Mapping):
        yield name, figure
        return
    display = figure.display if isinstance(figure.display, Mapping) else figure.value
    for (key, value), (title, shown) in zip(figure.value.items(), display.items(), strict=True):
        if isinstance(value, (int, float, str, bool, Mapping)):
            label = labelled(figure.label, title) if figure.label else ""
            own = None if shown is value else str(shown)
            yield from _parts(f"{name}.{key}", replace(figure, label=label, value=value, shown=own))


def _plain(value: object) -> Value:
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Sequence):
        return ", ".join(str(part) for part in value)
    return None


def _number(value: Value) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return value
