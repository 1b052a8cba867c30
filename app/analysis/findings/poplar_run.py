"""Where the cycles of a run go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.findings.finding import Confidence, Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.analysis.poplar.numbers import row_maxima
from app.analysis.poplar.overlaps import COMPUTE, Alone, beside_computing, cycles_lost, shortened
from app.analysis.time.floors import at_most, best_chain, hidden_floor
from app.analysis.timeline.intervals import union_lengths
from app.language import plural, tr
from app.profile.arrays import F64, I64, among, distinct
from app.profile.poplar import Steps
from app.profile.profile import Profile
from app.profile.selection import Selection

_EXCHANGES: Final = ("DoExchange", "GlobalExchange")
_TILES: Final = (COMPUTE, *_EXCHANGES, "CopySharedStructure")
"""What the tiles of an IPU do one at a time."""
_HOST: Final = "StreamCopy"
_REARRANGED: Final = "rearrange"


def _run(profile: Profile) -> tuple[Steps, int] | NotChecked:
    """The steps and the cycles of the run."""
    cycles = profile.execution.cycles if profile.execution is not None else None
    if profile.steps is None or not len(profile.steps) or not cycles or cycles < 0:
        return NotChecked(tr("the file has no steps, or not the length of the run"))
    return profile.steps, cycles


def _shortened(steps: Steps, rows: I64, saved: F64, cycles: float, other: float = 0.0) -> tuple[float, Confidence]:
    """What a run of ``cycles`` saves at most if each of these steps takes ``saved`` less, and whether that is sure."""
    floor = shortened(steps, rows, saved, cycles, other)
    return at_most(cycles, floor.value), "estimated" if floor.estimated else "measured"


def _work(profile: Profile, steps: Steps, rows: I64) -> float:
    """Cycles in which these steps keep one IPU (or its host link) busy at least: of several, each may do its share of
    them at the same time."""
    rows = rows[(steps.cycles[rows] > 0) & (steps.cycles_from[rows] >= 0)]
    start, end = (of[rows].astype(np.float64) for of in (steps.cycles_from, steps.cycles_to))
    covered = float(union_lengths(start, end, np.zeros(len(rows), np.int64), 1)[0])
    ipus = profile.target.ipus if profile.target is not None else None
    return min(covered, float(steps.cycles[rows].sum())) / max(ipus or 1, 1)


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
    rows, lost = cycles_lost(steps, steps.tile_balance)
    if not len(rows):
        return NotChecked(tr("no computing step has a tile balance"))
    total, confidence = _shortened(steps, rows, lost, cycles)
    share = 100 * total / cycles
    if share < thresholds.compute_imbalance:
        return ()
    name, most, selection = _worst_set(profile, steps, rows, lost)
    text = sentence(
        tr(
            "In computing steps, the tiles wait for the slowest one. Perfect balance would save at most {cycles}, "
            "{share} of the run. {name} loses the most.",
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
    formula = tr("largest sum of cycles · (1 - tile balance) of computing steps that do not run at the same time")
    saving = Saving(total, "cycles", tr("run"), formula)
    title = tr("Tiles wait for the slowest one while computing")
    return (Finding("warning", title, text, evidence, saving, confidence),)


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
    rows, lost = cycles_lost(steps, steps.thread_balance)
    if not len(rows):
        return NotChecked(tr("no computing step has a thread balance"))
    spent = float(steps.cycles[rows].sum())
    use = 100 * (1 - float(lost.sum()) / spent)
    if use >= thresholds.thread_use:
        return ()
    rows, saved, sure = _thread_savings(profile, steps, rows)
    total, confidence = _shortened(steps, rows, saved, cycles)
    if 100 * total / cycles < thresholds.compute_imbalance:
        return ()
    name, most, selection = _worst_set(profile, steps, rows, saved)
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
    if sure:
        formula = tr("sum over computing steps of cycles - cycles of the busiest tile on six busy threads")
    else:
        formula = tr("sum over computing steps of cycles · (1 - thread balance · tile balance), at most 5/6 of each")
    saving = Saving(total, "cycles", tr("run"), formula)
    title = tr("Idle threads on the tiles")
    return (Finding("warning", title, text, evidence, saving, confidence if sure else "estimated"),)


def _thread_savings(profile: Profile, steps: Steps, rows: I64) -> tuple[I64, F64, bool]:
    """(computing steps; float64: the cycles that each would be shorter if six threads shared the work of each tile;
    whether the work is known by tile). On a tile whose threads are all busy, active cycles are its cycles. From the
    mean over tiles it only follows that the busiest one has as much work; one busy thread leaves a sixth."""
    sets, of = profile.compute_sets, steps.compute_set[rows]
    active = None if sets is None else sets.active_cycles
    cycles = steps.cycles[rows].astype(np.float64)
    if active is not None and len(active) and bool(((of >= 0) & (of < len(active))).all()):
        busiest = row_maxima(active)[of].astype(np.float64)
        known = busiest <= cycles  # more work than time is doubtful
        return rows[known], (cycles - busiest)[known], True
    tiles = steps.tile_balance[rows]
    work = steps.thread_balance[rows] * np.where((tiles >= 0) & (tiles <= 1), tiles, 0.0)
    return rows, cycles * (1 - np.maximum(work, 1 / 6)), False


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
    steps = profile.steps
    assert steps is not None
    rows = steps.of_type(*_EXCHANGES)
    rows = rows[steps.cycles[rows] > 0]
    other = max(_work(profile, steps, steps.of_type(kind)) for kind in (COMPUTE, _HOST))
    most, confidence = _shortened(steps, rows, steps.cycles[rows].astype(np.float64), known.length, other)
    if 100 * most / known.length < thresholds.exchange:
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
    saving = Saving(most, "cycles", tr("run"), _REMOVED)
    return (Finding("warning", title, text, _of_types(profile, known, *_EXCHANGES), saving, confidence),)


_REMOVED: Final = tr(
    "run - the larger of: run without the longest chain of these steps that do not overlap; the other work of the "
    "tiles or of the host link"
)


def _host(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    """A warning from a share of the run on; an info from a smaller one on, if nothing overlaps with computing."""
    known = _beside(profile, _HOST)
    if isinstance(known, NotChecked):
        return known
    steps = profile.steps
    assert steps is not None
    share = 100 * known.alone / known.length
    much = share >= thresholds.host
    if not much and (known.beneath > 0 or share < thresholds.unbuffered):
        return ()
    works = {tr("work of the host link"): (_HOST,), tr("work of the tiles"): _TILES}
    floor = hidden_floor({name: _work(profile, steps, steps.of_type(*types)) for name, types in works.items()})
    most = at_most(known.length, floor.value)
    if 100 * most / known.length < (thresholds.host if much else thresholds.unbuffered):
        return ()
    text = sentence(
        tr(
            "Host transfers take {cycles} while no tile computes, {share} of the run; {beside} overlap with "
            "computing. Prefetching and double buffering increase the overlap. Even then, the run takes at least "
            "{floor} ({resource}).",
            cycles=Amount(known.alone, "cycles"),
            share=Amount(share, "%"),
            beside=Amount(known.beneath, "cycles"),
            resource=floor.by,
            floor=Amount(floor.value, "cycles"),
        )
    )
    saving = Saving(most, "cycles", tr("run"), tr("run - the larger of: work of the host link; work of the tiles"))
    title = tr("Host transfers do not overlap with computing")
    confidence: Confidence = "measured" if profile.target is not None and profile.target.ipus else "estimated"
    evidence = _of_types(profile, known, _HOST)
    return (Finding("warning" if much else "info", title, text, evidence, saving, confidence),)


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
    start, end = steps.cycles_from[own].astype(np.float64), _next_start(steps, own)
    most = min(best_chain(start, end, end - start), float(cycles))
    if count < thresholds.repeated or 100 * most / cycles < thresholds.small_steps:
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
    saving = Saving(most, "cycles", tr("run"), tr("all of these steps, each until the next step begins"))
    return (Finding("info", title, text, evidence, saving, "estimated"),)


def _next_start(steps: Steps, rows: I64) -> F64:
    """float64[rows]: when the first step begins after the end of each (a Sync is a wait); the end where none does."""
    ends = np.maximum(steps.cycles_to, steps.cycles_from + steps.cycles)[rows]
    working = (steps.cycles > 0) & (steps.cycles_from >= 0)
    starts = np.append(np.sort(steps.cycles_from[working]), np.iinfo(np.int64).max)
    following = starts[np.searchsorted(starts, ends)]
    after: F64 = np.where(following == starts[-1], ends, following).astype(np.float64)
    return after


def _rearrangement(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    run = _run(profile)
    if isinstance(run, NotChecked):
        return run
    steps, cycles = run
    named = [text for text in distinct(steps.name).tolist() if _REARRANGED in steps.strings.get(text).lower()]
    rows = np.flatnonzero(among(steps.name, named) & (steps.cycles > 0))
    rest = steps.of_type(*_TILES)
    rest = rest[~among(rest, rows)]
    other = max(_work(profile, steps, own) for own in (rest, steps.of_type(_HOST)))
    most, confidence = _shortened(steps, rows, steps.cycles[rows].astype(np.float64), cycles, other)
    spent = int(steps.cycles[rows].sum())
    share = 100 * most / cycles
    if not len(rows) or share < thresholds.rearrangement:
        return ()
    text = sentence(
        plural(
            "{count:,} step only reorders data within the tiles: {cycles} together, at most {share} of the run. To "
            "avoid it, allocate tensors in the layout of their consumers.",
            "{count:,} steps only reorder data within the tiles: {cycles} together, at most {share} of the run. To "
            "avoid it, allocate tensors in the layout of their consumers.",
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
    saving = Saving(most, "cycles", tr("run"), _REMOVED)
    return (Finding("info", tr("Time spent on rearranging data"), text, evidence, saving, confidence),)


def _hot(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    """The compute sets that take much of the run each, most first."""
    run = _run(profile)
    if isinstance(run, NotChecked):
        return run
    steps, cycles = run
    rows = steps.of_type(COMPUTE)
    rows = rows[(steps.cycles[rows] > 0) & (steps.compute_set[rows] >= 0)]
    if not len(rows):
        return NotChecked(tr("no computing step states its compute set"))
    sums = np.bincount(steps.compute_set[rows], steps.cycles[rows])
    hot = np.flatnonzero(100 * sums >= thresholds.hot_compute_set * cycles)
    made = []
    for number in hot[np.argsort(-sums[hot], kind="stable")].tolist():
        own = rows[steps.compute_set[rows] == number]
        most, confidence = _shortened(steps, own, steps.cycles[own].astype(np.float64), cycles)
        if 100 * most >= thresholds.hot_compute_set * cycles:
            made.append(_hot_set(profile, steps, own, Saving(most, "cycles", tr("run"), _ITS_CHAIN), confidence))
    return made


_ITS_CHAIN: Final = tr("largest sum of cycles of its steps that do not run at the same time")


def _hot_set(profile: Profile, steps: Steps, own: I64, saving: Saving, confidence: Confidence) -> Finding:
    """``own``: all steps of the compute set."""
    name, spent, selection = _worst_set(profile, steps, own, steps.cycles[own].astype(np.float64))
    run = _run(profile)
    assert not isinstance(run, NotChecked)
    text = sentence(
        plural(
            "{count:,} step takes {cycles}, {share} of the run. What makes this compute set faster pays off most.",
            "{count:,} steps take {cycles}, {share} of the run. What makes this compute set faster pays off most.",
            count=len(own),
            cycles=Amount(spent, "cycles"),
            share=Amount(100 * spent / run[1], "%"),
        )
    )
    evidence = (
        Evidence("steps-by-compute-set", name, tr("cycles together"), spent, "cycles", selection),
        *_longest_tile(profile, selection),
    )
    title = tr("{name} takes much of the run", name=name)
    return Finding("info", title, text, evidence, saving, confidence)


_RUN: Final = ("steps",)
RULES: Final = (
    Rule(
        "poplar.compute-imbalance",
        tr("Tiles that wait for the slowest one while computing"),
        tr("Cycles · (1 - tile balance) of computing steps that do not run at the same time, as a share of the run."),
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
        tr(
            "Time of exchanges without computing, overlaps counted once, as a share of the run, and how much "
            "shorter the run could be without them."
        ),
        _RUN,
        _exchange,
        ("exchange",),
    ),
    Rule(
        "poplar.host-bound",
        tr("Host transfers that do not overlap with computing (no double buffering)"),
        tr(
            "Time of stream copies without computing, overlaps counted once, as a share of the run; a smaller share "
            "if none of them overlaps. The bound assumes that they run while the tiles work."
        ),
        _RUN,
        _host,
        ("host", "unbuffered"),
        aliases=("poplar.double-buffering",),
    ),
    Rule(
        "poplar.small-steps",
        tr("A short step that is repeated often"),
        tr(
            "Steps of one name below a number of cycles: their count, and the share of the run until the steps after "
            "them begin."
        ),
        _RUN,
        _small,
        ("small_steps", "small_step", "repeated"),
    ),
    Rule(
        "poplar.rearrangement",
        tr("Rearranged data"),
        tr("Steps whose name contains “rearrange”: how much shorter the run could be without them, as a share of it."),
        _RUN,
        _rearrangement,
        ("rearrangement",),
    ),
    Rule(
        "poplar.hot-compute-set",
        tr("Compute sets that take much of the run"),
        tr("Cycles of the steps of a compute set, as a share of the run."),
        _RUN,
        _hot,
        ("hot_compute_set",),
    ),
)
