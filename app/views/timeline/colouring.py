"""What the colours of slices go by: categories, names without their numbers, processes, durations, or values of an
argument."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, Literal

import numpy as np
from msgspec import Struct

from app.analysis.timeline.name_groups import stems
from app.language import tr
from app.profile.arrays import F64, I32, I64, U8, Bool, distinct
from app.profile.strings import Strings
from app.profile.timeline import Argument, Timeline
from app.views import colours
from app.views.timeline.colour_choice import ColourBy
from app.views.timeline.ticks import multiples, nice_step
from app.views.units import plain

OWN_SLOTS = 200
"""So many names get a colour slot of their own, the most frequent first; the others share SHARED_SLOTS."""
SHARED_SLOTS = 16
WAITING = 2 + OWN_SLOTS + SHARED_SLOTS
"""The slot of all slices that only wait."""
BARE: Final = 1
"""The slot of slices that have nothing that colours go by."""
NO_SLOTS: Final = frozenset((0,))
"""The slot that no slice has."""
ALIKE = 0.9
"""Where more slices than this share have one category, it tells nothing: slices are coloured by name."""
MOST_STEMS = 50_000
"""Different names whose numbers are looked for, the most frequent first; others share colours."""
MOST_STEPS = 8
"""Colours for durations and for numbers."""
FAR_APART, MOSTLY_SMALL = 100, 10
"""Numbers above zero have steps of equal ratio where the largest is FAR_APART times the smallest and MOSTLY_SMALL
times the median."""


class Colours(Struct, frozen=True, eq=False):
    """``wanted``: the choice, ``by``: what it means here (never "auto"); ``key``: int32[slices], looked up in ``slots``
    (uint8, the last entry serves key -1) for the colour slot; ``names[s]``: what slot s stands for ("" for none, or for
    many), and ``labels[s]``: what to call it; ``edges``: between the amounts of one colour and the next; ``bare``:
    how many slices without a category there are; ``argument``: that whose values have colours; ``steps``: whether
    colours are steps of an amount, from the least to the most."""

    wanted: ColourBy
    by: ColourBy
    key: I32
    slots: U8
    names: tuple[str, ...]
    labels: tuple[str, ...]
    edges: tuple[float, ...] = ()
    bare: Literal["no", "some", "all"] = "no"
    argument: Argument | None = None
    steps: bool = False

    @classmethod
    def of(
        cls,
        timeline: Timeline,
        waits: Bool | None,
        wanted: ColourBy = "auto",
        like: Colours | None = None,
        argument: Argument | None = None,
    ) -> Colours:
        """``waits``: bool[slices], those that only wait, which have a slot of their own in any case, and a key: that
        after all others. ``like``: the colours of a timeline that this one is compared with, which then mean the
        same. ``argument``: without one, a choice of "argument" leaves all slices without a colour."""
        slices, strings = timeline.slices, timeline.strings
        work = slice(None) if waits is None else ~waits
        bare = _bare(slices.category)
        by = like.by if like is not None else _automatic(slices.category[work]) if wanted == "auto" else wanted
        edges: tuple[float, ...] = ()
        steps = by == "duration"
        if by == "argument":
            argument = argument or Argument("", np.full(len(slices.name), -1, np.int32), Strings.of(()), np.empty(0))
            key = argument.code
            steps = like.steps if like is not None else argument.all_numbers
            if steps:
                edges = like.edges if like is not None else number_edges(argument.number)
            slots, names, labels = _value_slots(argument, edges) if steps else colour_slots(key, argument.texts)
        elif by == "duration":
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
        return cls(wanted, by, key, slots, names, labels, edges, bare, argument, steps)

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
        rest = (slot for slot in (BARE, *range(2 + OWN_SLOTS, WAITING + 1)) if str(slot) in numbers)
        return frozenset((*own, *rest)) or NO_SLOTS


def offered(timeline: Timeline) -> frozenset[ColourBy]:
    """The choices that tell anything."""
    some: set[ColourBy] = {"auto", "name", "duration"}
    if len(timeline.slices.category) and _bare(timeline.slices.category) != "all":
        some.add("category")
    process = timeline.lanes.process
    if len(process) and bool((process != process[0]).any()):
        some.add("process")
    if timeline.pieces is not None and bool((timeline.slices.record >= 0).any()):
        some.add("argument")
    return frozenset(some)


def _value_slots(argument: Argument, edges: tuple[float, ...]) -> tuple[U8, tuple[str, ...], tuple[str, ...]]:
    """The same as ``colour_slots`` for numbers, in steps between ``edges``; each is called by the numbers in it."""
    known = np.isfinite(argument.number)
    step = np.searchsorted(np.array(edges), argument.number, "right")
    labels = []
    for place in range(len(edges) + 1):
        inside = argument.number[known & (step == place)]
        low, high = (plain(float(end)) for end in (inside.min(initial=np.inf), inside.max(initial=-np.inf)))
        labels.append(low if low == high else tr("{low} to {high}", low=low, high=high))
    slots = np.append(np.where(known, step + 2, BARE), BARE).astype(np.uint8)
    return slots, ("", "", "-inf", *map(repr, edges)), ("", "", *labels)


def number_edges(number: F64) -> tuple[float, ...]:
    """Numbers, rising, which part ``number`` (finite, at least one) into MOST_STEPS steps at most: each different
    number has its own where they are few, and steps have equal ratios where they are far apart, else equal lengths."""
    some = distinct(number)
    low, high = float(some[0]), float(some[-1])
    if len(some) <= MOST_STEPS:
        return tuple(some[1:].tolist())
    if low > 0 and high / low >= FAR_APART and high / float(np.median(number)) >= MOSTLY_SMALL:
        return duration_edges(some)
    return tuple(edge for edge in multiples(low, high, nice_step(high - low, MOST_STEPS - 1)) if low < edge < high)


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
