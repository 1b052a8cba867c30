"""What decides about a Tenstorrent capture: kernels against gaps, the busiest operation, the fullest core."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.analysis.part import Amount, Words, sentence
from app.analysis.tenstorrent import limit_of, name_of_core
from app.analysis.tiles import of_core, stalls, tile_events
from app.analysis.verdicts.answer import State, Verdict
from app.language import plural, tr
from app.profile.profile import Profile
from app.profile.selection import Selection

NEARLY_FULL = 90.0
"""Percentage of L1 from which it is no good news that buffers fit: circular buffers need room that reports do not
count."""


def verdicts(profile: Profile, known: dict[str, object]) -> Iterator[Verdict]:
    """One sentence about the operations, else the zones; one about L1, one about the network on chip."""
    if profile.worker_cores is None:
        return
    time, gap, by_code = (known.get(f"tenstorrent.{name}") for name in ("kernel_s", "gap_s", "top_ops"))
    cores, idle = known.get("tenstorrent.cores"), known.get("tenstorrent.cores_idle")
    if isinstance(time, float) and isinstance(gap, float) and time + gap > 0:
        text = tr("Kernels take {time}, gaps between operations {gap}", time=Amount(time, "s"), gap=Amount(gap, "s"))
        detail: list[Words] = []
        if isinstance(by_code, dict) and by_code and time > 0:
            name = next(iter(by_code))
            share = Amount(100 * by_code[name] / time, "%")
            detail.append(sentence(tr("Most: {name}, {share} of the kernels", name=name, share=share)))
        yield Verdict(
            "plain", sentence(text), tuple(detail), short=sentence(tr("{time} of kernels", time=Amount(time, "s")))
        )
    if isinstance(cores, int) and isinstance(idle, int):
        text = plural(
            "{count:,} of {cores} cores runs kernels",
            "{count:,} of {cores} cores run kernels",
            count=cores - idle,
            cores=f"{cores:,}",
        )
        yield Verdict("plain", (text,), short=(text,))
    yield from _stalls(profile)
    yield from _memory(profile)
    size, busiest = known.get("tenstorrent.noc_bytes"), known.get("tenstorrent.noc_busiest_core_bytes")
    if isinstance(size, int) and isinstance(busiest, int) and size:
        share = Amount(100 * busiest / size, "%")
        text = tr("NoC: {size}; one core issues {share} of it", size=Amount(size, "B"), share=share)
        yield Verdict("plain", sentence(text), short=sentence(tr("{size} on the NoC", size=Amount(size, "B"))))


def _stalls(profile: Profile) -> Iterator[Verdict]:
    """The stall of a tile that takes the largest share of its time; the tile's core, where any was traced."""
    own, line, rows = tile_events(profile), profile.timeline, stalls(profile)
    if own is None or line is None or not len(rows):
        return
    cores = of_core(line, own, rows)
    rows = rows[cores] if cores.any() else rows
    row = int(rows[own.share[rows].argmax()])
    if own.share[row] <= 0:
        return
    core, event, share = int(own.core[row]), line.strings[int(own.event[row])], Amount(float(own.share[row]), "%")
    name, chosen = name_of_core(profile, core), Selection("worker_core", (core,))
    text = tr("{event} takes {share} of the time of {tile}", event=event, share=share, tile=name)
    short = sentence(tr("{event}: {share} of {tile}", event=event, share=share, tile=name))
    yield Verdict("plain", sentence(text), short=short, selection=chosen)


def _memory(profile: Profile) -> Iterator[Verdict]:
    own = profile.core_memory
    if own is None or not len(own.memory.used):
        return
    row = int(np.argmax(own.memory.used))
    core, used = int(own.memory.core[row]), int(own.memory.used[row])
    limit, chosen = limit_of(profile, core), Selection("worker_core", (core,))
    if limit <= 0:
        text = tr("Fullest core: {used} of L1; its size is not stated", used=Amount(used, "B"))
        yield Verdict("plain", sentence(text), lacks=True, selection=chosen)
        return
    share = Amount(100 * used / limit, "%")
    text = tr(
        "Fullest core: {used} of {size} of L1, {share}", used=Amount(used, "B"), size=Amount(limit, "B"), share=share
    )
    short = tr("Fits: {share} of L1", share=share) if used <= limit else tr("L1 overflows: {share}", share=share)
    state: State = "bad" if used > limit else "plain" if share.value > NEARLY_FULL else "good"
    yield Verdict(state, sentence(text), short=sentence(short), selection=chosen)
