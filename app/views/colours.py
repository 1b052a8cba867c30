"""Colours by name: the same in every panel, and the familiar one where users know one.
Colours are ``#RRGGBB``. Colour is never the only cue: the name is in the text, the tool tip or the legend.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from zlib import crc32

from app.profile.pipes import STATES
from app.views.look import Theme

RED, AMBER, YELLOW, GREEN = "#AE3236", "#E8A50F", "#EEE57E", "#00956C"
TEAL, SKY, BLUE, VIOLET, MAGENTA = "#59C0C2", "#56B4E9", "#1F5DA5", "#B08CE4", "#892966"
ORANGE, SALMON, GREY, LIME, OLIVE, FOREST, LEAF = (
    *("#E2733B", "#EE8C74", "#8A929C", "#81BA06"),
    *("#999933", "#2E7D4F", "#84C695"),
)

# Their hues are those that users know; their lightness is what tells them apart for those who see fewer hues
# (tests/widgets/test_theme_tokens.py).
KNOWN: dict[str, str] = {
    # Poplar programs and steps, as users of the PopVision Graph Analyser know them
    "OnTileExecute": RED,
    "DoExchange": SKY,
    "GlobalExchange": BLUE,
    "StreamCopy": AMBER,
    "StreamCopyBegin": GREY,
    "StreamCopyMid": SALMON,
    "StreamCopyEnd": YELLOW,
    "Sync": YELLOW,
    "Sequence": GREEN,
    "CopySharedStructure": VIOLET,
    # Ascend pipes, as users of MindStudio Insight know them
    "SCALAR": ORANGE,
    "VECTOR": LEAF,
    "CUBE": TEAL,
    "MTE1": BLUE,
    "MTE2": MAGENTA,
    "MTE3": RED,
    "FIXP": AMBER,
    "FLOWCTRL": VIOLET,
    "CACHEMISS": FOREST,
    "ALL": OLIVE,
    "USERMARK": SKY,
    "EVENT": SALMON,
    "SET_FLAG": LIME,
    "WAIT_FLAG": SKY,
}

CHROME_NAMES: dict[str, str] = {
    "thread_state_running": "MTE1",
    "thread_state_iowait": "MTE2",
    "rail_response": "MTE3",
    "startup": "SCALAR",
    "cq_build_failed": "VECTOR",
    "background_memory_dump": "CUBE",
    "thread_state_unknown": "FIXP",
    "cq_build_passed": "FLOWCTRL",
    "thread_state_runnable": "CACHEMISS",
    "good": "ALL",
    "rail_load": "USERMARK",
    "rail_animation": "EVENT",
    "black": "SET_FLAG",
    "yellow": "WAIT_FLAG",
}
"""What the Chrome colour names of an Ascend trace mean (Ascend operator files, section 4.6)."""

BUSY_PIPES: dict[str, str] = {f"PIPE_{state}_busy": pipe for state, pipe in STATES.items()}
"""The pipes of the busy slices of PIPE_STATE records (Ascend operator reports, section 5)."""

QUIET = "#7C93B5"
"""The colour of amounts without a name."""
NEAR = 24.0
"""Colours with a smaller ``difference`` are confused where lines cross."""
READABLE = 4.5
"""Contrast of text (WCAG 2.2, 1.4.3)."""


def label(name: str) -> str:
    """The label of a category: the pipe that a Chrome colour name or a busy slice stands for, else the name itself."""
    return CHROME_NAMES.get(name) or BUSY_PIPES.get(name, name)


def colour(name: str, theme: Theme) -> str:
    """The colour of a single name: its known colour, else one of the theme's sequence chosen by a stable hash."""
    known = KNOWN.get(label(name))
    return fitted(known or theme.categories[crc32(name.encode()) % len(theme.categories)], theme)


