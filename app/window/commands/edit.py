"""Copying text, rows and links; finding and filtering in a panel; columns of tables and rows of trees; ranges."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QPlainTextEdit, QTextEdit, QWidget

from app.language import tr
from app.profile.selection import Ranges
from app.widgets.abilities import Copies, CopiesCell, CopiesText, Expandable, FiltersColumns, HandlesEscape, HasColumns
from app.window.command import CURRENT, RANGE, Command, CommandContext, copy_text, focused
from app.window.finding import can_find, start_find
from app.window.footer import has_any
from app.window.nearest import nearest, nearest_table

LARGEST_CELLS = 1_000_000
"""Most cells copied from a list that is not Tabular; more would overload the clipboard."""
TABLE = focused(FiltersColumns)
CELL = focused(CopiesCell)
PAGE = focused(CopiesText)
SHOWN_MS = 5000
COLUMNS = focused(HasColumns)
TREE = focused(Expandable)


def can_copy(focus: QWidget | None) -> bool:
    if isinstance(focus, (QPlainTextEdit, QTextEdit)):
        return focus.textCursor().hasSelection()
    return nearest_table(focus) is not None or any(
        nearest(focus, kind) is not None for kind in (Copies, QAbstractItemView)
    )


def copied(focus: QWidget | None) -> str:
    """Returns the selected text or rows of the focused widget; "" if nothing is selected."""
    if isinstance(focus, (QPlainTextEdit, QTextEdit)):
        return focus.textCursor().selection().toPlainText()
    copies = nearest(focus, Copies)
    if copies is not None:
        return copies.copy_text()
    tabular = nearest_table(focus)
    if tabular is not None:
        from app.analysis.export import tsv

        table, rows = tabular.shown_table(), tabular.selected_rows()
        return tsv(table, rows) if table is not None and len(rows) else ""
    view = nearest(focus, QAbstractItemView)
    return "" if view is None else _cells(view)


def _cells(view: QAbstractItemView) -> str:
    """Returns the selected cells of a plain list or tree: tabs between columns, newlines between rows."""
    indexes = view.selectionModel().selectedIndexes()[:LARGEST_CELLS]
    lines: dict[tuple[object, int], list[str]] = {}
    for index in sorted(indexes, key=lambda index: (index.row(), index.column())):
        line = lines.setdefault((index.parent(), index.row()), [])
        line.append(str(index.data(Qt.ItemDataRole.DisplayRole) or ""))
    return "\n".join("\t".join(line) for line in lines.values())


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


def _copy_link(context: CommandContext) -> None:
    from app.analysis.view_links.text import written
    from app.window.links import link_to_view

    link = link_to_view(context)
    if link is not None:
        copy_text(written(link))
        context.footer.showMessage(tr("Link copied"), SHOWN_MS)


def _open_link(context: CommandContext) -> None:
    from app.window.input_dialogs import LinkDialog

    LinkDialog(context).open()


def _column(name: str, text: str, act: Callable[[HasColumns], object], help_: str = "") -> Command:
    return Command(f"table.{name}", text, "", COLUMNS.act(act), enabled=COLUMNS.meets(), places=("header",), help=help_)


def _undo_text(context: CommandContext) -> str:
    edit = context.document.edits.to_undo
    return tr("Undo") if edit is None else tr("Undo {what}", what=edit.what)


def _redo_text(context: CommandContext) -> str:
    edit = context.document.edits.to_redo
    return tr("Redo") if edit is None else tr("Redo {what}", what=edit.what)


COMMANDS: tuple[Command, ...] = (
    Command(
        "edit.undo",
        tr("Undo"),
        "Edit",
        lambda context: context.document.edits.undo(),
        ("Ctrl+Z",),
        enabled=lambda context: context.document.edits.to_undo is not None,
        text_now=_undo_text,
        places=("range", "tiles", "lane", "process", "note", "time"),
        help=tr(
            "Undoes the last change of a range, of notes, or of lanes and slices: pinned, hidden, moved, collapsed. "
            "A text field that is being edited has its own history."
        ),
    ),
    Command(
        "edit.redo",
        tr("Redo"),
        "Edit",
        lambda context: context.document.edits.redo(),
        ("Ctrl+Shift+Z", "Ctrl+Y"),
        enabled=lambda context: context.document.edits.to_redo is not None,
        text_now=_redo_text,
    ),
    Command(
        "edit.copy",
        tr("Copy"),
        "Edit",
        lambda context: copy_text(copied(context.keys.last_focus)),
        ("Ctrl+C",),
        separator=True,
        enabled=lambda context: can_copy(context.keys.last_focus),
        places=("panel",),
        help=tr("Copies the selected rows of a table and the header as tab-separated text."),
    ),
    Command(
        "edit.copy_cell",
        tr("Copy cell"),
        "Edit",
        CELL.act(lambda cell: copy_text(cell.cell_text())),
        ("Ctrl+Shift+C",),
        enabled=CELL.meets(),
        places=("cell", "node"),
        help=tr("Copies the current cell without a header."),
    ),
    Command(
        "edit.copy_link",
        tr("Copy link to this view"),
        "Edit",
        _copy_link,
        ("Ctrl+Shift+L",),
        enabled=CURRENT.meets(lambda entry: entry.done and bool(entry.profile.origin.paths)),
        places=("panel",),
        help=tr("Copies files, panel with zoom and order, selection, ranges and baseline as one line of text."),
        words=("share", "bookmark", "url", "permalink", "goto"),
    ),
    Command(
        "go.open_link",
        tr("Open link…"),
        "Edit",
        _open_link,
        ("Ctrl+L",),
        help=tr("Goes to the place that a copied link names; asks before it reads files that are not open."),
        words=("url", "bookmark", "paste", "permalink", "goto"),
    ),
    Command(
        "edit.copy_text",
        tr("Copy text"),
        "",
        PAGE.act(lambda page: copy_text(page.text_meant())),
        enabled=PAGE.meets(lambda page: bool(page.text_meant())),
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
        separator=True,
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
        submenu=tr("Filter"),
    ),
    Command(
        "edit.filter_in",
        tr("Show only rows with this value"),
        "Edit",
        TABLE.act(lambda table: table.filter_cells(out=False)),
        enabled=TABLE.meets(lambda table: table.can_filter_cells()),
        places=("cell",),
        help=tr("Shows only rows with the value of the current cell, or of all selected rows."),
        words=("filter", "keep", "show only"),
        submenu=tr("Filter"),
    ),
    Command(
        "edit.filter_out",
        tr("Hide rows with this value"),
        "Edit",
        TABLE.act(lambda table: table.filter_cells(out=True)),
        enabled=TABLE.meets(lambda table: table.can_filter_cells()),
        places=("cell",),
        help=tr("Hides rows with the value of the current cell, or of all selected rows."),
        words=("filter", "exclude", "hide rows"),
        submenu=tr("Filter"),
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
        submenu=RANGE,
    ),
    Command(
        "edit.clear_range",
        tr("Clear range"),
        "Edit",
        lambda context: context.document.ranges.set(Ranges()),
        enabled=lambda context: has_any(context.document.ranges.value),
        places=("range", "tiles"),
        help=tr("Figures include everything again."),
        submenu=RANGE,
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

TABLES: tuple[Command, ...] = (
    _column("sort_up", tr("Sort ascending"), lambda table: table.sort_column(descending=False)),
    _column("sort_down", tr("Sort descending"), lambda table: table.sort_column(descending=True)),
    Command(
        "table.unsort",
        tr("Restore file order"),
        "",
        COLUMNS.act(lambda table: table.unsort()),
        enabled=COLUMNS.meets(lambda table: table.sorted_column()),
        places=("header",),
        help=tr("Clears the sorting of the rows."),
        words=("unsort", "reset sorting"),
    ),
    _column(
        "hide_column",
        tr("Hide column"),
        lambda table: table.hide_column(),
        tr("Hides the current column, or that of the header."),
    ),
    Command(
        "table.show_columns",
        tr("Show all columns"),
        "",
        COLUMNS.act(lambda table: table.show_columns()),
        enabled=COLUMNS.meets(lambda table: table.any_column_hidden()),
        places=("header",),
    ),
    _column("fit_columns", tr("Fit column widths"), lambda table: table.fit_columns()),
    Command(
        "tree.open_below",
        tr("Expand all below"),
        "",
        TREE.act(lambda tree: tree.open_below_current()),
        enabled=TREE.meets(),
        places=("node",),
        help=tr("In a tree: *."),
    ),
    Command(
        "tree.close_all",
        tr("Collapse all"),
        "",
        TREE.act(lambda tree: tree.close_all()),
        enabled=TREE.meets(),
        places=("node", "tree"),
    ),
)
