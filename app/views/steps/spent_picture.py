"""Chart and texts of the page of all tiles' cycles. No widgets."""

from __future__ import annotations

import math

from app.analysis.poplar.runs import FORMULA, SWITCHES, TYPES, Spent
from app.language import plural, tr
from app.profile.poplar import TILE_CYCLE_KINDS
from app.profile.selection import TimeRange
from app.views.chart.bars import BarsPicture, NamedBar, bars_picture
from app.views.colours import GREY, KNOWN, RED, blend
from app.views.units import change, cycles_and_time, format_value, percent, percent_change

WHAT = tr("Cycles of all tiles by kind")
ALMOST = 1e-3
"""A shortfall up to this share is explained by further kinds in newer versions of Poplar."""
NOTES = {
    "activeCompute": tr("cycles in which a thread ran, part of compute"),
    "sync": tr("waiting counts as sync"),
}


def kinds_shown(cycles: Spent) -> list[str]:
    """The kinds to show: those that add up, activeCompute after compute, then kinds known to this file only."""
    if not cycles.stated:
        return [kind for kind in TILE_CYCLE_KINDS if kind in cycles.of_steps]
    known = ["compute", "activeCompute", *TILE_CYCLE_KINDS[1:]]
    return known + [kind for kind in cycles.stated if kind not in known]


def kinds_of_both(cycles: Spent, before: Spent | None) -> list[str]:
    """The kinds to show, those that only the baseline has last."""
    kinds = kinds_shown(cycles)
    return kinds if before is None else [*kinds, *(kind for kind in kinds_shown(before) if kind not in kinds)]


def amounts(cycles: Spent) -> dict[str, float]:
    """The cycles of each kind: the file's, else those of the steps."""
    return {**cycles.stated} if cycles.stated else dict(cycles.of_steps)


def picture_of(
    cycles: Spent, stretch: TimeRange | None, clock_hz: float | None, before: Spent | None = None
) -> BarsPicture | None:
    """A bar per kind, as shares of cycles x tiles; None if that product is not known. ``before``: those of the
    baseline, shares of its own cycles x tiles, which get bars below."""
    if not cycles.whole or not cycles.tiles:
        return None
    values, former = amounts(cycles), {} if before is None else amounts(before)
    bars = []
    for kind in kinds_of_both(cycles, before):
        amount, baseline = values.get(kind, math.nan), former.get(kind, math.nan)
        share = 100.0 * amount / cycles.whole
        tip = _tip(kind, amount, share, cycles, clock_hz)
        whole = math.nan if before is None or not before.whole else before.whole
        bars.append(
            NamedBar(
                kind,
                tr("of compute") if kind == "activeCompute" else "",
                share,
                _colour(kind),
                tip if before is None else f"{tip}\n{_compared(amount, baseline, 100.0 * baseline / whole)}",
                None if before is None else 100.0 * baseline / whole,
            )
        )
    of = tr("the whole run, from the file") if cycles.stated else tr("the whole run, from its steps")
    if stretch is not None:
        of = tr("the range, from its steps")
    return bars_picture(tr("{what}: {of} (share of cycles x tiles)", what=WHAT, of=of), "%", tuple(bars), 100.0)


def _colour(kind: str) -> str:
    """The colour of the steps that spend these cycles; for activeCompute a paler red."""
    if kind == "activeCompute":
        return blend(RED, "#FFFFFF", 0.35)
    return KNOWN.get(TYPES.get(kind, "Sync" if kind == "sync" else ""), GREY)


