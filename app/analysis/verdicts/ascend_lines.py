"""What keeps an Ascend operator from being faster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from app.analysis.ascend import durations
from app.analysis.ascend.busiest import busiest
from app.analysis.ascend.hottest import hottest_line
from app.analysis.ascend.roofline import ratios, verdicts
from app.analysis.ascend.waves import Waves, waves
from app.analysis.part import Amount, Words, sentence
from app.analysis.tables.ascend_operator import block_keys
from app.analysis.verdicts.answer import Detail
from app.language import plural, tr
from app.profile.profile import Profile
from app.profile.selection import Selection, selected_item

_MOST_ADVICE: Final = 3
_MOST_BLOCKS: Final = 1000
_SHOWN_APART: Final = 1.0
"""Percent: a range of rates that is narrower is one figure."""


def of_operator(profile: Profile) -> Iterator[Detail]:
    """Balance, pipes, the file's own verdict, the nearest roof, the hottest line."""
    for make in (_cores, _balance, _pipe, _vendor, _roof, _line):
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
    text = plural(
        "{used:,} of {cores:,} {core_word} work: {blocks} in 1 wave",
        "{used:,} of {cores:,} {core_word} work: {blocks} in {count:,} waves, {last:,} in the last",
        count=own.count,
        used=min(own.blocks, own.cores),
        cores=own.cores,
        core_word=own.core_word,
        blocks=blocks,
        last=own.last,
    )
    keys = block_keys(operator) if operator.blocks else np.empty(0, np.int64)
    known = tuple(keys[keys >= 0][:_MOST_BLOCKS].tolist())
    yield Detail((text,), Selection("block", known) if known else None)
    if own.count > 1 and own.packing is not None:
        perfect = Amount(own.packing.perfect / 1e6, "s")
        yield Detail(sentence(tr("Perfect packing would take about {time}, an estimate", time=perfect)))


def _balance(profile: Profile) -> Iterator[Detail]:
    """The longest block against the mean; without durations of blocks, the longest sub-core of any kind."""
    operator = profile.operator
    stored = np.empty((0, 0)) if operator is None else durations.of_blocks(operator)
    known = np.flatnonzero(~np.isnan(stored).all(axis=1)) if stored.size else np.empty(0, np.int64)
    if operator is not None and len(known) > 1 and not durations.doubtful(operator):
        length = np.fmax.reduce(stored[known], axis=1)
        row, mean = int(known[length.argmax()]), float(length.mean())
        name, number = durations.block_names(operator)[row], int(block_keys(operator)[row])
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


def _pipe(profile: Profile) -> Iterator[Detail]:
    own = busiest(profile)
    if own is None:
        return
    pipe = tr("{pipe} of {unit}", pipe=own.pipe, unit=own.unit) if own.unit else own.pipe
    rate: Words = (Amount(own.most, "%"),)
    if own.most - own.least >= _SHOWN_APART:
        rate = sentence(tr("{least} to {most}", least=Amount(own.least, "%"), most=Amount(own.most, "%")))
    text = tr("Most active pipe: {pipe}, {rate} of the time (overlap unknown: no timeline)", pipe=pipe, rate=rate)
    if own.beside is not None:
        text = tr(
            "Most active pipe: {pipe}, {rate} of the time; {share} of that overlaps with other pipes",
            pipe=pipe,
            rate=rate,
            share=Amount(own.beside, "%"),
        )
    yield Detail(sentence(text), own.selection)


def _vendor(profile: Profile) -> Iterator[Detail]:
    """What the file itself says, marked as the vendor's."""
    roofs = profile.roofline
    if roofs is not None and roofs.advice:
        yield Detail((tr("Vendor verdict: {advice}", advice=_one_line(roofs.advice)),))
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
        yield from map(_one_line, profile.operator.advice)
    if profile.core_load is not None:
        yield from (_one_line(line) for line in profile.core_load.advice.splitlines() if line.strip())
    if profile.memory_paths is not None:
        yield from (_one_line(line) for lines in set(profile.memory_paths.blocks.advice) for line in sorted(set(lines)))
    if profile.memory_tables is not None:
        yield from (_one_line(line) for lines in set(profile.memory_tables.advice) for line in sorted(set(lines)))


def _one_line(text: str) -> str:
    """Without numbering ("1) "), tabs and the final full stop."""
    words = " ".join(text.split())
    number, mark, rest = words.partition(") ")
    return (rest if mark and number.isdigit() else words).rstrip(".")


def _roof(profile: Profile) -> Iterator[Detail]:
    roofs = profile.roofline
    shares = np.empty(0) if roofs is None else ratios(roofs)
    if roofs is None or not len(shares) or np.isnan(shares).all():
        return
    row = int(np.nanargmax(shares))
    names = [roofs.strings.get(int(ids[row])) for ids in (roofs.bandwidth_name, roofs.compute_name)]
    roof = " / ".join(name for name in names if name)
    share = Amount(100 * float(shares[row]), "%")
    text = tr("Nearest roof: {roof}, {share} of it; {verdict}", roof=roof, share=share, verdict=verdicts(roofs)[row])
    yield Detail(sentence(text), Selection("roof", (row,)))


def _line(profile: Profile) -> Iterator[Detail]:
    hot = hottest_line(profile)
    if hot is not None and hot.of > 1:
        share = Amount(hot.share, "%")
        text = tr("Hottest line: {place}, {share} of all {cost}", place=hot.place, share=share, cost=hot.cost)
        yield Detail(sentence(text), Selection("line", (hot.row,)))
