"""Parsing and formatting of tile sets: ``0-63,128`` or ``ipu 1``."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from app.language import tr
from app.profile.arrays import I64, distinct

EXAMPLE: Final = "0-63,128"
_PART = re.compile(r"(?:(ipu)\s*)?(\d{1,12})(?:\s*[-–:]\s*(\d{1,12}))?\s*", re.IGNORECASE)
_LONGEST: Final = 60


class BadTiles(ValueError):
    """A text that names no valid tiles; the message says why."""


def parse(text: str, count: int, per_ipu: int | None = None) -> I64:
    """int64, ascending, unique: the tiles below ``count`` that ``text`` names. Parts are numbers, ranges (both ends
    included), or IPUs if ``per_ipu`` is known; BadTiles if a part is invalid or starts beyond the last tile."""
    chosen = np.zeros(count, np.bool_)
    parts = [part for part in re.split(r"[,;]", text) if part.strip()]
    if not parts:
        raise BadTiles(tr("Enter tiles such as {example}", example=EXAMPLE))
    for part in parts:
        match = _PART.fullmatch(part.strip())
        if match is None:
            raise BadTiles(
                tr(
                    "“{part}” is not a tile; enter numbers and ranges such as {example}",
                    part=part.strip()[:_LONGEST],
                    example=EXAMPLE,
                )
            )
        first, last = int(match[2]), int(match[3] or match[2])
        if match[1]:
            if not per_ipu or per_ipu < 0:
                raise BadTiles(tr("The file does not state how many tiles an IPU has"))
            first, last = first * per_ipu, last * per_ipu + per_ipu - 1
        if first > last:
            first, last = last, first
        if first >= count:
            raise BadTiles(
                tr("There is no tile {first:,}; the last one is {count:,}", first=first, count=count - 1)
                if count
                else tr("There are no tiles")
            )
        chosen[first : last + 1] = True
    return np.flatnonzero(chosen).astype(np.int64)


def written(tiles: I64, longest: int = _LONGEST) -> str:
    """The text that ``parse`` accepts; "" for no tiles, or if it would be longer than ``longest``."""
    if not len(tiles):
        return ""
    tiles = distinct(tiles)
    breaks = np.flatnonzero(np.diff(tiles) != 1)
    starts, ends = np.concatenate(([0], breaks + 1)), np.concatenate((breaks, [len(tiles) - 1]))
    parts: list[str] = []
    room = longest
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        first, last = int(tiles[start]), int(tiles[end])
        parts.append(f"{first}" if first == last else f"{first}-{last}")
        room -= len(parts[-1]) + 1
        if room < 0:
            return ""
    return ",".join(parts)
