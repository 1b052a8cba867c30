"""The current units and theme, which every widget reads and watches."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.widgets.theme import LIGHT, Theme


class Look(Struct, frozen=True):
    """Theme, units and access. ``bytes_as``: KiB (1,024), kB (1,000) or plain bytes; ``cycles_as``: cycles, or time
    where the clock is known; ``text_size``: of texts in percent of the system's; ``still``: nothing may move by
    itself."""

    theme: Theme = LIGHT
    bytes_as: Literal["KiB", "kB", "B"] = "KiB"
    cycles_as: Literal["cycles", "time"] = "cycles"
    text_size: int = 100
    still: bool = False


class Display(QObject):
    """The current Look; the signal ``changed`` carries the new one."""

    changed = Signal(object)

    def __init__(self, look: Look | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.look = look or Look()

    @property
    def theme(self) -> Theme:
        return self.look.theme

    def set(self, **changes: object) -> None:
        """Replaces fields of the look by name."""
        look = replace(self.look, **changes)
        if look != self.look:
            self.look = look
            self.changed.emit(look)
