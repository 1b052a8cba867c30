"""Formats by the family of machines that they come from: what layouts and tabs go by."""

from __future__ import annotations

TITLES = {"poplar": "Poplar", "ascend": "Ascend", "popef": "PopEF", "tensorflow": "TensorFlow", "trace": "Ascend"}
_OF_FORMAT = {"ascend-trace": "trace", "tensor-map": "tensorflow"}
"""Formats whose profiles look otherwise than their first word says."""


def family(format_id: str) -> str:
    """The family that a format belongs to ("other" for none); its layout is kept for all of it."""
    found = _OF_FORMAT.get(format_id, format_id.split("-", 1)[0])
    return found if found in TITLES else "other"


def family_title(format_id: str) -> str:
    """How people call it; "" where there is no family."""
    return TITLES.get(family(format_id), "")
