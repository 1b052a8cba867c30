"""User control of the file cache: its size limit, and clearing it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox

from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.store.cache.limit import CacheLimit, note, noted
from app.store.token import Token
from app.views.units import size
from app.widgets.dialogs import MessageBox
from app.widgets.mnemonics import mark_mnemonics
from app.window.notices import Notice

if TYPE_CHECKING:
    from app.store.cache.sweeping import Cleared
    from app.window.command import CommandContext


def choose(context: CommandContext, limit: int | None) -> None:
    """Sets the cache limit (bytes; None: automatic) and evicts what exceeds it in the background."""
    from app.store.cache.sweeping import sweep

    choice = CacheLimit(limit)
    context.settings.update(cache_bytes=limit)
    context.loader.choice = choice
    context.refresh_soon()

    def work(_token: Token, _progress: Callable[[int, int], None]) -> None:
        note(choice)
        sweep(choice.bytes())

    def fail(error: FormatError) -> None:
        context.notices.add(Notice("info", tr("The file cache could not be read: {error}", error=error)))

    Background(context.main).run(Task(work, lambda _: None, fail))


def sweep_leftovers(window: QObject) -> None:
    """Deletes, in the background, the columns of windows and commands that were killed."""
    from app.store import folders

    def work(_token: Token, _progress: Callable[[int, int], None]) -> None:
        folders.sweep_leftovers(folders.place())

    Background(window).run(Task(work, lambda _: None, lambda _: None))


def publish_limit(choice: CacheLimit) -> None:
    """Stores the cache limit for the command line, which does not read the settings of the window."""
    if noted() != choice:
        note(choice)


def ask_to_clear(context: CommandContext) -> QMessageBox:
    """Opens a dialog that shows the size of the cache and clears it on confirmation."""
    from app.store.cache.sweeping import usage
    from app.store.folders import place

    cached_bytes = usage()
    box = MessageBox(context.main)
    box.setWindowTitle(tr("Clear file cache"))
    box.setIcon(QMessageBox.Icon.Question)
    box.setText(
        tr("The file cache uses {size}.", size=_size(context, cached_bytes))
        if cached_bytes
        else tr("The file cache is empty.")
    )
    box.setInformativeText(
        tr(
            "It is in {place} and stores decoded data of large files, so that they open faster the "
            "next time. Clearing it does not change your files; they are read again when you open "
            "them.",
            place=place(),
        )
    )
    box.setStandardButtons(QMessageBox.StandardButton.Cancel)
    if cached_bytes:
        clear = box.addButton(tr("Clear"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(clear)
        clear.clicked.connect(lambda: _clear(context))
    else:
        box.setIcon(QMessageBox.Icon.Information)
        box.button(QMessageBox.StandardButton.Cancel).setText(tr("Close"))
    mark_mnemonics(box.buttons())
    box.finished.connect(box.deleteLater)
    box.open()
    return box


def _clear(context: CommandContext) -> None:
    from app.store.cache.sweeping import clear

    def take(cleared: Cleared) -> None:
        text = tr("The file cache was cleared.")
        if cleared.freed:
            text = tr("The file cache was cleared: {size} freed.", size=_size(context, cleared.freed))
        if cleared.in_use:
            size = _size(context, cleared.in_use)
            text = tr("{text} {size} is used by open profiles and is freed when they close.", text=text, size=size)
        context.notices.add(Notice("info", text))

    def fail(error: FormatError) -> None:
        context.notices.add(Notice("info", tr("The file cache could not be cleared: {error}", error=error)))

    Background(context.main).run(Task(lambda _token, _progress: clear(), take, fail))


def _size(context: CommandContext, count: int) -> str:
    return size(count, context.display.look.bytes_as)
