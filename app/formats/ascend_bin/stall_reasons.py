"""Decodes block 0x0F: stall reasons of warps."""

from __future__ import annotations

import numpy as np

from app.formats.ascend_bin.part import Part
from app.formats.ascend_bin.values import Values
from app.profile.arrays import sealed
from app.profile.ascend import StallReasons
from app.profile.profile import Section
from app.profile.strings import Strings


def decode(part: Part) -> tuple[Section, ...]:
    """The StallReasons section (Ascend operator files, section 2.13)."""
    values = Values()
    table = part.json().get("top_stall_reason_table")
    reasons = table if isinstance(table, dict) else {}
    count = np.array([values.number(value) for value in reasons.values()], np.float64)
    part.report_odd(values)
    return (StallReasons(Strings.of(reasons), sealed(count)),)
