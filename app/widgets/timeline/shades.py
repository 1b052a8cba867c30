"""Colour slots of a timeline as colours of a theme. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.profile.arrays import U32
from app.widgets import colours
from app.widgets.colours import blend, rgb, text_on
from app.widgets.theme import Theme
from app.widgets.timeline.model import OWN_SLOTS, SHARED_SLOTS
from app.widgets.timeline.raster import SHADES

FAINTEST = 0.38
"""How much of its colour the least filled pixel has; a slice is never too short to be seen."""
DARKER, PALER = 0.38, 0.82


@dataclass(frozen=True, slots=True, eq=False)
class Shades:
    """``fill[s]``: the colour of slot s, as ``#RRGGBB``; ``ink[s]``: of text on it; ``table``: uint32[slots * SHADES]
    for raster.shaded; ``pale``: the same, receding, for what a search leaves out."""

    fill: tuple[str, ...]
    ink: tuple[str, ...]
    table: U32
    pale: U32

    @classmethod
    def of(cls, slot_names: tuple[str, ...], theme: Theme) -> Shades:
        named = slot_names[2:]
        chosen = colours.palette(named, theme)
        none = blend(theme.surface, theme.muted, 0.6)
        shared = [theme.categories[number % len(theme.categories)] for number in range(SHARED_SLOTS)]
        spare = OWN_SLOTS - len(named)
        fill = (theme.surface, none, *(chosen[name] for name in named), *(none,) * spare, *shared)
        receding = tuple(blend(colour, theme.surface, PALER) for colour in fill)
        return cls(fill, tuple(text_on(colour) for colour in fill), table(fill, theme), table(receding, theme))


def table(fill: tuple[str, ...], theme: Theme) -> U32:
    """Each colour in SHADES steps: the surface, from faint to full by cover, and a dark one for starts."""
    rows = []
    for colour in fill:
        steps = [theme.surface]
        steps += [blend(theme.surface, colour, FAINTEST + (1 - FAINTEST) * (n + 1) / 15) for n in range(SHADES - 2)]
        steps.append(blend(colour, "#000000", DARKER))
        rows.append([packed(step) for step in steps])
    return np.array(rows, np.uint32).reshape(-1)


def packed(colour: str) -> int:
    """``#RRGGBB`` as 0xffRRGGBB."""
    red, green, blue = rgb(colour)
    return 0xFF000000 | red << 16 | green << 8 | blue
