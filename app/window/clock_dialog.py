"""Asks for the frequency of the clock whose cycles the times of a timeline are."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QInputDialog, QWidget

from app.language import tr
from app.profile.chosen_unit import HIGHEST_HZ, LOWEST_HZ
from app.profile.profile import Profile

USUAL_MHZ: Final = 1850.0
"""The clock that profilers assume for chips that they do not know (Ascend operator reports, section 4)."""
DECIMALS: Final = 6


def ask_clock(parent: QWidget, profile: Profile) -> float | None:
    """The frequency in Hz, suggested from ``profile``; None if the dialog was cancelled."""
    value, accepted = QInputDialog.getDouble(
        parent,
        tr("Time unit"),
        tr("Clock frequency in MHz:"),
        suggested_mhz(profile),
        LOWEST_HZ / 1e6,
        HIGHEST_HZ / 1e6,
        DECIMALS,
    )
    return value * 1e6 if accepted else None


def suggested_mhz(profile: Profile) -> float:
    """The clock of the timeline, else that of the profile, else the usual one."""
    for clock in (
        profile.timeline.clock_hz if profile.timeline is not None else None,
        profile.target.clock_hz if profile.target is not None else None,
    ):
        if clock:
            return round(clock / 1e6, DECIMALS)
    return USUAL_MHZ
