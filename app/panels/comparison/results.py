"""Results of comparisons: computed one at a time in the background, kept while their profiles do not change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.document.background import Background, Task
from app.document.document import Document
from app.formats.errors import FormatError
from app.language import tr
from app.panels.comparison.overview import Overview, overview

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison


class Results(QObject):
    """Signals: ``ready`` (Overview), ``failed`` (text), ``progressed`` (done, total)."""

    ready = Signal(object)
    failed = Signal(str)
    progressed = Signal(int, int)

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._background = Background(self)
        self._computed: dict[int, Overview] = {}
        self._running: Comparison | None = None
        document.entry_closed.connect(self._drop_closed)

    @property
    def busy(self) -> bool:
        """Whether a result is still to come."""
        return self._background.busy

    def get(self, comparison: Comparison) -> Overview | None:
        """The result of the shown comparison, None while it is computed."""
        computed = self._computed.get(self._document.current_id or 0)
        if computed is not None and computed.comparison is comparison:
            return computed
        if self._running is not comparison:
            self._running = comparison
            self._background.run(
                Task(lambda token, report: overview(comparison, token, report), self._take, self._fail, self._report)
            )
        return None

    def cancel(self) -> None:
        """Stop computing."""
        self._running = None
        self._background.cancel()

    def _take(self, made: Overview) -> None:
        self._running = None
        current = self._document.current_id
        if current is not None and self._document.baselines.comparison is made.comparison:
            self._computed[current] = made
            self.ready.emit(made)

    def _fail(self, error: FormatError) -> None:
        self._running = None
        self.failed.emit(tr("The profiles cannot be compared: {error}", error=error))

    def _report(self, done: int, total: int) -> None:
        self.progressed.emit(done, total)

    def _drop_closed(self) -> None:
        """Release profiles that were closed or reloaded."""
        if self._running is not None and self._document.baselines.comparison is not self._running:
            self.cancel()
        for entry_id, made in list(self._computed.items()):
            if self._document.baselines.comparison_of(entry_id) is not made.comparison:
                del self._computed[entry_id]
