"""Sets of indices as text: ``0-63,128``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

MOST: Final = 65_536
"""Numbers that a text may stand for."""
_PART: Final = re.compile(r"(\d{1,12})(?:-(\d{1,12}))?")


def written(numbers: Iterable[int], longest: int) -> tuple[str, int]:
    """(the text of the first numbers, in their order, as many as fit into ``longest`` characters; how many these are).
    At least one."""
    parts: list[str] = []
    room, count = longest, 0
    for first, end in _stretches(numbers):
        last = min(end, first + MOST - count - 1)
        part = str(first) if first == last else f"{first}-{last}"
        room -= len(part) + 1
        if last < first or (parts and room < 0):
            break
        parts.append(part)
        count += last - first + 1
    return ",".join(parts), count


def parse(text: str) -> tuple[int, ...] | None:
    """The numbers; None if the text is invalid or stands for more than MOST."""
    numbers: list[int] = []
    for part in text.split(","):
        match = _PART.fullmatch(part)
        if match is None:
            return None
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first or last - first + 1 + len(numbers) > MOST:
            return None
        numbers += range(first, last + 1)
    return tuple(numbers)


def _stretches(numbers: Iterable[int]) -> Iterable[tuple[int, int]]:
    """Consecutive numbers together, as (first, last)."""
    first = last = -2
    for number in numbers:
        if number == last + 1:
            last = number
            continue
        if first >= 0:
            yield first, last
        first = last = number
    if first >= 0:
        yield first, last