def palette(names: Iterable[str], theme: Theme) -> dict[str, str]:
    """Colours of names shown together: as ``colour``, but two names without a known colour share one only when the
    sequence is used up. The same set of names always gets the same colours, in any order."""
    wanted = sorted(set(names))
    taken = {KNOWN[label(name)] for name in wanted if label(name) in KNOWN}
    sequence = theme.categories
    chosen: dict[str, str] = {}
    for name in wanted:
        base = KNOWN.get(label(name))
        if base is None:
            start = crc32(name.encode()) % len(sequence)
            turn = [sequence[(start + step) % len(sequence)] for step in range(len(sequence))]
            base = next((entry for entry in turn if entry not in taken), turn[0])
            taken.add(base)
        chosen[name] = fitted(base, theme)
    return chosen


def apart(names: tuple[str, ...], theme: Theme) -> tuple[str, ...]:
    """One colour for each of ``names``, in order: as ``colour``, unless it is too close to an earlier one (or the name
    is repeated); then the one of the sequence farthest from all earlier ones."""
    chosen: list[str] = []
    for name in names:
        own = colour(name, theme)
        if any(difference(own, other) < NEAR for other in chosen):
            others = [fitted(entry, theme) for entry in theme.categories]
            own = max(others, key=lambda entry: min(difference(entry, other) for other in chosen))
        chosen.append(own)
    return tuple(chosen)


def text_on(fill: str) -> str:
    """White if it is legible on ``fill``, else black; one of the two always reaches a contrast of 4.5."""
    return "#FFFFFF" if contrast("#FFFFFF", fill) >= READABLE else "#000000"


@lru_cache(maxsize=1024)
def legible(ink: str, ground: str) -> str:
    """``ink`` shifted towards black or white until text in it is legible on ``ground``."""
    end = text_on(ground)
    steps = (blend(ink, end, step / 20) for step in range(20))
    return next((moved for moved in steps if contrast(moved, ground) >= READABLE), end)


@lru_cache(maxsize=1024)
def fitted(fill: str, theme: Theme) -> str:
    """``fill`` shifted towards white (in a dark theme) or black until it contrasts with the surface."""
    for step in range(21):
        moved = blend(fill, "#FFFFFF" if theme.dark else "#000000", step / 20)
        if contrast(moved, theme.surface) >= theme.faintest:
            return moved
    return fill


def blend(a: str, b: str, share: float) -> str:
    """Mixes two colours linearly: ``share`` 0 gives ``a``, 1 gives ``b``."""
    mixed = (round(x + (y - x) * share) for x, y in zip(rgb(a), rgb(b), strict=True))
    return "#{:02X}{:02X}{:02X}".format(*mixed)


def rgb(colour: str) -> tuple[int, int, int]:
    value = int(colour[1:7], 16)
    return value >> 16, value >> 8 & 255, value & 255


def contrast(a: str, b: str) -> float:
    """Contrast ratio, 1 to 21 (WCAG 2.1, relative luminance)."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=1024)
def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear(colour: str) -> tuple[float, float, float]:
    """Linear-light red, green and blue, 0 to 1 (sRGB)."""
    parts = [part / 255 for part in rgb(colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def difference(a: str, b: str) -> float:
    """Perceived difference of two colours: their distance in CIELAB (CIE 1976), 0 to about 250; above 20 clearly
    different."""
    return math.dist(_lab(a), _lab(b))


@lru_cache(maxsize=1024)
def _lab(colour: str) -> tuple[float, float, float]:
    """CIELAB coordinates (L*, a*, b*; white point D65)."""
    red, green, blue = linear(colour)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, luminance(colour), z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def sub_block_colour(name: str) -> str:
    """The colour of "cube0", "Vector1", "aiv0" and the like: that of the unit."""
    lowered = name.lower()
    if lowered.startswith(("cube", "aic")) and not lowered.startswith("aicore"):
        return KNOWN["CUBE"]
    if lowered.startswith(("vector", "aiv")):
        return LIME if lowered.endswith("1") else KNOWN["VECTOR"]
    return GREY


def packed(colour: str) -> int:
    """``#RRGGBB`` as 0xffRRGGBB."""
    red, green, blue = rgb(colour)
    return 0xFF000000 | red << 16 | green << 8 | blue
