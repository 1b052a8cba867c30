"""Which lanes and counters a text leaves. No Qt."""

from __future__ import annotations

from app.widgets.timeline.model import Model


def matching(model: Model, text: str) -> tuple[frozenset[int] | None, frozenset[int] | None]:
    """(lanes, counter tracks) whose label holds all words of ``text``, in any case; (None, None), which is all of them,
    for an empty text."""
    words = text.casefold().split()
    if not words:
        return None, None

    def fits(label: str) -> bool:
        folded = label.casefold()
        return all(word in folded for word in words)

    return (
        frozenset(lane for group in model.groups for lane in group.lanes if fits(model.lane_label(lane))),
        frozenset(
            track
            for group in model.groups
            for track in group.counters
            if fits(f"{group.name} / {model.counter_label(track)}")
        ),
    )
