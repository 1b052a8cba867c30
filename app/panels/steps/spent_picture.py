"""What the page of all tiles' cycles draws and says. No widgets."""

from __future__ import annotations

import math

from app.analysis.poplar.spent import FORMULA, SWITCHES, TYPES, Spent
from app.profile.execution import TILE_CYCLE_KINDS
from app.profile.selection import TimeRange
from app.widgets.chart.bars import BarsPicture, NamedBar, bars_picture
from app.widgets.colours import GREY, KNOWN, RED, blend
from app.widgets.units import cycles_and_time, percent

WHAT = "Cycles of all tiles by kind"
ALMOST = 1e-3
"""A share that newer versions of Poplar are short by, for they know further kinds."""
NOTES = {
    "activeCompute": "cycles in which a thread ran, a part of compute",
    "sync": "waiting counts as sync",
}


def kinds_shown(found: Spent) -> list[str]:
    """All kinds that add up, what is active of computing behind it, then what only this file has."""
    if not found.stated:
        return [kind for kind in TILE_CYCLE_KINDS if kind in found.of_steps]
    known = ["compute", "activeCompute", *TILE_CYCLE_KINDS[1:]]
    return known + [kind for kind in found.stated if kind not in known]


def picture_of(found: Spent, stretch: TimeRange | None, clock_hz: float | None) -> BarsPicture | None:
    """A bar a kind, as shares of cycles x tiles; None where that is not known."""
    if not found.whole or not found.tiles:
        return None
    values: dict[str, float] = {**found.stated} if found.stated else dict(found.of_steps)
    bars = []
    for kind in kinds_shown(found):
        amount = values.get(kind, math.nan)
        share = 100.0 * amount / found.whole
        bars.append(
            NamedBar(
                kind,
                "of compute" if kind == "activeCompute" else "",
                share,
                _colour(kind),
                _tip(kind, amount, share, found, clock_hz),
            )
        )
    of = "the whole run, by the file" if found.stated else "the whole run, by its steps"
    if stretch is not None:
        of = "the range, by its steps"
    return bars_picture(f"{WHAT}: {of} (share of cycles x tiles)", "%", tuple(bars), 100.0)


def _colour(kind: str) -> str:
    """As the steps that spend them; what is active of computing is a paler red."""
    if kind == "activeCompute":
        return blend(RED, "#FFFFFF", 0.35)
    return KNOWN.get(TYPES.get(kind, "Sync" if kind == "sync" else ""), GREY)


def _tip(kind: str, amount: float, share: float, found: Spent, clock_hz: float | None) -> str:
    if math.isnan(amount):
        return f"{kind}: not measured" + (f" (needs {SWITCHES[kind]})" if kind in SWITCHES else "")
    lines = [f"{kind}: {cycles_and_time(round(amount), clock_hz)} on all tiles, {percent(share)}"]
    lines.append(f"On average {cycles_and_time(amount / (found.tiles or 1), clock_hz)} a tile")
    if kind in NOTES:
        lines.append(NOTES[kind].capitalize())
    if found.stated and kind in found.of_steps:
        lines.append(f"By the steps {cycles_and_time(round(found.of_steps[kind]), clock_hz)}. {FORMULA}")
    elif not found.stated:
        lines.append(FORMULA)
    return "\n".join(lines)


def said(found: Spent, stretch: TimeRange | None) -> str:
    """Whether it adds up, in one sentence."""
    if stretch is not None or not found.stated:
        return _of_steps(found)
    absent = [kind for kind in TILE_CYCLE_KINDS if kind not in found.stated]
    if absent:
        wanted = sorted({SWITCHES[kind] for kind in absent if kind in SWITCHES})
        needs = f" (needs {', '.join(wanted)})" if wanted else ""
        return f"Not measured: {', '.join(absent)}{needs}. So it cannot be told whether the kinds add up."
    left = found.left
    if left is None or not found.whole or not found.tiles:
        return "Cycles or tiles of the run are not known, so it cannot be told whether the kinds add up."
    whole = f"{found.whole / found.tiles:,.0f} cycles x {found.tiles:,} tiles"
    if left == 0:
        return f"Adds up: all kinds but activeCompute make {found.whole:,.0f} = {whole}."
    share = 100.0 * abs(left) / found.whole
    how = "short of" if left > 0 else "more than"
    why = " Newer versions of Poplar have further kinds." if 0 < left <= ALMOST * found.whole else ""
    return f"Does not add up: the kinds are {abs(left):,.0f} cycles ({share:.2f} %) {how} {whole}.{why}"


def _of_steps(found: Spent) -> str:
    if found.unknown:
        return f"{found.unknown:,} steps have no tile balance, so what is left for waiting is not known."
    left = found.of_steps.get("sync")
    if left is None or not found.whole or not found.tiles:
        return "Cycles or tiles are not known, so what is left for waiting is not known."
    whole = f"{found.whole / found.tiles:,.0f} cycles x {found.tiles:,} tiles"
    if left < 0:
        return f"Does not add up: the steps take {-left:,.0f} cycles more than {whole}."
    return f"Adds up to {whole}: sync and waiting are what the steps leave."
