"""One line about the distribution of the shown figure over some tiles. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from app.analysis.tile_breakdowns import Content, statistics
from app.language import labelled, plural, tr
from app.panels.tile_memory.picture import amounts
from app.profile.arrays import I64
from app.views.look import Look
from app.views.units import format_value, percent

Written: TypeAlias = Callable[[float], str]
MOST_PARTS = 3
NOT_ALL = tr("gaps not counted")
"""Shown in place of the free memory: without its gaps, a full tile would look half empty."""


def words(content: Content, part: int, tiles: I64, of: str, look: Look) -> str:
    """Maximum, sum, mean, median and max / mean of a part (-1: of all parts) over ``tiles``, described by ``of``. If
    tiles have a limit, the use of the fullest comes first, because the end of the line may be cut off."""
    values = amounts(content, part)[0][tiles].astype(np.float64)
    limit, one = content.limit if part < 0 else None, len(tiles) == 1
    tiles, values = tiles[~np.isnan(values)], values[~np.isnan(values)]
    if not len(values):
        return tr("no data{of}", of=of)
    figures = statistics(values)

    def written(amount: float, clock_hz: float | None = content.clock_hz) -> str:
        whole = int(amount) if float(amount).is_integer() else amount
        return format_value(whole, content.unit, look, clock_hz)

    if one:
        return " · ".join(_of_one(content, part, int(tiles[0]), written))
    worst = int(tiles[int(np.argmax(values))])
    parts: list[str] = [plural("{count:,} tile{of}", "{count:,} tiles{of}", count=len(tiles), of=of)]
    what = tr("fullest tile") if limit else tr("max on tile")
    most = f"{written(figures.most)}{_full(content, part, figures.most, written)}"
    parts.append(labelled(f"{what} {worst:,}", most))
    if content.adds_up:
        parts.append(tr("sum {written}", written=written(figures.total, None)))  # over tiles: no duration
    parts += [
        tr("mean {written}", written=written(figures.mean)),
        tr("median {written}", written=written(figures.median)),
    ]
    if figures.mean:
        parts.append(tr("max / mean {ratio}", ratio=f"{figures.ratio:.2f}"))
    return " · ".join(parts)


def _full(content: Content, part: int, amount: float, written: Written) -> str:
    """How full a tile is with ``amount``; "" if there is no limit."""
    limit = content.limit if part < 0 else None
    if not limit:
        return ""
    left = limit - amount
    amount_left = written(abs(left))
    room = tr("{amount} free", amount=amount_left) if left >= 0 else tr("{amount} over the limit", amount=amount_left)
    state = room if content.fills else NOT_ALL
    return tr(" ({amount} of a tile, {state})", amount=percent(100 * amount / limit), state=state)


def _of_one(content: Content, part: int, tile: int, written: Written) -> list[str]:
    """The figure of one tile, and its largest parts."""
    amount = float(amounts(content, part)[0][tile])
    texts: list[str] = [
        tr(
            "tile {tile:,}: {written}{full}",
            tile=tile,
            written=written(amount),
            full=_full(content, part, amount, written),
        )
    ]
    if part < 0 and len(content.parts) > 1:
        own = sorted(((float(values[tile]), title) for _, title, values, _ in content.parts), reverse=True)
        texts += [f"{title} {written(size)}" for size, title in own[:MOST_PARTS] if size > 0]
    return texts
