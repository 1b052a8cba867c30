"""Interned texts: columns hold ids, and each text is stored once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Final, TypeAlias

import numpy as np
from msgspec import Struct

from app.language import Message, Text, untranslated
from app.profile.arrays import I32, I64, U8, Integers, expand, sealed
from app.profile.bounds import Index, Rows, TextEnds

TextIds: TypeAlias = Annotated[I32, Index("strings")]
"""int32: ids into ``strings``."""
_TOGETHER: Final = 1 << 14
OptionalTextIds: TypeAlias = Annotated[I32, Index("strings", -1)]
"""int32: ids into ``strings``, -1 for no text."""


class Strings(Struct, frozen=True, eq=False):
    """Texts by id, decoded on access.

    ``blob``: uint8, the concatenated texts as UTF-8; ``ends``: int64, the end of each text; ``words``: those of them
    that are Tilesight's own, which exports write in English.
    """

    blob: Annotated[U8, Rows("blob")]
    ends: Annotated[I64, TextEnds("blob")]
    words: Annotated[dict[int, Text], Index("ends")] = {}

    @classmethod
    def of(cls, texts: Iterable[str]) -> Strings:
        """A table of ``texts`` in their order; lone surrogates are stored as escapes."""
        plain = list(texts)
        words = _words(plain)
        joint = "".join(plain)
        if joint.isascii():  # as most tables are: a character is a byte
            blob, sizes = joint.encode(), list(map(len, plain))
        else:
            encoded = [text.encode("utf-8", "backslashreplace") for text in plain]
            blob, sizes = b"".join(encoded), list(map(len, encoded))
        return cls(sealed(np.frombuffer(blob, np.uint8)), sealed(np.cumsum(np.array(sizes, np.int64))), words)

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, index: int) -> str:
        """Text ``index``; IndexError outside 0..len-1 (negative ids mean "no text", not "from the end")."""
        if index < 0:
            raise IndexError(index)
        if index in self.words:
            return self.words[index]
        end = int(self.ends[index])
        begin = int(self.ends[index - 1]) if index else 0
        return self.blob[begin:end].tobytes().decode("utf-8", "replace")

    def __iter__(self) -> Iterator[str]:
        return iter(self.tolist())

    def get(self, index: int, default: str = "") -> str:
        """Text ``index``, or ``default`` for an id outside the table (-1 means no text)."""
        return self[index] if 0 <= index < len(self) else default

    def find(self, text: str) -> I64:
        """int64: the ids of ``text`` (usually one), empty if it is not in the table. Decodes nothing."""
        return self._with(text, whole=True)

    def beginning(self, prefix: str) -> I64:
        """int64, ascending: the ids of texts that begin with ``prefix``. Decodes nothing."""
        return self._with(prefix, whole=False)

    def _with(self, text: str, *, whole: bool) -> I64:
        wanted = text.encode("utf-8", "backslashreplace")
        begins = np.concatenate((np.zeros(1, np.int64), self.ends[:-1])) if len(self.ends) else self.ends
        sizes = self.ends - begins
        found = np.flatnonzero(sizes == len(wanted) if whole else sizes >= len(wanted))
        for place, byte in enumerate(wanted):
            found = found[self.blob[begins[found] + place] == byte]
        return found.astype(np.int64)

    def some(self, start: int, stop: int) -> Strings:
        """The texts ``start`` .. ``stop`` - 1."""
        ends = self.ends[start:stop]
        begin = int(self.ends[start - 1]) if start else 0
        words = {index - start: text for index, text in self.words.items() if start <= index < stop}
        return Strings(self.blob[begin : int(ends[-1]) if len(ends) else begin], sealed(ends - begin), words)

    def tolist(self) -> list[str]:
        """All texts, decoded."""
        blob = self.blob.tobytes()
        ends = self.ends.tolist()
        if blob.isascii():
            text = blob.decode("ascii")
            texts = [text[a:b] for a, b in zip([0, *ends], ends, strict=False)]
        else:
            texts = [blob[a:b].decode("utf-8", "replace") for a, b in zip([0, *ends], ends, strict=False)]
        for index, word in self.words.items():
            texts[index] = word
        return texts

    def for_programs(self) -> Strings:
        """The same table with its own texts in English."""
        return Strings.of(map(untranslated, self.tolist())) if self.words else self


def joined(first: Strings, second: Strings) -> Strings:
    """The concatenation of both tables: the ids of ``second`` are shifted by the length of ``first``. Decodes
    nothing."""
    ends = np.concatenate((first.ends, second.ends + len(first.blob)))
    words = first.words | {index + len(first): text for index, text in second.words.items()}
    return Strings(sealed(np.concatenate((first.blob, second.blob))), sealed(ends), words)


def all_of(tables: list[Strings]) -> Strings:
    """The concatenation of any number of tables, as of ``joined``. Takes them out of the list, so that they need not be
    in memory twice."""
    if len(tables) == 1:
        return tables.pop()
    blob = np.empty(sum(len(table.blob) for table in tables), np.uint8)
    ends = np.empty(sum(map(len, tables)), np.int64)
    begin, first = len(blob), len(ends)
    words: dict[int, Text] = {}
    while tables:
        table = tables.pop()
        begin, first = begin - len(table.blob), first - len(table)
        blob[begin : begin + len(table.blob)] = table.blob
        np.add(table.ends, begin, out=ends[first : first + len(table)])
        words |= {index + first: text for index, text in table.words.items()}
    return Strings(sealed(blob), sealed(ends), words)


def taken(strings: Strings, ids: Integers) -> Strings:
    """A table of the texts of ``ids`` in that order, with an empty text for each negative id. Decodes nothing."""
    if not len(strings):
        return Strings.of("" for _ in range(len(ids)))
    known = np.maximum(ids, 0)
    begins = np.concatenate((np.zeros(1, np.int64), strings.ends[:-1]))[known]
    lengths = np.where(ids >= 0, strings.ends[known] - begins, 0)
    ends = np.cumsum(lengths, dtype=np.int64)
    words = {}
    if strings.words:
        words = {row: strings.words[index] for row, index in enumerate(ids.tolist()) if index in strings.words}
    blob = np.empty(int(ends[-1]) if len(ends) else 0, np.uint8)
    for at in range(0, len(ids), _TOGETHER):  # the places of all bytes would take eight times as much memory
        some = slice(at, at + _TOGETHER)
        first, last = begins[some], begins[some] + lengths[some]
        blob[ends[at] - lengths[at] : ends[some][-1]] = strings.blob[expand(first, last)]
    return Strings(sealed(blob), sealed(ends), words)


def _words(texts: list[str]) -> dict[int, Text]:
    if Message not in set(map(type, texts)):
        return {}
    return {index: text for index, text in enumerate(texts) if isinstance(text, Message)}


class Interner:
    """Assigns an id to each distinct text, in order of first occurrence."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.ids.setdefault(text, len(self.ids))

    def strings(self) -> Strings:
        return Strings.of(self.ids)
