"""What an expert would say about a profile, in a few lines with their evidence. It may take a second for a large
profile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from app.analysis.ascend import launch
from app.analysis.ascend.launch import Waves, block_keys, waves
from app.analysis.ascend.paths import ratios, roof_name, verdicts
from app.analysis.findings.popef import link_issues, size_issues
from app.analysis.host_events import compile_seconds
from app.analysis.hotspots import hottest_line
from app.analysis.memory import series, used
from app.analysis.part import Amount, sentence
from app.analysis.popef.anchors import groups, shape_text
from app.analysis.poplar.liveness import live_peak
from app.analysis.poplar.overlaps import dominating, levelled
from app.analysis.time.verdict import beside, beside_roofs, one_line, time_verdict
from app.analysis.timeline.intervals import union_lengths
from app.analysis.verdicts.answer import About, Detail, Lines
from app.analysis.verdicts.capture import of_capture
from app.language import plural, tr
from app.profile.arrays import among, distinct
from app.profile.popef import Model, data_type
from app.profile.profile import Profile
from app.profile.selection import Selection, selected_item
from app.profile.tensorflow import COMPILE_END, EXECUTE, HostEvents

_MOST_ADVICE: Final = 3
_MOST_BLOCKS: Final = 1000


def of_time(profile: Profile) -> Iterator[Detail]:
    """What bounds the profile in time: the sentence, what is behind it, and what the vendor says."""
    verdict = time_verdict(profile)
    if verdict is not None:
        yield Detail(verdict.text, verdict.selection, verdict.short)
        for line in (*verdict.behind, *beside(profile, verdict)):
            yield Detail(line.words, line.selection)
    else:
        yield from (Detail(line.words, line.selection) for line in beside_roofs(profile))


def of_operator(profile: Profile) -> Iterator[Detail]:
    """Balance, the file's own advice, the nearest roof, the hottest line."""
    for make in (_cores, _balance, _vendor, _roof, _line):
        yield from make(profile)


def _cores(profile: Profile) -> Iterator[Detail]:
    """How many of the cores work, in how many waves, and what a perfect packing would take if the last is not full."""
    operator = profile.operator
    own = None if operator is None else waves(operator)
    if operator is None:
        return
    if not isinstance(own, Waves):
        if operator.block_dim is not None and operator.block_dim > 0:
            yield Detail((plural("{count:,} block", "{count:,} blocks", count=operator.block_dim),))
        return
    blocks = plural("{count:,} block", "{count:,} blocks", count=own.blocks)
    used = min(own.blocks, own.cores)
    text = plural(
        "{used:,} of {cores:,} {core_word} work: {blocks} in 1 wave",
        "{used:,} of {cores:,} {core_word} work: {blocks} in {count:,} waves, {last:,} in the last",
        count=own.count,
        used=used,
        cores=own.cores,
        core_word=own.core_word,
        blocks=blocks,
        last=own.last,
    )
    keys = block_keys(operator) if operator.blocks else np.empty(0, np.int64)
    known = tuple(keys[keys >= 0][:_MOST_BLOCKS].tolist())
    short = tr(
        "{used:,} of {cores:,} {core_word}", used=min(own.blocks, own.cores), cores=own.cores, core_word=own.core_word
    )
    yield Detail((text,), Selection("block", known) if known else None, (short,))
    if own.count > 1 and own.packing is not None:
        perfect = Amount(own.packing.perfect / 1e6, "s")
        yield Detail(sentence(tr("Perfect packing would take about {time}, an estimate", time=perfect)))


def _balance(profile: Profile) -> Iterator[Detail]:
    """The longest block against the mean; without durations of blocks, the longest sub-core of any kind."""
    operator = profile.operator
    stored = np.empty((0, 0)) if operator is None else launch.of_blocks(operator)
    known = np.flatnonzero(~np.isnan(stored).all(axis=1)) if stored.size else np.empty(0, np.int64)
    if operator is not None and len(known) > 1 and not launch.doubtful(operator):
        length = np.fmax.reduce(stored[known], axis=1)
        row, mean = int(known[length.argmax()]), float(length.mean())
        name, number = launch.block_names(operator)[row], int(block_keys(operator)[row])
        text = tr(
            "Block {name} is the longest: {time}, {share} above the mean",
            name=name,
            time=Amount(float(length.max()) / 1e6, "s"),
            share=_above(float(length.max()), mean),
        )
        yield Detail(sentence(text), selected_item("block", number))
        return
    load = profile.core_load
    if load is not None and np.count_nonzero(~np.isnan(load.cycles)) > 1:
        row = int(np.nanargmax(load.cycles))
        own = load.cycles[(load.type == load.type[row]) & ~np.isnan(load.cycles)]
        core = int(load.core[row])
        part = " ".join(load.strings.get(int(ids[row])) for ids in (load.type, load.sub_core))
        text = tr(
            "Core {core} ({part}) runs longest: {cycles}, {share} above the mean",
            core=core,
            part=part,
            cycles=Amount(float(load.cycles[row]), "cycles"),
            share=_above(float(load.cycles[row]), float(own.mean())),
        )
        yield Detail(sentence(text), selected_item("core", core))


