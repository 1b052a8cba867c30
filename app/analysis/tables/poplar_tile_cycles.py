"""How all tiles together spent their cycles, as a table."""

from __future__ import annotations

import numpy as np

from app.analysis.poplar.spent import FORMULA, Spent, spent
from app.analysis.table import Column, Table
from app.language import tr
from app.profile.execution import TILE_CYCLE_KINDS
from app.profile.profile import Profile
from app.profile.selection import TimeRange

ADDS_UP = tr("activeCompute is a part of compute; all other kinds add up to the cycles of the run x tiles.")
RANGED = tr("Cycles of the range, from the balances of its steps; the file has its own figures for the whole run only.")


def tile_cycles(profile: Profile, stretch: TimeRange | None = None) -> Table | None:
    """One row per kind: figures of the file and of the steps; of a range, only the latter."""
    found = spent(profile, stretch)
    if found is None:
        return None
    kinds = kinds_of(found)
    columns = [Column("kind", tr("Kind"), tuple(kinds), role="kind")]
    if found.stated:
        columns += _figures(found, kinds, found.stated, "", "", tr("Sum over all tiles, by the file."))
    if found.of_steps:
        columns += _figures(
            found, kinds, found.of_steps, "steps_", tr(", by the steps") if found.stated else "", FORMULA
        )
    return Table("tile-cycles", tr("Cycles of all tiles"), tuple(columns), note=_note(found, stretch))


def kinds_of(found: Spent) -> list[str]:
    """The known kinds in their order, then those that only this file has."""
    known = [kind for kind in TILE_CYCLE_KINDS if kind in found.stated or kind in found.of_steps]
    return known + [kind for kind in found.stated if kind not in known]


def _figures(
    found: Spent, kinds: list[str], values: dict[str, int] | dict[str, float], key: str, behind: str, help_: str
) -> list[Column]:
    amounts = np.array([values.get(kind, np.nan) for kind in kinds], np.float64)
    columns = [Column(f"{key}cycles", tr("Cycles{behind}", behind=behind), amounts, "cycles", help_)]
    if found.whole and found.tiles:
        columns += [
            Column(
                f"{key}average",
                tr("Per tile{behind}", behind=behind),
                amounts / found.tiles,
                "cycles",
                tr("Cycles / tiles."),
            ),
            Column(
                f"{key}share",
                tr("Share{behind}", behind=behind),
                100.0 * amounts / found.whole,
                "%",
                tr("Cycles / (cycles of the run or range x tiles)."),
                share_of=tr("all tiles' cycles"),
            ),
        ]
    return columns


def _note(found: Spent, stretch: TimeRange | None) -> str:
    if stretch is not None:
        return RANGED
    absent = [kind for kind in TILE_CYCLE_KINDS if kind not in found.stated]
    if not (found.stated and absent):
        return ADDS_UP
    return tr("{adds_up} Not measured: {absent}.", adds_up=ADDS_UP, absent=", ".join(absent))
