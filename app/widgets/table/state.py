"""What a table is filtered and sorted by: saved when others are shown in its place, and written into links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from PySide6.QtCore import Qt

from app.analysis.column_filter import ColumnFilter
from app.language import plain_text

if TYPE_CHECKING:
    from app.analysis.view_links.view_link import ViewState, ViewValue

MOST_STATES = 64
MOST_FILTERS = 20


class NamedFilter(Struct, frozen=True, omit_defaults=True):
    """A column filter as a link has it."""

    column: str
    filter: ColumnFilter


class TableState(Struct, frozen=True):
    """The search text, the column filters by key, and the sorted column (-1 for none) with its order."""

    text: str
    filters: dict[str, ColumnFilter]
    section: int
    order: Qt.SortOrder


class TableStates:
    """Saved states by column keys: tables of the same kind share one, whatever profile they belong to."""

    def __init__(self) -> None:
        self._states: dict[tuple[str, ...], TableState] = {}

    def save(self, keys: tuple[str, ...], state: TableState) -> None:
        """Saves the state of a table with these columns; the oldest one is dropped beyond MOST_STATES."""
        if not keys:
            return
        self._states.pop(keys, None)
        self._states[keys] = state
        if len(self._states) > MOST_STATES:
            del self._states[next(iter(self._states))]

    def of(self, keys: tuple[str, ...]) -> TableState | None:
        """The state that was saved for a table with these columns."""
        return self._states.get(keys)


def as_plain(state: TableState, keys: Sequence[str]) -> dict[str, ViewValue]:
    """A state as plain values by name, for a link; ``keys``: the columns of the table."""
    plain: dict[str, ViewValue] = {}
    if state.text:
        plain["filter"] = state.text
    if 0 <= state.section < len(keys):
        plain["sort"] = keys[state.section]
        plain["descending"] = state.order == Qt.SortOrder.DescendingOrder
    filters = [NamedFilter(key, wanted) for key, wanted in state.filters.items()]
    if filters:
        plain["columns"] = [
            msgspec.json.encode(one, order="deterministic", enc_hook=plain_text).decode() for one in filters
        ]
    return plain


def from_plain(saved: ViewState, keys: Sequence[str]) -> TableState:
    """The state that a link describes; what does not fit the columns ``keys`` is ignored."""
    sort, text, columns = saved.get("sort"), saved.get("filter"), saved.get("columns")
    filters = {}
    for own in columns[:MOST_FILTERS] if isinstance(columns, list) else ():
        try:
            named = msgspec.json.decode(own, type=NamedFilter)
        except (msgspec.MsgspecError, RecursionError):
            continue
        if named.column in keys and not named.filter.idle:
            filters[named.column] = named.filter
    return TableState(
        text if isinstance(text, str) else "",
        filters,
        keys.index(sort) if isinstance(sort, str) and sort in keys else -1,
        Qt.SortOrder.DescendingOrder if saved.get("descending") is True else Qt.SortOrder.AscendingOrder,
    )
