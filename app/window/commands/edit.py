"""Copying, finding in a panel, clearing and undoing ranges and selections."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.language import tr
from app.profile.selection import Ranges
from app.widgets.abilities import FiltersColumns, HandlesEscape
from app.window.chips import has_any
from app.window.command import Command, CommandContext
from app.window.copying import can_copy, can_copy_cell, copied, copied_cell
from app.window.panel_finding import can_find, start_find
from app.window.reach import nearest


def _copy(context: CommandContext) -> None:
    text = copied(context.keys.last_focus)
    if text:
        QGuiApplication.clipboard().setText(text)


def _copy_cell(context: CommandContext) -> None:
    text = copied_cell(context.keys.last_focus)
    if text:
        QGuiApplication.clipboard().setText(text)


def _table(context: CommandContext) -> FiltersColumns | None:
    return nearest(context.keys.last_focus, FiltersColumns)


def _filter_column(context: CommandContext) -> None:
    table = _table(context)
    if table is not None:
        table.filter_column()


def _taken_back(focus: QWidget) -> bool:
    """Cancels the innermost operation (drag, search, filter) around ``focus``; returns False if there was none."""
    here: HandlesEscape | None = nearest(focus, HandlesEscape)
    while here is not None and not here.handle_escape():
        around = here.parentWidget() if isinstance(here, QWidget) else None
        here = nearest(around, HandlesEscape)
    return here is not None


def _clear(context: CommandContext) -> None:
    """Clears one thing per call, the innermost first: an operation in the panel, the search, the ranges, the selection
    and the chosen note."""
    document, focus = context.document, context.keys.last_focus
    if focus is not None and focus.isVisible() and _taken_back(focus):
        return
    if context.omnibox.clear_search():
        return
    if has_any(document.ranges.value):
        document.ranges.set(Ranges())
    else:
        document.selection.clear()
        document.notes.choose(None)


COMMANDS: tuple[Command, ...] = (
    Command(
        "edit.copy",
        tr("Copy"),
        "Edit",
        _copy,
        ("Ctrl+C",),
        enabled=lambda context: can_copy(context.keys.last_focus),
        places=("panel",),
        help=tr("The selected rows of a table with their header, as tab-separated text."),
    ),
    Command(
        "edit.copy_cell",
        tr("Copy cell"),
        "Edit",
        _copy_cell,
        ("Ctrl+Shift+C",),
        enabled=lambda context: can_copy_cell(context.keys.last_focus),
        places=("cell", "node"),
        help=tr("The one cell that the cursor is on, without a header."),
    ),
    Command(
        "edit.find",
        tr("Find in panel"),
        "Edit",
        lambda context: start_find(context.keys.last_focus),
        ("Ctrl+F",),
        enabled=lambda context: can_find(context.keys.last_focus),
        places=("panel",),
    ),
    Command(
        "edit.filter_column",
        tr("Filter by column…"),
        "Edit",
        _filter_column,
        ("Ctrl+Shift+F",),
        enabled=lambda context: _table(context) is not None,
        places=("header", "cell"),
        help=tr("Which values, or which stretch of numbers, of the column of the current cell are shown."),
    ),
    Command(
        "edit.clear_range",
        tr("Clear range"),
        "Edit",
        lambda context: context.document.ranges.set(Ranges()),
        enabled=lambda context: has_any(context.document.ranges.value),
        places=("range",),
        separator=True,
        help=tr("Figures are of everything again."),
    ),
    Command(
        "edit.undo_range",
        tr("Undo range"),
        "Edit",
        lambda context: context.document.ranges.undo(),
        ("Ctrl+Z",),
        enabled=lambda context: context.document.ranges.can_undo(),
        help=tr("The range that figures followed before."),
    ),
    Command(
        "edit.redo_range",
        tr("Redo range"),
        "Edit",
        lambda context: context.document.ranges.redo(),
        ("Ctrl+Shift+Z", "Ctrl+Y"),
        enabled=lambda context: context.document.ranges.can_redo(),
    ),
    Command(
        "edit.clear",
        tr("Clear search, range, selection"),
        "Edit",
        _clear,
        ("Esc",),
        help=tr(
            "One step each time: search or filter of the panel, the search of everything, the ranges, the selection."
        ),
    ),
)
