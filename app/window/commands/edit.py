"""Copying, finding in a panel, clearing and undoing ranges and selections."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.language import tr
from app.profile.selection import Ranges
from app.widgets.abilities import CopiesText, FiltersColumns, HandlesEscape
from app.window.command import Command, CommandContext, focused, nearest
from app.window.copying import can_copy, can_copy_cell, copied, copied_cell
from app.window.finding import can_find, start_find
from app.window.footer import has_any

TABLE = focused(FiltersColumns)


def _copy(context: CommandContext) -> None:
    text = copied(context.keys.last_focus)
    if text:
        QGuiApplication.clipboard().setText(text)


def _copy_cell(context: CommandContext) -> None:
    text = copied_cell(context.keys.last_focus)
    if text:
        QGuiApplication.clipboard().setText(text)


def _text_meant(context: CommandContext) -> str:
    page = nearest(context.keys.last_focus, CopiesText)
    return "" if page is None else page.text_meant()


def _copy_text(context: CommandContext) -> None:
    text = _text_meant(context)
    if text:
        QGuiApplication.clipboard().setText(text)


def _can_set_range(context: CommandContext) -> bool:
    profile = context.document.profile
    return profile is not None and (
        profile.timeline is not None or profile.tile_memory is not None or bool(profile.target and profile.target.tiles)
    )


def _set_range(context: CommandContext) -> None:
    from app.window.input_dialogs import RangeDialog  # imports parts of panels

    dialog = context.main.findChild(RangeDialog)
    if dialog is None:
        dialog = RangeDialog(context)
    dialog.show()
    dialog.activateWindow()


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
        help=tr("Copies the selected rows of a table and the header as tab-separated text."),
    ),
    Command(
        "edit.copy_cell",
        tr("Copy cell"),
        "Edit",
        _copy_cell,
        ("Ctrl+Shift+C",),
        enabled=lambda context: can_copy_cell(context.keys.last_focus),
        places=("cell", "node"),
        help=tr("Copies the current cell without a header."),
    ),
    Command(
        "edit.copy_text",
        tr("Copy text"),
        "",
        _copy_text,
        enabled=lambda context: bool(_text_meant(context)),
        places=("text",),
        help=tr("Copies the value, label or sentence of a page under the pointer."),
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
        TABLE.act(lambda table: table.filter_column()),
        ("Ctrl+Shift+F",),
        enabled=TABLE.meets(),
        places=("header", "cell"),
        help=tr("Shows only some values, or a range of numbers, of the current column."),
    ),
    Command(
        "edit.filter_in",
        tr("Show only rows with this value"),
        "",
        TABLE.act(lambda table: table.filter_cells(out=False)),
        enabled=TABLE.meets(lambda table: table.can_filter_cells()),
        places=("cell",),
        help=tr("Shows only rows with the value of the current cell, or of all selected rows."),
        words=("filter", "keep", "show only"),
    ),
    Command(
        "edit.filter_out",
        tr("Hide rows with this value"),
        "",
        TABLE.act(lambda table: table.filter_cells(out=True)),
        enabled=TABLE.meets(lambda table: table.can_filter_cells()),
        places=("cell",),
        help=tr("Hides rows with the value of the current cell, or of all selected rows."),
        words=("filter", "exclude", "hide rows"),
    ),
    Command(
        "edit.set_range",
        tr("Set range…"),
        "Edit",
        _set_range,
        ("Ctrl+R",),
        enabled=_can_set_range,
        places=("range", "tiles", "time"),
        separator=True,
        help=tr("Sets the start, end or length of a time range, or tiles."),
        words=("time range", "from", "to", "tiles", "zoom to time"),
    ),
    Command(
        "edit.clear_range",
        tr("Clear range"),
        "Edit",
        lambda context: context.document.ranges.set(Ranges()),
        enabled=lambda context: has_any(context.document.ranges.value),
        places=("range", "tiles"),
        help=tr("Figures include everything again."),
    ),
    Command(
        "edit.undo_range",
        tr("Undo range"),
        "Edit",
        lambda context: context.document.ranges.undo(),
        ("Ctrl+Z",),
        enabled=lambda context: context.document.ranges.can_undo(),
        places=("range", "tiles"),
        help=tr("Restores the previous range."),
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
        help=tr("Clears one at a time: search or filter of the panel, global search, ranges, selection."),
    ),
)
