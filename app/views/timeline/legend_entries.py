"""What the colours of a timeline mean: entries for a legend."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.language import tr
from app.profile.arrays import F64, I64, distinct
from app.views import colours
from app.views.look import Look
from app.views.timeline.colouring import BARE, OWN_SLOTS, SHARED_SLOTS, WAITING, Colours
from app.views.timeline.model import Model
from app.views.timeline.shades import Shades

MANY = 12
WAITS = tr("Waiting")
OTHERS = tr("other values")
ABOUT_OTHERS = tr("Values after the 200 most frequent share colours")
NO_VALUE = tr("no value")
PATH = tr("Critical path")
ABOUT_PATH = tr("The chain of work and waits that fills the time from the first to the last slice; dotted: it waits")
ABOUT_WAITS = tr("Slices that wait for a flag, a barrier or a device: the file names them, and nothing runs in them")


class Entry(Struct, frozen=True):
    """A colour, what to call it, and the name that the file gives, or what it means; ``stripes``:
    the colour of stripes, "" without; ``line``: it is a line, no fill; ``slots``: those with this colour and name, none
    where it stands for no slices; ``count``, ``time``: how many these are, and the sum of their durations in words."""

    colour: str
    label: str
    name: str
    stripes: str = ""
    line: bool = False
    slots: frozenset[int] = frozenset()
    count: int = 0
    time: str = ""


def entries(model: Model, own: Colours, shades: Shades, look: Look, *, path: bool = False) -> tuple[Entry, ...]:
    """The colours in use, in the order of their names (names themselves: the most frequent first, durations: the
    shortest first, more categories than a line has room for: those that take the most time first); those that several
    names share last. ``path``: the critical path is shown."""
    used = set(distinct(own.slots).tolist())
    merged: dict[tuple[str, str], Entry] = {}
    for slot in range(2, len(own.names)):
        if slot in used:
            label = _label(own, slot, model, look)
            key = label, shades.fill[slot]
            same = merged[key].slots if key in merged else frozenset[int]()
            about = label if own.by in ("duration", "argument") else own.labels[slot]
            merged[key] = Entry(shades.fill[slot], label, about, slots=same | {slot})
    scale = model.scale or {}
    order = list(merged)
    if own.by in ("category", "process"):
        order.sort(key=lambda key: (scale.get(merged[key].name, 0.0), key))
    counts, time = _figures(own, model)
    if own.by == "category" and len(order) > MANY:
        order.sort(key=lambda key: -sum(float(time[slot]) for slot in merged[key].slots))
    elif own.by == "argument" and not own.steps:
        order.sort(key=lambda key: (-sum(int(counts[slot]) for slot in merged[key].slots), key))
    listed = [merged[key] for key in order]
    slots = frozenset(range(2 + OWN_SLOTS, 2 + OWN_SLOTS + SHARED_SLOTS))
    if counts[list(slots)].any():
        fill = shades.fill[OWN_SLOTS + 2]
        about = tr("names after the 200 most frequent")
        label = OTHERS if own.by == "argument" else tr("other names share colours")
        listed.append(Entry(fill, label, ABOUT_OTHERS if own.by == "argument" else about, slots=slots))
    if own.by == "argument" and counts[BARE]:
        listed.append(Entry(shades.fill[BARE], NO_VALUE, NO_VALUE, slots=frozenset((BARE,))))
    if model.waits:
        listed.insert(0, Entry(shades.fill[WAITING], WAITS, ABOUT_WAITS, shades.stripes, slots=frozenset((WAITING,))))
    figured = [
        replace(
            entry,
            count=int(counts[list(entry.slots)].sum()),
            time=model.clock.short_span(float(time[list(entry.slots)].sum()), look),
        )
        for entry in listed
    ]
    return (Entry(shades.path, PATH, ABOUT_PATH, line=True), *figured) if path else tuple(figured)


def _figures(own: Colours, model: Model) -> tuple[I64, F64]:
    """(int64[256], how many slices each slot has; float64[256], the sum of their durations)."""
    slot, time = own.slots[own.key], np.zeros(256)
    time += np.bincount(slot, model.timeline.slices.duration, 256)
    return np.bincount(slot, minlength=256).astype(np.int64), time


def _label(own: Colours, slot: int, model: Model, look: Look) -> str:
    if own.by == "duration":
        return _duration(own, slot - 2, model, look)
    return own.labels[slot] or tr("(empty)") if own.by == "argument" else colours.label(own.labels[slot])


def why_colours(own: Colours) -> str:
    """What colours go by, and why that is not the category; "" where it is the category alone."""
    if own.by == "name":
        bare = tr("The file has no categories, so slices are coloured by name.")
        alike = tr("Nearly all slices have one category, so slices are coloured by name.")
        plain = tr("Numbers and addresses in names make no difference.")
        return plain if own.wanted == "name" else bare if own.bare == "all" else alike
    if own.by == "process":
        return tr("The process of the lane that a slice stands on.")
    if own.by == "duration":
        return tr("Each colour stands for a range of durations.")
    if own.by == "argument" and own.argument is not None:
        about = tr("The value of “{key}” among the arguments of each slice, as in the file.", key=own.argument.key)
        ranges = tr("Each colour stands for a range of numbers.")
        return tr("{about} {ranges}", about=about, ranges=ranges) if own.steps else about
    return tr("Slices without a category are coloured by name.") if own.bare != "no" else ""


def _duration(own: Colours, step: int, model: Model, look: Look) -> str:
    """The durations of one colour."""
    edges, clock = own.edges, model.clock
    if not edges:
        return tr("all durations")
    if step == 0:
        return tr("under {high}", high=clock.short_span(edges[0], look))
    if step == len(edges):
        return tr("{low} and more", low=clock.short_span(edges[-1], look))
    return tr("{low} to {high}", low=clock.short_span(edges[step - 1], look), high=clock.short_span(edges[step], look))
