"""Comparing two parts of the shown profile."""

from __future__ import annotations

from app.document.parts import PartOpener
from app.language import tr
from app.window.command import Command, CommandContext
from app.window.notices import Notice

OPENER = "window's opener of parts"


def _compare(context: CommandContext) -> None:
    from app.window.input_dialogs import PartsDialog

    entry = context.document.current
    if entry is not None:
        PartsDialog(context, opener_of(context), entry).open()


def opener_of(context: CommandContext) -> PartOpener:
    """That of the window, made when it is first needed."""
    opener = context.main.findChild(PartOpener, OPENER)
    if opener is None:
        opener = PartOpener(context.document, context.main)
        opener.setObjectName(OPENER)
        opener.failed.connect(lambda text: context.notices.add(Notice("error", text)))
    return opener


COMMANDS: tuple[Command, ...] = (
    Command(
        "compare.parts",
        tr("Compare parts…"),
        "File",
        _compare,
        enabled=lambda context: context.document.current is not None,
        places=("tab",),
        help=tr("Compares two blocks, cores, IPUs, processes, loop iterations or time ranges of this profile."),
        words=("blocks", "cores", "iterations", "ranges", "difference", "baseline", "replicas"),
    ),
)
