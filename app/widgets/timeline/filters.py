"""What is left out of a timeline's picture at the moment, in words. No Qt."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from app.language import plural, tr
from app.widgets.timeline.state import Shown

FilterKind: TypeAlias = Literal["lanes", "hidden_lanes", "names", "pipes"]
MOST_NAMED = 8
"""Names that are listed in a tool tip."""


class ActingFilter(Struct, frozen=True):
    """``text``: what it leaves, in a few words; ``names``: what it is about."""

    kind: FilterKind
    text: str
    names: tuple[str, ...] = ()

    @property
    def tip(self) -> str:
        """All of it, line by line."""
        rest = len(self.names) - MOST_NAMED
        more = (tr("and {count:,} more", count=rest),) if rest > 0 else ()
        return "\n".join((self.text, *self.names[:MOST_NAMED], *more))


def acting_filters(shown: Shown) -> tuple[ActingFilter, ...]:
    """The filters that act on a timeline."""
    lanes, contents, model = shown.lanes, shown.contents, shown.model
    filters: list[ActingFilter] = []
    words = lanes.filter.strip()
    if words:
        filters.append(ActingFilter("lanes", tr("Lanes with “{words}”", words=words)))
    if lanes.any_hidden:
        count = len(lanes.hidden) + len(lanes.hidden_counters)
        names = (*map(model.lane_label, sorted(lanes.hidden)), *map(model.counter_path, sorted(lanes.hidden_counters)))
        text = plural("{count:,} lane hidden", "{count:,} lanes hidden", count=count)
        filters.append(ActingFilter("hidden_lanes", text, names))
    if contents.hidden:
        text = plural("{count:,} name hidden", "{count:,} names hidden", count=len(contents.hidden))
        filters.append(ActingFilter("names", text, tuple(sorted(contents.hidden))))
    if contents.noise is not None:
        filters.append(ActingFilter("pipes", tr("Pipes only"), (contents.noise.text,)))
    return tuple(filters)
