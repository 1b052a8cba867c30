"""Where dependencies come from: arrows of the file, flags by name and number, barriers, host calls that wait for a
device; without arrows and flags, registers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.matching import matching_texts
from app.analysis.time.classes import BARRIER, SET, WAIT, WORK
from app.analysis.time.pieces import Pieces
from app.analysis.time.register_links import register_pairs
from app.analysis.timeline.statistics import before
from app.profile.arrays import F64, I64, U8, Bool, among, distinct
from app.profile.ascend import Instructions
from app.profile.kept import kept
from app.profile.orders import by_groups, stable_order
from app.profile.pipes import PIPES, core_of, of_a_core, pipe_of, split_lane
from app.profile.timeline import Timeline

STATED, INFERRED, REGISTERS = range(3)
"""How a dependency is known: the file states it; it is the last work that ended before; by the registers that
instructions write and read."""


class Links(Struct, frozen=True, eq=False):
    """``source``, ``target``: int64 nodes; ``release``: float64, the time that the file gives (infinite: the end of the
    source); ``early``: float64, before which the source cannot let the target go (infinite: the release); ``origin``:
    uint8, STATED, INFERRED or REGISTERS. ``unsure``: int64 nodes that read a register, once for each register whose
    last writer is uncertain."""

    source: I64
    target: I64
    release: F64
    early: F64
    origin: U8
    unsure: I64


_FLAG: Final = re.compile(r"h?(?:set|wait)_(?:flag|event)i?[._ ](\w+)[._ ](\w+)[._ ](\w+)", re.IGNORECASE)
"""``WAIT_FLAG.MTE2.V.0``: the pipe that sets, the pipe that waits, the number."""
_NO_ORDER: Final = ("fwdbwd",)
"""Categories of arrows that relate slices (forward to backward) and do not order them."""
_SHORT: Final = {"VEC": "VECTOR", "V": "VECTOR", "M": "CUBE", "FIX": "FIXP", "S": "SCALAR"}


def links(
    timeline: Timeline, nodes: Pieces, kind: U8, instructions: Instructions | None, look: Callable[[], None]
) -> Links:
    """The dependencies between ``nodes`` (``kind``: uint8, their classes), which ascend by start. ``instructions``: of
    a file with register states, which count only where it has neither flags nor arrows. O(n log n)."""
    of_lane = core_of_lane(timeline)
    core = of_lane[nodes.lane]
    named = _flags(timeline, nodes, kind, core)
    found = [_arrows(timeline, nodes), named.pairs]
    open_ = ~_among(len(nodes), np.concatenate([part.target for part in found]))
    found.append(_unset(nodes, kind, named, open_))
    found.append(_barriers(nodes, kind, core))
    found.append(_host_waits(timeline, nodes, kind, open_))
    if instructions is not None and not _has_flags(timeline, kind):
        found.append(_registers(timeline, nodes, of_lane, instructions, look))
    return Links(
        np.concatenate([part.source for part in found]),
        np.concatenate([part.target for part in found]),
        np.concatenate([part.release for part in found]),
        np.concatenate([part.early for part in found]),
        np.concatenate([part.origin for part in found]),
        np.concatenate([part.unsure for part in found]),
    )


def _links(
    source: I64, target: I64, release: F64 | None = None, early: F64 | None = None, *, origin: int = STATED
) -> Links:
    known = (source >= 0) & (target >= 0)
    end = np.full(len(source), np.inf)
    release, early = end if release is None else release, end if early is None else early
    origins = np.full(int(known.sum()), origin, np.uint8)
    return Links(source[known], target[known], release[known], early[known], origins, np.empty(0, np.int64))


# -- arrows -----------------------------------------------------------------------------------------------


def _arrows(timeline: Timeline, nodes: Pieces) -> Links:
    """The arrows of the file: from the piece of their slice that runs when they begin, to that which is reached. A
    kernel may start before the call returns that launches it."""
    flows = timeline.flows
    ends = np.concatenate((flows.from_slice, flows.to_slice)), np.concatenate((flows.from_time, flows.to_time))
    source, target = np.split(piece_at(nodes, *ends), 2)
    for word in _NO_ORDER:
        source = np.where(flows.category == _text(timeline, word), -1, source)
    early, launched = np.full(len(source), np.inf), launches(timeline)
    early[launched] = flows.from_time[launched]
    return _links(source, target, flows.from_time, early)


def _text(timeline: Timeline, word: str) -> int:
    """The id of a text; -2, which nothing has, if it does not occur."""
    found = timeline.strings.find(word)
    return int(found[0]) if len(found) else -2


def _mentioned(timeline: Timeline, word: str) -> Bool:
    """bool[texts + 1]: the texts with a word in them; the last entry serves -1, no name."""
    strings = timeline.strings
    return np.append(matching_texts(strings, word) if len(strings) else np.empty(0, np.bool_), False)


def piece_at(nodes: Pieces, slices: I64, times: F64) -> I64:
    """int64: of each slice the last piece that begins at or before a time, else its first; -1 for slices without
    pieces."""
    count = int(max(nodes.slice.max(initial=-1), slices.max(initial=-1))) + 1
    order = stable_order(nodes.slice, count)  # pieces of a slice do not overlap, and nodes ascend by time
    first = np.concatenate(([0], np.cumsum(np.bincount(nodes.slice, minlength=count))))
    own = np.maximum(slices, 0)
    low, high = (first[own], first[own + 1]) if count else (own, own)
    found = np.full(len(slices), -1, np.int64)
    known = (slices >= 0) & (high > low)
    found[known] = order[low[known]]
    several = np.flatnonzero(known & (high > low + 1))
    low, high = low[several], high[several]
    found[several] = order[np.maximum(before(nodes.start[order], low, high, times[several]), low)]
    return found


# -- flags ------------------------------------------------------------------------------------------------


class _Named(Struct, frozen=True, eq=False):
    """``pairs``: SET to WAIT; ``pipe``: int64[nodes], which group of ``work`` releases a wait by its name, -1 if the
    name does not say; ``work``: int64[nodes], the pipe of a core that a node works for, -1 for none."""

    pairs: Links
    pipe: I64
    work: I64


def _flags(timeline: Timeline, nodes: Pieces, kind: U8, core: I64) -> _Named:
    """Flags that have pipes and a number in their names: the k-th that is set releases the k-th wait for it."""
    strings, name = timeline.strings, timeline.slices.name[nodes.slice]
    flagged = np.flatnonzero((kind == SET) | (kind == WAIT))
    key = np.full(len(nodes), -1, np.int64)
    awaited = np.full(len(nodes), -1, np.int64)
    numbers: dict[tuple[str, str, str], int] = {}
    cores = int(core.max(initial=0)) + 1
    for text in distinct(name[flagged]).tolist():
        match = _FLAG.fullmatch(strings.get(text)) if text >= 0 else None
        if match is None:
            continue
        setter, waiter = (_SHORT.get(part.upper(), part.upper()) for part in match.groups()[:2])
        own = flagged[name[flagged] == text]
        key[own] = numbers.setdefault((setter, waiter, match[3]), len(numbers)) * cores + core[own]
        if setter in PIPES:
            awaited[own] = PIPES.index(setter) * cores + core[own]
    work = _pipe_of_lane(timeline)[nodes.lane]
    work = np.where((work >= 0) & (kind != WAIT) & (kind != BARRIER), work * cores + core, -1)
    sets, waits = (_numbered(nodes, np.flatnonzero((kind == own) & (key >= 0)), key) for own in (SET, WAIT))
    return _Named(_paired(sets, waits), np.where(kind == WAIT, awaited, -1), work)


def core_of_lane(timeline: Timeline) -> I64:
    """int64[lanes]: the number of the core of each lane: a process, or what its threads say they are of."""
    strings, lanes = timeline.strings, timeline.lanes
    numbers: dict[tuple[int, str], int] = {}
    cores = {text: _core_name(strings.get(text)) for text in distinct(lanes.thread).tolist()}
    pairs = zip(lanes.process.tolist(), (cores[text] for text in lanes.thread.tolist()), strict=True)
    return np.array([numbers.setdefault(pair, len(numbers)) for pair in pairs], np.int64)


def _core_name(thread: str) -> str:
    core = core_of(thread)
    return "" if core == thread else core


def _pipe_of_lane(timeline: Timeline) -> I64:
    """int64[lanes]: the place of the pipe in PIPES, -1 for other lanes."""
    strings, lanes = timeline.strings, timeline.lanes
    of_thread = {}
    for text in distinct(lanes.thread).tolist():
        thread, what = split_lane(strings.get(text))
        pipe = pipe_of(thread) if not what else ""
        of_thread[text] = PIPES.index(pipe) if pipe in PIPES else -1
    return np.array([of_thread[text] for text in lanes.thread.tolist()], np.int64)


def _numbered(nodes: Pieces, chosen: I64, key: I64) -> tuple[I64, I64, I64]:
    """(the nodes by key and end; their keys; how many of the key came before each)."""
    order = chosen[by_groups(key[chosen], nodes.end[chosen])]
    keys = key[order]
    return order, keys, np.arange(len(order)) - np.searchsorted(keys, keys)


def _paired(sets: tuple[I64, I64, I64], waits: tuple[I64, I64, I64]) -> Links:
    """The k-th set of a key with the k-th wait."""
    first = np.searchsorted(sets[1], waits[1])
    place = first + waits[2]
    inside = place < len(sets[0])
    inside[inside] = sets[1][place[inside]] == waits[1][inside]
    return _links(sets[0][place[inside]], waits[0][inside])


def _unset(nodes: Pieces, kind: U8, named: _Named, open_: Bool) -> Links:
    """A wait whose flag is not set in the file: the last work of the pipe that it names."""
    asks = np.flatnonzero(open_ & (kind == WAIT) & (named.pipe >= 0))
    return _links(last_ended(nodes, named.work, asks, named.pipe[asks]), asks, origin=INFERRED)


# -- registers --------------------------------------------------------------------------------------------


def _has_flags(timeline: Timeline, kind: U8) -> bool:
    """Whether the file says itself what waits for what."""
    flows = timeline.flows
    return bool(((kind == SET) | (kind == WAIT)).any() or ((flows.from_slice >= 0) & (flows.to_slice >= 0)).any())


def _registers(
    timeline: Timeline, nodes: Pieces, core: I64, instructions: Instructions, look: Callable[[], None]
) -> Links:
    """What reads a register: the end of the slice that wrote it last."""
    pairs = register_pairs(timeline, nodes, core, instructions, look)
    first, last = (np.full(len(timeline.slices.start), -1, np.int64) for _ in range(2))
    number = np.arange(len(nodes), dtype=np.int64)
    first[nodes.slice[::-1]], last[nodes.slice] = number[::-1], number  # the last one assigned stays
    return replace(_links(last[pairs.writer], first[pairs.reader], origin=REGISTERS), unsure=first[pairs.unsure])


# -- inferred ---------------------------------------------------------------------------------------------


def _barriers(nodes: Pieces, kind: U8, core: I64) -> Links:
    """A barrier: the last work of the other pipes of its core that ended before it did."""
    asks = np.flatnonzero(kind == BARRIER)
    work = np.where((kind != WAIT) & (kind != BARRIER), core, -1)
    return _links(last_ended(nodes, work, asks, core[asks]), asks, origin=INFERRED)


def _host_waits(timeline: Timeline, nodes: Pieces, kind: U8, open_: Bool) -> Links:
    """A host call that waits, or a stream that waits for an event: the last end on the lanes of the device."""
    launched = launches(timeline)
    if not len(launched):
        return _links(np.empty(0, np.int64), np.empty(0, np.int64), origin=INFERRED)
    process = timeline.lanes.process
    hosts = among(process, process[timeline.flows.from_lane[launched]])
    group = launch_groups(timeline, launched)[nodes.lane]
    host = hosts[nodes.lane]
    events = _mentioned(timeline, "event")[timeline.slices.name[nodes.slice]]
    asks = np.flatnonzero((kind == WAIT) & np.where(host, open_, events) & (group >= 0))
    work = np.where((kind != WAIT) & (kind != BARRIER) & ~host, group, -1)
    return _links(last_ended(nodes, work, asks, group[asks]), asks, origin=INFERRED)


def launch_groups(timeline: Timeline, launched: I64) -> I64:
    """int64[lanes]: a number that the processes share between which something is launched (``launched``: int64 arrows),
    -1 for others: a host and its device."""
    flows, process = timeline.flows, timeline.lanes.process.astype(np.int64)
    one, other = process[flows.from_lane[launched]], process[flows.to_lane[launched]]
    root = {text: text for text in distinct(np.concatenate((one, other))).tolist()}

    def find(text: int) -> int:
        while root[text] != text:
            root[text] = text = root[root[text]]  # halves the way: a file may have very many processes
        return text

    for pair in distinct(one << 32 | other).tolist():
        root[find(pair >> 32)] = find(pair & 0xFFFFFFFF)
    return np.array([find(text) if text in root else -1 for text in process.tolist()], np.int64)


def split_waits(timeline: Timeline, nodes: Pieces, kind: U8) -> tuple[Pieces, U8]:
    """The pieces with host calls that launch and wait cut in two: work until the launch, and the wait after it; with
    their classes. A copy is one if it returns after the device has copied, whatever it is called."""
    flows, slices, launched = timeline.flows, timeline.slices, launches(timeline)
    if not len(launched):
        return nodes, kind
    time, target = flows.from_time[launched], flows.to_slice[launched]
    place = piece_at(nodes, flows.from_slice[launched], time)
    copied = _mentioned(timeline, "memcpy")[slices.name[flows.from_slice[launched]]]
    copied &= slices.start[target] + slices.duration[target] <= nodes.end[place]
    own = (place >= 0) & ((kind[place] == WAIT) | copied)
    place, time = place[own], time[own]
    order = by_groups(place, time)
    last = np.append(place[order][1:] != place[order][:-1], True)[: len(order)]
    place, time = place[order][last], time[order][last]
    time = np.clip(time, nodes.start[place], nodes.end[place])
    start = nodes.start.copy()
    start[place] = np.minimum(np.nextafter(time, np.inf), nodes.end[place])  # after the launch, to tell them apart
    kinds = kind.copy()
    kinds[place] = WAIT
    cut = Pieces(
        np.concatenate((nodes.slice, nodes.slice[place])),
        np.concatenate((nodes.lane, nodes.lane[place])),
        np.concatenate((start, nodes.start[place])),
        np.concatenate((nodes.end, time)),
    )
    return cut, np.concatenate((kinds, np.full(len(place), WORK, np.uint8)))


def launches(timeline: Timeline) -> I64:
    """int64: the arrows that lead from a process to a lane of another one on which nothing is launched from: from a
    host to a device."""
    return kept(timeline, _launches)


def _launches(timeline: Timeline) -> I64:
    flows, process = timeline.flows, timeline.lanes.process
    far = (flows.from_slice >= 0) & (flows.to_slice >= 0)
    far[far] = process[flows.from_lane[far]] != process[flows.to_lane[far]]
    for word in _NO_ORDER:
        far &= flows.category != _text(timeline, word)
    if not far.any():
        return np.empty(0, np.int64)
    host = np.zeros(len(process), np.bool_)
    host[flows.from_lane[far]] = True
    far[far] = ~(host | pipe_lanes(timeline))[flows.to_lane[far]]
    return np.flatnonzero(far)


def pipe_lanes(timeline: Timeline) -> Bool:
    """bool[lanes]: the pipes of cores."""
    strings, lanes = timeline.strings, timeline.lanes
    pairs = zip(lanes.process.tolist(), lanes.thread.tolist(), strict=True)
    return np.array([of_a_core(strings.get(one), strings.get(two)) for one, two in pairs], np.bool_)


def last_ended(nodes: Pieces, group: I64, asks: I64, wanted: I64) -> I64:
    """int64[asks]: of the nodes of a group (``group``: int64[nodes], -1 for none; ``wanted``: int64[asks]) the one with
    the latest end that is within the node ``asks``, after its arrival; -1 for none."""
    if not len(asks):
        return asks
    members = np.flatnonzero(group >= 0)
    who = np.concatenate((members, asks))
    asking = np.repeat((False, True), (len(members), len(asks)))
    key = np.concatenate((group[members], wanted))
    order = by_groups(key, nodes.end[who])  # what asks follows what it may find
    last = np.maximum.accumulate(np.where(asking[order], -1, np.arange(len(order))))
    found = np.full(len(asks), -1, np.int64)
    places = np.flatnonzero(asking[order])
    before = last[places]
    good = before >= 0
    good[good] = key[order[before[good]]] == key[order[places[good]]]
    which = order[places[good]] - len(members)
    found[which] = who[order[before[good]]]
    late = found >= 0
    late[late] = nodes.end[found[late]] > nodes.start[asks[late]]
    return np.where(late, found, -1)


def _among(count: int, items: I64) -> Bool:
    mask = np.zeros(count, np.bool_)
    mask[items] = True
    return mask
