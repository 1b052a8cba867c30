"""Navigation: brings the panel of an item to the front and selects the item there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.widgets.abilities import ShowsLine, ShowsTable

if TYPE_CHECKING:
    from app.analysis.lookup.hit import Target
    from app.profile.selection import Kind
    from app.window.command import CommandContext

TABLES = "tables"


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
