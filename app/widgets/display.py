"""The current units and theme, which every widget reads and watches."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.views.look import Look, Theme


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
