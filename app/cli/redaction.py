"""Answers without names: for a program that may see figures, but not what a model or an operator is called."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from app.analysis.findings.rules import RULES
from app.analysis.table import Coded, Column, Table
from app.language import untranslated
from app.profile.arrays import distinct
from app.profile.pipes import PIPES
from app.profile.strings import Strings

KNOWN: Final = frozenset((*PIPES, *(rule.id for rule in RULES), "", "timeline", "cycles", "s", "B", "%"))
"""Texts that name no one's work."""
_COLUMNS: Final = "unit figure metric part status severity cause table_ column_"
SHOWN_COLUMNS: Final = frozenset(_COLUMNS.split())
_KEYS: Final = (
    "format id unit units rule severity confidence table figure figures columns part bound kind tables "
    "role rows not_checked"
)
SHOWN_KEYS: Final = frozenset(_KEYS.split())
"""Keys of answers whose texts are ids, units and words of the program."""
PROSE: Final = frozenset(("text", "title", "why", "note", "formula", "link", "label", "help"))
"""Keys of answers whose texts may contain names anywhere. They are withheld."""


_ID: Final = re.compile(r"p\d{1,6}")
"""What the server calls profiles."""


class Names:
    """The same alias for the same text, as long as the session lasts."""

    def __init__(self) -> None:
        self._aliases: dict[str, str] = {}
        self._texts: dict[str, str] = {}

    def alias(self, text: str) -> str:
        """``name-7``; texts that name nothing stay."""
        if text in KNOWN or text in self._texts or _ID.fullmatch(text):
            return text
        if text not in self._aliases:
            made = f"name-{len(self._aliases) + 1}"
            self._aliases[text], self._texts[made] = made, text
        return self._aliases[text]

    def real(self, alias: str) -> str:
        """The text of an alias; other texts stay."""
        head, mark, name = alias.partition("lane:")
        return f"{mark}{self._texts.get(name, name)}" if mark and not head else self._texts.get(alias, alias)

    def table(self, table: Table) -> Table:
        """The table with aliases in its columns of texts, but for kinds and words of the program."""
        return replace(table, columns=tuple(map(self._column, table.columns)), note="")

    def _column(self, column: Column) -> Column:
        values = column.values
        if isinstance(values, np.ndarray) or column.role == "kind" or column.key in SHOWN_COLUMNS:
            return column
        if isinstance(values, tuple):
            return replace(column, values=tuple(self.alias(untranslated(text)) for text in values))
        used = distinct(values.ids[values.ids >= 0])
        texts = Strings.of(self.alias(untranslated(values.strings[int(own)])) for own in used)
        ids = np.where(values.ids >= 0, np.searchsorted(used, values.ids), -1).astype(np.int64)
        return replace(column, values=Coded(ids, texts))

    def answer(self, value: Any, key: str = "") -> Any:
        """An answer for programs with aliases, and without prose."""
        if (key in SHOWN_KEYS and not isinstance(value, dict | list)) or key == "rows":
            return value
        if isinstance(value, str):
            return "" if key in PROSE else value if key in SHOWN_KEYS else self.alias(value)
        if isinstance(value, dict):
            return {own: self.answer(item, own) for own, item in value.items()}
        return [self.answer(item, key) for item in value] if isinstance(value, Iterable) else value
