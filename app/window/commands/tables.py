"""Commands for columns of tables and rows of trees, in their context menus and the palette."""

from __future__ import annotations

from collections.abc import Callable

from app.language import tr
from app.widgets.abilities import Expandable, HasColumns
from app.window.command import Command, CommandContext
from app.window.reach import nearest


def _table(context: CommandContext) -> HasColumns | None:
    return nearest(context.keys.last_focus, HasColumns)


def _tree(context: CommandContext) -> Expandable | None:
    return nearest(context.keys.last_focus, Expandable)


def _on_table(act: Callable[[HasColumns], object]) -> Callable[[CommandContext], None]:
    def run(context: CommandContext) -> None:
        table = _table(context)
        if table is not None:
            act(table)

    return run


def _has(wanted: Callable[[HasColumns], bool]) -> Callable[[CommandContext], bool]:
    def enabled(context: CommandContext) -> bool:
        table = _table(context)
        return table is not None and wanted(table)

    return enabled


def _open_below(context: CommandContext) -> None:
    tree = _tree(context)
    if tree is not None:
        tree.open_below_current()


def _close_all(context: CommandContext) -> None:
    tree = _tree(context)
    if tree is not None:
        tree.close_all()


def _column(name: str, text: str, act: Callable[[HasColumns], object], help_: str = "") -> Command:
    return Command(
        f"table.{name}", text, "", _on_table(act), enabled=_has(lambda _: True), places=("header",), help=help_
    )


COMMANDS: tuple[Command, ...] = (
    _column("sort_up", tr("Sort ascending"), lambda table: table.sort_column(descending=False)),
    _column("sort_down", tr("Sort descending"), lambda table: table.sort_column(descending=True)),
    Command(
        "table.unsort",
        tr("Restore file order"),
        "",
        _on_table(lambda table: table.unsort()),
        enabled=_has(lambda table: table.sorted_column()),
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
        _on_table(lambda table: table.show_columns()),
        enabled=_has(lambda table: table.any_column_hidden()),
        places=("header",),
    ),
    _column("fit_columns", tr("Fit column widths"), lambda table: table.fit_columns()),
    Command(
        "tree.open_below",
        tr("Expand all below"),
        "",
        _open_below,
        enabled=lambda context: _tree(context) is not None,
        places=("node",),
        help=tr("In a tree: *."),
    ),
    Command(
        "tree.close_all",
        tr("Collapse all"),
        "",
        _close_all,
        enabled=lambda context: _tree(context) is not None,
        places=("node", "tree"),
    ),
)
