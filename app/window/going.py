"""Gets to the place of a thing: its panel in front, the thing selected there."""

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
    """Brings the panel of ``target`` to the front (``keyboard``: which then has the keyboard) and selects it."""
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
    """The panel in which things of this kind have their place comes to the front."""
    name = _home(context, kind)
    if name:
        context.prepare().bring(name)


def _panel(context: CommandContext, target: Target) -> str:
    """The id of the panel that shows ``target``: that of its kind, else the tables."""
    if target.panel or target.selection is None:
        return target.panel or TABLES
    return _home(context, target.selection.kind) or TABLES


def _home(context: CommandContext, kind: Kind) -> str:
    """The panel for a kind: one that is seen already, else the first that is offered; "" for none."""
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
            panel.show_table(table, target.row)


def _table_of(target: Target) -> str:
    """The table whose rows are things of this kind."""
    from app.analysis.kinds import KINDS

    return KINDS[target.selection.kind].tables[0] if target.selection is not None else ""
