"""Comparing the shown profile with a baseline."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from app.language import tr
from app.widgets.texts import shown_line
from app.window import dialogs
from app.window.command import Command, CommandContext


def baseline_menu(context: CommandContext) -> QMenu | None:
    """The other open profiles, and a file; None if nothing is open."""
    current = context.document.current
    if current is None:
        return None
    menu = QMenu(tr("Compare with"), context.main)
    for entry in context.document.entries:
        if entry.id != current.id and entry.done:
            action = menu.addAction(shown_line(entry.profile.name).replace("&", "&&"))
            action.triggered.connect(partial(context.document.baselines.set, current.id, entry.id))
    if menu.actions():
        menu.addSeparator()
    menu.addAction(tr("Open a file…")).triggered.connect(partial(_open, context, current.id))
    return menu


def _open(context: CommandContext, entry: int) -> None:
    paths = dialogs.ask_files(context.main, context.settings.value.recent)
    if paths:
        context.baseline_opener.wait(entry, paths)
        context.open(paths)


def _compare(context: CommandContext) -> None:
    menu = baseline_menu(context)
    if menu is not None:
        menu.aboutToHide.connect(menu.deleteLater)
        place = QPoint(context.main.width() // 3, context.main.menuBar().height())
        menu.popup(context.main.mapToGlobal(place))
        menu.setActiveAction(menu.actions()[0])  # for the keyboard: the key that opened it is Ctrl+Shift+O


def _compared(context: CommandContext) -> bool:
    return context.document.baselines.of(context.document.current_id) is not None


def _swap(context: CommandContext) -> None:
    if context.document.current_id is not None:
        context.document.baselines.swap(context.document.current_id)


def _end(context: CommandContext) -> None:
    if context.document.current_id is not None:
        context.document.baselines.end(context.document.current_id)


COMMANDS: tuple[Command, ...] = (
    Command(
        "compare.with",
        tr("Compare with…"),
        "File",
        _compare,
        ("Ctrl+Shift+O",),
        enabled=lambda context: context.document.current is not None,
        places=("tab",),
        separator=True,
        help=tr("Choose the baseline: another open profile, or a file. The panel Tables shows the differences."),
        words=("baseline", "difference", "diff", "before", "after"),
    ),
    Command(
        "compare.swap",
        tr("Swap baseline"),
        "File",
        _swap,
        enabled=_compared,
        places=("tab",),
        help=tr("The baseline is compared with this profile instead."),
    ),
    Command("compare.end", tr("End comparison"), "File", _end, enabled=_compared, places=("tab",)),
)
