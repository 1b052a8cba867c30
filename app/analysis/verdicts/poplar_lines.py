"""Where the memory and the cycles of a Poplar program go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.analysis.memory import series, used
from app.analysis.part import Amount
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
        yield Detail((tr("Tile {tile:,} holds ", tile=tile), *listed), Selection("tile", (tile,)))
    peak = live_peak(profile)
    if peak is not None:
        largest: tuple[str | Amount, ...] = ()
        if peak.largest is not None:
            largest = (tr("; the largest variable is {name}, ", name=peak.largest[0]), Amount(peak.largest[1], "B"))
        words = (
            tr("Memory peaks at {name}: ", name=peak.name),
            Amount(peak.program, "B"),
            tr(", "),
            Amount(peak.extra, "B"),
            tr(" of it only there"),
            *largest,
        )
        yield Detail(words, Selection("liveness", (peak.node,)))


def of_run(profile: Profile) -> Iterator[Detail]:
    """The compute set (or name of steps) with the most cycles, and what imbalance costs."""
    cycles = profile.execution.cycles if profile.execution is not None else None
    steps = profile.steps
    if steps is None or not len(steps) or not cycles or cycles < 0:
        return
    top = dominating(profile, steps)
    if top is not None:
        counted = plural("{count:,} step", "{count:,} steps", count=top.count)
        words = (
            tr("Most cycles: {name}, ", name=top.name),
            Amount(top.cycles, "cycles"),
            tr(" in {counted}, ", counted=counted),
            Amount(100 * top.cycles / cycles, "%"),
            tr(" of the run"),
        )
        yield Detail(words, top.selection)
    level = levelled(steps)
    if level is not None:
        balance = (
            tr("Tile balance while computing: "),
            Amount(100 * level.balance, "%"),
            tr("; the tiles wait "),
            Amount(level.lost, "cycles"),
            tr(" for their longest one, "),
            Amount(100 * level.lost / cycles, "%"),
            tr(" of the run"),
        )
        yield Detail(balance, Selection("step", (level.worst,)))