def _tip(kind: str, amount: float, share: float, cycles: Spent, clock_hz: float | None) -> str:
    if math.isnan(amount):
        return tr("{kind}: not measured", kind=kind) + (
            tr(" (needs {switches})", switches=SWITCHES[kind]) if kind in SWITCHES else ""
        )
    lines: list[str] = [
        tr(
            "{kind}: {cycles} on all tiles, {share}",
            kind=kind,
            cycles=format_value(round(amount), "cycles"),  # a sum over tiles is no duration
            share=percent(share),
        )
    ]
    lines.append(
        tr(
            "{cycles_and_time} per tile on average",
            cycles_and_time=cycles_and_time(amount / (cycles.tiles or 1), clock_hz),
        )
    )
    if kind in NOTES:
        lines.append(NOTES[kind].capitalize())
    if cycles.stated and kind in cycles.of_steps:
        lines.append(
            tr(
                "From the steps: {cycles}. {formula}",
                cycles=format_value(round(cycles.of_steps[kind]), "cycles"),
                formula=FORMULA,
            )
        )
    elif not cycles.stated:
        lines.append(FORMULA)
    return "\n".join(lines)


def _compared(amount: float, before: float, share: float) -> str:
    """The cycles of the baseline, and the difference."""
    if math.isnan(before):
        return tr("Baseline: not measured")
    text = tr("Baseline: {cycles} on all tiles, {share}", cycles=format_value(before, "cycles"), share=percent(share))
    if math.isnan(amount):
        return text
    difference = change(round(amount - before), "cycles")
    if before and amount != before:
        difference = f"{difference} ({percent_change(amount - before, before)})"
    return tr("{text}\nDifference: {difference}", text=text, difference=difference)


def balance_text(cycles: Spent, stretch: TimeRange | None) -> str:
    """Whether the kinds add up, in one sentence."""
    if stretch is not None or not cycles.stated:
        return _of_steps(cycles)
    absent = [kind for kind in TILE_CYCLE_KINDS if kind not in cycles.stated]
    if absent:
        wanted = sorted({SWITCHES[kind] for kind in absent if kind in SWITCHES})
        needs = tr(" (needs {wanted})", wanted=", ".join(wanted)) if wanted else ""
        return tr(
            "Not measured: {absent}{needs}. The sum of the kinds cannot be checked.",
            absent=", ".join(absent),
            needs=needs,
        )
    left = cycles.left
    if left is None or not cycles.whole or not cycles.tiles:
        return tr("Cycles or tiles of the run are unknown, so the sum of the kinds cannot be checked.")
    whole = tr("{whole} cycles x {tiles:,} tiles", whole=f"{cycles.whole / cycles.tiles:,.0f}", tiles=cycles.tiles)
    if left == 0:
        return tr(
            "Sum matches: all kinds except activeCompute take {total} = {product}.",
            total=f"{cycles.whole:,.0f}",
            product=whole,
        )
    share = 100.0 * abs(left) / cycles.whole
    why = tr(" Newer versions of Poplar have more kinds.") if 0 < left <= ALMOST * cycles.whole else ""
    by, part = f"{abs(left):,.0f}", f"{share:.2f}"
    text = (
        tr(
            "Sum does not match: the kinds are {left} cycles ({share} %) below {whole}.",
            left=by,
            share=part,
            whole=whole,
        )
        if left > 0
        else tr(
            "Sum does not match: the kinds are {left} cycles ({share} %) above {whole}.",
            left=by,
            share=part,
            whole=whole,
        )
    )
    return f"{text}{why}"


def _of_steps(cycles: Spent) -> str:
    if cycles.unknown:
        return plural(
            "{count:,} step has no tile balance, so the waiting time is unknown.",
            "{count:,} steps have no tile balance, so the waiting time is unknown.",
            count=cycles.unknown,
        )
    left = cycles.of_steps.get("sync")
    if left is None or not cycles.whole or not cycles.tiles:
        return tr("Cycles or tiles are unknown, so the waiting time is unknown.")
    whole = tr("{whole} cycles x {tiles:,} tiles", whole=f"{cycles.whole / cycles.tiles:,.0f}", tiles=cycles.tiles)
    if left < 0:
        return tr(
            "Sum does not match: the steps take {left} cycles more than {whole}.", left=f"{-left:,.0f}", whole=whole
        )
    return tr("Sum matches {whole}: sync and waiting are the rest.", whole=whole)
