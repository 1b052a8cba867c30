"""Where the cycles of a run go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.analysis.poplar.overlaps import COMPUTE, Alone, beside_computing
from app.language import plural, tr
from app.profile.arrays import F64, I64, among, distinct
from app.profile.poplar import Steps
from app.profile.profile import Profile
from app.profile.selection import Selection

_EXCHANGES: Final = ("DoExchange", "GlobalExchange")
_HOST: Final = "StreamCopy"
_REARRANGED: Final = "rearrange"


def _run(profile: Profile) -> tuple[Steps, int] | NotChecked:
    """The steps and the cycles of the run."""
    cycles = profile.execution.cycles if profile.execution is not None else None
    if profile.steps is None or not len(profile.steps) or not cycles or cycles < 0:
        return NotChecked(tr("the file has no steps, or not the length of the run"))
    return profile.steps, cycles


def _lost(steps: Steps, balance: F64) -> tuple[I64, F64]:
    """The computing steps whose balance is known, and float64[steps]: cycles · (1 - balance)."""
    rows = steps.of_type(COMPUTE)
    rows = rows[(steps.cycles[rows] > 0) & ~np.isnan(balance[rows])]
    return rows, steps.cycles[rows] * (1 - balance[rows])


def _worst_set(profile: Profile, steps: Steps, rows: I64, lost: F64) -> tuple[str, float, Selection | None]:
    """The compute set that loses most: its name, the cycles, and what selects it."""
    sets = steps.compute_set[rows]
    inside = sets >= 0
    if not inside.any():
        row = int(rows[lost.argmax()])
        return steps.strings.get(int(steps.name[row])), float(lost.max()), Selection("step", (row,))
    sums = np.bincount(sets[inside], lost[inside])
    worst = int(sums.argmax())
    names = profile.compute_sets.names if profile.compute_sets is not None else ()
    first = int(rows[inside][sets[inside] == worst][0])
    name = names[worst] if worst < len(names) else steps.strings.get(int(steps.name[first]))
    selection = Selection("compute_set", (worst,)) if worst < len(names) else Selection("step", (first,))
    return name, float(sums[worst]), selection


def _imbalance(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    run = _run(profile)
    if isinstance(run, NotChecked):
        return run
    steps, cycles = run
    rows, lost = _lost(steps, steps.tile_balance)
    if not len(rows):
        return NotChecked(tr("no computing step has a tile balance"))
    total = float(lost.sum())
    share = 100 * total / cycles
    if share < thresholds.compute_imbalance:
        return ()
    name, most, selection = _worst_set(profile, steps, rows, lost)
    text = sentence(
        tr(
            "In computing steps, the tiles wait for the slowest one. Perfectly balanced, these steps would be "
            "{cycles} shorter, {share} of the run. {name} loses the most.",
            cycles=Amount(total, "cycles"),
            share=Amount(share, "%"),
            name=name,
        )
    )
    evidence = (
        Evidence("steps-by-compute-set", name, tr("cycles lost to imbalance"), most, "cycles", selection),
        *_longest_tile(profile, selection),
        Evidence("", "", tr("cycles of the run"), cycles, "cycles"),
    )
    formula = tr("sum over computing steps of cycles · (1 - tile balance)")
    saving = Saving(total, "cycles", tr("run"), formula)
    return (Finding("warning", tr("Tiles wait for the slowest one while computing"), text, evidence, saving),)


def _longest_tile(profile: Profile, selection: Selection | None) -> tuple[Evidence, ...]:
    """The tile that sets the length of a compute set, where cycles were measured by tile."""
    measured = None if profile.measured_cycles is None else profile.measured_cycles.compute_sets
    if measured is None or selection is None or selection.kind != "compute_set" or selection.first >= len(measured):
        return ()
    row = measured[selection.first]
    tile = int(row.argmax()) if row.size else 0
    if not row.size or row[tile] <= 0:
        return ()
    figure = tr("cycles of tile {tile:,}, the slowest one", tile=tile)
    return (Evidence("tile-time", str(tile), figure, int(row[tile]), "cycles", Selection("tile", (tile,))),)


def _threads(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    run = _run(profile)
    if isinstance(run, NotChecked):
        return run
    steps, cycles = run
    rows, lost = _lost(steps, steps.thread_balance)
    if not len(rows):
        return NotChecked(tr("no computing step has a thread balance"))
    spent = float(steps.cycles[rows].sum())
    use = 100 * (1 - float(lost.sum()) / spent)
    if use >= thresholds.thread_use or 100 * spent / cycles < thresholds.compute_imbalance:
        return ()
    name, most, selection = _worst_set(profile, steps, rows, lost)
    text = sentence(
        tr(
            "Computing steps use {share} of the six threads of a tile on average. More vertices per tile would use "
            "them better. {name} loses the most.",
            share=Amount(use, "%"),
            name=name,
        )
    )
    evidence = (
        Evidence("steps-by-compute-set", name, tr("cycles lost to idle threads"), most, "cycles", selection),
        Evidence("steps-by-type", COMPUTE, tr("cycles of these steps"), spent, "cycles"),
    )
    saving = Saving(
        float(lost.sum()), "cycles", tr("run"), tr("sum over computing steps of cycles · (1 - thread balance)")
    )
    return (Finding("warning", tr("Idle threads on the tiles"), text, evidence, saving),)


def _beside(profile: Profile, *types: str) -> Alone | NotChecked:
    known = beside_computing(profile, *types)
    if known is None or known.length <= 0:
        return NotChecked(tr("the file has no times of steps"))
    return known


def _exchange(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    known = _beside(profile, *_EXCHANGES)
    if isinstance(known, NotChecked):
        return known
    share = 100 * known.alone / known.length
    if share < thresholds.exchange:
        return ()
    title = tr("Large share of exchanges between tiles")
    text = sentence(
        tr(
            "Exchanges take {cycles} while no tile computes, {share} of the run. To reduce this, map tensors to the "
            "tiles that use them, and use fewer, larger exchanges.",
            cycles=Amount(known.alone, "cycles"),
            share=Amount(share, "%"),
        )
    )
    return (Finding("warning", title, text, _of_types(profile, known, *_EXCHANGES), _bound(known.alone)),)


def _host(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    known = _beside(profile, _HOST)
    if isinstance(known, NotChecked):
        return known
    share = 100 * known.alone / known.length
    if share < thresholds.host:
        return ()
    text = sentence(
        tr(
            "Host transfers take {cycles} while no tile computes, {share} of the run; {beside} overlap with "
            "computing. Prefetching and double buffering increase the overlap.",
            cycles=Amount(known.alone, "cycles"),
            share=Amount(share, "%"),
            beside=Amount(known.beneath, "cycles"),
        )
    )
    title = tr("Host transfers do not overlap with computing")
    return (Finding("warning", title, text, _of_types(profile, known, _HOST), _bound(known.alone)),)


def _unbuffered(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    """Fewer transfers than ``_host`` reports, but none of them beside computing."""
    known = _beside(profile, _HOST)
    if isinstance(known, NotChecked):
        return known
    share = 100 * known.busy / known.length
    if share < thresholds.unbuffered or known.beneath > 0 or 100 * known.alone / known.length >= thresholds.host:
        return ()
    text = sentence(
        tr(
            "Host transfers take {cycles}, {share} of the run, and none of it overlaps with computing. Double "
            "buffering makes them overlap.",
            cycles=Amount(known.busy, "cycles"),
            share=Amount(share, "%"),
        )
    )
    evidence = _of_types(profile, known, _HOST)
    return (Finding("info", tr("Host transfers without double buffering"), text, evidence, _bound(known.alone)),)


def _of_types(profile: Profile, known: Alone, *types: str) -> tuple[Evidence, ...]:
    name = ", ".join(types)
    return (
        *_longest_stretch(profile, known, types),
        Evidence("steps-by-type", name, tr("busy, overlaps counted once"), known.busy, "cycles"),
        Evidence("steps-by-type", name, tr("overlapped with computing"), known.beneath, "cycles"),
    )


def _longest_stretch(profile: Profile, known: Alone, types: Sequence[str]) -> tuple[Evidence, ...]:
    """The longest stretch without computing, and its first step."""
    steps = profile.steps
    if steps is None or known.longest is None:
        return ()
    start, end = known.longest
    rows = steps.of_type(*types)
    rows = rows[(steps.cycles_to[rows] > start) & (steps.cycles_from[rows] < end)]
    if not len(rows):
        return ()
    step = int(rows[steps.cycles_from[rows].argmin()])
    figure = tr("longest time without computing")
    return (Evidence("steps", str(step), figure, end - start, "cycles", Selection("step", (step,))),)


def _bound(cycles: float) -> Saving:
    return Saving(
        cycles, "cycles", tr("run"), tr("busy cycles - cycles overlapped with computing, overlaps counted once")
    )


def _small(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    run = _run(profile)
    if isinstance(run, NotChecked):
        return run
    steps, cycles = run
    rows = np.flatnonzero((steps.cycles > 0) & (steps.cycles < thresholds.small_step) & (steps.name >= 0))
    if not len(rows):
        return ()
    counts = np.bincount(steps.name[rows])
    name = int(counts.argmax())
    count = int(counts[name])
    own = rows[steps.name[rows] == name]
    spent = int(steps.cycles[own].sum())
    if count < thresholds.repeated or 100 * spent / cycles < thresholds.small_steps:
        return ()
    called = steps.strings.get(name)
    title = plural(
        "{called} runs {count:,} time in short steps",
        "{called} runs {count:,} times in short steps",
        count=count,
        called=called,
    )
    text = sentence(
        tr(
            "Each takes less than {small}, together {together}, and each adds a sync. Fewer, larger steps cost less.",
            small=Amount(thresholds.small_step, "cycles"),
            together=Amount(spent, "cycles"),
        )
    )
    evidence = (
        Evidence("steps", called, tr("short steps"), count, "", Selection("step", (int(own[0]),))),
        Evidence("steps", called, tr("cycles together"), spent, "cycles"),
    )
    return (
        Finding("info", title, text, evidence, Saving(spent, "cycles", tr("run"), tr("all cycles of these steps"))),
    )


def _rearrangement(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    run = _run(profile)
    if isinstance(run, NotChecked):
        return run
    steps, cycles = run
    named = [text for text in distinct(steps.name).tolist() if _REARRANGED in steps.strings.get(text).lower()]
    rows = np.flatnonzero(among(steps.name, named) & (steps.cycles > 0))
    spent = int(steps.cycles[rows].sum())
    share = 100 * spent / cycles
    if share < thresholds.rearrangement:
        return ()
    text = sentence(
        plural(
            "{count:,} step only reorders data within the tiles: {cycles}, {share} of the run. To avoid it, allocate "
            "tensors in the layout of their consumers.",
            "{count:,} steps only reorder data within the tiles: {cycles}, {share} of the run. To avoid it, allocate "
            "tensors in the layout of their consumers.",
            count=len(rows),
            cycles=Amount(spent, "cycles"),
            share=Amount(share, "%"),
        )
    )
    longest = int(rows[steps.cycles[rows].argmax()])
    evidence = (
        Evidence(
            "steps",
            str(longest),
            tr("cycles of the longest step"),
            int(steps.cycles[longest]),
            "cycles",
            Selection("step", (longest,)),
        ),
        Evidence("steps", "", tr("cycles together"), spent, "cycles"),
    )
    saving = Saving(spent, "cycles", tr("run"), tr("cycles of all steps named rearrange"))
    return (Finding("info", tr("Time spent on rearranging data"), text, evidence, saving),)


_RUN: Final = ("steps",)
RULES: Final = (
    Rule(
        "poplar.compute-imbalance",
        tr("Tiles that wait for the slowest one while computing"),
        tr("Sum over computing steps of cycles · (1 - tile balance), as a share of the run."),
        _RUN,
        _imbalance,
        ("compute_imbalance",),
    ),
    Rule(
        "poplar.thread-use",
        tr("Idle threads of the tiles"),
        tr("Thread balance of the computing steps, weighted by their cycles."),
        _RUN,
        _threads,
        ("thread_use", "compute_imbalance"),
    ),
    Rule(
        "poplar.exchange-bound",
        tr("Exchanges between tiles that do not overlap with computing"),
        tr("Time of exchanges without computing, overlaps counted once, as a share of the run."),
        _RUN,
        _exchange,
        ("exchange",),
    ),
    Rule(
        "poplar.host-bound",
        tr("Host transfers that do not overlap with computing (no double buffering)"),
        tr("Time of stream copies without computing, overlaps counted once, as a share of the run."),
        _RUN,
        _host,
        ("host",),
    ),
    Rule(
        "poplar.double-buffering",
        tr("Host transfers without double buffering"),
        tr(
            "Time of stream copies, if none of it overlaps with computing and it is below the share of a host-bound "
            "run."
        ),
        _RUN,
        _unbuffered,
        ("unbuffered", "host"),
    ),
    Rule(
        "poplar.small-steps",
        tr("A short step that is repeated often"),
        tr("Steps of one name below a number of cycles: their count and their share of the run."),
        _RUN,
        _small,
        ("small_steps", "small_step", "repeated"),
    ),
    Rule(
        "poplar.rearrangement",
        tr("Rearranged data"),
        tr("Cycles of steps whose name contains “rearrange”, as a share of the run."),
        _RUN,
        _rearrangement,
        ("rearrangement",),
    ),
)
