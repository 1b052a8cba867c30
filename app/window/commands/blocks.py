"""Saving blocks of an operator file, and files of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.views.texts import shown_line
from app.window.command import Command, CommandContext
from app.window.notices import Notice
from app.window.reach import nearest

if TYPE_CHECKING:
    from app.store.stored_part import StoredPart

TABLES = ("raw-blocks", "entries")
SAVER = "window's saver of blocks"


def _blocks(context: CommandContext) -> list[StoredPart]:
    """Returns what the selected rows of the focused table stand for; none if it is not a table of blocks or files."""
    profile = context.document.profile
    if profile is None or (profile.raw_blocks is None and profile.entries is None):
        return []
    from app.store.stored_part import stored_part  # not needed for the first paint
    from app.widgets.table.widget import TableWidget

    table = nearest(context.keys.last_focus, TableWidget)
    if table is None or table.view.items.table.id not in TABLES:
        return []
    shown = table.view.items.table
    keys = (shown.key(row) for row in table.selected_rows().tolist())
    blocks = (stored_part(profile, shown.id, key) for key in keys if key >= 0)  # others are of the baseline
    return [block for block in blocks if block is not None]


def _save(context: CommandContext) -> None:
    from app.widgets.saving import BlockSaver

    saver = context.main.findChild(BlockSaver, SAVER)
    if saver is None:
        saver = BlockSaver(context.main)
        saver.setObjectName(SAVER)
        saver.said.connect(lambda text, wrong: _report(context, text, wrong))
    saver.ask(_blocks(context))


def _report(context: CommandContext, text: str, wrong: bool) -> None:
    if wrong:
        context.notices.add(Notice("error", text, "write"))
    else:
        context.footer.showMessage(shown_line(text), 8000)


COMMANDS: tuple[Command, ...] = (
    Command(
        "file.save_blocks",
        tr("Save block content…"),
        "",
        _save,
        enabled=lambda context: bool(_blocks(context)),
        places=("tables", "raw_blocks"),
        help=tr("Saves the selected blocks of an Ascend operator file, or files of a report, as stored."),
    ),
)
