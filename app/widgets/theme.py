"""Colour tokens: the user interface is muted, colour is for data."""

from __future__ import annotations

from msgspec import Struct


class Theme(Struct, frozen=True):
    """One colour for each role, as ``#RRGGBB``. ``less``, ``more``: the ends of the scale of signed differences, which
    are never told apart by colour alone; ``baseline``: outlines and marks of the baseline. ``categories`` is the
    colour-blind-safe sequence for names without a colour of their own."""

    name: str
    dark: bool
    surface: str
    raised: str
    line: str
    text: str
    muted: str
    accent: str
    ok: str
    warning: str
    error: str
    selection: str
    range: str
    hover: str
    no_data: str
    zero: str
    less: str
    more: str
    baseline: str
    categories: tuple[str, ...]


OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
TOL_MUTED = ("#332288", "#88CCEE", "#44AA99", "#117733", "#999933", "#DDCC77", "#CC6677", "#882255", "#AA4499")

LIGHT = Theme(
    name="light",
    dark=False,
    surface="#FFFFFF",
    raised="#F6F7F9",
    line="#D5D9DF",
    text="#1B1F24",
    muted="#59626E",
    accent="#2F6FEB",
    ok="#1A7F37",
    warning="#8A5A00",
    error="#C4262E",
    selection="#2F6FEB",
    range="#BBD3FB",
    hover="#1B1F24",
    no_data="#E4E7EB",
    zero="#F6F7F9",
    less="#1F5FAF",
    more="#B3560A",
    baseline="#59626E",
    categories=OKABE_ITO + TOL_MUTED,
)

DARK = Theme(
    name="dark",
    dark=True,
    surface="#16181C",
    raised="#1E2126",
    line="#343A43",
    text="#E6E8EB",
    muted="#9AA4B1",
    accent="#6EA8FE",
    ok="#4CC38A",
    warning="#E3A83B",
    error="#FF7B72",
    selection="#6EA8FE",
    range="#27405F",
    hover="#E6E8EB",
    no_data="#2B3038",
    zero="#1E2126",
    less="#67A9F0",
    more="#F0A04B",
    baseline="#9AA4B1",
    categories=OKABE_ITO + TOL_MUTED,
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK)}
