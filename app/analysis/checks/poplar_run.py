"""Whether a Poplar execution adds up (Poplar profiling data format, 7.2, and what real reports comply with)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.analysis.checks.poplar import entries, outside, run_place
from app.analysis.poplar.exchanges import differing, recomputed
from app.analysis.poplar.runs import tile_cycles, tiles_of_run
from app.language import plural, tr
from app.profile.arrays import I64, Bool
from app.profile.issue import Issue
from app.profile.poplar import Execution, Steps
from app.profile.profile import Profile

_NOT_SIMULATED = ("NONE", "CPU")
_SLACK = 1e-6


def cycles(profile: Profile) -> list[Issue]:
    """The cycles of all tiles against the duration of the run."""
    return [] if profile.execution is None else list(_tile_cycles(profile, profile.execution))


def steps(profile: Profile) -> list[Issue]:
    """Order, spans, balances and references of the steps."""
    own = profile.steps
    if own is None:
        return []
    return [
        *_mode(profile, own),
        *_spans(profile, own),
        *_balances(profile, own),
        *_recomputed(profile, own),
        *_references(profile, own),
    ]


def _tile_cycles(profile: Profile, run: Execution) -> Iterator[Issue]:
    place = run_place(profile, "simulation.tileCycles")
    results = [tile_cycles(run, tiles) for tiles in {tiles_of_run(profile), _tiles_of_target(profile)}]
    if run.tile_cycles and results and not any(each.holds is not False for each in results):
        best = min(results, key=lambda each: abs(each.total - (each.expected or 0)))
        expected = best.expected or 0
        share = f" ({100 * (best.total - expected) / expected:+.2f} %)" if expected else ""
        text = tr(
            "all kinds add up to {total:,}, but cycles x tiles is {expected:,}{share}",
            total=best.total,
            expected=expected,
            share=share,
        )
        yield Issue("warning", place, text)
    active, compute = run.tile_cycles.get("activeCompute"), run.tile_cycles.get("compute")
    if active is not None and compute is not None and active > compute:
        yield Issue(
            "warning",
            place,
            tr("activeCompute {active:,} is more than compute {compute:,}", active=active, compute=compute),
        )


def _tiles_of_target(profile: Profile) -> int | None:
    return profile.target.tiles if profile.target is not None else None


def _mode(profile: Profile, own: Steps) -> Iterator[Issue]:
    mode = profile.execution.mode if profile.execution is not None else ""
    if mode in _NOT_SIMULATED and len(own):
        text = plural(
            "the profiler mode is {mode}, but there is {count:,} step",
            "the profiler mode is {mode}, but there are {count:,} steps",
            count=len(own),
            mode=mode,
        )
        yield Issue("warning", run_place(profile, "simulation.steps"), text)


def _spans(profile: Profile, own: Steps) -> Iterator[Issue]:
    known = np.flatnonzero((own.cycles_from >= 0) & (own.cycles_to >= 0))
    start, end = own.cycles_from[known], own.cycles_to[known]
    yield from _of(profile, "simulation.steps[{}].cyclesTo", known[end < start], own, tr("ends before it starts"))
    early = np.flatnonzero(np.diff(start) < 0) + 1
    yield from _of(
        profile,
        "simulation.steps[{}].cyclesFrom",
        known[early],
        own,
        tr("starts before the preceding step"),
    )


def _balances(profile: Profile, own: Steps) -> Iterator[Issue]:
    """0 <= tileBalance <= activeTileBalance <= 1, and both imply the same total. A step in which no tile works may have
    any balance (0/0)."""
    tile, active, at_work = own.tile_balance, own.active_tile_balance, own.active_tiles
    with np.errstate(invalid="ignore"):
        for key, values in (
            ("tileBalance", tile),
            ("activeTileBalance", active),
            ("dataBalance", own.data_balance),
            ("threadBalance", own.thread_balance),
        ):
            wrong = (values < 0) | (values > 1 + _SLACK)
            yield from _rows(profile, f"simulation.steps[{{}}].{key}", wrong, own, tr("not between 0 and 1"))
        wrong = (tile > active * (1 + _SLACK)) & (at_work != 0)
        yield from _rows(
            profile,
            "simulation.steps[{}].tileBalance",
            wrong,
            own,
            tr("more than activeTileBalance, which excludes idle tiles"),
        )
        tiles = tiles_of_run(profile)
        if tiles:
            total, again = tile * tiles, active * at_work
            wrong = (at_work > 0) & (np.abs(total - again) > _SLACK * np.maximum(np.abs(total), np.abs(again)))
            text = tr("activeTileBalance x activeTiles is not tileBalance x tiles")
            yield from _rows(profile, "simulation.steps[{}].activeTileBalance", wrong, own, text)


def _recomputed(profile: Profile, own: Steps) -> Iterator[Issue]:
    """Balances against the cycles and bytes per tile of the same step."""
    again = recomputed(profile)
    if again is None:
        return
    for key, stated, made in (
        ("tileBalance", own.tile_balance, again.tile),
        ("activeTileBalance", own.active_tile_balance, again.active_tile),
        ("dataBalance", own.data_balance, again.data),
    ):
        rows = np.flatnonzero(differing(stated, made))
        if len(rows):
            first = int(rows[0])
            text = tr(
                "the file states {stated}, but its values per tile give {made}",
                stated=f"{stated[first]:.6g}",
                made=f"{made[first]:.6g}",
            )
            yield from _of(profile, f"simulation.steps[{{}}].{key}", rows, own, text)


def _references(profile: Profile, own: Steps) -> Iterator[Issue]:
    programs = len(profile.programs) if profile.programs is not None else None
    sets = profile.compute_sets.count if profile.compute_sets is not None else None
    lists = (
        ("program", own.program, programs, tr("a program")),
        ("computeSet", own.compute_set, sets, tr("a compute set")),
    )
    for key, column, count, what in lists:
        rows = np.flatnonzero(outside(column, count))
        text = tr("names {what} that does not exist", what=what)
        yield from entries(profile, f"simulation.steps[{{}}].{key}", rows, len(own), text, "error", run=True)


def _rows(profile: Profile, path: str, wrong: Bool, own: Steps, text: str) -> list[Issue]:
    return _of(profile, path, np.flatnonzero(wrong), own, text)


def _of(profile: Profile, path: str, rows: I64, own: Steps, text: str) -> list[Issue]:
    return entries(profile, path, rows, len(own), text, run=True)
