"""How all tiles together spent their cycles, as a table."""

from __future__ import annotations

import numpy as np

from app.analysis.poplar.spent import FORMULA, Spent, spent
from app.analysis.table import Column, Table
from app.language import tr
from app.profile.poplar import TILE_CYCLE_KINDS
from app.profile.profile import Profile
from app.profile.selection import TimeRange

_TITLES = (tr("Cycles"), tr("Per tile"), tr("Share"))
_OF_STEPS = (tr("Cycles from steps"), tr("Per tile from steps"), tr("Share from steps"))
ADDS_UP = tr("activeCompute is a part of compute. All other kinds add up to the cycles of the run x tiles.")
RANGED = tr("Cycles of the range, from the balances of its steps. The file's own figures cover only the whole run.")


def tile_cycles(profile: Profile, stretch: TimeRange | None = None) -> Table | None:
    """One row per kind: figures of the file and of the steps; of a range, only the latter."""
    cycles = spent(profile, stretch)
    if cycles is None:
        return None
    kinds = kinds_of(cycles)
    columns = [Column("kind", tr("Kind"), tuple(kinds), role="kind")]
    if cycles.stated:
        columns += _figures(cycles, kinds, cycles.stated, "", _TITLES, tr("Sum over all tiles, as stated in the file."))
    if cycles.of_steps:
        columns += _figures(cycles, kinds, cycles.of_steps, "steps_", _OF_STEPS if cycles.stated else _TITLES, FORMULA)
    return Table("tile-cycles", tr("Cycles of all tiles"), tuple(columns), note=_note(cycles, stretch))


def kinds_of(cycles: Spent) -> list[str]:
    """The known kinds in their order, then those that only this file has."""
    known = [kind for kind in TILE_CYCLE_KINDS if kind in cycles.stated or kind in cycles.of_steps]
    return known + [kind for kind in cycles.stated if kind not in known]


def _figures(
    cycles: Spent,
    kinds: list[str],
    values: dict[str, int] | dict[str, float],
    key: str,
    titles: tuple[str, str, str],
    help_: str,
) -> list[Column]:
    amounts = np.array([values.get(kind, np.nan) for kind in kinds], np.float64)
    columns = [Column(f"{key}cycles", titles[0], amounts, "cycles", help_, parallel=True)]
    if cycles.whole and cycles.tiles:
        columns += [
            Column(
                f"{key}average",
                titles[1],
                amounts / cycles.tiles,
                "cycles",
                tr("Cycles / tiles."),
            ),
            Column(
                f"{key}share",
                titles[2],
                100.0 * amounts / cycles.whole,
                "%",
                tr("Cycles / (cycles of the run or range x tiles)."),
                share_of=tr("all tiles' cycles"),
            ),
        ]
    return columns


def _note(cycles: Spent, stretch: TimeRange | None) -> str:
    if stretch is not None:
        return RANGED
    absent = [kind for kind in TILE_CYCLE_KINDS if kind not in cycles.stated]
    if not (cycles.stated and absent):
        return ADDS_UP
    return tr("{adds_up} Not measured: {absent}.", adds_up=ADDS_UP, absent=", ".join(absent))
