"""How views look: colour tokens, and theme, units and access, which every view follows."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

TextColour: TypeAlias = Literal["text", "muted", "ok", "warning", "error"]
"""The fields of a theme that sentences are written in."""


class Theme(Struct, frozen=True):
    """One colour for each role, as ``#RRGGBB``. ``line``: hairlines that only separate; ``border``: outlines of fields,
    boxes and sliders, which a person must see to use them; ``disabled``: texts of what cannot be used now; ``focus``:
    the ring around what has the keyboard; ``control``: the ground of buttons and fields, ``control_hover`` under the
    pointer and ``control_on`` while checked or pressed. ``less``, ``more``: the ends of the scale of signed
    differences, which are never told apart by colour alone; ``baseline``: outlines and marks of the baseline.
    ``categories`` is the colour-blind-safe sequence for names without a colour of their own. ``faintest``: least
    contrast of such a fill against ``surface``."""

    name: str
    dark: bool
    faintest: float
    surface: str
    raised: str
    line: str
    border: str
    disabled: str
    control: str
    control_hover: str
    control_on: str
    focus: str
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

    def of(self, colour: TextColour) -> str:
        """The colour of that name."""
        value: str = getattr(self, colour)
        return value


OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#F0E442", "#56B4E9", "#D55E00", "#CC79A7")
TOL_MUTED = ("#117733", "#AA4499", "#999933", "#88CCEE", "#882255", "#DDCC77", "#44AA99", "#332288", "#CC6677")
"""Both in the order in which neighbours, the last and the first included, differ most for every kind of colour vision
(``tests/widgets/test_theme_tokens.py``)."""

LIGHT = Theme(
    name="light",
    dark=False,
    faintest=1.55,
    surface="#FFFFFF",
    raised="#F6F7F9",
    line="#DDE1E6",
    border="#868E99",
    disabled="#868E99",
    control="#FFFFFF",
    control_hover="#E8EBEF",
    control_on="#DCE8FD",
    focus="#2A69E6",
    text="#1B1F24",
    muted="#59626E",
    accent="#2A69E6",
    ok="#1A7F37",
    warning="#8A5A00",
    error="#C4262E",
    selection="#2A69E6",
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
    faintest=2.1,
    surface="#16181C",
    raised="#1E2126",
    line="#343A43",
    border="#737D8B",
    disabled="#737D8B",
    control="#24282E",
    control_hover="#2F353D",
    control_on="#27405F",
    focus="#6EA8FE",
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

CONTRAST = Theme(
    name="contrast",
    dark=True,
    faintest=3.0,
    surface="#000000",
    raised="#0B0B0B",
    line="#8C8C8C",
    border="#FFFFFF",
    disabled="#8C8C8C",
    control="#000000",
    control_hover="#333333",
    control_on="#00406B",
    focus="#FFD60A",
    text="#FFFFFF",
    muted="#D6D6D6",
    accent="#6FD3FF",
    ok="#5CE08A",
    warning="#FFC94D",
    error="#FF9189",
    selection="#6FD3FF",
    range="#00406B",
    hover="#FFFFFF",
    no_data="#333333",
    zero="#0B0B0B",
    less="#7CC4FF",
    more="#FFB366",
    baseline="#D6D6D6",
    categories=OKABE_ITO + TOL_MUTED,
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK, CONTRAST)}


class Look(Struct, frozen=True):
    """Theme, units and access. ``bytes_as``: KiB (1,024), kB (1,000) or plain bytes; ``cycles_as``: cycles, or time
    where the clock is known; ``text_size``: of texts in percent of the system's; ``still``: nothing may move by
    itself."""

    theme: Theme = LIGHT
    bytes_as: Literal["KiB", "kB", "B"] = "KiB"
    cycles_as: Literal["cycles", "time"] = "cycles"
    text_size: int = 100
    still: bool = False
