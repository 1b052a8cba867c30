"""Brings the Comparison panel to the front when a comparison begins, and puts it back when it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from app.window.command import CommandContext

COMPARISON: Final = "comparison"


class ComparisonFront(QObject):
    """The panel that it covers comes back when the comparison ends, if the Comparison panel is still in front."""

    def __init__(self, context: CommandContext) -> None:
        super().__init__(context.main)
        self._context = context
        self._covered: dict[int, str] = {}
        baselines = context.document.baselines
        baselines.begun.connect(self.begin)
        baselines.changed.connect(self._follow)

    def begin(self, entry_id: int) -> None:
        """Show the panel, if this profile is the one that is shown."""
        if entry_id != self._context.document.current_id:
            return
        docks = self._context.prepare()
        if COMPARISON not in docks.offered or docks.in_sight(COMPARISON):
            return
        covered = docks.instead_of(docks.docks[COMPARISON])
        if covered is not None:
            self._covered[entry_id] = covered.spec.id
        docks.bring(COMPARISON, remember=False)

    def _follow(self) -> None:
        entry_id, docks = self._context.document.current_id, self._context.docks
        if entry_id is None or docks is None or self._context.document.baselines.of(entry_id) is not None:
            return
        covered = self._covered.pop(entry_id, "")
        if covered in docks.offered and not docks.docks[covered].isHidden() and docks.in_sight(COMPARISON):
            docks.bring(covered, remember=False)
