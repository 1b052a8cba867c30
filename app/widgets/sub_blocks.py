"""The colours of an Ascend core's parts: the same in every panel. No Qt."""

from __future__ import annotations

from app.widgets.colours import GREY, KNOWN, LIME


def sub_block_colour(name: str) -> str:
    """Of "cube0", "Vector1", "aiv0" and their like: the hue of the unit that works there."""
    lowered = name.lower()
    if lowered.startswith(("cube", "aic")) and not lowered.startswith("aicore"):
        return KNOWN["CUBE"]
    if lowered.startswith(("vector", "aiv")):
        return LIME if lowered.endswith("1") else KNOWN["VECTOR"]
    return GREY
