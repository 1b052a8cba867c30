"""What the colours of slices go by: categories, names without their numbers, processes, or durations."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, Literal

import numpy as np
from msgspec import Struct

from app.analysis.timeline.name_groups import stems
from app.profile.arrays import F64, I32, I64, U8, Bool
from app.profile.strings import Strings
from app.profile.timeline import Timeline
from app.views import colours
from app.views.timeline.colour_choice import ColourBy

OWN_SLOTS = 200
"""So many names get a colour slot of their own, the most frequent first; the others share SHARED_SLOTS."""
SHARED_SLOTS = 16
WAITING = 2 + OWN_SLOTS + SHARED_SLOTS
"""The slot of all slices that only wait."""
NO_SLOTS: Final = frozenset((0,))
"""The slot that no slice has."""
ALIKE = 0.9
"""Where more slices than this share have one category, it tells nothing: slices are coloured by name."""
MOST_STEMS = 50_000
"""Different names whose numbers are looked for, the most frequent first; others share colours."""
MOST_STEPS = 8
"""Colours for durations."""


class Colours(Struct, frozen=True, eq=False):
    """``wanted``: the choice, ``by``: what it means here (never "auto"); ``key``: int32[slices], looked up in ``slots``
    (uint8, the last entry serves key -1) for the colour slot; ``names[s]``: what slot s stands for ("" for none, or for
    many), and ``labels[s]``: what to call it; ``edges``: between the durations of one colour and the next; ``bare``:
    how many slices without a category there are."""

    wanted: ColourBy
    by: ColourBy
    key: I32
    slots: U8
    names: tuple[str, ...]
    labels: tuple[str, ...]
    edges: tuple[float, ...] = ()
    bare: Literal["no", "some", "all"] = "no"

    @classmethod
    def of(
        cls, timeline: Timeline, waits: Bool | None, wanted: ColourBy = "auto", like: Colours | None = None
    ) -> Colours:
        """``waits``: bool[slices], those that only wait, which have a slot of their own in any case, and a key: that
        after all others. ``like``: the colours of a timeline that this one is compared with, which then mean the
        same."""
        slices, strings = timeline.slices, timeline.strings
        work = slice(None) if waits is None else ~waits
        bare = _bare(slices.category)
        by = like.by if like is not None else _automatic(slices.category[work]) if wanted == "auto" else wanted
        edges: tuple[float, ...] = ()
        if by == "duration":
            edges = like.edges if like is not None and like.edges else duration_edges(slices.duration[work])
            key = np.searchsorted(np.array(edges), slices.duration, "right").astype(np.int32)
            names = labels = ("", "", *map(repr, (0.0, *edges)))
            slots = np.append(np.arange(len(edges) + 1), 0).astype(np.uint8) + np.uint8(2)
        else:
            key = slices.name if by == "name" else _processes(timeline) if by == "process" else colour_keys(timeline)
            slots, names, labels = (name_slots if by == "name" else colour_slots)(key[work], strings)
        if waits is not None:
            last = len(slots) - 1
            key, slots = np.where(waits, np.int32(last), key), np.insert(slots, last, WAITING)
        return cls(wanted, by, key, slots, names, labels, edges, bare)

    def slot(self, index: I64) -> U8:
        """Colour slots of slices."""
        return self.slots[self.key[index]]

    def texts(self, slots: Iterable[int]) -> tuple[list[str], list[str]]:
        """(names, numbers of slots without a name of their own), to find the same again in other colours."""
        own: list[str] = []
        others: list[str] = []
        for slot in sorted(slots):
            named = 2 <= slot < len(self.names)
            (own if named else others).append(self.names[slot] if named else str(slot))
        return own, others

    def named(self, names: Iterable[str], others: Iterable[str]) -> frozenset[int]:
        """The slots of ``texts``; NO_SLOTS where there are none."""
        wanted, numbers = frozenset(names), frozenset(others)
        own = (slot for slot in range(2, len(self.names)) if self.names[slot] in wanted)
        rest = (slot for slot in (1, *range(2 + OWN_SLOTS, WAITING + 1)) if str(slot) in numbers)
        return frozenset((*own, *rest)) or NO_SLOTS


def offered(timeline: Timeline) -> frozenset[ColourBy]:
    """The choices that tell anything."""
    some: set[ColourBy] = {"auto", "name", "duration"}
    if len(timeline.slices.category) and _bare(timeline.slices.category) != "all":
        some.add("category")
    process = timeline.lanes.process
    if len(process) and bool((process != process[0]).any()):
        some.add("process")
    return frozenset(some)


def _bare(category: I32) -> Literal["no", "some", "all"]:
    bare = category < 0
    if not bool(bare.any()):
        return "no"
    return "all" if bool(bare.all()) else "some"


def _automatic(category: I32) -> ColourBy:
    most = int(np.bincount(category + 1).max()) if len(category) else 0
    return "name" if most > ALIKE * len(category) else "category"


def _processes(timeline: Timeline) -> I32:
    """int32[slices]: the text of the process of each."""
    lanes, first = timeline.lanes, timeline.slices.first
    return np.repeat(lanes.process, np.diff(first[lanes.first_row])).astype(np.int32, copy=False)


def colour_keys(timeline: Timeline) -> I32:
    """int32[slices]: the text that decides the colour: the category, or the name where there is none."""
    slices = timeline.slices
    bare = slices.category < 0
    if not bool(np.any(bare)):
        return slices.category
    return slices.name if bool(np.all(bare)) else np.where(bare, slices.name, slices.category)


def colour_slots(key: I32, strings: Strings) -> tuple[U8, tuple[str, ...], tuple[str, ...]]:
    """(slots, names, labels): uint8[strings + 1], the slot of each text id, the last entry for -1; what each slot
    stands for, and what to call it. Slot 0 is no slice, slot 1 is a slice without a category."""
    counts = _counts(key, strings)
    used = np.flatnonzero(counts)
    own = used[np.argsort(-counts[used], kind="stable")][:OWN_SLOTS]
    own = np.sort(own)
    slots = np.ones(len(strings) + 1, np.uint8)
    slots[used] = _shared(used)
    slots[own] = 2 + np.arange(len(own))
    names = ("", "", *(strings[int(text)] for text in own))
    return slots, names, names


def name_slots(key: I32, strings: Strings) -> tuple[U8, tuple[str, ...], tuple[str, ...]]:
    """The same for names, those that differ in numbers only as one: the most frequent first."""
    counts = _counts(key, strings)
    used = np.flatnonzero(counts)
    slots = np.ones(len(strings) + 1, np.uint8)
    slots[used] = _shared(used)
    if len(used) > MOST_STEMS:
        used = np.sort(used[np.argsort(-counts[used], kind="stable")][:MOST_STEMS])
    group, names, labels = stems(strings, used, colours.KNOWN)
    total = np.bincount(group, counts[used], len(names)) if len(names) else np.zeros(0)
    own = np.argsort(-total, kind="stable")[:OWN_SLOTS]
    of_group = _shared(np.arange(len(names)))
    of_group[own] = 2 + np.arange(len(own))
    slots[used] = of_group[group]
    named, called = ([texts[place] for place in own.tolist()] for texts in (names, labels))
    return slots, ("", "", *named), ("", "", *called)


def _counts(key: I32, strings: Strings) -> I64:
    """int64[strings]: how often each text is a key."""
    return (
        np.bincount(key + 1, minlength=len(strings) + 1)[1:].astype(np.int64)
        if len(key)
        else np.zeros(len(strings), np.int64)
    )


def _shared(number: I64) -> U8:
    return (2 + OWN_SLOTS + number % SHARED_SLOTS).astype(np.uint8)


def duration_edges(duration: F64) -> tuple[float, ...]:
    """Round durations, rising, which part those of slices into MOST_STEPS steps of equal ratio at most."""
    some = duration[(duration > 0) & np.isfinite(duration)]
    if not len(some):
        return ()
    low, high = math.floor(math.log10(float(some.min()))), math.ceil(math.log10(float(some.max())))
    decades = [float(f"1e{power}") for power in range(low + 1, high)]
    if high - low <= MOST_STEPS // 2:
        decades = [float(f"{digit}e{power}") for power in range(low, high) for digit in (1, 3)][1:]
    return tuple(decades[-(MOST_STEPS - 1) :])
