"""Bars of one block's compute units."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.analysis.ascend.workload import MEAN, Share, block_shares, blocks
from app.language import tr
from app.profile.profile import Profile
from app.views.chart.bars import BarsPicture, NamedBar, bars_picture
from app.views.colours import sub_block_colour
from app.views.look import Look
from app.views.theme import Theme
from app.views.units import cycles_and_time, exact, percent, plain
from app.widgets.chart.scene import ChartPainter


def block_name(block: str) -> str:
    """``block 3``; a description if it is not a single block."""
    if block == MEAN:
        return tr("mean of the cores")
    return tr("block {block}", block=block) if block else tr("block without an id")


def picture_of(units: Sequence[Share], block: str, clock_hz: float | None) -> BarsPicture:
    """A bar per compute unit, of 100 %."""
    bars = tuple(
        NamedBar(share.name, share.sub_block, share.percent, sub_block_colour(share.sub_block), _tip(share, clock_hz))
        for share in units
    )
    return bars_picture(title_of(block), "%", bars, 100.0)


def title_of(block: str) -> str:
    return tr("Pipe utilisation, {block_name}", block_name=block_name(block))


def _tip(share: Share, clock_hz: float | None) -> str:
    return f"{named(share)}\n{about(share, clock_hz)}"


def named(share: Share) -> str:
    """The computing unit and its sub-block."""
    return f"{share.name}, {share.sub_block}" if share.sub_block else share.name


def about(share: Share, clock_hz: float | None) -> str:
    """The share of the cycles, and these."""
    lines: list[str] = []
    known = share.percent == share.percent
    full = f" ({exact(share.percent, '%')})" if known and round(share.percent, 1) != share.percent else ""
    lines.append(
        tr(
            "{percent} of the cycles of {sub_block}{full}",
            percent=percent(share.percent),
            sub_block=share.sub_block or tr("its block"),
            full=full,
        )
        if known
        else tr("no data")
    )
    if share.cycles == share.cycles:
        of = tr(" of {total}", total=plain(share.total)) if share.total == share.total else ""
        lines.append(
            tr("Cycles: {cycles_and_time}{of}", cycles_and_time=cycles_and_time(share.cycles, clock_hz), of=of)
        )
    return "\n".join(lines)


def offered(profile: Profile) -> bool:
    return any(block_shares(profile, block) for block in blocks(profile)[:1])


def draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    first = blocks(profile)[0]
    clock = profile.target.clock_hz if profile.target is not None else None
    picture, look = picture_of(block_shares(profile, first), first, clock), Look(theme=theme)
    ChartPainter().draw_whole(painter, picture.chart(look), place, look)
