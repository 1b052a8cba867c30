"""Commands for columns of tables and rows of trees, in their context menus and the palette."""

from __future__ import annotations

from collections.abc import Callable

from app.language import tr
from app.widgets.abilities import Expandable, HasColumns
from app.window.command import Command, focused

TABLE = focused(HasColumns)
TREE = focused(Expandable)


def _column(name: str, text: str, act: Callable[[HasColumns], object], help_: str = "") -> Command:
    return Command(f"table.{name}", text, "", TABLE.act(act), enabled=TABLE.meets(), places=("header",), help=help_)


COMMANDS: tuple[Command, ...] = (
    _column("sort_up", tr("Sort ascending"), lambda table: table.sort_column(descending=False)),
    _column("sort_down", tr("Sort descending"), lambda table: table.sort_column(descending=True)),
    Command(
        "table.unsort",
        tr("Restore file order"),
        "",
        TABLE.act(lambda table: table.unsort()),
        enabled=TABLE.meets(lambda table: table.sorted_column()),
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
        TABLE.act(lambda table: table.show_columns()),
        enabled=TABLE.meets(lambda table: table.any_column_hidden()),
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