def _above(most: float, mean: float) -> Amount:
    return Amount(100 * (most - mean) / mean if mean > 0 else 0.0, "%")


def _vendor(profile: Profile) -> Iterator[Detail]:
    """What the file itself advises, marked as the vendor's."""
    texts = list(dict.fromkeys(_advice(profile)))
    if texts:
        shown = "; ".join(texts[:_MOST_ADVICE])
        more = len(texts) - _MOST_ADVICE
        text = tr("Vendor advice: {shown}", shown=shown)
        if more > 0:
            text = tr("Vendor advice: {shown}; {count:,} more", shown=shown, count=more)
        yield Detail((text,))


def _advice(profile: Profile) -> Iterator[str]:
    if profile.operator is not None:
        yield from map(one_line, profile.operator.advice)
    if profile.core_load is not None:
        yield from (one_line(line) for line in profile.core_load.advice.splitlines() if line.strip())
    if profile.memory_paths is not None:
        yield from (one_line(line) for lines in set(profile.memory_paths.blocks.advice) for line in sorted(set(lines)))
    if profile.memory_tables is not None:
        yield from (one_line(line) for lines in set(profile.memory_tables.advice) for line in sorted(set(lines)))


def _roof(profile: Profile) -> Iterator[Detail]:
    roofs = profile.roofline
    shares = np.empty(0) if roofs is None else ratios(roofs)
    if roofs is None or not len(shares) or np.isnan(shares).all():
        return
    row = int(np.nanargmax(shares))
    roof = roof_name(roofs, row)
    share = Amount(100 * float(shares[row]), "%")
    text = tr("Nearest roof: {roof}, {share} of it; {verdict}", roof=roof, share=share, verdict=verdicts(roofs)[row])
    yield Detail(sentence(text), Selection("roof", (row,)))


def _line(profile: Profile) -> Iterator[Detail]:
    hot = hottest_line(profile)
    if hot is not None and hot.of > 1:
        share = Amount(hot.share, "%")
        text = tr("Hottest line: {place}, {share} of all {cost}", place=hot.place, share=share, cost=hot.cost)
        short = sentence(tr("{share} in {place}", share=share, place=hot.place))
        yield Detail(sentence(text), Selection("line", (hot.row,)), short)


_PARTS: Final = 3


def of_memory(profile: Profile) -> Iterator[Detail]:
    """What the fullest tile holds, and what makes the peak of liveness."""
    memory = profile.tile_memory
    values = None if memory is None else used(memory)
    parts = series(profile, "category")
    if values is not None and len(values) and parts is not None:
        tile = int(values.argmax())
        amounts = sorted(((int(part.values[tile]), part.title) for part in parts.parts), reverse=True)[:_PARTS]
        listed: list[str | Amount] = []
        for amount, title in amounts:
            listed += [f"{', ' if listed else ''}{title} ", Amount(amount, "B")]
        words = sentence(tr("Tile {tile:,} holds {amounts}", tile=tile, amounts=tuple(listed)))
        yield Detail(words, Selection("tile", (tile,)))
    peak = live_peak(profile)
    if peak is not None:
        live, extra = Amount(peak.program, "B"), Amount(peak.extra, "B")
        text = tr("Memory peaks at {name}: {live}, {extra} of it only there", name=peak.name, live=live, extra=extra)
        if peak.largest is not None:
            variable, size = peak.largest
            text = tr(
                "Memory peaks at {name}: {live}, {extra} of it only there; the largest variable is {variable}, {size}",
                name=peak.name,
                live=live,
                extra=extra,
                variable=variable,
                size=Amount(size, "B"),
            )
        yield Detail(sentence(text), Selection("liveness", (peak.node,)))


def of_run(profile: Profile) -> Iterator[Detail]:
    """The compute set (or name of steps) with the most cycles, and what imbalance costs."""
    cycles = profile.execution.cycles if profile.execution is not None else None
    steps = profile.steps
    if steps is None or not len(steps) or not cycles or cycles < 0:
        return
    top = dominating(profile, steps)
    if top is not None:
        counted = plural("{count:,} step", "{count:,} steps", count=top.count)
        text = tr(
            "Most cycles: {name}, {cycles} in {counted}, {share} of the run",
            name=top.name,
            cycles=Amount(top.cycles, "cycles"),
            counted=counted,
            share=Amount(100 * top.cycles / cycles, "%"),
        )
        yield Detail(sentence(text), top.selection)
    level = levelled(steps)
    if level is not None:
        text = tr(
            "Tile balance while computing: {balance}; tiles wait {lost} for the slowest one, {share} of the run",
            balance=Amount(100 * level.balance, "%"),
            lost=Amount(level.lost, "cycles"),
            share=Amount(100 * level.lost / cycles, "%"),
        )
        waiting = Amount(100 * level.lost / cycles, "%")
        short = sentence(tr("{share} waiting for the slowest tile", share=waiting))
        yield Detail(sentence(text), Selection("step", (level.worst,)), short)


