"""The content panel: what the file holds for the selection."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject

from app.document.background import Background, Task
from app.store.token import Token

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison
    from app.formats.errors import FormatError

from app.language import tr
from app.panels.content.bytes_view import BytesView
from app.panels.content.subject import BytesSubject, Nothing, TensorSubject, bytes_of, subject_of
from app.panels.content.tensor_view import TensorView
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.profile.profile import Profile
from app.widgets.frame import pages_of


class ContentPanel(Panel):
    """Follows the selection: shows values of a tensor or of an anchor's tensor, bytes of any other blob, the largest
    tensor while nothing is selected. With a baseline, it shows how they differ from those of the matched tensor or
    blob."""

    spec = SPECS["content"]
    by_selection = True
    compares = True

    def build(self) -> None:
        self.tensor = TensorView(self.context.display, self)
        self.bytes = BytesView(self.context.display, self)
        self._counterparts = Counterparts(self)
        self.pages = pages_of(self, (self.tensor, self.bytes))
        self.lay_out((self.pages, 1), controls=self.tensor.bar.controls)

    @property
    def busy(self) -> bool:
        """Whether values are still being read."""
        return self.tensor.busy or self.bytes.busy or self._counterparts.busy

    def why_empty(self, profile: Profile | None) -> str:
        subject = subject_of(profile, self.shared.selection)
        return subject.why if isinstance(subject, Nothing) else ""

    def clear(self) -> None:
        self.tensor.clear()
        self.bytes.clear()
        self._counterparts.forget()

    def fill(self, profile: Profile) -> None:
        subject = subject_of(profile, self.shared.selection)
        if isinstance(subject, TensorSubject):
            self.bytes.clear()
            self.pages.setCurrentWidget(self.tensor)
            self.tensor.show_tensor(profile, subject.row)
            self._compare_tensor(profile, subject.row)
        elif isinstance(subject, BytesSubject):
            self.tensor.clear()
            self.pages.setCurrentWidget(self.bytes)
            self.bytes.show_bytes(profile, subject)
            self._compare_bytes(subject)

    def _compare_tensor(self, profile: Profile, row: int) -> None:
        comparison, model = self.comparison, profile.model
        if comparison is None or model is None:
            self._counterparts.forget()
            self.tensor.end_comparison()
            return
        before = comparison.before

        def show(item: int) -> None:
            self.tensor.compare_with(None if item == NONE else (before, item))

        self._counterparts.find(comparison, "feeds" if model.tensors.feed[row] else "tensors", row, show)

    def _compare_bytes(self, subject: BytesSubject) -> None:
        comparison = self.comparison
        if comparison is None:
            self._counterparts.forget()
            self.bytes.compare_with(None)
            return
        before = comparison.before

        def show(item: int) -> None:
            if before.blobs is None or item == NONE:
                self.bytes.compare_with(None, tr("The baseline has no such blob."))
                return
            self.bytes.compare_with(bytes_of(before, before.blobs, item).payload)

        self._counterparts.find(comparison, "blobs", subject.blob, show)


NONE = -1


class Counterparts(QObject):
    """Looks up, in the background, the item before that is matched with an item after, by the rows of a table."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._background = Background(self)
        self._comparison: Comparison | None = None
        self._known: dict[str, dict[int, int]] = {}

    @property
    def busy(self) -> bool:
        return self._background.busy

    def find(self, comparison: Comparison, table_id: str, item: int, done: Callable[[int], object]) -> None:
        """Calls ``done`` with the item before (NONE without one), at once if the table is known."""
        if comparison is not self._comparison:
            self._comparison, self._known = comparison, {}
        self._background.cancel()
        if table_id in self._known:
            done(self._known[table_id].get(item, NONE))
            return

        def take(items: dict[int, int]) -> None:
            self._known[table_id] = items
            done(items.get(item, NONE))

        def fail(_: FormatError) -> None:
            done(NONE)

        self._background.run(Task(lambda token, _: _items(comparison, table_id, token), take, fail))

    def forget(self) -> None:
        """Looks for nothing more."""
        self._background.cancel()
        self._comparison, self._known = None, {}


def _items(comparison: Comparison, table_id: str, token: Token) -> dict[int, int]:
    """The item before of each item after that has one."""
    table = comparison.table(table_id, token.check)
    if table is None or table.before is None or table.after is None:
        return {}
    rows = np.flatnonzero((table.rows_before >= 0) & (table.rows_after >= 0))
    keys: list[Any] = []
    for own, places in ((table.after, table.rows_after[rows]), (table.before, table.rows_before[rows])):
        keys.append((places if own.keys is None else own.keys[places]).tolist())
    return dict(zip(*keys, strict=True))
