"""Colour slots of a timeline as colours of a theme."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
from msgspec import Struct

from app.profile.arrays import U32
from app.views import colours
from app.views.colours import blend, rgb, text_on
from app.views.heat.scale import ramp
from app.views.look import Theme
from app.views.timeline.colouring import OWN_SLOTS, SHARED_SLOTS
from app.views.timeline.raster import SHADES

FAINTEST = 0.5
"""How much of its colour the least filled pixel has; a slice is never too short to be seen."""
DARKER, PALER = 0.38, 0.86
WAITING_FILL, WAITING_STRIPES = 0.26, 0.62
"""How much of muted text is in the fill of slices that wait, and in their stripes: light, but never unseen."""
NO_DIFFERENCE = 0.25
"""How much of muted text is in the colour of no difference, so that it differs from the surface."""


NO_COLOURS: Final[Mapping[str, str]] = MappingProxyType({})


class Shades(Struct, frozen=True, eq=False):
    """``fill[s]``: the colour of slot s, as ``#RRGGBB`` (slot 0: no slice); ``ink[s]``: of text on it (slot 0: of text
    on whatever recedes); ``table``: uint32[slots * SHADES] for raster.shaded; ``pale``: the same, receding, for what a
    search or a selection leaves out; ``stripes``, ``pale_stripes``: the colours of the stripes through slices
    that wait; ``path``: of the critical path."""

    fill: tuple[str, ...]
    ink: tuple[str, ...]
    table: U32
    pale: U32
    stripes: str
    pale_stripes: str
    path: str

    @classmethod
    def of(
        cls,
        slot_names: tuple[str, ...],
        theme: Theme,
        scale: Mapping[str, float] | None = None,
        known: Mapping[str, str] = NO_COLOURS,
        *,
        steps: bool = False,
    ) -> Shades:
        """``scale``: how strong the signed difference is that each name stands for, -1 to 1; ``known``: colours that
        names have elsewhere, in the same theme; ``steps``: names are steps of an amount, from the least to the most."""
        named = slot_names[2:]
        if steps:
            chosen = dict(zip(named, sequential(len(named), theme), strict=True))
        elif scale is None:
            chosen = {**colours.palette(named, theme), **known}
        else:
            chosen = {name: diverging(scale.get(name, 0.0), theme) for name in named}
        none = blend(theme.surface, theme.muted, 0.6)
        shared = [theme.categories[number % len(theme.categories)] for number in range(SHARED_SLOTS)]
        spare = OWN_SLOTS - len(named)
        waiting = blend(theme.surface, theme.muted, WAITING_FILL)
        fill = (theme.surface, none, *(chosen[name] for name in named), *(none,) * spare, *shared, waiting)
        receding = tuple(blend(colour, theme.surface, PALER) for colour in fill)
        ink = (theme.muted, *(text_on(colour) for colour in fill[1:]))
        stripes = blend(theme.surface, theme.muted, WAITING_STRIPES)
        pale_stripes = blend(stripes, theme.surface, PALER)
        return cls(fill, ink, table(fill, theme), table(receding, theme), stripes, pale_stripes, theme.error)


def sequential(count: int, theme: Theme) -> list[str]:
    """Colours for so many steps of an amount, from the least to the most, all visible on the surface."""
    colours_of = ramp(theme)
    places = np.rint(np.linspace(0, len(colours_of) - 1, count)).astype(np.int64)
    rounded = np.rint(colours_of[places]).astype(np.int64).tolist()
    return [colours.fitted("#{:02X}{:02X}{:02X}".format(*parts), theme) for parts in rounded]


def diverging(strength: float, theme: Theme) -> str:
    """The colour of a signed difference, -1 to 1, around that of none."""
    none = blend(theme.surface, theme.muted, NO_DIFFERENCE)
    return blend(none, theme.more if strength > 0 else theme.less, abs(strength))


def table(fill: tuple[str, ...], theme: Theme) -> U32:
    """Each colour in SHADES steps: the surface, from faint to full by cover, and a dark one for starts."""
    colour = np.array([rgb(entry) for entry in fill], np.float64)[:, None]
    surface = np.array(rgb(theme.surface), np.float64)
    share = FAINTEST + (1 - FAINTEST) * np.arange(1, SHADES - 1) / (SHADES - 2)
    steps = surface + (colour - surface) * share[:, None]
    blank = np.broadcast_to(surface, (len(fill), 1, 3))
    parts = np.concatenate((blank, steps, colour * (1 - DARKER)), 1).round().astype(np.uint32)
    whole = 0xFF000000 | parts[..., 0] << 16 | parts[..., 1] << 8 | parts[..., 2]
    return whole.astype(np.uint32).reshape(-1)