_USER_INPUTS: Final = 0
_OUTPUTS: Final = (2, 3)
_SHOWN: Final = 3


def of_model(profile: Profile) -> Iterator[Detail]:
    """Inputs of the user, outputs, inconsistencies."""
    model = profile.model
    if model is None or not len(model.anchors):
        return
    group = groups(model)
    yield from _anchors(model, np.flatnonzero(group == _USER_INPUTS).tolist(), outputs=False)
    yield from _anchors(model, np.flatnonzero(among(group, _OUTPUTS)).tolist(), outputs=True)
    wrong = [issue for issue in (*link_issues(profile), *size_issues(profile)) if issue.severity != "info"]
    if wrong:
        text = plural(
            "{count:,} name, size or type is inconsistent: {first}",
            "{count:,} names, sizes or types are inconsistent. First: {first}",
            count=len(wrong),
            first=wrong[0].text,
        )
        yield Detail((text,))
    else:
        yield Detail((tr("Names, sizes and types are consistent"),))


def _anchors(model: Model, rows: list[int], *, outputs: bool) -> Iterator[Detail]:
    own = model.anchors
    listed = [
        f"{model.strings.get(int(own.name[row]))} "
        f"{data_type(int(own.data_type[row]))}{shape_text(tuple(own.shape.row(row).tolist()))}"
        for row in rows[:_SHOWN]
    ]
    if listed:
        named: str = ", ".join(listed)
        if len(rows) > _SHOWN:
            named = tr("{named}, {count:,} more", named=named, count=len(rows) - _SHOWN)
        text = tr("Outputs: {named}", named=named) if outputs else tr("Inputs: {named}", named=named)
        yield Detail((text,), Selection("anchor", tuple(rows[:_SHOWN])))


_FEWEST: Final = 3


def of_events(profile: Profile) -> Iterator[Detail]:
    """The time from the first to the last event: compiling, executing, the rest; and the longest pause."""
    events = profile.host_events
    if events is None or not np.isfinite(events.time).any():
        return
    starts = events.starts()
    whole = float(np.nanmax(events.time) - np.nanmin(starts))
    if whole > 0:
        yield from _wall(events, whole)
    yield from _pause(events)


def _wall(events: HostEvents, whole: float) -> Iterator[Detail]:
    seconds = compile_seconds(events)
    rows = np.flatnonzero(np.isfinite(seconds) & np.isfinite(events.time))
    ends = events.time[rows]
    compiling = float(union_lengths(ends - seconds[rows], ends, np.zeros(len(rows), np.int64), 1)[0])
    runs = np.flatnonzero((events.type == EXECUTE) & np.isfinite(events.time))
    running = float(np.ptp(events.time[runs])) if len(runs) else 0.0
    longest = int(rows[seconds[rows].argmax()]) if len(rows) else -1
    text = tr(
        "Wall time {whole}: compiling {compiling} ({share}), from the first to the last execution {running} ({part})",
        whole=Amount(whole, "s"),
        compiling=Amount(compiling, "s"),
        share=Amount(100 * compiling / whole, "%"),
        running=Amount(running, "s"),
        part=Amount(100 * running / whole, "%"),
    )
    yield Detail(sentence(text), selected_item("host_event", longest))
    again = int(np.count_nonzero(events.type == COMPILE_END)) - len(distinct(events.module[events.type == COMPILE_END]))
    if again > 0:
        repeated = plural(
            "{count:,} compilation repeats an earlier one", "{count:,} compilations repeat earlier ones", count=again
        )
        yield Detail((repeated,))


def _pause(events: HostEvents) -> Iterator[Detail]:
    """The usual and the longest time from one execution to the next of any module."""
    runs = np.flatnonzero((events.type == EXECUTE) & np.isfinite(events.time))
    if len(runs) < _FEWEST:
        return
    runs = runs[np.argsort(events.time[runs], kind="stable")]
    gaps = np.diff(events.time[runs])
    place = int(gaps.argmax())
    text = tr(
        "An execution every {usual} (median); the longest interval is {longest}",
        usual=Amount(float(np.median(gaps)), "s"),
        longest=Amount(float(gaps[place]), "s"),
    )
    yield Detail(sentence(text), Selection("host_event", (int(runs[place + 1]),)))


_MAKERS: Final[tuple[tuple[About, Callable[[Profile], Iterator[Detail]]], ...]] = (
    ("time", of_time),
    ("memory", of_memory),
    ("run", of_run),
    ("operator", of_operator),
    ("model", of_model),
    ("events", of_events),
    ("capture", of_capture),
)


def expert_lines(profile: Profile, look: Callable[[], None] = lambda: None) -> Lines:
    """The lines by the verdict that they belong to. ``look`` is called before each, and may raise to stop."""
    made: dict[About, tuple[Detail, ...]] = {}
    for about, make in _MAKERS:
        lines = []
        look()
        for line in make(profile):
            lines.append(line)
            look()
        if lines:
            made[about] = tuple(lines)
    return made
