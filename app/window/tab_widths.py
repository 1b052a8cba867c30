"""How tabs share the width of their bar. No Qt."""

from __future__ import annotations

from collections.abc import Sequence


def shared_widths(wanted: Sequence[int], room: int, *, least: int, shown: int = -1) -> list[int]:
    """Widths of tabs that want ``wanted`` pixels. Where there is not room for all, narrow ones keep what they want
    and the others get the same; ``shown`` (an index) gets what it wants, up to half the room. None is narrower than
    ``least`` unless it wants to be: beyond that the bar scrolls."""
    if sum(wanted) <= room:
        return list(wanted)
    first = min(wanted[shown], max(least, room // 2)) if 0 <= shown < len(wanted) else 0
    others = [width for place, width in enumerate(wanted) if place != shown]
    most = max(least, common_limit(others, room - first))
    widths = [min(width, most) for width in wanted]
    if 0 <= shown < len(wanted):
        widths[shown] = max(first, widths[shown])
    return widths


def common_limit(wanted: Sequence[int], room: int) -> int:
    """The largest limit under which the sum of ``wanted`` is at most ``room``."""
    left = room
    for place, width in enumerate(sorted(wanted)):
        share = left // (len(wanted) - place)
        if width > share:
            return share
        left -= width
    return max(wanted, default=room)
