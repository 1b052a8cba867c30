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

    groups = model.groups
    names = [groups.group_name(group) for group in range(len(groups))] if len(groups.counters) else []
    tracks = zip(groups.counters.tolist(), groups.of_counters().tolist(), strict=True)
    return (
        frozenset(lane for lane in groups.lanes.tolist() if fits(model.lane_label(lane))),
        frozenset(track for track, group in tracks if fits(f"{names[group]} / {model.counter_label(track)}")),
    )
