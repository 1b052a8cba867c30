"""What is left out of a timeline's picture at the moment, in words."""

from __future__ import annotations

from heapq import nsmallest
from typing import Literal, TypeAlias

from msgspec import Struct

from app.language import plural, tr
from app.views.timeline.legend_entries import entries
from app.views.timeline.state import Shown

FilterKind: TypeAlias = Literal["lanes", "hidden_lanes", "names", "only", "colours", "pipes"]
MOST_NAMED = 8
"""Names that are listed in a tool tip."""


class ActingFilter(Struct, frozen=True):
    """``text``: what it leaves, in a few words; ``names``: what it is about, MOST_NAMED of ``count`` at most."""

    kind: FilterKind
    text: str
    names: tuple[str, ...] = ()
    count: int = 0

    @property
    def tip(self) -> str:
        """All of it, line by line."""
        rest = self.count - len(self.names)
        more = (tr("and {count:,} more", count=rest),) if rest > 0 else ()
        return "\n".join((self.text, *self.names, *more))


def acting_filters(shown: Shown) -> tuple[ActingFilter, ...]:
    """The filters that act on a timeline."""
    lanes, contents, model = shown.lanes, shown.contents, shown.model
    filters: list[ActingFilter] = []
    words = lanes.filter.strip()
    if words:
        filters.append(ActingFilter("lanes", tr("Lanes with “{words}”", words=words)))
    if lanes.any_hidden:
        count = len(lanes.hidden) + len(lanes.hidden_counters)
        first, counters = nsmallest(MOST_NAMED, lanes.hidden), nsmallest(MOST_NAMED, lanes.hidden_counters)
        names = (*map(model.lane_label, first), *map(model.counter_path, counters))[:MOST_NAMED]
        text = plural("{count:,} lane hidden", "{count:,} lanes hidden", count=count)
        filters.append(ActingFilter("hidden_lanes", text, names, count))
    if contents.hidden:
        count = len(contents.hidden)
        text = plural("{count:,} name hidden", "{count:,} names hidden", count=count)
        filters.append(ActingFilter("names", text, tuple(nsmallest(MOST_NAMED, contents.hidden)), count))
    if contents.only:
        kept, count = tuple(nsmallest(MOST_NAMED, contents.only)), len(contents.only)
        one = tr("Only slices named “{name}”", name=kept[0])
        text = one if count == 1 else tr("Only slices with {count:,} names", count=count)
        filters.append(ActingFilter("only", text, kept, count))
    if contents.only_slots:
        filters.append(_colours_left(shown))
    if contents.noise is not None:
        filters.append(ActingFilter("pipes", tr("Pipes only"), (contents.noise.text,)))
    return tuple(filters)


def _colours_left(shown: Shown) -> ActingFilter:
    """The entries of the legend that are left."""
    own, only = shown.contents.colours, shown.contents.only_slots
    left = tuple(entry.label for entry in entries(shown.model, own, shown.shades, shown.look) if entry.slots & only)
    if len(left) == 1:
        return ActingFilter("colours", tr("Only colour “{name}”", name=left[0]), (), 0)
    text = plural("Only {count:,} colour", "Only {count:,} colours", count=len(left))
    return ActingFilter("colours", text, left[:MOST_NAMED], len(left))
