"""Writes JSON and CBOR in pieces, for values that a Python tree cannot hold (too deep, too many, duplicate keys)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Protocol

import cbor2

from app.formats.cbor.decode import head

ARRAY, MAP = 4, 5
OPEN_ARRAY, OPEN_MAP, BREAK = b"\x9f", b"\xbf", b"\xff"


class Language(Protocol):
    """An encoding of values; ``random`` chooses among equivalent encodings."""

    def value(self, value: Any) -> bytes:
        """A plain value."""

    def array(self, items: Sequence[bytes], random: Random) -> bytes:
        """A list of encoded values."""

    def table(self, members: Iterable[tuple[str, bytes]], random: Random) -> bytes:
        """An object of encoded values; keys may be duplicate."""

    def nested(self, inner: bytes, depth: int, random: Random) -> bytes:
        """An encoded value inside ``depth`` lists or objects."""


class JsonText:
    def value(self, value: Any) -> bytes:
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")

    def array(self, items: Sequence[bytes], random: Random) -> bytes:
        return b"[" + b",".join(items) + b"]"

    def table(self, members: Iterable[tuple[str, bytes]], random: Random) -> bytes:
        return b"{" + b",".join(self.value(key) + b":" + value for key, value in members) + b"}"

    def nested(self, inner: bytes, depth: int, random: Random) -> bytes:
        begin, end = random.choice(((b"[", b"]"), (b'{"children":[', b"]}"), (b'{"a":', b"}"), (b"[[],", b"]")))
        return begin * depth + inner + end * depth


class CborItems:
    def value(self, value: Any) -> bytes:
        made: bytes = cbor2.dumps(value)
        return made

    def array(self, items: Sequence[bytes], random: Random) -> bytes:
        if random.random() < 0.5:
            return OPEN_ARRAY + b"".join(items) + BREAK
        return head(ARRAY, len(items)) + b"".join(items)

    def table(self, members: Iterable[tuple[str, bytes]], random: Random) -> bytes:
        pairs = [self.value(key) + value for key, value in members]
        if random.random() < 0.5:
            return OPEN_MAP + b"".join(pairs) + BREAK
        return head(MAP, len(pairs)) + b"".join(pairs)

    def nested(self, inner: bytes, depth: int, random: Random) -> bytes:
        children = self.value("children")
        begin, end = random.choice(
            ((b"\x81", b""), (OPEN_ARRAY, BREAK), (b"\xa1" + children + b"\x81", b""), (b"\xc1", b""))
        )
        return begin * depth + inner + end * depth


JSON: Language = JsonText()
CBOR: Language = CborItems()
