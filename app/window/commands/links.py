"""Links to a view: copying, opening."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication

from app.language import tr
from app.window.command import Command, CommandContext

SHOWN_MS = 5000


def _copy(context: CommandContext) -> None:
    from app.analysis.view_links.text import written
    from app.window.links import link_to_view

    link = link_to_view(context)
    if link is not None:
        QGuiApplication.clipboard().setText(written(link))
        context.footer.showMessage(tr("Link copied"), SHOWN_MS)


def _can_copy(context: CommandContext) -> bool:
    entry = context.document.current
    return entry is not None and entry.done and bool(entry.profile.origin.paths)


def _open(context: CommandContext) -> None:
    from app.window.input_dialogs import LinkDialog

    LinkDialog(context).open()


COMMANDS: tuple[Command, ...] = (
    Command(
        "edit.copy_link",
        tr("Copy link to this view"),
        "Edit",
        _copy,
        ("Ctrl+Shift+L",),
        enabled=_can_copy,
        places=("panel",),
        help=tr("Copies files, panel with zoom and order, selection, ranges and baseline as one line of text."),
        words=("share", "bookmark", "url", "permalink", "goto"),
    ),
    Command(
        "go.open_link",
        tr("Open link…"),
        "Go",
        _open,
        ("Ctrl+L",),
        help=tr("Goes to the place that a copied link names; asks before it reads files that are not open."),
        words=("url", "bookmark", "paste", "permalink", "goto"),
    ),
)
