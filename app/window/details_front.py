"""Details take the place of the summary while something is selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from app.profile.selection import Selection
    from app.window.command import CommandContext

SUMMARY, DETAILS = "summary", "details"


class DetailsFront(QObject):
    """Brings the details forward when something is selected, and the summary back when nothing is any more; only where
    both are tabs of one group and one of them is in front. A selection made in the summary leaves that in front."""

    def __init__(self, context: CommandContext) -> None:
        super().__init__(context.main)
        self._context = context
        context.document.selection.changed.connect(self._follow)

    def _follow(self, selection: Selection | None) -> None:
        covered, wanted = (SUMMARY, DETAILS) if selection is not None else (DETAILS, SUMMARY)
        docks = self._context.docks
        if docks is None or not {covered, wanted} <= set(docks.offered):
            return
        dock, other = docks.docks[covered], docks.docks[wanted]
        if not dock.on_screen or other not in docks.tabifiedDockWidgets(dock) or other.isHidden():
            return
        focus = QApplication.focusWidget()
        if dock.underMouse() or (focus is not None and dock.isAncestorOf(focus)):
            return
        docks.bring(wanted, remember=False)
