"""Measures the inputs of the scaling model in a run: numbers with the steps they came from, or why there are none."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from msgspec import Struct, field

from app.analysis.memory import replicas
from app.analysis.scaling.gradients import WORDS, Named, Reductions, named, reductions, roots
from app.analysis.scaling.loops import Loop, Loops, Repeats, loops, middle, parts, repeats
from app.analysis.table import Unit
from app.language import joined, plural, tr
from app.profile.arrays import I64
from app.profile.poplar import Steps
from app.profile.profile import Profile


class Derived(Struct, frozen=True, eq=False):
    """``how`` it was derived, in one sentence; ``steps``: int64, the steps of the run that it came from, rising."""

    value: float
    how: str
    unit: Unit = ""
    steps: I64 = field(default_factory=lambda: np.empty(0, np.int64))


class Missing(Struct, frozen=True):
    """``why`` the profile does not say, so that the user has to."""

    why: str


Finding: TypeAlias = Derived | Missing


NO_STEPS = tr("The profile contains no steps of a run (it needs an execution report with steps).")
NO_PROGRAMS = tr("The profile contains steps, but not their programs (it needs the graph report).")
NO_LOOP = tr("No loop of the program can be identified in the steps.")
NO_CLOCK = tr("The profile does not state its clock frequency, so cycles cannot be converted to seconds.")
NO_TIMES = tr("The steps have no start and end times.")


class Measurement(Struct, frozen=True, eq=False, kw_only=True):
    """Times in seconds. Of the middle repeat (that of median length) of the micro-batch loop: ``period``, from its
    begin to that of the next; its parts, which add up to it (together with what the allreduce takes inside it):
    ``micro_batch`` (computing and exchange between tiles), ``links`` (exchange between IPUs), ``transfer`` (host),
    ``waiting`` (no step ran). Of the middle weight update: ``allreduce`` (steps with such names), ``optimiser`` (other
    steps outside of the loop). ``update``: median time from one weight update to the next. ``allreduces``: their number
    per update; ``accumulation``: repeats per update; ``replicas``, ``ipus_per_replica``: from the lengths of the arrays
    per tile."""

    loops: Loops
    loop: Loop | None
    replicas: Finding
    ipus_per_replica: Finding
    period: Finding
    micro_batch: Finding
    links: Finding
    transfer: Finding
    waiting: Finding
    allreduce: Finding
    allreduces: Finding
    optimiser: Finding
    accumulation: Finding
    update: Finding


RUN = Measurement.__struct_fields__[4:]
"""What is measured from the steps."""


def measure(profile: Profile, loop: int | None = None) -> Measurement:
    """Measure the run of a profile. ``loop``: the program of the micro-batch loop, if the user has chosen one."""
    all_loops = loops(profile)
    chosen = all_loops.of_micro_batches if loop is None else all_loops.of_program(loop)
    copies, ipus = replicas_of(profile)
    why = _why_not(profile, all_loops, chosen, loop)
    known: dict[str, Finding] = {name: Missing(why) for name in RUN}
    steps, clock = profile.steps, profile.target.clock_hz if profile.target is not None else None
    if not why and chosen is not None and steps is not None and clock:
        own = repeats(steps, chosen, clock)
        reducing = named(profile, steps, own.belongs)
        known |= {**_repeat(steps, own, reducing), **_update(own, reducing, reductions(steps, own, reducing))}
    elif steps is not None:
        known |= _named_alone(profile, steps, why)
    return Measurement(loops=all_loops, loop=chosen, replicas=copies, ipus_per_replica=ipus, **known)


def _why_not(profile: Profile, all_loops: Loops, chosen: Loop | None, wanted: int | None) -> str:
    if profile.steps is None or not len(profile.steps):
        return NO_STEPS
    if profile.programs is None:
        return NO_PROGRAMS
    if profile.target is None or not profile.target.clock_hz or not profile.target.clock_hz > 0:
        return NO_CLOCK
    if not bool(np.any((profile.steps.cycles_from >= 0) & (profile.steps.cycles_to >= profile.steps.cycles_from))):
        return NO_TIMES
    if chosen is not None:
        return ""
    if wanted is not None:
        return tr("Program {program:,} is not a loop that can be identified in the steps.", program=wanted)
    if not all_loops.all:
        return NO_LOOP
    fed = [loop for loop in all_loops.all if loop.fed]
    if not all_loops.complete:
        return tr("There are too many loops to identify the loop over micro-batches: choose one.")
    if len(fed) > 1:
        return tr("{count:,} loops take data from the host: choose the one over micro-batches.", count=len(fed))
    return tr(
        "{count:,} loops ran, and none takes data from the host: choose the one over micro-batches.",
        count=len(all_loops.all),
    )


def replicas_of(profile: Profile) -> tuple[Finding, Finding]:
    """(replicas, IPUs of each): in a replicated graph an array per tile covers the tiles of one replica (Poplar
    profiling data format, 7.1.8)."""
    count, target = replicas(profile), profile.target
    if count is None or target is None or profile.tile_memory is None:
        missing = Missing(tr("The profile has no tiles or no arrays per tile to determine the replicas."))
        return missing, missing
    how = tr(
        "{tiles:,} tiles of the target / {tile_memory_tiles:,} entries of the arrays per tile, which cover only one "
        "replica.",
        tiles=target.tiles,
        tile_memory_tiles=profile.tile_memory.tiles,
    )
    copies = Derived(count, how)
    if not target.ipus or target.ipus % count:
        return copies, Missing(tr("The profile does not state the number of IPUs."))
    return copies, Derived(
        target.ipus // count, tr("{ipus:,} IPUs of the target / {count:,} replicas.", ipus=target.ipus, count=count)
    )


def _repeat(steps: Steps, own: Repeats, reducing: Named) -> dict[str, Finding]:
    """The middle repeat and its parts."""
    if not len(own.length):
        return {name: Missing(NO_TIMES) for name in ("period", "micro_batch", "links", "transfer", "waiting")}
    shown = middle(own.length)
    split = parts(steps, own, shown, reducing.gradients)
    middle_of = _middle_repeat(own)
    how: str = tr("{middle_of}.", middle_of=middle_of)
    if not own.whole:
        how = tr("{middle_of}, from its first to its last step, without the wait after it.", middle_of=middle_of)

    def part(value: float, what: str) -> Derived:
        return Derived(value / own.clock, joined(" ", (what, how)), "s", split.steps)

    return {
        "period": Derived(float(own.length[shown]) / own.clock, how, "s", split.steps),
        "micro_batch": part(split.ipu, tr("Steps that compute or exchange between tiles; overlaps count once.")),
        "links": part(split.links, tr("Exchange between IPUs other than the gradients, where no tile computes.")),
        "transfer": part(split.transfer, tr("Transfers with the host that do not overlap with anything else.")),
        "waiting": part(split.waiting, tr("Time without any step: sync, and waiting for the host.")),
    }


def _update(own: Repeats, reducing: Named, reduced: Reductions) -> dict[str, Finding]:
    if reduced.why:
        missing = Missing(reduced.why)
        known: dict[str, Finding] = {"allreduce": missing, "allreduces": missing, "accumulation": missing}
        return known | {"optimiser": missing, "update": missing}
    shown = middle(reduced.length)
    steps = reduced.steps_of(shown)
    how = tr(
        "Steps whose names contain {words}. {middle_of}.",
        words=WORDS,
        middle_of=_middle_update(own, reduced.length),
    )
    names = sorted(roots(reducing, steps))
    listed = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
    each: Finding = Missing(tr("The numbers of repeats between two allreduces differ."))
    if reduced.accumulation is not None:
        each = Derived(
            reduced.accumulation, tr("Repeats of {loop} from one allreduce to the next.", loop=own.loop.name)
        )
    return {
        "allreduce": Derived(float(reduced.length[shown]) / own.clock, how, "s", steps),
        "allreduces": Derived(
            len(names),
            tr("Different step names, up to the part that names the allreduce: {listed}.", listed=listed),
            "",
            steps,
        ),
        "accumulation": each,
        "optimiser": _outside(own, reduced),
        "update": _between(own, reduced),
    }


def _outside(own: Repeats, reduced: Reductions) -> Finding:
    if not len(reduced.outside):
        return Missing(tr("No other steps run between the last repeat of an update and the first of the next."))
    shown = middle(reduced.outside)
    how = tr("Other steps outside the loop. {middle_of}.", middle_of=_middle_update(own, reduced.outside))
    return Derived(float(reduced.outside[shown]) / own.clock, how, "s", reduced.outside_steps(shown))


def _between(own: Repeats, reduced: Reductions) -> Finding:
    if not len(reduced.periods):
        return Missing(tr("The run contains fewer than two whole weight updates."))
    value = float(np.median(reduced.periods)) / own.clock
    return Derived(
        value,
        tr(
            "From the first repeat of an update to the first repeat of the next; median of {count:,}.",
            count=len(reduced.periods),
        ),
        "s",
    )


def _named_alone(profile: Profile, steps: Steps, why: str) -> dict[str, Finding]:
    """The allreduce, if there is one without a loop to tell how often it runs."""
    count = int(np.sum(named(profile, steps).gradients))
    if not count:
        return {}
    text = plural(
        "{count:,} step names an allreduce, but the micro-batch loop that separates the updates is unknown. {why}",
        "{count:,} steps name an allreduce, but the micro-batch loop that separates the updates is unknown. {why}",
        count=count,
        why=why,
    )
    return {"allreduce": Missing(text), "allreduces": Missing(text)}


def _middle_repeat(own: Repeats) -> str:
    count, loop = len(own.length), own.loop.name
    if count == 1:
        return tr("The only repeat of {loop}", loop=loop)
    limits = _limits(own, own.length)
    if limits is None:
        return plural(
            "The median of {count:,} repeat of {loop}",
            "The median of {count:,} repeats of {loop}",
            count=count,
            loop=loop,
        )
    return plural(
        "The median of {count:,} repeat of {loop} ({limits})",
        "The median of {count:,} repeats of {loop} ({limits})",
        count=count,
        loop=loop,
        limits=limits,
    )


def _middle_update(own: Repeats, cycles: I64) -> str:
    if len(cycles) == 1:
        return tr("The only weight update")
    limits = _limits(own, cycles)
    if limits is None:
        return plural(
            "The median of {count:,} weight update",
            "The median of {count:,} weight updates",
            count=len(cycles),
        )
    return plural(
        "The median of {count:,} weight update ({limits})",
        "The median of {count:,} weight updates ({limits})",
        count=len(cycles),
        limits=limits,
    )


def _limits(own: Repeats, cycles: I64) -> str | None:
    """The shortest and the longest duration; None if they do not differ."""
    least, most = (
        tr("{value} ms", value=f"{1e3 * float(value) / own.clock:,.4g}") for value in (cycles.min(), cycles.max())
    )
    return tr("{least} to {most}", least=least, most=most) if least != most else None
