"""Colours of peak shares."""

from __future__ import annotations

from bisect import bisect_right

from app.views.colours import blend
from app.views.theme import Theme

STOPS = (0.0, 20.0, 40.0, 60.0, 80.0, 100.0)
"""Percent; colours are interpolated linearly between stops (Ascend operator files, section 3.2)."""
_COLOURS = ("#4C008A", "#C42627", "#FF5F03", "#FFC55B", "#FCC95E")
_FULL = {True: "#FFFFFF", False: "#E9E9E9"}
FAMILIES = {"shared": "#0062DC", "vector": "#75A105", "cube": "#279C6E"}
"""Colours of box families: memories shared by all cores, vector cores, cube cores."""


def stops(theme: Theme) -> tuple[tuple[float, str], ...]:
    """(percent, colour) along the ramp."""
    return tuple(zip(STOPS, (*_COLOURS, _FULL[theme.dark]), strict=True))


def shade(peak: float | None, theme: Theme) -> str | None:
    """The colour of a share; None if there is no share, or an impossible one outside of 0 to 100."""
    if peak is None or not STOPS[0] <= peak <= STOPS[-1]:
        return None
    ramp = stops(theme)
    place = min(bisect_right(STOPS, peak), len(STOPS) - 1)
    (low, first), (high, second) = ramp[place - 1], ramp[place]
    return blend(first, second, (peak - low) / (high - low))
