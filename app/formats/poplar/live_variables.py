"""Reads the lists of live variables of ``memory.liveness`` into columns: those of program steps, and of all that are
always live."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise, repeat
from typing import Any, Final

import numpy as np
from msgspec import Struct

from app.formats.errors import FormatError
from app.formats.poplar.report import Report, indices
from app.formats.walk import Broken, Walk
from app.language import plural, tr
from app.profile.arrays import I32, I64, Bool, Integers, Ragged, combine_at, distinct, sealed
from app.profile.poplar import Liveness, LiveVariables, program_steps
from app.profile.strings import Interner, Strings, joined

LIST_KEYS: Final = ("variables", "vars", "bytesByVariable")
"""Keys under which a node, or always-live memory, may list its variables."""
_NUMBERS: Final = ("id", "var", "variable", "ids")
_NAMES: Final = ("name", "names")
_SIZES: Final = ("size", "bytes", "sizeBytes", "sizes")
_LARGEST: Final = 1 << 45
"""More bytes than a variable can have; sums of smaller values never overflow."""
_INT: Final = {int}

Entry = tuple[Any, Any, Any]
"""Number, name and size as in the file; None where absent."""


class Described(Struct, frozen=True, eq=False):
    """Variables by index: int64 columns, -1 where the file has no value; ``name``: text ids."""

    number: I64
    name: I64
    size: I64


class VariableLists:
    """Decodes lists of one kind. Described variables are numbered in the order of first appearance: equal entries of
    different lists are one variable, equal entries within a list are different variables. ``keep_places``: invalid
    entries take a number too, so that ids are indices into the list."""

    def __init__(self, *, keep_places: bool = False) -> None:
        self.wrong = 0
        self.twice = 0
        self._keep_places = keep_places
        self._texts = Interner()
        self._known: dict[tuple[int, int, int, int], int] = {}
        self._quick: dict[tuple[str, int], int] = {}

    def __len__(self) -> int:
        return len(self._known)

    def read(self, value: Any) -> tuple[I64, bool]:
        """(int64: variables, whether they are ids). Invalid entries are counted and left out."""
        if isinstance(value, list):
            if value and type(value[0]) is int:
                return self._plain_ids(value), True
            plain = self._plain_records(value)
            return (self._entries(map(_record, value)) if plain is None else plain), False
        if isinstance(value, dict):
            return self._object(value)
        self.wrong += 1
        return np.empty(0, np.int64), False

    def strings(self) -> Strings:
        return self._texts.strings()

    def described(self) -> Described:
        """All described variables."""
        columns = np.array([key[:3] for key in self._known], np.int64).reshape(-1, 3).T
        return Described(*(np.ascontiguousarray(column) for column in columns))

    def _plain_records(self, value: list[Any]) -> I64 | None:
        """int64: the variables of records that are all distinct and have only a name and a size, as nearly all do; None
        for other lists."""
        quick, out = self._quick, []
        for record in value:
            if type(record) is not dict or len(record) != 2:
                return None
            name, size = record.get("name"), record.get("size")
            if type(name) is not str or type(size) is not int or not 0 <= size <= _LARGEST:
                return None
            variable = quick.get((name, size))
            if variable is None:
                key = (-1, self._texts(name) if name else -1, size, 0)
                variable = quick[name, size] = self._known.setdefault(key, len(self._known))
            out.append(variable)
        return np.array(out, np.int64) if len(set(out)) == len(out) else None

    def _plain_ids(self, value: list[Any]) -> I64:
        if set(map(type, value)) != _INT:
            good = [item for item in value if type(item) is int]
            self.wrong += len(value) - len(good)
            value = good
        try:
            ids = np.array(value, np.int64)
        except OverflowError:
            small = [item for item in value if abs(item) < 2**62]
            self.wrong += len(value) - len(small)
            ids = np.array(small, np.int64)
        if not bool(np.all(ids[1:] > ids[:-1])):
            once = np.array(list(dict.fromkeys(ids.tolist())), np.int64)
            self.twice += len(ids) - len(once)
            ids = once
        return ids

    def _object(self, value: dict[str, Any]) -> tuple[I64, bool]:
        """Decodes parallel arrays, or sizes by name; the result is that of ``read``."""
        columns = [_first(value, keys) for keys in (_NUMBERS, _NAMES, _SIZES)]
        lists = [column for column in columns if isinstance(column, list)]
        if not lists:
            return self._entries((None, name, size) for name, size in value.items()), False
        if columns[1:] == [None, None]:
            return self.read(lists[0])
        if len({len(column) for column in lists}) > 1:
            self.wrong += max(map(len, lists))
            return np.empty(0, np.int64), False
        numbers, names, sizes = (
            column if isinstance(column, list) else repeat(None, len(lists[0])) for column in columns
        )
        return self._entries(zip(numbers, names, sizes, strict=True)), False

    def _entries(self, entries: Iterable[Entry]) -> I64:
        """int64: the variable of each valid entry."""
        known, texts = self._known, self._texts
        seen: dict[tuple[int, int, int], int] = {}
        out: list[int] = []
        for number, name, size in entries:
            numbered = number is not None and type(number) is int and 0 <= number < 2**62
            if type(name) is not str and (name is not None or not numbered):
                self.wrong += 1
                if not self._keep_places:
                    continue
                name = None
            key = (number if numbered else -1, texts(name) if name else -1, self._size(size))
            before = seen.get(key, 0)
            seen[key] = before + 1
            out.append(known.setdefault((*key, before), len(known)))
        return np.array(out, np.int64)

    def _size(self, value: Any) -> int:
        if type(value) in (int, float) and 0 <= value <= _LARGEST and value == int(value):
            return int(value)
        self.wrong += value is not None
        return -1


def _record(value: Any) -> Entry:
    if type(value) is dict:
        return _first(value, _NUMBERS), _first(value, _NAMES), _first(value, _SIZES)
    return (None, value, None) if type(value) is str else (None, None, None)


def _first(value: dict[str, Any], keys: tuple[str, ...]) -> Any:
    for key in keys:
        if key in value:
            return value[key]
    return None


_ENTRY_BYTES: Final = 12
_LIST_BYTES: Final = 200
_VARIABLE_BYTES: Final = 300
"""Memory per item while the columns are built."""
_TABLE_BYTES: Final = 64 << 20
_BLOCK: Final = 1 << 20
_NO_VARIABLE: Final = -1
_FIRST_ID: Final = -2
"""Entries at or below this encode ids (-2 is id 0, -3 is id 1 ...); entries from 0 are described variables."""


class LiveVariablesReader:
    """Collects lists of variables and builds the section from them. ``path``: that of ``memory.liveness``."""

    def __init__(self, walk: Walk, report: Report, path: str) -> None:
        self._walk = walk
        self._report = report
        self._path = path
        self._lists = VariableLists()
        self._table: VariableLists | None = None
        self._nodes: list[int] = []
        self._rows: list[Integers] = []
        self._always: list[Integers] = []
        self._entries = 0

    def read_table(self, _path: str) -> None:
        """Reads the table of variables that ids refer to."""
        table = VariableLists(keep_places=True)
        table.read(self._walk.value(_TABLE_BYTES))
        self._report.allow(len(table), _VARIABLE_BYTES)
        self._table = table

    def read_always(self, _path: str) -> None:
        """Reads a list of the variables that are always live."""
        self._always.append(self._encoded(self._walk.value(_TABLE_BYTES)))

    def read_node(self, node: int, path: str) -> None:
        """Reads the list of a node at the walk; one that cannot be read is reported and counts as absent."""
        try:
            self.add(node, self._walk.value())
        except Broken:
            raise
        except FormatError as error:
            self._report.refused(path, error)

    def add(self, node: int, value: Any) -> None:
        """Adds the decoded list of a node; null counts as absent."""
        if value is not None:
            self._nodes.append(node)
            self._rows.append(self._encoded(value))

    def section(self, tree: Liveness | None) -> LiveVariables | None:
        """The section; None where the file lists no variables. ``tree``: the nodes, None if they could not be read."""
        if not self._nodes and not self._always:
            return None
        rows, stated = self._sorted_rows(0 if tree is None else len(tree))
        known = self._lists.described()
        entries, by_id = self._resolved(np.concatenate((rows.items, *self._always)), len(known.number))
        count = len(known.number) + len(by_id.number)
        self._report_left_out(entries, len(by_id.number))
        always = np.zeros(count, np.bool_)
        lasting = entries[len(rows.items) :]
        always[lasting[lasting >= 0]] = True
        at = _without_unknown(rows, entries[: len(rows.items)])
        first, last, steps = _lives(at, None if tree is None else program_steps(tree), count)
        strings = self._lists.strings()
        names = np.concatenate((known.name, np.where(by_id.name >= 0, by_id.name + len(strings), -1)))
        return LiveVariables(
            strings=strings if self._table is None else joined(strings, self._table.strings()),
            name=indices(names),
            number=sealed(np.concatenate((known.number, by_id.number))),
            size=sealed(np.concatenate((known.size, by_id.size))),
            always=sealed(always),
            at=at,
            stated=sealed(stated),
            first=sealed(first),
            last=sealed(last),
            steps=sealed(steps),
        )

    def _encoded(self, value: Any) -> Integers:
        """The encoded entries of a list: int32 where they fit, else int64."""
        variables, are_ids = self._lists.read(value)
        if are_ids:
            variables = np.where(variables >= 0, _FIRST_ID - variables, _NO_VARIABLE)
        self._entries += len(variables)
        self._report.allow(self._entries, _ENTRY_BYTES)
        self._report.allow(len(self._nodes), _LIST_BYTES)
        self._report.allow(len(self._lists), _VARIABLE_BYTES)
        small = not len(variables) or int(np.abs(variables).max()) < 2**31
        return variables.astype(np.int32) if small else variables

    def _sorted_rows(self, nodes: int) -> tuple[Ragged, Bool]:
        """(entries per node, bool[nodes]: which nodes have a list). Of several lists of a node the first counts."""
        lengths, stated = np.zeros(nodes, np.int64), np.zeros(nodes, np.bool_)
        parts: list[Integers] = [np.empty(0, np.int32)]
        for node, place in sorted((node, place) for place, node in enumerate(self._nodes) if node < nodes):
            if not stated[node]:
                stated[node], lengths[node] = True, len(self._rows[place])
                parts.append(self._rows[place])
        self._rows = []
        return Ragged.of(lengths, np.concatenate(parts)), stated

    def _resolved(self, entries: Integers, first: int) -> tuple[I32, Described]:
        """(int32[entries]: variables, -1 for unknown ids; the variables of ids, which are numbered from ``first``)."""
        if self._table is None:
            ids = _different_ids(entries)
            none = np.full(len(ids), -1, np.int64)
            by_id = Described(ids, none, none)
        else:
            by_id = self._table.described()
            own = distinct(by_id.number[by_id.number >= 0])
            if len(own) != len(by_id.number):  # not every variable has a distinct id: its index is its id
                by_id = Described(np.arange(len(by_id.number), dtype=np.int64), by_id.name, by_id.size)
        order = np.argsort(by_id.number, kind="stable")
        ids = by_id.number[order]
        dense = bool(np.array_equal(ids, np.arange(len(ids))))
        out = np.empty(len(entries), np.int32)
        for start in range(0, len(entries), _BLOCK):
            block = entries[start : start + _BLOCK].astype(np.int64)
            wanted = _FIRST_ID - block
            place = wanted if dense else np.searchsorted(ids, wanted)
            place = np.where((place >= 0) & (place < len(ids)), place, 0)
            there = ids[place] == wanted if len(ids) else np.zeros(len(block), np.bool_)
            variable = order[place] + first if len(ids) else place
            out[start : start + _BLOCK] = np.where(block >= 0, block, np.where(there, variable, _NO_VARIABLE))
        return out, by_id

    def _report_left_out(self, entries: I32, table: int) -> None:
        """Reports what was left out."""
        path = tr("{path}: variables", path=self._path)
        unknown = int(np.sum(entries == _NO_VARIABLE))
        if unknown:
            of = (
                plural(
                    " (the file lists {count:,} variable)",
                    " (the file lists {count:,} variables)",
                    count=table,
                )
                if self._table is not None
                else ""
            )
            self._report.issue(
                "error",
                path,
                plural(
                    "{count:,} id is not the id of a variable{of}, and is skipped",
                    "{count:,} ids are not ids of a variable{of}, and are skipped",
                    count=unknown,
                    of=of,
                ),
            )
        wrong = self._lists.wrong + (0 if self._table is None else self._table.wrong)
        if wrong:
            text = plural(
                "{count:,} value is not a variable or the size of one, and is ignored",
                "{count:,} values are not variables or sizes of variables, and are ignored",
                count=wrong,
            )
            self._report.issue("warning", path, text)
        if self._lists.twice:
            self._report.issue(
                "warning",
                path,
                plural(
                    "{count:,} id appears twice in a list; it counts once",
                    "{count:,} ids appear twice in a list; each counts once",
                    count=self._lists.twice,
                ),
            )


def _different_ids(entries: Integers) -> I64:
    """int64: the distinct ids among ``entries``, ascending."""
    if not len(entries):
        return np.empty(0, np.int64)
    top = _FIRST_ID - int(entries.min())
    if top < 0:
        return np.empty(0, np.int64)
    if top > 8 * len(entries) + _BLOCK:
        return distinct(_FIRST_ID - entries[entries <= _FIRST_ID].astype(np.int64))
    there = np.zeros(top + 1, np.bool_)
    for start in range(0, len(entries), _BLOCK):
        block = entries[start : start + _BLOCK]
        there[_FIRST_ID - block[block <= _FIRST_ID].astype(np.int64)] = True
    return np.flatnonzero(there).astype(np.int64)


def _without_unknown(rows: Ragged, variables: I32) -> Ragged:
    good = variables >= 0
    if bool(np.all(good)):
        return Ragged.of(rows.lengths, variables)
    return Ragged.of(np.bincount(rows.owner[good], minlength=len(rows)).astype(np.int64), variables[good])


def _lives(at: Ragged, nodes: I64 | None, count: int) -> tuple[I32, I32, I32]:
    """int32[count] each: the first and the last program step that lists each variable, -1 for none, and the number of
    steps that do."""
    first, last, steps = np.full(count, -1, np.int32), np.full(count, -1, np.int32), np.zeros(count, np.int32)
    if nodes is None:
        return first, last, steps
    step_of = np.full(len(at), -1, np.int32)
    step_of[nodes] = np.arange(len(nodes), dtype=np.int32)
    for start, end in _stretches(at):
        step = np.repeat(step_of[start:end], np.diff(at.first[start : end + 1]))
        inside = step >= 0
        variable, step = at.items[at.first[start] : at.first[end]][inside], step[inside]
        if count <= len(variable):
            steps += np.bincount(variable, minlength=count).astype(np.int32)
        else:
            combine_at(np.add, steps, variable, 1)
        last[variable] = step  # of repeated indices the last value is stored
        new = first[variable] < 0
        first[variable[new][::-1]] = step[new][::-1]
    return first, last, steps


def _stretches(at: Ragged) -> list[tuple[int, int]]:
    """Ranges of rows with about a million entries each."""
    borders = [0]
    while borders[-1] < len(at):
        end = int(np.searchsorted(at.first, at.first[borders[-1]] + _BLOCK))
        borders.append(min(max(end, borders[-1] + 1), len(at)))
    return list(pairwise(borders))
