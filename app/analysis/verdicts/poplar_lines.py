"""Where the memory and the cycles of a Poplar program go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.analysis.memory import series, used
from app.analysis.part import Amount, sentence
from app.analysis.poplar.dominating import dominating, levelled
from app.analysis.poplar.live_peak import live_peak
from app.analysis.verdicts.answer import Detail
from app.language import plural, tr
from app.profile.profile import Profile
from app.profile.selection import Selection

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
        yield Detail(sentence(text), Selection("step", (level.worst,)))
