"""What stalls the tiles of an AMD AI Engine. Each counts cycles from its own first event and there is no replay, so
bounds are of the time of one tile, and only where every event of the file has its begin and its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.findings.trace import timed
from app.analysis.part import Amount, sentence
from app.analysis.tenstorrent import name_of_core
from app.analysis.tiles import TileEvents, counts_by_tile, of_core, stalls, tile_events
from app.language import tr
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.timeline import Timeline

_LISTED: Final = 3


class _Kind(Struct, frozen=True):
    """Stalls whose names have one of ``words``: ``what`` is waited for, and what that means."""

    words: tuple[str, ...]
    what: str
    text: str


_KINDS: Final = (
    _Kind(
        ("LOCK",),
        tr("locks"),
        tr("A lock is held by who fills or empties a buffer: look at the other side of that buffer."),
    ),
    _Kind(
        ("STARVATION", "BACKPRESSURE"),
        tr("transfers"),
        tr("A DMA waits for the memory or the stream at its other end."),
    ),
    _Kind(
        ("STREAM", "CASCADE", "PORT"),
        tr("streams"),
        tr("A stream is empty because its source is late, or full because its reader is."),
    ),
    _Kind(
        ("MEMORY",), tr("banks of memory"), tr("Two accesses to one bank cannot run at once: place buffers in others.")
    ),
)
"""The first that fits counts."""


def _of(profile: Profile) -> tuple[TileEvents, Timeline, I64] | NotChecked:
    """The events of tiles, and which of them are stalls with a share."""
    own, line = tile_events(profile), profile.timeline
    if own is None or line is None or not len(rows := stalls(profile)):
        return NotChecked(tr("the trace has no events of stalls"))
    return own, line, rows


def _kind(event: str) -> int:
    return next((number for number, kind in enumerate(_KINDS) if any(word in event for word in kind.words)), -1)


def _evidence(own: TileEvents, line: Timeline, rows: Sequence[int]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            "tile-events",
            line.strings[int(own.process[row])],
            line.strings[int(own.event[row])],
            float(own.share[row]),
            "%",
            Selection("worker_core", (int(own.core[row]),)),
            row,
        )
        for row in rows
    )


def _stalls(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    known = _of(profile)
    if isinstance(known, NotChecked):
        return known
    own, line, rows = known
    return tuple(_longest(profile, own, line, rows[own.share[rows] >= thresholds.stalled_tile]))


def _longest(profile: Profile, own: TileEvents, line: Timeline, rows: I64) -> Iterator[Finding]:
    """One finding for each kind of stall among ``rows``."""
    names = {event: _kind(line.strings[event].upper()) for event in set(own.event[rows].tolist())}
    kinds = np.array([names[event] for event in own.event[rows].tolist()], np.int64)
    for number, kind in enumerate(_KINDS):
        of = rows[kinds == number]
        if not len(of):
            continue
        of = of[np.argsort(-own.share[of], kind="stable")]
        worst = int(of[0])
        process, event = line.strings[int(own.process[worst])], line.strings[int(own.event[worst])]
        share, tile = float(own.share[worst]), name_of_core(profile, int(own.core[worst]))
        cycles = timed(line, float(own.cycles[worst]))
        text = tr(
            "{event} is on for {cycles}, {share} of the time of {process}. {meaning}",
            event=event,
            cycles=cycles,
            share=Amount(share, "%"),
            process=process,
            meaning=kind.text,
        )
        title = tr("Waits for {what}: {share} of the time of {tile}", what=kind.what, share=f"{share:.0f} %", tile=tile)
        formula = tr("cycles in which {event} is on", event=event)
        saving = None if profile.issues else Saving(cycles.value, cycles.unit, process, formula)
        evidence = _evidence(own, line, of[:_LISTED].tolist())
        yield Finding("warning" if of_core(line, own, of).any() else "info", title, sentence(text), evidence, saving)


def _uneven(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    known = _of(profile)
    if isinstance(known, NotChecked):
        return known
    own, line, rows = known
    rows = rows[of_core(line, own, rows)]
    worst = max((_ends(own, rows[own.event[rows] == one]) for one in set(own.event[rows].tolist())), default=None)
    if worst is None or worst[0] < thresholds.uneven_tiles:
        return ()
    _, most, least = worst
    text = tr(
        "{event} takes {most} of the time of {tile} and {least} of that of {other}. Where tiles work one after "
        "another, the others wait for the one that waits least.",
        event=line.strings[int(own.event[most])],
        most=Amount(float(own.share[most]), "%"),
        tile=name_of_core(profile, int(own.core[most])),
        least=Amount(float(own.share[least]), "%"),
        other=name_of_core(profile, int(own.core[least])),
    )
    evidence = _evidence(own, line, (most, least))
    return (Finding("info", tr("Tiles are stalled unevenly"), sentence(text), evidence),)


def _ends(own: TileEvents, rows: I64) -> tuple[float, int, int]:
    """How far apart the shares of an event are; the rows of the largest and the smallest."""
    most, least = int(rows[own.share[rows].argmax()]), int(rows[own.share[rows].argmin()])
    return float(own.share[most] - own.share[least]), most, least


def _tiles(profile: Profile) -> bool:
    return profile.timeline is not None and counts_by_tile(profile.timeline)


RULES: Final = (
    Rule(
        "aie.stalls",
        tr("Stalls of tiles"),
        tr(
            "For each kind of stall (locks, transfers, streams, banks), the event that is on longest, as a share of "
            "the time from the first to the last event of its tile. No bound where an event lacks its begin or end."
        ),
        ("worker_cores",),
        _stalls,
        ("stalled_tile",),
        _tiles,
    ),
    Rule(
        "aie.uneven-stalls",
        tr("Tiles that are stalled unevenly"),
        tr("The largest minus the smallest share of a stall among the cores of tiles that have it; no bound is known."),
        ("worker_cores",),
        _uneven,
        ("uneven_tiles",),
        _tiles,
    ),
)
