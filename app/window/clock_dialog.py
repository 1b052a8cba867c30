"""Asks for the frequency of the clock whose cycles the times of a timeline are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from app.language import tr
from app.profile.file_state import HIGHEST_HZ, LOWEST_HZ
from app.profile.profile import Profile
from app.widgets.dialog_size import text_scale
from app.widgets.labels import Label
from app.widgets.mnemonics import mark_mnemonics
from app.widgets.number_box import NumberBox

USUAL_MHZ: Final = 1850.0
"""The clock that profilers assume for chips that they do not know (Ascend operator reports, section 4)."""
DECIMALS: Final = 6
WIDTH: Final = 320


class ClockDialog(QDialog):
    """One field, which has the keyboard; Enter accepts."""

    def __init__(self, parent: QWidget, mhz: float) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Time unit"))
        self.box = NumberBox(self)
        self.box.setDecimals(DECIMALS)
        self.box.setRange(LOWEST_HZ / 1e6, HIGHEST_HZ / 1e6)
        self.box.setValue(mhz)
        self.box.setSuffix(" MHz")
        self.box.setAccessibleName(tr("Clock frequency in MHz:"))
        self.box.selectAll()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self)
        mark_mnemonics(buttons.buttons())
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        note = Label(tr("Times of the timeline are cycles of a clock of this frequency:"), self)
        note.setWordWrap(True)
        layout.addWidget(note)
        layout.addWidget(self.box)
        layout.addWidget(buttons)
        self.setMinimumWidth(round(WIDTH * text_scale()))


def ask_clock(parent: QWidget, profile: Profile, take: Callable[[float], None]) -> None:
    """Asks for the frequency, suggested from ``profile``, and calls ``take`` with it in Hz unless it was cancelled."""
    dialog = ClockDialog(parent, suggested_mhz(profile))
    dialog.accepted.connect(lambda: take(dialog.box.value() * 1e6))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def suggested_mhz(profile: Profile) -> float:
    """The clock of the timeline, else that of the profile, else the usual one."""
    for clock in (
        profile.timeline.clock_hz if profile.timeline is not None else None,
        profile.target.clock_hz if profile.target is not None else None,
    ):
        if clock:
            return round(clock / 1e6, DECIMALS)
    return USUAL_MHZ
