"""The texts of a database (STRING_IDS) and of its enumerations, and rows that are found by an id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from app.formats.ascend_capture.database_columns import NONE
from app.formats.ascend_capture.database_safe import Database
from app.formats.numbering import distinct_texts
from app.formats.spool import kept
from app.language import plural, tr
from app.profile.arrays import I32, I64, Bool, among, distinct, sealed
from app.profile.strings import Strings, joined, taken

NO_IDS: Final = (65535, 4294967295)
"""Ids that stand for none (section 3), unless there is a text of that id."""
_ABSENT: Final = frozenset(("", "N/A"))
_TICK: Final = 1 << 16
_DENSE: Final = 4
"""A table by id is made where the ids span at most so many times as many numbers."""


class Found:
    """Rows by id. Of several with one id, the first counts. ``repeated``: how many others there are."""

    def __init__(self, ids: I64) -> None:
        self._low, high = (int(ids.min()), int(ids.max())) if len(ids) else (0, -1)
        if high - self._low < _DENSE * len(ids):
            self._ids, self._rows = None, np.full(high - self._low + 1, -1, np.int32)
            self._rows[(ids - self._low)[::-1]] = np.arange(len(ids), dtype=np.int32)[::-1]  # the first is the last set
            self.repeated = len(ids) - int(np.count_nonzero(self._rows >= 0))
            return
        order = np.argsort(ids, kind="stable")
        ascending = ids[order]
        first = np.ones(len(ids), np.bool_)
        first[1:] = ascending[1:] != ascending[:-1]
        self._rows, self._ids = order[first].astype(np.int32), ascending[first]
        self.repeated = len(ids) - len(self._ids)

    def row(self, wanted: I64) -> I64:
        """int64: the row of each wanted id, -1 where there is none. NONE is no id."""
        found = np.full(len(wanted), -1, np.int64)
        if not len(self._rows):
            return found
        if self._ids is None:
            inside = np.flatnonzero((wanted >= self._low) & (wanted < self._low + len(self._rows)) & (wanted != NONE))
            found[inside] = self._rows[wanted[inside] - self._low]
            return found
        for at in range(0, len(wanted), _TICK):
            some = wanted[at : at + _TICK]
            place = np.minimum(np.searchsorted(self._ids, some), len(self._ids) - 1)
            found[at : at + _TICK] = np.where((self._ids[place] == some) & (some != NONE), self._rows[place], -1)
        return found


class Words:
    """The texts of a section: rows of a table, which are not decoded, and others, each by the next number. A column has
    texts of one kind, since both may have one in common; ``known`` avoids that."""

    def __init__(self, texts: Texts) -> None:
        self._table = texts.strings
        self._numbers = np.full(len(self._table), -1, np.int32)
        self._rows: list[I64] = []
        self._own: dict[str, int] = {}
        self._count = 0

    def __call__(self, text: str) -> int:
        """The number of a text that need not be in the table."""
        if text not in self._own:
            self._rows.append(np.array([len(self._table) + len(self._own)]))
            self._own[text] = self._count
            self._count += 1
        return self._own[text]

    def known(self, text: str) -> int:
        """The same for a text that the table may have, which takes longer."""
        rows = self._table.find(text)
        return int(self.of(rows[:1])[0]) if len(rows) else self(text)

    def of(self, rows: I64) -> I32:
        """int32: the numbers of these rows, -1 for negative ones."""
        there = np.zeros(len(self._table), np.bool_)
        there[rows[rows >= 0]] = True
        new = np.flatnonzero(there & (self._numbers < 0))
        self._numbers[new] = np.arange(self._count, self._count + len(new), dtype=np.int32)
        self._count += len(new)
        self._rows.append(new)
        if not len(self._table):
            return np.full(len(rows), -1, np.int32)
        found = self._numbers[rows]
        found[rows < 0] = -1
        return found

    def strings(self) -> Strings:
        """The texts by their numbers."""
        return taken(joined(self._table, Strings.of(self._own)), np.concatenate([*self._rows, np.empty(0, np.int64)]))


class Texts:
    """STRING_IDS of a database, and its enumerations. ``strings``: its texts, each once."""

    def __init__(self, database: Database) -> None:
        fetched = database.read("STRING_IDS", {"id": "int", "value": "text"})
        database.look()
        self.strings, self._number = distinct_texts(fetched.texts("value"))
        database.look()
        self._found = Found(fetched.ints("id"))
        self._database = database
        self._empty = self.strings.find("")
        self._absent = np.concatenate((self._empty, self.strings.find("N/A")))
        if self._found.repeated:
            text = plural(
                "STRING_IDS has {count:,} id more than once; the first one counts",
                "STRING_IDS has {count:,} ids more than once; the first ones count",
                count=self._found.repeated,
            )
            database.problems.add("warning", tr("repeated ids"), None, text)
        self._unknown = 0

    def get(self, number: int) -> str:
        """The text of one id, "" where there is none."""
        return self.strings.get(int(self.rows(np.array([number], np.int64))[0]))

    def by_id(self, ids: I64) -> dict[int, str]:
        """The texts of the different ones of ``ids``, "" for those that have none."""
        wanted = distinct(ids)
        return dict(zip(wanted.tolist(), taken(self.strings, self.rows(wanted)).tolist(), strict=True))

    def rows(self, ids: I64) -> I64:
        """int64: the row in ``strings`` of each id, -1 where there is none. Others than NO_IDS count as unknown."""
        rows = self._found.row(ids)
        lost = ids[(rows < 0) & (ids >= 0)]
        if len(lost):
            self._unknown += int(np.count_nonzero(~among(distinct(lost), NO_IDS)))
        if len(self._number):
            rows = np.where(rows < 0, -1, self._number[rows])
        return rows

    def begin(self, ids: I64, prefix: str) -> Bool:
        """bool: the ids whose text begins with ``prefix`` (ASCII). Decodes nothing."""
        return among(self.rows(ids), self.strings.beginning(prefix))

    def column(
        self, ids: I64, words: Words, *, optional: bool = True, changed: Callable[[str], str] | None = None
    ) -> I32:
        """int32: the texts of ``ids`` in ``words``, -1 for none and N/A (an empty text if not ``optional``).
        ``changed``: what is shown of a text."""
        self._database.look()
        rows = self.rows(ids)
        if changed is not None:
            different = distinct(rows)
            texts = map(changed, taken(self.strings, different).tolist())
            made = np.array([-1 if optional and text in _ABSENT else words(text) for text in texts], np.int32)
            return kept(made[np.searchsorted(different, rows)])
        rows[among(rows, self._absent if optional else self._empty)] = -1
        column = words.of(rows)
        if not optional and len(column) and int(column.min()) < 0:
            column[column < 0] = words("")
        return kept(column)

    def enumeration(self, table: str) -> dict[int, str]:
        """The names of an ENUM table of the file: ids moved between versions (section 3)."""
        fetched = self._database.read(table, {"id": "int", "name": "text"})
        names = zip(fetched.ints("id").tolist(), fetched.texts("name").tolist(), strict=True)
        return {number: name for number, name in names if name not in _ABSENT and name != "INVALID_TYPE"}

    def finish(self) -> None:
        """Reports ids without a text."""
        if self._unknown:
            text = plural(
                "{count:,} id has no text in STRING_IDS",
                "{count:,} ids have no text in STRING_IDS",
                count=self._unknown,
            )
            self._database.problems.add("warning", tr("ids without a text"), None, text)


def numbered(ids: I64, made: Mapping[int, int]) -> I32:
    """int32: ``made`` of each id, which has all of them."""
    known = np.fromiter(made.keys(), np.int64, len(made))
    values = np.fromiter(made.values(), np.int32, len(made))
    order = np.argsort(known)
    if not len(known):
        return sealed(np.empty(0, np.int32))
    return sealed(values[order][np.searchsorted(known[order], ids)])


def named(ids: I64, names: Mapping[int, str], words: Words) -> I32:
    """int32: the texts of ``names`` in ``words``, -1 for ids without one."""
    return numbered(ids, {one: words(names[one]) if one in names else -1 for one in distinct(ids).tolist()})


def group_hash(name: str) -> str:
    """The number by which the JSON files and analysis.db name a communication group, from its name in COMMUNICATION_OP
    and in metadata: two hashes of 32 bits, of base 29 and 131, over the bytes of the name (equal in both databases of
    the sample). A name that is a number already stays as it is."""
    if not name or name.isdigit():
        return name
    high = low = 0
    for byte in name.encode():
        high, low = (high * 29 + byte) & 0xFFFFFFFF, (low * 131 + byte) & 0xFFFFFFFF
    return str(high << 32 | low)
