"""Colours of the sub-blocks of an Ascend core, the same in every panel. No Qt."""

from __future__ import annotations

from app.widgets.colours import GREY, KNOWN, LIME


def sub_block_colour(name: str) -> str:
    """The colour of "cube0", "Vector1", "aiv0" and the like: that of the unit."""
    lowered = name.lower()
    if lowered.startswith(("cube", "aic")) and not lowered.startswith("aicore"):
        return KNOWN["CUBE"]
    if lowered.startswith(("vector", "aiv")):
        return LIME if lowered.endswith("1") else KNOWN["VECTOR"]
    return GREY
