"""Which panel is in front: that of an item one goes to, the comparison when one begins, the details of a selection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget

from app.widgets.abilities import ShowsLine, ShowsTable

if TYPE_CHECKING:
    from app.analysis.lookup.hit import Target
    from app.profile.selection import Kind, Selection
    from app.window.command import CommandContext


TABLES = "tables"
COMPARISON: Final = "comparison"
SUMMARY, DETAILS = "summary", "details"


def go(context: CommandContext, target: Target, *, keyboard: bool) -> None:
    """Brings the panel of ``target`` to the front and selects the target; ``keyboard``: the panel gets the focus."""
    name = _panel(context, target)
    docks = context.prepare()
    if context.start_shown:
        context.show_start(False)
    if docks.bring(name):
        panel = docks.docks[name].widget()
        _show_inside(panel, target)
        if keyboard:
            docks.focus(name)
    if target.note >= 0:
        context.document.notes.choose(target.note)
    if target.selection is not None:
        context.document.selection.set(target.selection)


def bring_home(context: CommandContext, kind: Kind) -> None:
    """Brings the panel that shows items of this kind to the front, if there is one."""
    name = _home(context, kind)
    if name:
        context.prepare().bring(name)


def _panel(context: CommandContext, target: Target) -> str:
    """Returns the id of the panel that shows ``target``: its own, that of its kind, else the tables."""
    if target.panel or target.selection is None:
        return target.panel or TABLES
    return _home(context, target.selection.kind) or TABLES


def _home(context: CommandContext, kind: Kind) -> str:
    """Returns the id of the panel for a kind: a visible one, else the first that is offered; "" for none."""
    docks = context.prepare()
    homes = [name for name in docks.offered if kind in docks.docks[name].spec.shows]
    seen = [name for name in homes if docks.in_sight(name)]
    return next(iter((*seen, *homes)), "")


def _show_inside(panel: QWidget, target: Target) -> None:
    if target.text and isinstance(panel, ShowsLine):
        panel.show_line(target.text, target.line)
    if isinstance(panel, ShowsTable):
        table = target.table or _table_of(target)
        if table:
            panel.show_table(table, target.row, of_baseline=target.of_baseline)


def _table_of(target: Target) -> str:
    """Returns the id of the table whose rows are items of this kind; "" without a selection."""
    from app.analysis.kinds import KINDS

    return KINDS[target.selection.kind].tables[0] if target.selection is not None else ""


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
        if entry_id is None or docks is None or self._context.document.baselines.has(entry_id):
            return
        covered = self._covered.pop(entry_id, "")
        if covered in docks.offered and not docks.docks[covered].isHidden() and docks.in_sight(COMPARISON):
            docks.bring(covered, remember=False)


class DetailsFront(QObject):
    """Brings the details forward when something is selected, and the summary back when nothing is any more; only where
    both are tabs of one group and one of them is in front. A selection made in the summary leaves that in front, and
    pinned details stay where they are."""

    def __init__(self, context: CommandContext) -> None:
        super().__init__(context.main)
        self._context = context
        context.document.selection.changed.connect(self._follow)

    def _follow(self, selection: Selection | None) -> None:
        covered, wanted = (SUMMARY, DETAILS) if selection is not None else (DETAILS, SUMMARY)
        docks = self._context.docks
        if docks is None or not {covered, wanted} <= set(docks.offered):
            return
        keeper = docks.docks[DETAILS].keeper
        if keeper is not None and keeper.keeps_item:
            return
        dock, other = docks.docks[covered], docks.docks[wanted]
        if not dock.on_screen or other not in docks.tabifiedDockWidgets(dock) or other.isHidden():
            return
        focus = QApplication.focusWidget()
        if dock.underMouse() or (focus is not None and dock.isAncestorOf(focus)):
            return
        docks.bring(wanted, remember=False)
