"""Something that is written for the user in a thread, with progress and "Cancel" in the status bar."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import QObject

from app.document.background import Background, Task
from app.formats.errors import Cancelled, FormatError
from app.store.token import Token

if TYPE_CHECKING:
    from app.window.command import CommandContext

Check: TypeAlias = Callable[[], None]
"""Raises Cancelled if the user cancelled, or the window closes."""
Report: TypeAlias = Callable[[int, int], None]


class Writing(QObject):
    """``run`` any number of functions, one after the other, then ``end``. ``stopped`` is called when a function that
    was cancelled has ended, so that what it wrote can be deleted."""

    def __init__(self, context: CommandContext, title: str, stopped: Callable[[], object]) -> None:
        super().__init__(context.main)
        self._token = Token()
        self._stopped = stopped
        self._background = Background(self)
        self.row = context.footer.begin(title, self.cancel)

    @property
    def cancelled(self) -> bool:
        return self._token.cancelled

    def cancel(self) -> None:
        self._token.cancel()
        self.row.deleteLater()
        if not self._background.busy:
            self._stopped()

    def run(
        self,
        work: Callable[[Check, Report], object],
        done: Callable[[Any], object],
        failed: Callable[[FormatError], object],
    ) -> None:
        """Runs ``work`` in the thread; the rest as in ``Task``."""

        def unless_cancelled(token: Token, report: Report) -> object:
            def check() -> None:
                token.check()
                self._token.check()

            try:
                return work(check, report)
            except Cancelled:
                token.check()
                return None

        def ended(result: object) -> None:
            self._stopped() if self.cancelled else done(result)

        def progress(amount: int, total: int) -> None:
            if not self.cancelled:
                self.row.set_bar(amount, total)

        self._background.run(Task(unless_cancelled, ended, failed, progress))

    def end(self) -> None:
        """Removes the row; nothing more can be run."""
        if not self.cancelled:
            self.row.deleteLater()
        self.deleteLater()
