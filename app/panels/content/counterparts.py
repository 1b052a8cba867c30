"""What the baseline has of a thing."""

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
