"""What bounds a profile in time: one sentence, with its evidence; and what the file itself says about the bound of
an operator, and why both differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

import numpy as np
from msgspec import Struct

from app.analysis.ascend.block_times import BlockTimes, block_times
from app.analysis.ascend.paths import BOUND_RATIO, ratios, roof_name
from app.analysis.part import Amount, Words, sentence
from app.analysis.time.available import plain_trace, why_not
from app.analysis.time.floors import at_most
from app.analysis.time.model import Bound, CoreUse, TimeModel, last_core, time_model
from app.analysis.time.path import DATA_WAIT, RESOURCE_WAIT, WORK, RegisterTrust
from app.analysis.time.waits import waits_of
from app.language import Message, plural, tr
from app.profile.profile import Profile
from app.profile.selection import Selection

_MOST_LISTED: Final = 3
NOT_KNOWN: Final = tr("the file has neither times of pipes nor launches and dependencies")


class Behind(Struct, frozen=True):
    """A line of what is behind a verdict; ``selection``: its evidence."""

    words: Words
    selection: Selection | None = None


class TimeVerdict(Struct, frozen=True, eq=False):
    """``text``: the sentence; ``behind``: lines with what it rests on. ``by``: the pipe, or the name with most work on
    the path; ``bound``: how it bounds ("path" where there are no pipes); ``work`` of it (of the path), ``span`` and
    ``least`` that remains, in ``unit``. ``use``: the core that it is about."""

    text: Words
    behind: tuple[Behind, ...]
    by: str
    bound: Literal["pipe", "none", "latency", "path"]
    work: float
    span: float
    least: float
    unit: Literal["s", "cycles"]
    selection: Selection | None
    use: CoreUse | None = None

    @property
    def short(self) -> Words:
        """What bounds it, without what follows from that."""
        work, span = Amount(self.work, self.unit), Amount(self.span, self.unit)
        if self.bound == "pipe":
            return sentence(tr("{pipe} bound: {work} of {span}", pipe=self.by, work=work, span=span))
        if self.bound == "path":
            return sentence(tr("{work} of work on the critical path", work=work))
        share = Amount(100 * self.work / self.span, "%")
        if self.bound == "latency":
            return sentence(tr("Latency bound: {pipe} works {share}", pipe=self.by, share=share))
        return sentence(tr("No single bound: {pipe} works {share}", pipe=self.by, share=share))

    @property
    def at_most(self) -> float:
        """What better scheduling can save at most."""
        return at_most(self.span, self.least)


def time_verdict(profile: Profile) -> TimeVerdict | None:
    """None where the file does not allow it. It may take seconds for a large timeline."""
    use = last_core(profile)
    if use is not None:
        return _of_core(profile, use)
    line = profile.timeline
    if line is None or not plain_trace(profile) or why_not(profile):  # the model of such a file says nothing
        return None
    model = time_model(profile)
    return _of_path(model) if model.has_dependencies and model.span > 0 else None


def _of_core(profile: Profile, use: CoreUse) -> TimeVerdict:
    pipe, work = use.ordered[0]
    text = _sentence(use.bound, pipe, Amount(work, use.unit), Amount(use.span, use.unit), Amount(use.at_most, use.unit))
    return TimeVerdict(
        sentence(text),
        tuple(_behind_core(profile, use)),
        pipe,
        use.bound,
        work,
        use.span,
        use.floor.value,
        use.unit,
        use.selection,
        use,
    )


def _sentence(bound: Bound, pipe: str, work: Amount, span: Amount, saving: Amount) -> Message:
    if bound == "pipe":
        return tr(
            "{pipe} bound: {work} of {span}; at most {saving} can be saved by scheduling",
            pipe=pipe,
            work=work,
            span=span,
            saving=saving,
        )
    if bound == "latency":
        return tr(
            "Latency bound: no pipe works half of the time, {pipe} most: {work} of {span}; at most {saving} can be "
            "saved by scheduling",
            pipe=pipe,
            work=work,
            span=span,
            saving=saving,
        )
    return tr(
        "No single bound: {pipe} works {share} ({work} of {span}); at most {saving} can be saved by scheduling",
        pipe=pipe,
        share=Amount(100 * work.value / span.value, "%"),
        work=work,
        span=span,
        saving=saving,
    )


def _behind_core(profile: Profile, use: CoreUse) -> list[Behind]:
    listed: list[str | Amount] = []
    for pipe, time in use.ordered:
        listed += [f"{', ' if listed else ''}{pipe} ", Amount(time, use.unit)]
    lines = [
        Behind(sentence(tr("Ends last: {core}; work: {pipes}", core=use.name, pipes=tuple(listed))), use.selection)
    ]
    if use.core is None:
        lines.append(Behind((tr("No timeline: what waits for what is unknown"),)))
    elif profile.timeline is not None:
        lines += _waits(profile, use)
    times = block_times(profile)
    if isinstance(times, BlockTimes) and times.duration is not None and times.outside[0] > 0:
        outside = times.outside[0]
        text = tr(
            "{outside} of the operator's {duration} ({share}) pass outside its blocks",
            outside=Amount(outside, "s"),
            duration=Amount(times.duration, "s"),
            share=Amount(100 * outside / times.duration, "%"),
        )
        lines.append(Behind(sentence(text)))
    return lines


def _waits(profile: Profile, use: CoreUse) -> list[Behind]:
    """The longest waits; else what is missing to know them."""
    line, core = profile.timeline, use.core
    assert line is not None
    assert core is not None
    waits = waits_of(line, core)[:_MOST_LISTED]
    scale = 1.0 if line.seconds_per_unit is None else line.seconds_per_unit
    listed: list[str | Amount] = []
    for wait in waits:
        listed += [f"{', ' if listed else ''}{wait.pair} ", Amount(scale * wait.time, use.unit)]
    if waits:
        return [Behind(sentence(tr("Waits: {waits}", waits=tuple(listed))), Selection("slice", (waits[0].longest,)))]
    if not len(core.graph.source):
        return [Behind((tr("No flags or arrows in the file: waits have no known cause"),))]
    trust = time_model(profile).registers
    return [] if trust is None else [_by_registers(trust)]


def _by_registers(trust: RegisterTrust) -> Behind:
    text = plural(
        "{count:,} dependency is inferred from registers",
        "{count:,} dependencies are inferred from registers",
        count=trust.dependencies,
    )
    return Behind((text,))


def _of_path(model: TimeModel) -> TimeVerdict:
    line, path, graph = model.timeline, model.path, model.graph
    scale = 1.0 if line.seconds_per_unit is None else line.seconds_per_unit
    unit: Literal["s", "cycles"] = "cycles" if line.seconds_per_unit is None else "s"
    work, waits = path.total(WORK), path.total(DATA_WAIT) + path.total(RESOURCE_WAIT)
    text = tr(
        "Critical path: {work} of work and {waits} of waits in {span}; at most {saving} can be saved by scheduling",
        work=Amount(scale * work, unit),
        waits=Amount(scale * waits, unit),
        span=Amount(scale * model.span, unit),
        saving=Amount(scale * at_most(model.span, model.floor), unit),
    )
    own = path.part == WORK
    slices, times = graph.slice[path.node[own]], path.times[own]
    names = line.slices.name[slices]
    texts, place = np.unique(names, return_inverse=True)
    sums = np.bincount(place.reshape(-1), times, len(texts))
    behind, by, selection = [], "", None
    if len(texts):
        most = int(sums.argmax())
        by = line.strings.get(int(texts[most]))
        longest = int(slices[np.where(names == texts[most], times, -1.0).argmax()])
        selection = Selection("slice", (longest,))
        words = tr("Most critical work: {name}, {time}", name=by, time=Amount(scale * float(sums[most]), unit))
        behind.append(Behind(sentence(words), selection))
    if model.registers is not None:
        behind.append(_by_registers(model.registers))
    if model.inferred > 0:
        share = Amount(100 * model.inferred, "%")
        behind.append(Behind(sentence(tr("{share} of it rests on dependencies that are inferred", share=share))))
    return TimeVerdict(
        sentence(text),
        tuple(behind),
        by,
        "path",
        scale * work,
        scale * model.span,
        scale * model.floor,
        unit,
        selection,
    )


_LONGER: Final = re.compile(r"\bcore\d+ (?:cube|vector)\d* took more time", re.IGNORECASE)


def beside(profile: Profile, verdict: TimeVerdict | None) -> Iterator[Behind]:
    """The verdict of the rooflines, and advice on single cores, each with what follows from the times."""
    yield from beside_roofs(profile, verdict)
    load = profile.core_load
    for line in () if load is None else load.advice.splitlines():
        if _LONGER.search(line):
            yield from _file_says_of_core(profile, one_line(line))


def beside_roofs(profile: Profile, verdict: TimeVerdict | None = None) -> Iterator[Behind]:
    """The verdict of the rooflines, and why it differs from ours."""
    roofs = profile.roofline
    if roofs is not None and roofs.advice:
        yield Behind((tr("Vendor verdict: “{advice}”", advice=one_line(roofs.advice)),))
        explained = explanation(profile, verdict)
        if explained is not None:
            yield explained


def explanation(profile: Profile, verdict: TimeVerdict | None) -> Behind | None:
    """Why the vendor's verdict and ours differ; None if they do not, or if there is none."""
    roofs = profile.roofline
    shares = np.empty(0) if roofs is None else ratios(roofs)
    if roofs is None or not roofs.advice or np.isnan(shares).all():
        return None
    row = int(np.nanargmax(shares))
    latency = roofs.advice.strip().lower().startswith("latency")
    share, roof = Amount(100 * float(shares[row]), "%"), roof_name(roofs, row)
    text: Words | None = None
    if latency == bool(shares[row] > BOUND_RATIO):
        text = sentence(
            tr(
                "It does not follow from its rooflines: the best point reaches {share} of {roof}",
                share=share,
                roof=roof,
            )
        )
    elif verdict is not None and latency and verdict.bound == "pipe":
        text = sentence(
            tr(
                "Both hold: {pipe} works nearly all the time, but at most at {share} of a roof ({roof}), so its "
                "instructions use little of what the hardware can do",
                pipe=verdict.by,
                share=share,
                roof=roof,
            )
        )
    elif verdict is not None and not latency and verdict.bound == "latency":
        text = sentence(
            tr(
                "Both hold: the operator reaches {share} of {roof}, though no pipe works half of the time of its core",
                share=share,
                roof=roof,
            )
        )
    return None if text is None else Behind(text, Selection("roof", (row,)))


def _file_says_of_core(profile: Profile, advice: str) -> Iterator[Behind]:
    times = block_times(profile)
    if isinstance(times, BlockTimes) and np.isfinite(times.latest):
        saving = Amount(at_most(times.latest, times.even), times.unit)
        text = tr("“{advice}”: even work on all cores would save at most {saving}", advice=advice, saving=saving)
        yield Behind(sentence(text))


def one_line(text: str) -> str:
    """Advice without numbering ("1) "), tabs and the final full stop."""
    words = " ".join(text.split())
    number, mark, rest = words.partition(") ")
    return (rest if mark and number.isdigit() else words).rstrip(".")
