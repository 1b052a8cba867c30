"""The texts of a database (STRING_IDS) and of its enumerations, and rows that are found by an id."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Final

import numpy as np

from app.formats.ascend_capture.database_columns import NONE
from app.formats.ascend_capture.database_safe import Database
from app.language import plural, tr
from app.profile.arrays import I32, I64, distinct, sealed
from app.profile.strings import Interner, taken

NO_IDS: Final = (65535, 4294967295)
"""Ids that stand for none (section 3), unless there is a text of that id."""
_ABSENT: Final = frozenset(("", "N/A"))
_TICK: Final = 1 << 14


class Found:
    """Rows by id. Of several with one id, the first counts. ``repeated``: how many others there are."""

    def __init__(self, ids: I64) -> None:
        self._order = np.argsort(ids, kind="stable")
        self._ids = ids[self._order]
        first = np.ones(len(ids), np.bool_)
        first[1:] = self._ids[1:] != self._ids[:-1]
        self._order, self._ids = self._order[first], self._ids[first]
        self.repeated = len(ids) - len(self._ids)

    def row(self, wanted: I64) -> I64:
        """int64: the row of each wanted id, -1 where there is none. NONE is no id."""
        if not len(self._ids):
            return np.full(len(wanted), -1, np.int64)
        place = np.minimum(np.searchsorted(self._ids, wanted), len(self._ids) - 1)
        return np.where((self._ids[place] == wanted) & (wanted != NONE), self._order[place], -1)


class Texts:
    """STRING_IDS of a database, and its enumerations."""

    def __init__(self, database: Database) -> None:
        fetched = database.read("STRING_IDS", {"id": "int", "value": "text"})
        self._strings = fetched.texts("value")
        self._found = Found(fetched.ints("id"))
        self._database = database
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
        return self._strings.get(int(self._found.row(np.array([number], np.int64))[0]))

    def by_id(self, ids: I64) -> dict[int, str]:
        """The texts of the different ones of ``ids``, "" for those that have none."""
        wanted, texts = self._different(ids)
        return dict(zip(wanted.tolist(), texts, strict=True))

    def _different(self, ids: I64) -> tuple[I64, list[str]]:
        wanted = distinct(ids)
        rows = self._found.row(wanted)
        lost = (rows < 0) & (wanted != NONE) & (wanted >= 0)
        for none in NO_IDS:
            lost &= wanted != none
        self._unknown += int(np.count_nonzero(lost))
        return wanted, taken(self._strings, rows).tolist()

    def column(self, ids: I64, strings: Interner, *, optional: bool = True, quoted: bool = False) -> I32:
        """int32: the texts of ``ids`` in ``strings``, -1 for none and N/A (an empty text if not ``optional``).
        ``quoted``: the texts carry quotes of their own, which are left out."""
        wanted, texts = self._different(ids)
        made = array("i")
        for count, text in enumerate(texts):
            if count % _TICK == 0:
                self._database.look()
            text = text.strip('"') if quoted else text
            made.append(-1 if optional and text in _ABSENT else strings(text))
        return sealed(np.array(made, np.int32)[np.searchsorted(wanted, ids)])

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


def named(ids: I64, names: Mapping[int, str], strings: Interner) -> I32:
    """int32: the texts of ``names`` in ``strings``, -1 for ids without one."""
    return numbered(ids, {one: strings(names[one]) if one in names else -1 for one in distinct(ids).tolist()})


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
